"""A match as a file: JSON lines, the first one about the match, then a move a line.

    {"match": {"game": "this-bed-is-mine", "options": {"board": "b"}, "seats": 2, "players": {"cat": "Ada"}}}
    {"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 5, "col": 3}
    {"move": "undo"}

The first line may be left out. `undo` and `redo` are written as they happened; with a `seat` they are
about a private move of that seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.errors import MendableError, cause_of
from companion.files import read_text
from companion.play.entries import Entry
from companion.play.match import Match


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the first line tells of the match."""

    game: str
    options: dict[str, Any] = {}
    seats: int | None = None
    players: dict[str, str] = {}
    began: str = ""


class FirstLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line, where it is about the match."""

    match: Header


class MovesFile(msgspec.Struct, frozen=True):
    """A whole file: the header, if there is one, and the plain values of each line after it."""

    header: Header | None
    lines: tuple[dict[str, Any], ...]


def read(path: Path) -> MovesFile:
    """Read a moves file. Raises `MendableError` naming the line that is none."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise MendableError(f"The file of moves {path} cannot be read: {cause_of(error)}.") from error
    lines = [_object(path, n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines or "match" not in lines[0]:
        return MovesFile(None, tuple(lines))
    try:
        header = msgspec.convert(lines[0], FirstLine).match
    except msgspec.ValidationError as error:
        raise MendableError(
            f"{path}, line 1: the match cannot be used: {cause_of(error, FirstLine, lines[0])}."
        ) from error
    return MovesFile(header, tuple(lines[1:]))


def _object(path: Path, n: int, line: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise MendableError(
            f"{path}, line {n} is no move: {cause_of(error, dict[str, Any])};"
            " mend that line or take it out, and try again."
        ) from error


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


def turned(line: dict[str, Any]) -> tuple[str, str | None] | None:
    """What a line that is no move says: `undo` or `redo`, and of which seat; None for a move."""
    seat = line.get("seat")
    turns = line.get("move") in ("undo", "redo") and line.keys() <= {"move", "seat"}
    return (line["move"], seat) if turns and isinstance(seat, str | None) else None
