"""The end of a match, followed to its last tile: first only the best-looking moves, then all of them.

With few placements left, arrays cost more than they save. So a position here is made of whole numbers, with a
bit for each placement that is still possible. Regions are remembered with the effect of each tile on them: a
move changes only one region, and most positions share theirs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.players import Budget
from companion.games.this_bed_is_mine.player.plan import Plan, Words
from companion.games.this_bed_is_mine.player.position import (
    CAT,
    MOBILITY,
    POINT,
    ROOM,
    TOYS_WORTH,
    Position,
    logarithms,
    worth_by_sum,
)
from companion.games.this_bed_is_mine.player.regions import scoring_regions
from companion.games.this_bed_is_mine.score import BONUS_POINTS, most_tokens

INFINITE = 1 << 40

WIDTHS = ((16, 8, 5, 4, 3, 2), (32, 16, 10, 8, 6, 4), (64, 32, 20, 16, 12, 8), (1 << 20,))
"""The moves to follow at each ply, round by round; the last number counts for all deeper plies. The last
round follows every move."""

CHILD = 4
"""The nodes that a position counts for: it costs more than one weighed together with many."""

REMEMBERED = 10_000
"""Positions whose bounds are remembered, about 6 MB."""

REGIONS = 4_000
"""Regions to remember, about 5 MB; with more, all are forgotten."""

CHANGES = 12_000
"""Changes of a region by a tile to remember, about 4 MB; with more, all are forgotten."""

TOY_BITS = 12
"""The bits of a toy count, enough for every square of a bed."""


class OutOfBudget(Exception):
    """The budget ran out in the middle of a round."""


@dataclass(slots=True, eq=False)
class _Region:
    """Squares joined along edges. `touch`: the signed number of each tile that touches them, and where.

    `points`, `worth` and `toys` are the cat's.
    """

    squares: int
    touch: tuple[tuple[int, int], ...]
    points: int
    worth: int
    toys: int


_Changed = tuple[tuple[_Region, ...], int, int, int]
"""The regions left after one more tile, and the change in the cat's points, their worth, and its toys."""


@dataclass(slots=True, eq=False)
class _Node:
    """A position. `alive` and `laid`: placements as bits; `hands`: each side's digits as bits.

    `points`, `territory` and `toys` are sums over its regions. `worth` is for the side that laid last.
    """

    alive: int
    hands: tuple[int, int]
    laid: int
    regions: tuple[_Region, ...]
    points: int
    territory: int
    toys: int
    worth: int = 0
    turn: int | None = None


class _Regions:
    """The regions of an ending, remembered. `numbers`: the placements by their numbers in the plan."""

    def __init__(self, plan: Plan, numbers: NDArray[np.intp]) -> None:
        self._stride = plan.bed.stride
        self._toys = [mask for _, mask in sorted(plan.bed.toys.items()) if mask]
        self._most_toys = most_tokens(plan.options)
        self._worth_of = worth_by_sum(plan.digits)
        self._squares = [plan.outlines.masks[number] for number in numbers]
        self._beside = [plan.outlines.beside_masks[number] for number in numbers]
        self._value = [plan.digits[digit] for digit in plan.digit_of[numbers]]
        self._known: dict[tuple[int, tuple[tuple[int, int], ...]], _Region] = {}
        self._changes: dict[tuple[_Region, int], _Changed] = {}
        self._bonus: dict[int, tuple[int, int]] = {}

    def all(self, free: int, tiles: Sequence[tuple[int, int]]) -> tuple[_Region, ...]:
        """The regions of the free squares beside these tiles that are large enough to score."""
        return tuple(self.region(part, tiles) for part in scoring_regions(free, self._stride))

    def region(self, squares: int, tiles: Iterable[tuple[int, int]]) -> _Region:
        """The region of these squares, with those of `tiles` that touch it."""
        touch = tuple(sorted((value, beside & squares) for value, beside in tiles if beside & squares))
        region = self._known.get((squares, touch))
        if region is None:
            if len(self._known) >= REGIONS:
                self._known.clear()
            total, size = sum(value for value, _ in touch), squares.bit_count()
            owner, toys = (total > 0) - (total < 0), 0
            for pictures in self._toys:
                toys = (toys << TOY_BITS) + owner * min((squares & pictures).bit_count(), self._most_toys)
            region = _Region(squares, touch, owner * size, self._worth_of[total] * size, toys)
            self._known[squares, touch] = region
        return region

    def _tile(self, n: int, side: int) -> tuple[int, int]:
        return (self._value[n] if side == CAT else -self._value[n]), self._beside[n]

    def with_tile(self, region: _Region, n: int, side: int) -> _Changed:
        """The change that a tile makes in its region."""
        known = self._changes.get((region, 2 * n + side))
        if known is None:
            if len(self._changes) >= CHANGES:
                self._changes.clear()
            tiles = (*region.touch, self._tile(n, side))
            left = self.all(region.squares & ~self._squares[n], tiles)
            known = self._changes[region, 2 * n + side] = (left, *_change((region,), left))
        return known

    def touched(self, regions: tuple[_Region, ...], n: int, side: int) -> _Changed:
        """The same for regions that a tile touches by a corner."""
        tile = self._tile(n, side)
        after = tuple(
            self.region(old.squares, (*old.touch, tile)) if old.squares & tile[1] else old for old in regions
        )
        return (after, *_change(regions, after))

    def for_toys(self, toys: int) -> tuple[int, int]:
        """The cat's points for toys at the end, and their worth before that."""
        known = self._bonus.get(toys)
        if known is None:
            half, left, bonus, worth = 1 << TOY_BITS - 1, toys, 0, 0
            for _ in self._toys:
                more = (left + half) % (2 * half) - half
                left = (left - more) >> TOY_BITS
                bonus += BONUS_POINTS * ((more > 0) - (more < 0))
                worth += TOYS_WORTH[max(-3, min(3, more)) + 3]
            known = self._bonus[toys] = bonus, worth
        return known


