"""What people may do now, for a table that plays by itself."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.hide_and_seek.legal import legal_moves
from companion.games.hide_and_seek.moves import End, HideMove, HideState, PlayEnemy, TurnUp

GO_ON_OF_TEN = 3
"""Out of ten times, how often no more cards are turned up: some cards lie in each round, seldom all."""
ENEMY_OF_TEN = 2
"""Rounds of ten in which an enemy is played, where one can be."""
LAPS = 2
"""So often everybody seeks where only the players end the match."""


def likely_move(state: HideState, below: Callable[[int], int]) -> HideMove:
    """Any legal move, but a match is played to its end, and not every card is turned up."""
    legal = list(legal_moves(state))
    ends = [move for move in legal if isinstance(move, End)]
    if ends and not state.rounds and state.round >= LAPS * len(state.seats):
        return ends[0]
    kinds = [(TurnUp, 10 - GO_ON_OF_TEN), (PlayEnemy, ENEMY_OF_TEN)]
    for kind, of_ten in kinds:
        some = [move for move in legal if isinstance(move, kind)]
        others: list[HideMove] = [move for move in legal if not isinstance(move, kind | End)]
        if some and (not others or below(10) < of_ten):
            return some[below(len(some))]
        legal = others or legal
    return legal[below(len(legal))]
