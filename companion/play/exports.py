"""A match as a file: JSON lines, written and read; CSV and a play for BG Stats, written.

    {"match": {"game": "this-bed-is-mine", "options": {"board": "b"}, "seats": 2, "players": {"cat": "Ada"}}}
    {"move": "lay", "owner": "cat", "digit": 4, "turns": 0, "row": 5, "col": 3}
    {"move": "undo"}

The first line is optional. `undo` and `redo` are written as they happened; with a `seat`, they concern a
private move of that seat; with an `aside` too, all of them, which were set aside under that number. A line
that does not begin with `{` is in the game's notation (`c4@5,3`, `undo`), as in `companion history`.
"""

from __future__ import annotations

import csv
import io
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.errors import InvalidMove, UserError
from companion.errors.causes import NOT_JSON, cause_of
from companion.files import read_text
from companion.games.registry import AnyGame, game
from companion.play.match import Match
from companion.play.schema import Entry

FIRST_LINE = 'put {"match": {"game": "…"}} on its first line'

MOST_LINES = 20_000
"""A long match has 1,000 moves."""


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


def read_moves(path: Path, slug: str = "", *, default: str = "") -> MovesFile:
    """Read a moves file of the game `slug`; if empty, of the game on its first line, else of `default`.
    Raises `UserError` with the number of a line that is not a move, or that names another game."""
    try:
        text = read_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"The file of moves {path} cannot be read: {cause_of(error)}.") from error
    numbered = ((n, line.strip()) for n, line in enumerate(text.splitlines(), 1) if line.strip())
    lines = list(islice(numbered, MOST_LINES + 1))
    if len(lines) > MOST_LINES:
        raise UserError(f"{path} has more lines than any match: {MOST_LINES} are the most.")
    header = _header(path, *lines[0]) if lines else None
    if header is not None:
        if slug and header.game != slug:
            raise UserError(f"{path} is a match of {header.game}, not of {slug}.")
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
        raise UserError(
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
        raise UserError(f"{path} does not name its game; {FIRST_LINE}.")
    try:
        values: dict[str, Any] = msgspec.to_builtins(game(slug).parse(line))
    except InvalidMove as error:
        raise _no_move(path, n, f"it is not in the notation of {slug}") from error
    return values


def _object(path: Path, n: int, line: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except NOT_JSON as error:
        raise _no_move(path, n, str(cause_of(error, dict[str, Any], line.encode()))) from error


def _no_move(path: Path, n: int, why: str) -> UserError:
    return UserError(f"{path}, line {n} is no move: {why}; mend that line or take it out, and try again.")


def options_of(header: Header) -> dict[str, Any]:
    """The options of a file's match, with defaults for the rest. Raises `InvalidMove` for unknown ones."""
    plain: dict[str, Any] = msgspec.to_builtins(game(header.game).options(header.options))
    return plain


class Step(NamedTuple):
    """An `undo` or `redo` of a file: its seat, and the number under which private moves were set aside."""

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


def in_notation(game: AnyGame, entry: Entry) -> str:
    """A move in the game's notation, or `undo` or `redo` with its seat; empty for any other entry."""
    if entry.kind == "move":
        return game.notation(game.move(entry.body))
    return " ".join((entry.kind, *map(str, entry.body.values()))) if entry.kind in ("undo", "redo") else ""


def as_lines(match: Match, *, whole: bool = False) -> str:
    """A match as the JSON lines that `companion replay` and `import` read. Private moves are included only
    with `whole`; the rest is a complete match without them."""
    record, players = match.record, match.view().players
    about = Header(record.game, record.options, record.seats, players, record.began)
    lines: list[Any] = [FirstLine(about)]
    for entry in match.entries(whole=whole):
        if entry.kind == "move":
            lines.append(entry.body)
        elif entry.kind in ("undo", "redo"):
            lines.append({"move": entry.kind, **entry.body})
    return "".join(msgspec.json.encode(line).decode() + "\n" for line in lines)


def as_csv(match: Match, *, whole: bool = False) -> str:
    """A match as CSV, one row per entry; private entries only with `whole`."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["n", "at", "kind", "source", "what", "move"])
    # The rows are numbered afresh: a gap would reveal a private entry.
    for n, entry in enumerate(match.entries(whole=whole), 1):
        body = msgspec.json.encode(entry.body).decode()
        rows.writerow([n, entry.at, entry.kind, entry.source, body, in_notation(match.game, entry)])
    return out.getvalue()


def as_bg_stats(match: Match) -> str:
    """A finished match as a play for the BG Stats app (its createPlay data). Raises `UserError` before the
    match is over: BG Stats keeps finished plays only."""
    view = match.view()
    if view.outcome is None:
        raise UserError(f"Match {view.id} is not over; BG Stats keeps finished plays only.")
    highest_wins = not match.game.fewest_win(match.state.options)
    play = {
        "sourceName": "Table Companion",
        "sourcePlayId": f"{view.game}-{view.id}-{view.began}",
        "playDate": datetime.fromisoformat(view.began).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"sourceGameId": view.game, "name": match.game.names["en"], "highestWins": highest_wins},
        "players": [
            {
                "sourcePlayerId": seat,
                "name": view.players.get(seat, seat),
                "role": seat,
                "startPlayer": seat == view.seats[0],
                "score": str(view.outcome.points.get(seat, "")),
                "winner": seat in view.outcome.winners,
            }
            for seat in view.seats
        ],
    }
    return msgspec.json.format(msgspec.json.encode(play), indent=2).decode() + "\n"
