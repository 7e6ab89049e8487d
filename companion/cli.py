"""The command line `companion`. A command's module is imported only when the command is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec

import click

from companion import __version__
from companion.errors import CompanionError, UserError

COMMANDS = {
    "run": ("companion.commands.run:run", "Watch the table and show the game on every phone."),
    "hall": ("companion.commands.hall:hall", "Show many tables on one page, and lead their evening."),
    "games": ("companion.commands.rules:games", "List the games, their seats and options."),
    "schema": ("companion.commands.rules:schema", "Print a game's moves and options as JSON Schema."),
    "replay": ("companion.commands.rules:replay", "Play the moves of a file by the rules alone."),
    "read-bed": ("companion.commands.read_bed:read_bed", "Read a folder of pictures of a bed or board."),
    "read-dice": ("companion.commands.read_dice:read_dice", "Read the pip dice in photos."),
    "teach": ("companion.commands.teach:teach", "Teach the camera what cards look like."),
    "score": ("companion.commands.score:score", "Score the bed in a folder's last picture."),
    "evaluate": ("lab.evaluate:evaluate", "Compare readings with the truth."),
    "arena": ("companion.commands.arena:arena", "Let players play against each other, and count."),
    "bench": ("lab.bench.command:bench", "Measure the speed of each stage."),
    "print": (
        "companion.commands.print_sheets:print_sheets",
        "Write the sheets that a table needs, as PDF in true mm.",
    ),
    "sd-card": (
        "companion.commands.sd_card:sd_card",
        "Write the files that make an SD card come up as a table by itself.",
    ),
    "doctor": (
        "companion.commands.doctor:doctor",
        "Check everything that a table needs, and say how to mend it.",
    ),
    "export": ("companion.commands.keeping:export", "Write a kept match as moves, as CSV or for BG Stats."),
    "import": ("companion.commands.keeping:import_", "Keep a match from a file of moves."),
    "restore": ("companion.commands.keeping:restore", "List the backups, or bring one back."),
    "history": ("companion.commands.keeping:history", "List the kept matches, or the moves of one."),
}
"""Each command's module and function, and its line in `--help`, which therefore imports no command."""


def is_here(command: str) -> bool:
    """False for the lab's commands in an installation, which comes without the lab."""
    return not COMMANDS[command][0].startswith("lab.") or find_spec("lab") is not None


class LazyGroup(click.Group):
    """A click group that imports a command only when somebody calls it, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order of the table above."""
        return [name for name in COMMANDS if is_here(name)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name. Raises `UserError` if it needs a checkout of the project."""
        if cmd_name not in COMMANDS:
            return None
        if not is_here(cmd_name):
            raise UserError(f"companion {cmd_name} is for developers: run it in a checkout of the project.")
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line for each command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Each command shows examples with --help. Matches are kept in the folder COMPANION_HOME.",
)
@click.version_option(__version__, prog_name="companion")
def companion() -> None:
    """Watch a board game on a real table, score it and show it on every phone."""


def main() -> None:
    """Run the command line. A fault that a person can mend prints one sentence and exits with status 2."""
    try:
        companion(prog_name="companion", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away (`| head`); stdout is replaced so that no later flush complains.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except CompanionError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)


if __name__ == "__main__":
    main()
