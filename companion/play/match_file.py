"""A match as a file of JSON lines: the first line about the match, then one move per line.

    {"match": {"game": "this-bed-is-mine", "options": {"board": "b"}, "seats": 2, "players": {"cat": "Ada"}}}
    {"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 5, "col": 3}
    {"move": "undo"}

The first line is optional. `undo` and `redo` are written as they happened; with a `seat`, they concern a
private move of that seat; with an `aside` too, all of them, which were set aside under that number.

A line that does not begin with `{` is in the game's notation, as in `companion history`:

    c4@5,3
    undo
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.errors import InvalidMove, MendableError
from companion.errors.causes import NOT_JSON, cause_of
from companion.files import read_text
from companion.games.registry import game
from companion.play.entries import Entry
from companion.play.match import Match

FIRST_LINE = 'put {"match": {"game": "…"}} on its first line'
"""How to mend a file that does not name its game."""


MOST_LINES = 20_000
"""The maximum number of lines of a file; a long match has 1,000 moves."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the first line about the match."""

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    players: dict[str, str] = {}
    began: str = ""


class FirstLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line, if it is about the match."""

    match: Header


class MovesFile(msgspec.Struct, frozen=True):
    """A whole file: the header, if any, and the plain values of each line after it."""

    header: Header | None
    lines: tuple[dict[str, Any], ...]


def read(path: Path, slug: str = "", *, default: str = "") -> MovesFile:
    """Read a moves file of the game `slug`; empty for the game that its first line names, or else `default`.

    Raises `MendableError` with the number of a line that is not a move, or that names another game.
    """
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise MendableError(f"The file of moves {path} cannot be read: {cause_of(error)}.") from error
    numbered = ((n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip())
    lines = list(islice(numbered, MOST_LINES + 1))
    if len(lines) > MOST_LINES:
        raise MendableError(f"{path} has more lines than any match: {MOST_LINES} are the most.")
    header = _header(path, *lines[0]) if lines else None
    if header is not None:
        if slug and header.game != slug:
            raise MendableError(f"{path} is a match of {header.game}, not of {slug}.")
        slug, lines = header.game, lines[1:]
    slug = slug or default
    return MovesFile(header, tuple(_values(path, n, line, slug) for n, line in lines))


def _header(path: Path, n: int, line: str) -> Header | None:
    """The first line, if it is about the match."""
    values = _object(path, n, line) if line.startswith("{") else {}
    if "match" not in values:
        return None
    try:
        return msgspec.convert(values, FirstLine).match
    except msgspec.ValidationError as error:
        raise MendableError(
            f"{path}, line {n}: the match cannot be used: {cause_of(error, FirstLine, values)}."
        ) from error


def _values(path: Path, n: int, line: str, slug: str) -> dict[str, Any]:
    """The plain values of a line, which is JSON or in the game's notation."""
    if line.startswith("{"):
        return _object(path, n, line)
    word, *of = line.split()
    if word in ("undo", "redo"):
        aside = {"aside": int(of[1])} if len(of) > 1 and of[1].isdecimal() else {}
        return {"move": word, "seat": of[0], **aside} if of else {"move": word}
    if not slug:
        raise MendableError(f"{path} does not name its game; {FIRST_LINE}.")
    try:
        values: dict[str, Any] = msgspec.to_builtins(game(slug).parse(line))
    except InvalidMove as error:
        raise _no_move(path, n, f"it is not in the notation of {slug}") from error
    return values


def _object(path: Path, n: int, line: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except NOT_JSON as error:
        raise _no_move(path, n, str(cause_of(error, dict[str, Any]))) from error


def _no_move(path: Path, n: int, why: str) -> MendableError:
    return MendableError(f"{path}, line {n} is no move: {why}; mend that line or take it out, and try again.")


def lines_of(match: Match, players: dict[str, str], entries: Iterable[Entry]) -> Iterator[dict[str, Any]]:
    """The lines of a match's file."""
    record = match.record
    yield {
        "match": {
            "game": record.game,
            "options": record.options,
            "seats": record.seats,
            "players": players,
            "began": record.began,
        }
    }
    for entry in entries:
        if entry.kind == "move":
            yield entry.body
        elif entry.kind in ("undo", "redo"):
            yield {"move": entry.kind, **entry.body}


def options_of(header: Header) -> dict[str, Any]:
    """The options of a file's match. Raises `InvalidMove` for one that the game does not have.

    A file that says when its match began was exported: it is played as it was kept. In a person's own file,
    options that are left out have their defaults.
    """
    rules = game(header.game)
    options = rules.kept_options if header.began else rules.options
    plain: dict[str, Any] = msgspec.to_builtins(options(header.options))
    return plain


class Step(NamedTuple):
    """An `undo` or `redo` of a file: of which seat, and the number where its private moves were set aside."""

    what: str
    seat: str | None
    aside: int


def follow(match: Match, step: Step, source: str) -> None:
    """Undo or redo in `match` as a line of a file says. Raises `MoveError`."""
    if step.aside and step.seat is not None:
        if step.what == "undo":
            match.set_aside(step.seat, source)
        else:
            match.hand_over(step.seat, step.aside, source)
    elif step.what == "undo":
        match.undo(source, seat=step.seat)
    else:
        match.redo(source, seat=step.seat)


def undo_or_redo(line: dict[str, Any]) -> Step | None:
    """The undo or redo that a line says; None for a move."""
    seat, aside = line.get("seat"), line.get("aside", 0)
    steps = line.get("move") in ("undo", "redo") and line.keys() <= {"move", "seat", "aside"}
    if not (steps and isinstance(seat, str | None) and isinstance(aside, int)):
        return None
    return Step(line["move"], seat, aside)
