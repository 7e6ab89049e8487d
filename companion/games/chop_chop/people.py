"""Moves as people make them, for a table that plays by itself."""

from __future__ import annotations

from collections.abc import Callable
from math import lcm

from companion.games.chop_chop.state import CameBy, ChopMove, ChopState, ThrowDie, TurnSlab, slab_chances
from companion.games.chop_chop.worth import Scale


def likely_move(state: ChopState, legal: list[ChopMove], below: Callable[[int], int]) -> ChopMove:
    """A throw or a slab by chance, else a move that looks good."""
    if (brought := by_chance(state, below)) is not None:
        return brought
    hunts = state.standing.side == "cat"
    scale, sign = Scale.for_options(state.options, "wins" if hunts else "wins soon"), -1 if hunts else 1
    worth = {move: sign * scale.move(state, move) for move in legal if type(move) is not CameBy}
    best = [move for move, chance in worth.items() if chance == max(worth.values())]
    return best[below(len(best))]


def by_chance(state: ChopState, below: Callable[[int], int]) -> ThrowDie | TurnSlab | None:
    """A throw of the die, or a slab from the bag; None while a player has to choose."""
    if state.standing.phase == "throw":
        faces = state.options.two_dice.die_of(state.standing.side).faces
        return ThrowDie((faces[below(len(faces))],))
    if state.standing.phase != "slab":
        return None
    chances = {chance.slab: chance.chance for chance in slab_chances(state) if chance.chance}
    parts = lcm(*(chance.denominator for chance in chances.values()))
    slabs = [slab for slab, chance in chances.items() for _ in range(int(chance * parts))]
    return TurnSlab(slabs[below(len(slabs))])
