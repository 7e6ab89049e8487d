"""The search below the root in plain Python. `bed.c` does the same, step by step, only faster."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.players import Budget
from companion.games.this_bed_is_mine.player.position import Child, Parent, Position

INFINITE = 1 << 30
"""More than any worth."""

END = 64
"""Plies that no match has: such a search goes to the end of the match. Above it, rounds are counted."""

EXACT = 255
"""The effort behind a worth that no further search can change."""

REPLIES = 48
"""The best replies to other moves, tried first at the last ply: one reply refutes most moves."""

REMEMBERED = 100_000
"""Positions whose bounds are remembered."""

CHECK = 256
"""Weighed positions between two looks at the budget."""


class OutOfBudget(Exception):
    """The budget ran out in the middle of a round."""


class Plain:
    """The search below one position, in which `side` has to move."""

    def __init__(self, position: Position, side: int, budget: Budget) -> None:
        self._root, self._side, self._budget = Parent(position), side, budget
        self._pending = 0
        self._known: dict[frozenset[int], tuple[int, int, int, int]] = {}
        self._replies: tuple[list[int], list[int]] = ([], [])
        self._plies, self._widths = 0, tuple[int, ...]()

    def children(self) -> Sequence[Child]:
        """Every position one placement away."""
        children = self._root.children(self._side)
        self._budget.spend(len(children))
        return children

    def weigh(self, number: int, plies: int, widths: Sequence[int], lowest: int) -> tuple[int, bool]:
        """The worth of a move to the side in turn; see `search.Engine`."""
        if self._budget.is_over:
            raise OutOfBudget
        self._plies, self._widths = plies, tuple(widths)
        child = self._root.child(self._side, number)
        return self._of_child(self._root, self._side, child, 1, lowest, INFINITE)

    def _generation(self, parent: Parent, side: int) -> list[Child]:
        children = parent.children(side)
        self._spend(len(children))
        return children

    def _spend(self, nodes: int) -> None:
        self._pending += nodes
        if self._pending >= CHECK:
            self._budget.spend(self._pending)
            self._pending = 0
            if self._budget.is_over:
                raise OutOfBudget

    def _of_child(
        self, parent: Parent, side: int, child: Child, depth: int, alpha: int, beta: int
    ) -> tuple[int, bool]:
        """The worth of a child to the side that laid, and True if it is exact."""
        if not (child.mine or child.theirs):
            return child.worth, True
        if depth >= self._plies:
            return child.worth, False
        position = parent.position.after(side, child.number)
        turn = position.turn
        assert turn is not None, "one of the two can lay"
        if turn == side:
            return self._value(position, turn, depth, alpha, beta)
        worth, exact = self._value(position, turn, depth, -beta, -alpha)
        return -worth, exact

    def _value(self, position: Position, side: int, depth: int, alpha: int, beta: int) -> tuple[int, bool]:
        """The worth of a position to the side in turn, and True if it is exact."""
        key = frozenset(position.tiles)
        effort = self._plies if self._plies >= END else self._plies - depth
        known, hint = self._known.get(key), -1
        if known is not None:
            by, low, high, hint = known
            if by >= effort:
                if low >= beta or low == high:
                    return low, by == EXACT
                if high <= alpha:
                    return high, by == EXACT
                alpha, beta = max(alpha, low), min(beta, high)
        parent = Parent(position)
        if depth + 1 == self._plies:
            best, exact, hint = self._at_last_ply(parent, side, beta)
        else:
            best, exact, hint = self._best(parent, side, depth, alpha, beta, hint)
        by = EXACT if exact else effort
        if (known is None and len(self._known) < REMEMBERED) or (known is not None and known[0] <= by):
            low, high = (best if best > alpha else -INFINITE), (best if best < beta else INFINITE)
            self._known[key] = by, low, high, hint
        return best, exact

    def _best(
        self, parent: Parent, side: int, depth: int, alpha: int, beta: int, hint: int
    ) -> tuple[int, bool, int]:
        """The best worth, True if it is exact, and its move; `hint`: a move to try before the others."""
        best, move, exact = -INFINITE, hint, True
        if hint >= 0:
            self._spend(1)
            child = parent.child(side, hint)
            best, exact = self._of_child(parent, side, child, depth + 1, alpha, beta)
            if best >= beta:
                return best, exact, hint
        children = sorted(self._generation(parent, side), key=lambda child: -child.worth)
        width = self._widths[min(depth, len(self._widths) - 1)]
        exact = exact and len(children) <= width
        for child in children[:width]:
            if child.number == hint:
                continue
            worth, is_exact = self._of_child(parent, side, child, depth + 1, max(alpha, best), beta)
            exact = exact and is_exact
            if worth > best:
                best, move = worth, child.number
                if best >= beta:
                    return best, is_exact, move  # one refutation is enough, whatever else there is
        return best, exact, move

    def _at_last_ply(self, parent: Parent, side: int, beta: int) -> tuple[int, bool, int]:
        """The worth of the move that looks best, or of a good reply to other moves, if it is enough."""
        replies, placements = self._replies[side], parent.position.placements(side)
        some = [number for number in replies if placements >> number & 1] if beta < INFINITE else []
        if some:
            self._spend(len(some))
            best = max(parent.children(side, some), key=lambda child: child.worth)
            if best.worth >= beta:
                self._remember_reply(replies, best.number)
                return best.worth, not (best.mine or best.theirs), best.number
        children = self._generation(parent, side)
        best = max(children, key=lambda child: child.worth)
        self._remember_reply(replies, best.number)
        return best.worth, not any(child.mine or child.theirs for child in children), best.number

    @staticmethod
    def _remember_reply(replies: list[int], number: int) -> None:
        if number in replies:
            replies.remove(number)
        replies.insert(0, number)
        del replies[REPLIES:]
