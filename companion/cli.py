"""The command line `companion`. A command's module is imported only when the command is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from companion import __version__
from companion.errors import CompanionError

# The arrays are small: numpy computes them faster on one core, and needs no buffers for the others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "run": ("companion.commands.run:run", "The table: camera, games, dashboard."),
    "games": ("companion.commands.rules:games", "The games, their seats and options."),
    "schema": ("companion.commands.rules:schema", "The moves and options of a game as JSON Schema."),
    "replay": ("companion.commands.rules:replay", "Play a file of moves by the rules alone."),
    "read-bed": ("companion.commands.read_bed:read_bed", "Read a folder of pictures of a bed or board."),
    "read-dice": ("companion.commands.read_dice:read_dice", "Read the pip dice in photos."),
    "teach": ("companion.commands.teach:teach", "Teach the camera what cards look like."),
    "score": ("companion.commands.score:score", "The final score of a folder's last picture."),
    "evaluate": ("companion.commands.evaluate:evaluate", "Hold the readers against a truth."),
    "bench": ("companion.commands.bench:bench", "The speed of each stage against its floor."),
    "print": ("companion.commands.print_sheets:print_sheets", "What a table needs printed, in true mm."),
    "doctor": ("companion.commands.doctor:doctor", "Is all there that a table needs, and how to mend it."),
    "export": ("companion.commands.keeping:export", "A kept match as moves, CSV or BG Stats."),
    "import": ("companion.commands.keeping:import_", "Keep a match from a file of moves."),
    "history": ("companion.commands.keeping:history", "The matches kept here."),
}
"""Each command's module and function, and its line in `--help`, so that help imports no command."""


class LazyGroup(click.Group):
    """A click group that imports a command only when it is called, so that `--help` stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table above."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line for each command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Each command shows examples with --help. Games are kept in the folder COMPANION_HOME names.",
)
@click.version_option(__version__, prog_name="companion")
def companion() -> None:
    """Sees a board game on a real table, scores it and shows it on every phone."""


def main() -> None:
    """Run the command line. A fault that a person can mend is one sentence, and exit status 2."""
    try:
        companion(standalone_mode=False)
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
