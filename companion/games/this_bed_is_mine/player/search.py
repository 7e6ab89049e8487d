"""The search: alpha-beta over the most promising placements.

A whole generation is weighed at once, so the search knows the worth of every move before it looks further.
Each round looks one ply deeper and follows only the best moves of the round before (`WIDTHS`). When few
placements are left, it follows the best of them to the end of the match (`TO_THE_END`), and in its last round
all of them: then the result is exact.

Below the root there are two engines that do the same: `compiled`, where a C compiler built it, and `plain`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.games.players import Budget
from companion.games.this_bed_is_mine.player import compiled
from companion.games.this_bed_is_mine.player.plain import END, INFINITE, OutOfBudget, Plain
from companion.games.this_bed_is_mine.player.position import Child, Position

DEEPEST = 8

WIDTHS = (40, 16, 8, 5, 4, 3)
"""The moves to follow at each ply from the root; the last number counts for all deeper plies."""

TO_THE_END = ((16, 8, 5, 4, 3, 2), (32, 16, 10, 8, 6, 4), (64, 32, 20, 16, 12, 8), (1 << 20,))
"""The same for each round to the end of the match."""

TO_THE_END_FROM = 600
"""The most placements of both sides to follow to the end of the match."""

ROUNDS = tuple((plies, WIDTHS) for plies in range(2, DEEPEST + 1))
ROUNDS_TO_THE_END = ROUNDS[:1] + tuple((END + n, widths) for n, widths in enumerate(TO_THE_END))


class Engine(Protocol):
    """The search below one position."""

    def children(self) -> Sequence[Child]:
        """Every position one placement away."""

    def weigh(self, number: int, plies: int, widths: Sequence[int], lowest: int) -> tuple[int, bool]:
        """The worth of a move to the side in turn, and True if it is exact; worths below `lowest` do not
        matter. Raises `OutOfBudget`."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The moves with their worths to the side in turn, the best first.

    `exact`: the best worth is that of the end of the match, with best play of both sides. `to_the_end`: it is
    that of an end, after the best-looking moves.
    """

    numbers: tuple[int, ...]
    worths: tuple[int, ...]
    exact: bool = False
    to_the_end: bool = False


def engine_of(position: Position, side: int, budget: Budget) -> Engine:
    """The compiled engine, where it is built; else the plain one."""
    if compiled.LIBRARY is None:
        return Plain(position, side, budget)
    return compiled.Compiled(compiled.LIBRARY, position, side, budget)


def look_ahead(
    position: Position,
    budget: Budget,
    wanted: int | None = None,
    engine_of: Callable[[Position, int, Budget], Engine] = engine_of,
) -> SearchResult:
    """Look deeper and deeper, until the budget is spent. `wanted`: a move that is always weighed fully."""
    side = position.turn
    if side is None:
        raise ValueError("nobody can lay a tile")
    # A slow machine may be out of time before it begins: it still says what is best at one ply.
    over = budget.is_over
    engine = engine_of(position, side, budget)
    first = sorted(engine.children(), key=lambda child: -child.worth)
    best = SearchResult(tuple(child.number for child in first), tuple(child.worth for child in first))
    left = sum(position.placements(side).bit_count() for side in (0, 1))
    late = left <= TO_THE_END_FROM and not any(position.bound)
    for plies, widths in ROUNDS_TO_THE_END if late else ROUNDS:
        if over or best.exact:
            break
        best, over = _round(engine, best, plies, widths, wanted)
    return best


def _round(
    engine: Engine, before: SearchResult, plies: int, widths: Sequence[int], wanted: int | None
) -> tuple[SearchResult, bool]:
    """Weigh the best moves of the round before, and say if the budget ran out.

    If it did, the weighed moves come first: the best one is always among them. Without a worth for `wanted`,
    the verdict stays as before.
    """
    numbers = before.numbers
    if wanted is not None:
        numbers = tuple(dict.fromkeys((numbers[0], wanted, *numbers)))
    weighed: dict[int, int] = {}
    alpha, exact, over = -INFINITE, True, False
    for number in numbers[: widths[0]]:
        try:
            worth, is_exact = engine.weigh(number, plies, widths, -INFINITE if number == wanted else alpha)
        except OutOfBudget:
            over = True
            break
        exact &= is_exact
        weighed[number] = worth
        alpha = max(alpha, worth)
    if over and (not weighed or wanted not in {None, *weighed}):
        return before, True
    others = [both for both in zip(before.numbers, before.worths, strict=True) if both[0] not in weighed]
    order, worths = zip(*sorted(weighed.items(), key=lambda each: -each[1]), *others, strict=True)
    exact = exact and len(weighed) == len(numbers)
    return SearchResult(order, worths, exact, to_the_end=before.to_the_end or plies >= END), over
