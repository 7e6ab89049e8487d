"""The notation of moves. Squares are `row,col`, counted from 0 at the top left.

| text | move |
| --- | --- |
| `c@3,4` | the cat starts on this square of the table |
| `3` | a throw: the value of the die |
| `m1>2,5` `c>2,5` | mouse 1, or the cat, goes to this square |
| `m1>2,5 via 2,4` | the same, and its last step came from this square |
| `via 2,4` | the last step of the moving piece came from this square |
| `stay` | the player does not use an arrow's free move |
| `cheese` `plus-1` | the slab under the piece is turned over and shows this |
| `spear 4,5` | the fork spears the cheese on this square |
"""

from __future__ import annotations

from typing import cast

from companion.games.chop_chop.kitchen import SLABS, Slab
from companion.games.chop_chop.state import (
    CameBy,
    GoTo,
    Piece,
    PlaceCat,
    SpearCheese,
    StayHere,
    ThrowDie,
    TurnSlab,
)
from companion.games.game import Form

SQUARE = r"(\d+),(\d+)"
"""A square: its row and column."""


def _piece(letter: str, number: str) -> Piece:
    return cast("Piece", f"mouse-{number}") if letter == "m" else "cat"


def _letter(piece: Piece) -> str:
    return "c" if piece == "cat" else f"m{piece[-1]}"


def _written(move: GoTo) -> str:
    via = f" via {move.via[0]},{move.via[1]}" if move.via else ""
    return f"{_letter(move.piece)}>{move.row},{move.col}{via}"


def _going(cat: str | None, mouse: str | None, number: str, *squares: str | None) -> GoTo:
    row, col, *via = (int(each) for each in squares if each is not None)
    return GoTo(_piece(cat or mouse or "", number), row, col, (via[0], via[1]) if via else None)


FORMS = (
    Form(
        PlaceCat,
        f"c@{SQUARE}",
        lambda move: f"c@{move.row},{move.col}",
        lambda row, col: PlaceCat(int(row), int(col)),
    ),
    Form(
        ThrowDie,
        r"(\d+)",
        lambda move: ",".join(map(str, move.dice)),
        lambda value: ThrowDie((int(value),)),
    ),
    Form(
        GoTo,
        f"(?:(c)|(m)([1-4]))>{SQUARE}(?: via {SQUARE})?",
        _written,
        _going,
    ),
    Form(
        CameBy,
        f"via {SQUARE}",
        lambda move: f"via {move.row},{move.col}",
        lambda row, col: CameBy(int(row), int(col)),
    ),
    Form(StayHere, "stay", lambda _: "stay", StayHere),
    Form(
        TurnSlab,
        f"({'|'.join(SLABS)})",
        lambda move: move.slab,
        lambda slab: TurnSlab(cast("Slab", slab)),
    ),
    Form(
        SpearCheese,
        f"spear {SQUARE}",
        lambda move: f"spear {move.row},{move.col}",
        lambda row, col: SpearCheese(int(row), int(col)),
    ),
)
"""Each kind of move as text."""