class Endgame:
    """The end of one match, from a position in which both sides have laid their first tile."""

    def __init__(self, position: Position, budget: Budget) -> None:
        plan, side = position.plan, position.turn
        assert side is not None, "somebody can lay a tile"
        self._budget, self._side = budget, side
        self._by_corners = plan.options.touch == "edge-or-corner"
        self._log = logarithms()
        numbers = plan.listed(position.placements(0) | position.placements(1))
        self._squares = [plan.outlines.masks[number] for number in numbers]
        self._digit = plan.digit_of[numbers].tolist()
        self._kept = _kept(plan.excluded[numbers], numbers)
        self._of_digit = [
            sum(1 << n for n, other in enumerate(self._digit) if other == digit)
            for digit in range(len(plan.digits))
        ]
        self._of_hand: dict[int, int] = {}
        self._regions = _Regions(plan, numbers)
        self._known: dict[tuple[int, int], tuple[int, int, int, array[int]]] = {}
        first = self._children(self._root(position), side)
        self._first = {int(numbers[n]): child for n, child in first}

    def _root(self, position: Position) -> _Node:
        plan, every = position.plan, (1 << len(position.plan.digits)) - 1
        tiles = [
            (
                plan.digits[plan.digit_of[key >> 1]] * (-1 if key & 1 else 1),
                plan.outlines.beside_masks[key >> 1],
            )
            for key in position.key
        ]
        regions = self._regions.all(position.free, tiles)
        cat, dog = (
            0 if position.out[side] else every & ~(position.tiles >> side * len(plan.digits))
            for side in (0, 1)
        )
        return _Node(
            (1 << len(self._squares)) - 1,
            (cat, dog),
            0,
            regions,
            sum(region.points for region in regions),
            sum(region.worth for region in regions),
            sum(region.toys for region in regions),
        )

    def worth(self, number: int, level: int, alpha: int, beta: int) -> tuple[int, bool]:
        """The worth of a move to the side in turn in this round of `WIDTHS`, and True if it is exact.

        Raises `OutOfBudget`.
        """
        return self._of_child(self._first[number], self._side, level, 1, alpha, beta)

    def _laid(self, node: _Node, side: int, n: int, *, weighed: bool) -> _Node:
        """The position after the side has laid a placement, with its worth if `weighed`."""
        squares, regions, n_region = self._squares[n], node.regions, 0
        while not regions[n_region].squares & squares:
            n_region += 1
        left, points, territory, toys = self._regions.with_tile(regions[n_region], n, side)
        others = regions[:n_region] + regions[n_region + 1 :]
        points, territory, toys = node.points + points, node.territory + territory, node.toys + toys
        if self._by_corners:
            others, *change = self._regions.touched(others, n, side)
            points, territory, toys = points + change[0], territory + change[1], toys + change[2]
        alive, mine, theirs = node.alive & self._kept[n], node.hands[side], node.hands[1 - side]
        mine &= ~(1 << self._digit[n])
        hands = (mine, theirs) if side == CAT else (theirs, mine)
        after = _Node(alive, hands, node.laid | 1 << 2 * n + side, others + left, points, territory, toys)
        places = (alive & self._hand(mine)).bit_count(), (alive & self._hand(theirs)).bit_count()
        if places[0] and places[1]:
            # Of two that can lay, the one with fewer tiles is in turn, the cat before the dog.
            after.turn = CAT if hands[0].bit_count() >= hands[1].bit_count() else 1 - CAT
        elif places[0] or places[1]:
            after.turn = side if places[0] else 1 - side
        if after.turn is None:
            points += self._regions.for_toys(toys)[0]
            after.worth = POINT * (points if side == CAT else -points)
        elif weighed:
            territory += self._regions.for_toys(toys)[1]
            after.worth = (territory if side == CAT else -territory) + self._prospects(
                alive, mine, theirs, places
            )
        return after

    def _hand(self, digits: int) -> int:
        placements = self._of_hand.get(digits)
        if placements is None:
            placements = 0
            for digit, lays in enumerate(self._of_digit):
                if digits >> digit & 1:
                    placements |= lays
            self._of_hand[digits] = placements
        return placements

    def _prospects(self, alive: int, mine: int, theirs: int, places: tuple[int, int]) -> int:
        """The worth of the tiles in hand, as in `position.children`."""
        log, room = self._log, 0
        for digit, of_digit in enumerate(self._of_digit):
            sign = (mine >> digit & 1) - (theirs >> digit & 1)
            if sign:
                room += sign * log[(alive & of_digit).bit_count()]
        return (MOBILITY * (log[places[0]] - log[places[1]]) + ROOM * room) // 1000

    def _children(self, node: _Node, side: int) -> list[tuple[int, _Node]]:
        """Each move with the position after it, the best first."""
        possible, numbers = node.alive & self._hand(node.hands[side]), list[int]()
        while possible:
            lowest = possible & -possible
            possible ^= lowest
            numbers.append(lowest.bit_length() - 1)
        self._budget.spend(CHILD * len(numbers))
        children = [(n, self._laid(node, side, n, weighed=True)) for n in numbers]
        children.sort(key=lambda child: -child[1].worth)
        return children

    def _value_of(
        self, node: _Node, side: int, level: int, ply: int, alpha: int, beta: int
    ) -> tuple[int, bool]:
        """The worth of a position to the side in turn, and True if it is exact."""
        key = node.laid, side
        known = self._known.get(key)
        if known is not None and known[0] >= level:
            at_level, low, high, _ = known
            if low >= beta or low == high:
                return low, at_level == len(WIDTHS)
            if high <= alpha:
                return high, at_level == len(WIDTHS)
            alpha, beta = max(alpha, low), min(beta, high)
        if self._budget.is_over:
            raise OutOfBudget
        order, children = (known[3], None) if known is not None else (None, self._children(node, side))
        if order is None:
            assert children is not None
            order = array("H", [n for n, _ in children])
        width = WIDTHS[level][min(ply, len(WIDTHS[level]) - 1)]
        best, first, exact = -INFINITE, 0, len(order) <= width
        for rank, n in enumerate(order[:width]):
            child = children[rank][1] if children is not None else self._again(node, side, n)
            worth, is_exact = self._of_child(child, side, level, ply + 1, max(alpha, best), beta)
            exact = exact and is_exact
            if worth > best:
                best, first = worth, rank
                if best >= beta:
                    exact = is_exact  # one refutation is enough, whatever else there is
                    break
        if first:
            order = array("H", [order[first], *order[:first], *order[first + 1 :]])
        if known is not None or len(self._known) < REMEMBERED:
            low, high = (best if best > alpha else -INFINITE), (best if best < beta else INFINITE)
            self._known[key] = (len(WIDTHS) if exact else level, low, high, order)
        return best, exact

    def _again(self, node: _Node, side: int, n: int) -> _Node:
        self._budget.spend(CHILD)
        return self._laid(node, side, n, weighed=False)

    def _of_child(
        self, child: _Node, side: int, level: int, ply: int, alpha: int, beta: int
    ) -> tuple[int, bool]:
        """The worth of a position to the side that moved there, and True if it is exact."""
        if child.turn is None:
            return child.worth, True
        if child.turn == side:
            return self._value_of(child, side, level, ply, alpha, beta)
        worth, exact = self._value_of(child, child.turn, level, ply, -beta, -alpha)
        return -worth, exact


def _kept(excluded: Words, numbers: NDArray[np.intp]) -> list[int]:
    """For each placement, those that it leaves possible, as bits."""
    bits = np.unpackbits(excluded.view(np.uint8), axis=1, bitorder="little")[:, numbers]
    return [~int.from_bytes(row.tobytes(), "little") for row in np.packbits(bits, axis=1, bitorder="little")]


def _change(before: tuple[_Region, ...], after: tuple[_Region, ...]) -> tuple[int, int, int]:
    """The change in the cat's points, their worth, and its toys."""
    return (
        sum(region.points for region in after) - sum(region.points for region in before),
        sum(region.worth for region in after) - sum(region.worth for region in before),
        sum(region.toys for region in after) - sum(region.toys for region in before),
    )
