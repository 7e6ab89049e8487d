"""A kept match for other programs: the lines of a moves file, a table, a play for BG Stats."""

from __future__ import annotations

import csv
import io
from datetime import datetime

import msgspec

from companion.errors import MendableError
from companion.games.registry import AnyGame
from companion.play import match_file
from companion.play.entries import Entry
from companion.play.match import Match


def in_notation(game: AnyGame, entry: Entry) -> str:
    """A move in the game's notation, or `undo` or `redo` with its seat; empty for any other entry."""
    if entry.kind == "move":
        return game.notation(game.move(entry.body))
    return " ".join((entry.kind, *map(str, entry.body.values()))) if entry.kind in ("undo", "redo") else ""


def as_lines(match: Match, *, whole: bool = False) -> str:
    """A match as the JSON lines that `companion replay` and `import` read.

    Private moves are included only with `whole`; the rest is a complete match without them.
    """
    lines = match_file.lines_of(match, match.view().players, match.entries(whole=whole))
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
    """A finished match as a play for the BG Stats app (its createPlay data).

    Raises `MendableError` before the match is over: BG Stats keeps finished plays only.
    """
    view = match.view()
    if view.outcome is None:
        raise MendableError(f"Match {view.id} is not over; BG Stats keeps finished plays only.")
    play = {
        "sourceName": "Table Companion",
        "sourcePlayId": f"{view.game}-{view.id}-{view.began}",
        "playDate": datetime.fromisoformat(view.began).strftime("%Y-%m-%d %H:%M:%S"),
        "game": {"sourceGameId": view.game, "name": match.game.names["en"], "highestWins": True},
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
