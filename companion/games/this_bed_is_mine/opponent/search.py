"""The search: alpha-beta over the most promising placements, and all of them near the end.

The worth of a position is that of `position.children`: a whole generation is weighed at once, so the search
knows the worth of every move before it looks further. It looks one ply deeper in each round, and follows only
the moves that stood best in the round before (`WIDTHS`). When few placements are left, it follows all of them
to the end of the match: then what it says is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.choosing import Budget
from companion.games.this_bed_is_mine.opponent.position import POINT, Children, Position, Taste, children

WIDTHS = (64, 24, 10, 6, 5, 4)
"""The moves that are followed at each ply from the root; the last counts for all deeper ones."""

EXPANSION = 150
"""The nodes that one generation of children counts in addition: what it costs however small it is."""

SOLVED_FROM = 260
"""The most placements of both sides with which the search tries to reach the end."""

SOLVING_NODES = 60_000
"""The nodes after which trying to reach the end is given up; half a second on one core of a server."""

INFINITE = 1 << 40
"""More than any worth."""


class OutOfBudget(Exception):
    """The budget is over in the middle of a round."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the search says of a position: its moves with their worth to the side in turn, the best first.

    `exact`: the best one's worth is that of the end of the match, with best play of both sides.
    """

    numbers: tuple[int, ...]
    worths: tuple[int, ...]
    plies: int
    exact: bool


class Search:
    """One search of one position."""

    def __init__(self, taste: Taste, budget: Budget) -> None:
        self._taste, self._budget = taste, budget
        self._give_up = INFINITE
        self._known: dict[tuple[frozenset[int], int], tuple[int, int, int]] = {}

    def look(self, position: Position, most_plies: int, wanted: int | None = None) -> Verdict:
        """Look deeper and deeper, until the budget is over. `wanted`: a move that is always weighed fully."""
        side = position.turn
        if side is None:
            raise ValueError("nobody can lay a tile")
        # A slow machine may be out of time before it begins: it still says what is best at one ply.
        first = children(position, side, self._taste)
        self._budget.spend(len(first.numbers) + EXPANSION)
        order = np.argsort(-first.worths, kind="stable")
        best = Verdict(
            tuple(map(int, first.numbers[order])), tuple(map(int, first.worths[order])), 1, exact=False
        )
        if most_plies > 1 and self._is_late(position):
            self._give_up = self._budget.spent + SOLVING_NODES
            try:
                return self._round(position, side, first, best, None, wanted)
            except OutOfBudget:
                self._give_up = INFINITE
        for plies in range(2, most_plies + 1):
            try:
                best = self._round(position, side, first, best, plies, wanted)
            except OutOfBudget:
                break
            if best.exact:
                break
        return best

    def _is_late(self, position: Position) -> bool:
        left = sum(int(np.bitwise_count(position.placements(side)).sum()) for side in (0, 1))
        return left <= SOLVED_FROM

    def _generation(self, position: Position, side: int) -> Children:
        if self._budget.is_over or self._budget.spent >= self._give_up:
            raise OutOfBudget
        born = children(position, side, self._taste)
        self._budget.spend(len(born.numbers) + EXPANSION)
        return born

    def _round(
        self,
        position: Position,
        side: int,
        first: Children,
        before: Verdict,
        plies: int | None,
        wanted: int | None,
    ) -> Verdict:
        """Weigh the root's moves to this number of plies (None: to the end), in the last order."""
        width = len(before.numbers) if plies is None else WIDTHS[0]
        at = {int(number): n for n, number in enumerate(first.numbers)}
        weighed: list[tuple[int, int]] = []
        alpha, exact = -INFINITE, True
        for place, number in enumerate(before.numbers):
            if place >= width and number != wanted:
                continue
            lowest = -INFINITE if number == wanted else alpha
            worth, is_exact = self._child(position, side, first, at[number], plies, 1, lowest, INFINITE)
            exact &= is_exact
            weighed.append((worth, number))
            alpha = max(alpha, worth)
        weighed.sort(key=lambda each: -each[0])
        numbers = tuple(number for _, number in weighed)
        worths = tuple(worth for worth, _ in weighed)
        return Verdict(numbers, worths, plies or 0, exact and len(numbers) == len(before.numbers))

    def _child(
        self,
        position: Position,
        side: int,
        born: Children,
        n: int,
        plies: int | None,
        depth: int,
        alpha: int,
        beta: int,
    ) -> tuple[int, bool]:
        """The worth to `side` of its move `n`, and whether that is exact."""
        if not (born.mine[n] or born.theirs[n]):
            return int(born.worths[n]), True
        if plies is not None and depth >= plies:
            return int(born.worths[n]), False
        after = position.after(side, int(born.numbers[n]))
        turn = after.turn
        if turn is None:
            return POINT * int(born.points[n]), True
        if turn == side:
            return self._value(after, turn, plies, depth, alpha, beta)
        worth, exact = self._value(after, turn, plies, depth, -beta, -alpha)
        return -worth, exact

    def _value(
        self, position: Position, side: int, plies: int | None, depth: int, alpha: int, beta: int
    ) -> tuple[int, bool]:
        """The worth of a position to the side in turn; exact if all its moves were followed to the end."""
        key = (position.key, -1 if plies is None else plies - depth)
        known = self._known.get(key)
        if known is not None:
            low, high, exact = known
            if low >= beta or low == high:
                return low, bool(exact)
            if high <= alpha:
                return high, bool(exact)
            alpha, beta = max(alpha, low), min(beta, high)
        born = self._generation(position, side)
        order = np.argsort(-born.worths, kind="stable")
        width = len(order) if plies is None else WIDTHS[min(depth, len(WIDTHS) - 1)]
        if plies is not None and depth + 1 >= plies:
            # The moves that end the match are exact, the others as they look: nothing more is asked of them.
            best = int(born.worths[order[0]])
            exact = not (born.mine.any() or born.theirs.any())
        else:
            best, exact = self._best(position, side, born, order[:width], plies, depth, alpha, beta)
            exact = exact and width >= len(order)
        low, high = (best if best > alpha else -INFINITE), (best if best < beta else INFINITE)
        self._known[key] = (low, high, exact)
        return best, exact

    def _best(
        self,
        position: Position,
        side: int,
        born: Children,
        order: NDArray[np.intp],
        plies: int | None,
        depth: int,
        alpha: int,
        beta: int,
    ) -> tuple[int, bool]:
        best, all_exact = -INFINITE, True
        for n in order:
            worth, exact = self._child(position, side, born, int(n), plies, depth + 1, max(alpha, best), beta)
            all_exact &= exact
            best = max(best, worth)
            if best >= beta:
                break
        return best, all_exact
