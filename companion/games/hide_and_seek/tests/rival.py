"""A rival of forty lines, which weighs points and the chance to be caught, one ply deep."""

from __future__ import annotations

from companion.games.chance import Stream, key_of
from companion.games.hide_and_seek import GAME, steps
from companion.games.hide_and_seek.animals import every_traits, points
from companion.games.hide_and_seek.player import PLAYER, HidePlayer
from companion.games.hide_and_seek.state import HideMove, HideState, PlayEnemy, TurnUp
from companion.games.players import Budget, Choice, Seen

CAUGHT = {"": 0.6, "own": 0.0, "hides": 0.0, "no-colour": 0.1, "faster": 0.15, "as-fast": 0.3}
"""The chance to be caught, by how it stands before the others' cards are up."""

KEEPS = 0.1
"""The least gain for which it lays a card."""


def value(state: HideState, seat: str) -> float:
    """A seat's points ahead of the mean of the others', less what may be caught."""
    ahead = {player: float(total) for player, total in points(state).items()}
    if state.phase in ("cards", "candy", "catch") and not state.brawl:
        stand = every_traits(state)
        for result in steps.catch_results(state):
            worth = state.set.animals[result.animal].points + stand[result.animal].food
            ahead[state.owner(result.animal) or seat] -= CAUGHT[result.why] * worth
    return ahead[seat] - sum(total for player, total in ahead.items() if player != seat) / (len(ahead) - 1)


class Rival(HidePlayer):
    """Makes the move after which it stands best, and lays no card that gains nothing."""

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        state, luck = seen.known, Stream(key_of(seed))
        moves: list[HideMove | None] = PLAYER.all_moves(seen)
        luck.shuffle(moves)

        def worth(move: HideMove | None) -> float:
            if move is None or isinstance(move, PlayEnemy):
                return value(state, seen.seat) + (0.0 if move is None else -KEEPS)
            return value(GAME.play(state, move), seen.seat) - KEEPS * isinstance(move, TurnUp)

        return Choice(max(moves, key=worth))
