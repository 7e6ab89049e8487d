"""Moves as people make them, for a table that plays by itself."""

from __future__ import annotations

from collections.abc import Callable

from companion.games.hide_and_seek.state import End, HideMove, HideState, PlayEnemy, TurnUp

GO_ON_OF_TEN = 3
"""Times in ten that no further card is turned up."""
ENEMY_OF_TEN = 2
"""Rounds in ten with an enemy, where one can be played."""
LAPS = 2
"""Times that everybody seeks if only the players end the match."""


def likely_move(state: HideState, legal: list[HideMove], below: Callable[[int], int]) -> HideMove:
    """Any legal move, but not every card is turned up, and a match is played to its end."""
    ends = [move for move in legal if isinstance(move, End)]
    if ends and not state.rounds and state.round >= LAPS * len(state.seats):
        return ends[0]
    for kind, of_ten in ((TurnUp, 10 - GO_ON_OF_TEN), (PlayEnemy, ENEMY_OF_TEN)):
        some = [move for move in legal if isinstance(move, kind)]
        others: list[HideMove] = [move for move in legal if not isinstance(move, kind | End)]
        if some and (not others or below(10) < of_ten):
            return some[below(len(some))]
        legal = others or legal
    return legal[below(len(legal))]
