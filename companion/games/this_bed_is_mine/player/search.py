"""The search: alpha-beta over the most promising placements.

`position.children` weighs a whole generation at once, so the search knows the worth of every move before it
looks further. Each round looks one ply deeper and follows only the best moves of the round before (`WIDTHS`).
When few placements are left, it follows the best of them to the end of the match, and in its last round all
of them (`endgame`): then the result is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.games.players import Budget
from companion.games.this_bed_is_mine.player import endgame
from companion.games.this_bed_is_mine.player.endgame import INFINITE, Endgame, OutOfBudget
from companion.games.this_bed_is_mine.player.plan import WORD
from companion.games.this_bed_is_mine.player.position import POINT, Children, Position, children

WIDTHS = (40, 16, 8, 5, 4, 3)
"""The moves to follow at each ply from the root; the last number counts for all deeper plies."""

REPLIES = 48
"""The best replies to other moves, tried first at the last ply: one reply refutes most moves."""

EXPANSION = 600
"""The nodes that a generation of children counts for in addition, however small it is."""

ROUNDS_BEFORE_THE_END = 1
"""The rounds that order the moves before the search follows them to the end of the match."""

TO_THE_END_FROM = 600
"""The most placements of both sides to follow to the end of the match."""

REMEMBERED = 2_000
"""Positions whose best moves are remembered for the next round."""

Weigh = Callable[[int, int], tuple[int, bool]]
"""Weigh a move by its number, and say if its worth is exact; worths below the second number do not matter."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The moves with their worths to the side in turn, the best first.

    `exact`: the best worth is that of the end of the match, with best play of both sides. `to_the_end`: it is
    that of an end, after the best-looking moves.
    """

    numbers: tuple[int, ...]
    worths: tuple[int, ...]
    plies: int
    exact: bool
    to_the_end: bool = False


class Search:
    """One search of one position."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._over = False
        self._known: dict[tuple[frozenset[int], int], tuple[int, int, int]] = {}
        self._born: dict[frozenset[int], tuple[Children, int]] = {}
        self._replies: tuple[list[int], list[int]] = ([], [])

    def look_ahead(self, position: Position, most_plies: int, wanted: int | None = None) -> SearchResult:
        """Look deeper and deeper, until the budget is spent. `wanted`: a move that is always weighed
        fully."""
        side = position.turn
        if side is None:
            raise ValueError("nobody can lay a tile")
        # A slow machine may be out of time before it begins: it still says what is best at one ply.
        self._over = self._budget.is_over
        first = children(position, side)
        self._budget.spend(len(first.numbers) + EXPANSION)
        order = np.argsort(-first.worths, kind="stable")
        best = SearchResult(
            tuple(map(int, first.numbers[order])), tuple(map(int, first.worths[order])), 1, exact=False
        )
        left = sum(int(np.bitwise_count(position.placements(other)).sum()) for other in (0, 1))
        late = left <= TO_THE_END_FROM and not any(position.bound)
        places = {int(number): n for n, number in enumerate(first.numbers)}
        for plies in range(2, most_plies + 1)[: ROUNDS_BEFORE_THE_END if late else None]:

            def weigh(number: int, lowest: int, plies: int = plies) -> tuple[int, bool]:
                return self._child(position, side, first, places[number], plies, 1, lowest, INFINITE)

            best = self._round(weigh, best, plies, WIDTHS[0], wanted)
        return self._to_the_end(position, best, wanted) if late else best

    def _to_the_end(self, position: Position, best: SearchResult, wanted: int | None) -> SearchResult:
        """Search to the end of the match, with more moves in each round."""
        if self._over or best.exact:
            return best
        ending = Endgame(position, self._budget)
        for level, widths in enumerate(endgame.WIDTHS):

            def weigh(number: int, lowest: int, level: int = level) -> tuple[int, bool]:
                return ending.worth(number, level, lowest, INFINITE)

            after = self._round(weigh, best, best.plies, widths[0], wanted)
            best = best if after is best else replace(after, to_the_end=True)
        return best

    def _generation(self, position: Position, side: int, some: NDArray[np.intp] | None = None) -> Children:
        if self._budget.is_over:
            raise OutOfBudget
        born = children(position, side, some)
        self._budget.spend(len(born.numbers) + EXPANSION)
        return born

    def _round(
        self, weigh: Weigh, before: SearchResult, plies: int, width: int, wanted: int | None
    ) -> SearchResult:
        """Weigh the root's best moves in the last order, as many as `width`.

        If the budget runs out, the weighed moves come first: the best one is always among them. Without a
        worth for `wanted`, the verdict stays as before.
        """
        if self._over or before.exact:
            return before
        numbers = before.numbers
        if wanted is not None:
            numbers = tuple(dict.fromkeys((numbers[0], wanted, *numbers)))
        weighed: list[tuple[int, int]] = []
        alpha, exact = -INFINITE, True
        for number in numbers[:width]:
            try:
                worth, is_exact = weigh(number, -INFINITE if number == wanted else alpha)
            except OutOfBudget:
                self._over = True
                break
            exact &= is_exact
            weighed.append((worth, number))
            alpha = max(alpha, worth)
        done = {number for _, number in weighed}
        if self._over and (not weighed or wanted not in {None, *done}):
            return before
        weighed.sort(key=lambda choice: -choice[0])
        others = [
            (worth, number)
            for worth, number in zip(before.worths, before.numbers, strict=True)
            if number not in done
        ]
        worths, order = zip(*weighed, *others, strict=True)
        exact = exact and not self._over and len(weighed) == len(numbers)
        return SearchResult(order, worths, plies, exact)

    def _child(
        self,
        position: Position,
        side: int,
        born: Children,
        n: int,
        plies: int,
        depth: int,
        alpha: int,
        beta: int,
    ) -> tuple[int, bool]:
        """The worth to `side` of its move `n`, and True if it is exact."""
        if not (born.mine[n] or born.theirs[n]):
            return int(born.worths[n]), True
        if depth >= plies:
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
        self, position: Position, side: int, plies: int, depth: int, alpha: int, beta: int
    ) -> tuple[int, bool]:
        """The worth of a position to the side in turn; exact if all its moves were followed to the end."""
        key = (position.key, plies - depth)
        known = self._known.get(key)
        if known is not None:
            low, high, exact = known
            if low >= beta or low == high:
                return low, bool(exact)
            if high <= alpha:
                return high, bool(exact)
            alpha, beta = max(alpha, low), min(beta, high)
        if depth + 1 >= plies:
            best, exact = self._at_last_ply(position, side, beta)
        else:
            born, number = self._best_moves(position, side, WIDTHS[min(depth, len(WIDTHS) - 1)])
            best, exact = self._best(position, side, born, plies, depth, alpha, beta)
            exact = exact and len(born.numbers) == number
        low, high = (best if best > alpha else -INFINITE), (best if best < beta else INFINITE)
        self._known[key] = (low, high, exact)
        return best, exact

    def _at_last_ply(self, position: Position, side: int, beta: int) -> tuple[int, bool]:
        """The worth of the best move as it looks; that of a good reply to other moves, if it is enough.

        Only moves that end the match are exact.
        """
        replies = self._replies[side]
        if beta < INFINITE and replies:
            possible = position.placements(side).tolist()
            some = [n for n in replies if possible[n // WORD] >> n % WORD & 1]
            if some:
                born = self._generation(position, side, np.array(some, dtype=np.intp))
                best = int(born.worths.argmax())
                if born.worths[best] >= beta:
                    self._remember_reply(replies, some[best])
                    return int(born.worths[best]), False
        born = self._generation(position, side)
        best = int(born.worths.argmax())
        self._remember_reply(replies, int(born.numbers[best]))
        return int(born.worths[best]), not (born.mine.any() or born.theirs.any())

    @staticmethod
    def _remember_reply(replies: list[int], number: int) -> None:
        if number in replies:
            replies.remove(number)
        replies.insert(0, number)
        del replies[REPLIES:]

    def _best_moves(self, position: Position, side: int, width: int) -> tuple[Children, int]:
        """The best-looking moves, as many as `width`, and the number of all moves."""
        known = self._born.get(position.key)
        if known is not None:
            return known
        born = self._generation(position, side)
        order = np.argsort(-born.worths, kind="stable")[:width]
        best = Children(
            born.numbers[order], born.points[order], born.worths[order], born.mine[order], born.theirs[order]
        )
        if len(self._born) < REMEMBERED:
            self._born[position.key] = best, len(born.numbers)
        return best, len(born.numbers)

    def _best(
        self, position: Position, side: int, born: Children, plies: int, depth: int, alpha: int, beta: int
    ) -> tuple[int, bool]:
        best, all_exact = -INFINITE, True
        for n in range(len(born.numbers)):
            worth, exact = self._child(position, side, born, n, plies, depth + 1, max(alpha, best), beta)
            all_exact &= exact
            best = max(best, worth)
            if best >= beta:
                break
        return best, all_exact
