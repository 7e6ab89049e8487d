"""The companion's player of Chop! Chop!, for the cat and for the mice, and the players that measure it."""

from __future__ import annotations

from math import sqrt
from typing import Any

from companion.games.choosing import RANDOM, Budget, Choice, Dealer, Lots, Seen
from companion.games.chop_chop.people import SEEDS, likely_move, way
from companion.games.chop_chop.playouts import Chance, Hunt, Playout
from companion.games.chop_chop.rules import play
from companion.games.chop_chop.state import ChopState, GoTo, ThrowDie, TurnSlab

PLAYED_OUT = 12
"""The matches that are played out for a way before ways are compared."""

LOOKED_AHEAD = 14
"""The throws after which a match that is played out for the mice is judged as it stands. To play it to its
end costs four times as much, and says more of luck than of the way."""

CHEESE_OF_A_HOLE = 0.5
"""What a hole that no mouse has left yet is reckoned as, in cheeses still to be found."""

CHEESE_OF_THE_WAY_HOME = 0.5
"""What the way home is reckoned as, in cheeses still to be found.

These two and the doubling for each mouse were fitted to 3,000 matches of the simple players, counted every
ten throws. With ten cheeses to find, four mice won 61 % of them, two 24 %; with one cheese, two won 86 % and
the last one 64 %.
"""

CLEARLY = 1.0
"""Standard deviations by which a way has to be worth more than the simple player's own: with few matches
played out, luck would else choose between ways that are as good."""

MOST_PLAYED_OUT = 96
"""The matches that are played out at most for the best way; more would hardly tell the last two apart."""

WALKER = "nearest-goal"
"""The player who walks to the nearest goal: the cat to a mouse, a mouse to cheese or a slab, or home."""


class ChopChooser:
    """Plays the cat, or the mice."""

    levels = ("beginner", "top", RANDOM, WALKER)

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the side in `seen`. Nothing is hidden in this game but what lies under the slabs."""
        lots, state = Lots(seed), seen.known
        if not isinstance(state, ChopState):
            raise TypeError("this is no match of Chop! Chop!")
        budget.spend(len(seen.legal))
        ways = [move for move in seen.legal if isinstance(move, GoTo)]
        if level == RANDOM or not ways:
            return Choice(lots.one_of(seen.legal))
        if level in (WALKER, "beginner"):
            return Choice(_nearest(state, ways, lots), why=_why(state))
        go, worth = _worth_most(state, ways, budget, lots)
        return Choice(go, worth, _why(state))


CHOOSER = ChopChooser()


def _worth_most(state: ChopState, ways: list[GoTo], budget: Budget, lots: Lots) -> tuple[GoTo, float]:
    """The way that is worth most to the side in the matches that the simple players play out, and its worth.

    It is the way that the simple player itself would go, unless another is clearly worth more. After each
    round the better half goes on. All ways get the same luck.
    """
    first = way(state, ways, Chance(lots.below(SEEDS)))
    left = list(dict.fromkeys((first, *ways)))
    played_out = 0
    worths = dict.fromkeys(left, 0.0)
    more, apart = dict.fromkeys(left, 0.0), dict.fromkeys(left, 0.0)
    while len(left) > 1 and played_out < MOST_PLAYED_OUT and not (played_out and budget.is_over):
        for seed in [lots.below(SEEDS) for _ in range(PLAYED_OUT)]:
            worth = {go: _worth(state, go, seed) for go in left}
            for go in left:
                worths[go] += worth[go]
                more[go] += worth[go] - worth[first]
                apart[go] += (worth[go] - worth[first]) ** 2
            played_out += 1
            budget.spend(len(left))
            if budget.is_over:
                break
        others = sorted((go for go in left if go != first), key=lambda go: -worths[go])
        left = [first, *others[: max(1, len(left) // 2)]]
    clearly = [go for go in left if more[go] > CLEARLY * sqrt(apart[go])]
    best = max(clearly, key=lambda go: worths[go], default=first)
    return best, worths[best] / max(1, played_out)


def _worth(state: ChopState, go: GoTo, seed: int) -> float:
    """What a match that goes on with this way is worth to the side in turn, from 0 (lost) to 1 (won)."""
    side, chance = state.standing.side, Chance(seed)
    state = play(state, go)
    while not state.ended and state.standing.phase != "throw":
        state = play(state, likely_move(state, chance.below))
    if side == "cat":
        ended = state.ended or Playout(Hunt.of(state.options), state.standing, chance).run()
        return float(ended == "all-caught")
    if state.ended:
        return float(state.ended == "cheese-home")
    playout = Playout(Hunt.of(state.options), state.standing, chance)
    ended = playout.run(LOOKED_AHEAD)
    return float(ended == "cheese-home") if ended else _stands(playout)


def _stands(playout: Playout) -> float:
    """About how likely the mice win as it stands: each mouse more doubles the odds, each cheese that is still
    to be found makes them longer by as much."""
    missing = playout.hunt.cheese - playout.cheese_found + CHEESE_OF_A_HOLE * playout.left.count(False)
    odds = float(1 << sum(map(bool, playout.mice)))
    return odds / (odds + missing + CHEESE_OF_THE_WAY_HOME)


def _why(state: ChopState) -> str:
    """What the side wants now."""
    if state.standing.side == "cat":
        return "advice.hunts"
    done = state.standing.cheese_found == state.options.slabs.cheese
    return "advice.goes-home" if done else "advice.looks-for-cheese"


def _nearest(state: ChopState, ways: list[GoTo], lots: Lots) -> GoTo:
    """The way that ends nearest to a goal, by steps on an empty board."""
    standing, kitchen = state.standing, state.options.kitchen
    if standing.side == "cat":
        goals = [mouse for mouse in standing.mice if mouse]
    elif standing.cheese_found < state.options.slabs.cheese:
        goals = [*standing.cheeses, *standing.slabs]
    else:
        goals = list(kitchen.holes)
    if not goals:
        return lots.one_of(ways)
    far = [min(abs(row - go.row) + abs(col - go.col) for row, col in goals) for go in ways]
    return lots.one_of([go for go, steps in zip(ways, far, strict=True) if steps == min(far)])


class ChopDealer(Dealer):
    """The machine's own dice and slabs."""

    def begin(self, state: Any, lots: Lots) -> None:
        """Keep the match's lots."""
        self._lots = lots

    def chance(self, state: Any) -> Any:
        """A throw as the die falls, or a slab as the bag has it."""
        if state.standing.phase not in ("throw", "slab"):
            return None
        move = likely_move(state, self._lots.below)
        assert isinstance(move, ThrowDie | TurnSlab), "these phases wait for nothing else"
        return move


dealer = ChopDealer


def sides(seats: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The mice win and lose together, and the cat is alone."""
    return tuple(seat for seat in seats if seat != "cat"), ("cat",)
