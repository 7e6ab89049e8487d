"""How the tests play: kitchens set up as a drawing, moves written as a person says them."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec

from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import SLABS, Side, Square
from companion.games.chop_chop.state import (
    MICE,
    CameBy,
    ChopOptions,
    ChopState,
    GoTo,
    KitchenBoard,
    Piece,
    PlaceCat,
    Returning,
    SpearCheese,
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
    standing = KitchenBoard(
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
    return msgspec.structs.replace(begun, standing=standing, mice_turns=1)


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


OPTIONS = tuple(
    ChopOptions(
        no_return=no_return,
        last_mouse=last_mouse,
        caught_in_hole=caught,
        drop_off="any-time" if no_return == "both" else "after-tenth",
        board=board,
        dice=dice,
    )
    for no_return in get_args(Returning)
    for last_mouse in ("front-and-hole", "front")
    for caught in ("counts", "does-not")
    for board, dice in (("middle", "chop"), ("corners", "plain"))
)
"""Each choice of the rules, and both boards and pairs of dice."""


def position(draw: random.Random, options: ChopOptions) -> ChopState:
    """Any position in which a throw is due: pieces, slabs and cheese anywhere that the rules let them be."""
    kitchen, bag = options.kitchen, options.slabs
    turned = [draw.randint(0, bag.count_of(slab)) for slab in SLABS]
    if not any(bag.count_of(slab) - count for slab, count in zip(SLABS, turned, strict=True)):
        turned[0] -= 1
    slabs = tuple(sorted(draw.sample(kitchen.slabs, len(kitchen.slabs) - sum(turned))))
    bare = [square for square in kitchen.slabs if square not in slabs]
    cheeses = tuple(draw.sample(bare, draw.randint(0, min(turned[0], 4, len(bare)))))
    mice = mice_somewhere(draw, options, cheeses)
    free = set(kitchen.all_squares) - {mouse for mouse in mice if mouse not in kitchen.table}
    side: Side = draw.choice(("mice", "cat"))
    alive = [name for name, square in zip(MICE, mice, strict=False) if square]
    standing = KitchenBoard(
        cat=draw.choice(sorted(free - set(kitchen.holes))),
        mice=mice,
        slabs=slabs,
        cheeses=cheeses,
        turned=tuple(turned),
        cheese_found=turned[0] - len(cheeses),
        left=tuple(
            square != hole or draw.random() < 0.5 for square, hole in zip(mice, kitchen.holes, strict=True)
        ),
        owes=(draw.random() < 0.2, draw.random() < 0.2),
        side=side,
        same=draw.choice(alive) if side == "mice" and draw.random() < 0.2 else None,
        phase="throw",
    )
    return ChopState(options, 2, standing, mice_turns=1)


def mice_somewhere(
    draw: random.Random, options: ChopOptions, cheeses: tuple[Square, ...]
) -> tuple[Square | None, ...]:
    """One to all mice on squares of their own, often in or near a hole, where the rules are richest."""
    kitchen = options.kitchen
    holes = kitchen.holes
    near = [*holes, *(front for hole in holes for front in kitchen.fronts(hole))]
    squares: list[Square] = []
    for _ in holes:
        anywhere = near if draw.random() < 0.5 else kitchen.all_squares
        squares.append(draw.choice([at for at in anywhere if at not in squares and at not in cheeses]))
    alive = draw.sample(range(len(holes)), draw.randint(1, len(holes)))
    return tuple(square if number in alive else None for number, square in enumerate(squares))
