"""How the tests play: kitchens set up as a drawing, moves written as a person says them."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import Square
from companion.games.chop_chop.state import (
    CameBy,
    ChopOptions,
    ChopState,
    GoTo,
    Piece,
    PlaceCat,
    SpearCheese,
    Standing,
    ThrowDie,
    TurnSlab,
)
from companion.games.watching import square_name

CHOP = ChopOptions()

EMPTY = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""
"""The kitchen with nobody in it and all slabs turned: `kitchen` says what the dots may be."""


def kitchen(drawing: str, *, side: str = "mice", options: ChopOptions = CHOP, **changed: Any) -> ChopState:
    """A match in which a throw is due, from a drawing of the middle board.

    `C` the cat, `1` to `4` the mice (those not drawn are caught), `s` a slab face down, `$` visible cheese,
    `c` the cat on visible cheese. `changed` sets fields of the standing; mice that stand in the hole where
    they began have not left it, unless told.
    """
    at: dict[str, Square] = {}
    slabs, cheeses = [], []
    for row, line in enumerate(drawing.split("\n")[1:-1]):
        for col, sign in enumerate(line.split()):
            if sign in "C1234c":
                at[sign.upper()] = (row, col)
            if sign == "s":
                slabs.append((row, col))
            if sign in "$c":
                cheeses.append((row, col))
    begun = GAME.start(options, 2)
    holes = begun.options.kitchen.holes
    mice = tuple(at.get(str(n)) for n in range(1, len(holes) + 1))
    hidden = int(len(changed.get("slabs", slabs)) > 1)
    standing = Standing(
        turned=(10 - hidden, 0, 0, 0, 0, 0, 0),
        cheese_found=10 - hidden - len(changed.get("cheeses", cheeses)),
        cat=at.get("C"),
        mice=mice,
        slabs=tuple(slabs),
        cheeses=tuple(cheeses),
        left=tuple(mouse != hole for mouse, hole in zip(mice, holes, strict=True)),
        phase="throw",
    )
    standing = msgspec.structs.replace(standing, side=side, **changed)
    return msgspec.structs.replace(begun, standing=standing, turn_began=standing, mice_turns=1)


def square(name: str) -> Square:
    """The square of a name: `square("C4")` is (3, 2)."""
    return int(name[1:]) - 1, ord(name[0]) - ord("A")


def go(piece: str, to: str, via: str = "") -> GoTo:
    """A piece to a square: `go("1", "C4")`, `go("cat", "D2", via="D1")`."""
    named: Piece = "cat" if piece == "cat" else f"mouse-{piece}"  # type: ignore[assignment]
    return GoTo(named, *square(to), square(via) if via else None)


def via(name: str) -> CameBy:
    """The piece that is to move on came from this square."""
    return CameBy(*square(name))


def play(state: ChopState, *moves: Any) -> ChopState:
    """Play moves: a number is a throw, `"1 C4"` a piece to a square, a slab's name what was turned over."""
    for move in moves:
        state = GAME.play(state, read(move))
    return state


def read(move: Any) -> Any:
    """A move as `play` takes it."""
    if isinstance(move, int):
        return ThrowDie((move,))
    if not isinstance(move, str):
        return move
    first, _, second = move.partition(" ")
    if first == "place":
        return PlaceCat(*square(second))
    if first == "spear":
        return SpearCheese(*square(second))
    return go(first, second) if second else TurnSlab(first)  # type: ignore[arg-type]


def reached(state: ChopState, piece: str) -> set[str]:
    """The names of the squares to which a piece may go now."""
    moves = [move for move in GAME.legal_moves(state) if isinstance(move, GoTo)]
    return {square_name((move.row, move.col)) for move in moves if move.piece in (piece, f"mouse-{piece}")}


def happened(state: ChopState) -> list[str]:
    """What happened since the last throw."""
    return [event.what for event in state.since]
