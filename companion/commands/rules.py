"""`companion games`, `schema` and `replay`: the rules alone, without camera or journal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.commands.output import GAME_OPTIONS, print_json
from companion.errors import MoveError, UserError
from companion.games import registry
from companion.games.registry import AnyGame
from companion.messages import LANGUAGES
from companion.play import exports
from companion.play.history import History


def options_from_text(pairs: tuple[str, ...]) -> dict[str, object]:
    """`("board=b", "touch=edge")` as a dictionary. Raises `click.BadParameter`."""
    values: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"{pair!r} is not name=value", param_hint="--option")
        values[name.replace("-", "_")] = value
    return values


def option_rows(game: AnyGame) -> list[dict[str, Any]]:
    """A game's options: name, default, help, and the choices if it has any."""
    schema = msgspec.json.schema(game.options_type)
    fields = schema["$defs"][game.options_type.__name__]["properties"]
    defaults = msgspec.to_builtins(game.options({}))
    return [
        {"name": name, "default": defaults[name], "help": field.get("description", "")}
        | ({"choices": field["enum"]} if "enum" in field else {})
        for name, field in fields.items()
    ]


@click.command(epilog="\b\nExamples:\n  companion games\n  companion games --json")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per game.")
def games(*, as_json: bool) -> None:
    """List the games: slug, name in each language, number of players, and options with their defaults."""
    for game in registry.games().values():
        options = option_rows(game)
        if as_json:
            print_json(
                {"slug": game.slug, "names": dict(game.names), "seats": game.seat_counts, "options": options}
            )
            continue
        seats = seats_said(game.seat_counts)
        click.echo(f"{game.slug}  ({' / '.join(game.names.values())}), {seats} players")
        for option in options:
            choices = f" ({' | '.join(map(str, option['choices']))})" if "choices" in option else ""
            click.echo(f"    {option['name']}={option['default']}{choices}  {option['help']}")


def seats_said(counts: Sequence[int]) -> str:
    """The numbers of players that a game is for: `2`, `2 to 5`, or `2 or 4`."""
    least, most = min(counts), max(counts)
    if len(counts) > 1 and set(counts) == set(range(least, most + 1)):
        return f"{least} to {most}"
    return " or ".join(map(str, counts))


@click.command(epilog="\b\nExamples:\n  companion schema this-bed-is-mine")
@click.argument("slug")
def schema(slug: str) -> None:
    """Print the JSON Schema of a game's moves and options."""
    game = registry.game(slug)
    (moves, options), parts = msgspec.json.schema_components(
        [game.every_move, game.options_type], ref_template="#/$defs/{name}"
    )
    print_json(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": game.names["en"],
            "type": "object",
            "properties": {"moves": {"type": "array", "items": moves}, "options": options},
            "$defs": parts,
        }
    )


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion replay this-bed-is-mine moves.jsonl --option board=b --option touch=edge\n"
    "\n"
    "\b\n"
    "Each line is a move, as JSON or in the game's notation (docs/notation.md):\n"
    '  {"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 5, "col": 3}\n'
    "  c4@5,3"
)
@click.argument("slug")
@click.argument("moves", type=click.Path(path_type=Path))
@GAME_OPTIONS
@click.option("--seats", type=int, help="The number of players.")
@click.option("--seat", help="Show the game as this seat sees it.  [as everyone sees it]")
@click.option(
    "--lang",
    type=click.Choice(list(LANGUAGES)),
    default="en",
    show_default=True,
    help="The language of refusals.",
)
def replay(
    slug: str, moves: Path, options: tuple[str, ...], seats: int | None, seat: str | None, lang: str
) -> None:
    """Play the moves of a file by the rules alone. A refused move changes nothing, and the next is tried."""
    game = registry.game(slug)
    file = exports.read_moves(moves, slug)
    header = file.header or exports.Header(slug)
    chosen = {**exports.options_of(header), **options_from_text(options)}
    begun = game.start(game.options(chosen, from_text=True), seats or header.seats or min(game.seat_counts))
    history = History(game, (begun,))
    if seat is not None and seat not in game.seat_names(begun):
        raise UserError(f"There is no seat {seat!r}; there are: {', '.join(game.seat_names(begun))}.")
    for n, line in enumerate(file.lines, 1):
        try:
            history = _after(history, line)
        except MoveError as error:
            print_json({"n": n, "ok": False, "rule": error.rule, "says": error.says(lang)} | where(error))
        else:
            print_json({"n": n, "ok": True, "view": game.view(game.hide(history.state, seat), seat)})


def _after(history: History, line: dict[str, Any]) -> History:
    """The history after a line. Raises `MoveError`."""
    step = exports.undo_or_redo(line)
    if step is None:
        return history.played(history.game.move(line))
    return history.step(step.what, step.seat, step.aside)


def where(error: MoveError) -> dict[str, Any]:
    """The refused move and the moves before it, in the game's notation; {} if the line was not a move."""
    return {"move": error.move, "position": error.position} if error.move else {}
