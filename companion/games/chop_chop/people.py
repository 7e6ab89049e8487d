"""What people may do now, for a table that plays by itself: the two simple players of the chances play it."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.chop_chop.chance import slab_chances
from companion.games.chop_chop.playouts import CAT, Chance, Hunt, Playout
from companion.games.chop_chop.rules import legal_moves
from companion.games.chop_chop.state import MICE, ChopMove, ChopState, GoTo, Piece, ThrowDie, TurnSlab

SEEDS = 1 << 31
"""Seeds of a playout that a choice can draw."""

FINE = 3600
"""Parts into which a slab's chance is divided for a draw."""


def likely_move(state: ChopState, below: Callable[[int], int]) -> ChopMove:
    """A throw as the die falls, a slab as the bag has it, a way that the simple players would choose."""
    chance, standing = Chance(below(SEEDS)), state.standing
    if standing.phase == "throw":
        faces = state.options.two_dice.of(standing.side).faces
        return ThrowDie((faces[chance.below(len(faces))],))
    if standing.phase == "slab":
        return _slab(state, chance)
    legal = list(legal_moves(state))
    goes = [move for move in legal if isinstance(move, GoTo)]
    return way(state, goes, chance) if goes else legal[chance.below(len(legal))]


def _slab(state: ChopState, chance: Chance) -> TurnSlab:
    """A slab blindly drawn from those that lie face down."""
    kinds = slab_chances(state)
    drawn = chance.below(FINE) / FINE
    for kind in kinds:
        drawn -= float(kind.chance)
        if drawn < 0:
            return TurnSlab(kind.slab)
    return TurnSlab(next(kind.slab for kind in reversed(kinds) if kind.chance))


def way(state: ChopState, goes: list[GoTo], chance: Chance) -> GoTo:
    """Of the ways there are, the one that the simple players of the chances would choose."""
    kitchen, ends = state.options.kitchen, dict[int, int]()
    for go in goes:
        number = number_of(go.piece)
        ends[number] = ends.get(number, 0) | kitchen.bit((go.row, go.col))
    number, to = Playout(Hunt.of(state.options), state.standing, chance).preferred(ends)
    piece: Piece = "cat" if number == CAT else MICE[number]
    return GoTo(piece, *kitchen.square(to))


def number_of(piece: Piece) -> int:
    """The number of a piece as a mover in a playout."""
    return CAT if piece == "cat" else MICE.index(piece)
