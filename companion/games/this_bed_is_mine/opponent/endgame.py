"""The end of a match, followed to its last tile: first only the moves that look best, then all of them.

With few placements left, arrays cost more than they save. So a position is made of whole numbers here: a bit
for each placement that is still possible. Its regions are remembered, each with what any tile makes of it:
most positions of an ending share their regions with others, and only one region changes at a move.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.games.choosing import Budget
from companion.games.this_bed_is_mine.opponent.plan import Words
from companion.games.this_bed_is_mine.opponent.position import (
    CAT,
    POINT,
    TOYS_WORTH,
    Position,
    Taste,
    logarithms,
    rooms_of,
    worth_by_sum,
)
from companion.games.this_bed_is_mine.score import BONUS_POINTS, SMALLEST_REGION, regions_of

INFINITE = 1 << 40
"""More than any worth."""

WIDTHS = ((16, 8, 5, 4, 3, 2), (32, 16, 10, 8, 6, 4), (64, 32, 20, 16, 12, 8), (1 << 20,))
"""The moves that are followed at each ply, round by round; the last of a round counts for all deeper plies.
The last round follows every move."""

CHILD = 4
"""The nodes that a position counts: what it costs beside one that is weighed together with many."""

REMEMBERED = 10_000
"""The positions whose bounds are remembered, about 6 MB."""

REGIONS = 4_000
"""The regions that are remembered, about 5 MB: all are forgotten when there are more."""

CHANGES = 12_000
"""The changes of regions by a tile that are remembered, about 4 MB: all are forgotten when there are more."""

TOY_BITS = 12
"""The bits that count the toys of a kind; a bed has fewer squares than they hold."""


class OutOfBudget(Exception):
    """The budget is over in the middle of a round."""


@dataclass(slots=True, eq=False)
class _Region:
    """Squares joined along edges. `touch`: of each tile that touches them its signed number, and where.

    `points`, `worth` and `toys` are the cat's.
    """

    squares: int
    touch: tuple[tuple[int, int], ...]
    points: int
    worth: int
    toys: int


_Changed = tuple[tuple[_Region, ...], int, int, int]
"""Regions with one more tile, and what that changes of the cat's points, their worth and its toys."""


@dataclass(slots=True, eq=False)
class _Node:
    """A position. `alive` and `laid`: placements as bits; `hands`: each side's digits as bits.

    `points`, `territory` and `toys` are sums over its regions. `worth` is that to the side that laid last.
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


class Endgame:
    """The end of one match, from a position in which neither side has still to lay its first tile."""

    def __init__(self, position: Position, taste: Taste, budget: Budget) -> None:
        plan, side = position.plan, position.turn
        assert side is not None, "somebody can lay a tile"
        self._taste, self._budget, self._side = taste, budget, side
        self._stride, self._bed = plan.bed.stride, plan.bed
        self._by_corners = plan.options.touch == "edge-or-corner"
        self._toys = [mask for _, mask in sorted(plan.bed.toys.items()) if mask]
        self._worth_of = worth_by_sum(plan.digits, taste.margins)
        self._log, self._rooms = logarithms(), rooms_of(plan, taste)
        numbers = plan.listed(position.placements(0) | position.placements(1))
        self._squares = [plan.outlines.masks[number] for number in numbers]
        self._beside = [plan.outlines.beside_masks[number] for number in numbers]
        self._digit = plan.digit_of[numbers].tolist()
        self._value = [plan.digits[digit] for digit in self._digit]
        self._kept = _kept(plan.excluded[numbers], numbers)
        self._of_digit = [
            sum(1 << n for n, each in enumerate(self._digit) if each == digit)
            for digit in range(len(plan.digits))
        ]
        self._of_hand: dict[int, int] = {}
        self._regions: dict[tuple[int, tuple[tuple[int, int], ...]], _Region] = {}
        self._changes: dict[tuple[_Region, int], _Changed] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self._bonus: dict[int, tuple[int, int]] = {}
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
        regions = tuple(self._region(part, tiles) for part in self._split(position.free))
        cat, dog = (
            0 if position.out[side] else every & ~(position.tiles >> side * len(plan.digits))
            for side in (0, 1)
        )
        return _Node(
            (1 << len(self._squares)) - 1,
            (cat, dog),
            0,
            regions,
            sum(each.points for each in regions),
            sum(each.worth for each in regions),
            sum(each.toys for each in regions),
        )

    def worth(self, number: int, level: int, alpha: int, beta: int) -> tuple[int, bool]:
        """What a move of the side in turn is worth to it in this round of `WIDTHS`, and whether it is exact.

        Raises `OutOfBudget`.
        """
        return self._of_child(self._first[number], self._side, level, 1, alpha, beta)

    def _split(self, free: int) -> tuple[int, ...]:
        """The regions of some squares that are large enough to score."""
        parts = self._parts.get(free)
        if parts is None:
            if len(self._parts) >= REGIONS:
                self._parts.clear()
            parts = self._parts[free] = tuple(
                each for each in regions_of(free, self._stride) if each.bit_count() >= SMALLEST_REGION
            )
        return parts

    def _region(self, squares: int, tiles: Iterable[tuple[int, int]]) -> _Region:
        """The region of these squares; of `tiles`, those that touch it count."""
        touch = tuple(sorted((value, beside & squares) for value, beside in tiles if beside & squares))
        region = self._regions.get((squares, touch))
        if region is None:
            if len(self._regions) >= REGIONS:
                self._regions.clear()
            total, size = sum(value for value, _ in touch), squares.bit_count()
            owner, toys = (total > 0) - (total < 0), 0
            for pictures in self._toys:
                toys = (toys << TOY_BITS) + owner * (squares & pictures).bit_count()
            region = _Region(squares, touch, owner * size, self._worth_of[total] * size, toys)
            self._regions[squares, touch] = region
        return region

    def _tile(self, n: int, side: int) -> tuple[int, int]:
        return (self._value[n] if side == CAT else -self._value[n]), self._beside[n]

    def _with_tile(self, region: _Region, n: int, side: int) -> _Changed:
        """What a tile makes of the region in which it lies."""
        known = self._changes.get((region, 2 * n + side))
        if known is None:
            if len(self._changes) >= CHANGES:
                self._changes.clear()
            tiles = (*region.touch, self._tile(n, side))
            left = tuple(
                self._region(part, tiles) for part in self._split(region.squares & ~self._squares[n])
            )
            known = self._changes[region, 2 * n + side] = (left, *_change((region,), left))
        return known

    def _touched(self, regions: tuple[_Region, ...], n: int, side: int) -> _Changed:
        """The same for regions that a tile touches by a corner."""
        tile = self._tile(n, side)
        after = tuple(
            self._region(each.squares, (*each.touch, tile)) if each.squares & tile[1] else each
            for each in regions
        )
        return (after, *_change(regions, after))

    def _laid(self, node: _Node, side: int, n: int, *, weighed: bool) -> _Node:
        """The position once the side has laid a placement; `weighed` if its worth is asked for."""
        squares, regions, at = self._squares[n], node.regions, 0
        while not regions[at].squares & squares:
            at += 1
        left, points, territory, toys = self._with_tile(regions[at], n, side)
        others = regions[:at] + regions[at + 1 :]
        points, territory, toys = node.points + points, node.territory + territory, node.toys + toys
        if self._by_corners:
            others, *change = self._touched(others, n, side)
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
            points += self._for_toys(toys)[0]
            after.worth = POINT * (points if side == CAT else -points)
        elif weighed:
            territory = (territory + self._for_toys(toys)[1]) * self._taste.territory // 100
            after.worth = (territory if side == CAT else -territory) + self._prospects(
                alive, mine, theirs, places
            )
        return after

    def _hand(self, digits: int) -> int:
        """The placements of these digits."""
        placements = self._of_hand.get(digits)
        if placements is None:
            placements = 0
            for digit, each in enumerate(self._of_digit):
                if digits >> digit & 1:
                    placements |= each
            self._of_hand[digits] = placements
        return placements

    def _prospects(self, alive: int, mine: int, theirs: int, places: tuple[int, int]) -> int:
        """What the tiles in hand are worth, as `position.children` says it."""
        log, room = self._log, 0
        for digit, of_digit in enumerate(self._of_digit):
            sign = (mine >> digit & 1) - (theirs >> digit & 1)
            if sign:
                room += sign * self._rooms[digit] * log[(alive & of_digit).bit_count()]
        return (self._taste.mobility * (log[places[0]] - log[places[1]]) + room) // 1000

    def _for_toys(self, toys: int) -> tuple[int, int]:
        """What toys bring the cat at the end, and what they are worth before."""
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

    def _children(self, node: _Node, side: int) -> list[tuple[int, _Node]]:
        """What each move leads to, the best first."""
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
        """The worth of a position to the side in turn, and whether it is exact."""
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
        for at, n in enumerate(order[:width]):
            child = children[at][1] if children is not None else self._again(node, side, n)
            worth, is_exact = self._of_child(child, side, level, ply + 1, max(alpha, best), beta)
            exact = exact and is_exact
            if worth > best:
                best, first = worth, at
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
        """The worth of what a move leads to, to the side that made the move."""
        if child.turn is None:
            return child.worth, True
        if child.turn == side:
            return self._value_of(child, side, level, ply, alpha, beta)
        worth, exact = self._value_of(child, child.turn, level, ply, -beta, -alpha)
        return -worth, exact


def _kept(excluded: Words, numbers: NDArray[np.intp]) -> list[int]:
    """For each of these placements, those of them that it leaves possible, as bits."""
    bits = np.unpackbits(excluded.view(np.uint8), axis=1, bitorder="little")[:, numbers]
    return [~int.from_bytes(row.tobytes(), "little") for row in np.packbits(bits, axis=1, bitorder="little")]


def _change(before: tuple[_Region, ...], after: tuple[_Region, ...]) -> tuple[int, int, int]:
    """What other regions change of the cat's points, their worth, and its toys."""
    return (
        sum(each.points for each in after) - sum(each.points for each in before),
        sum(each.worth for each in after) - sum(each.worth for each in before),
        sum(each.toys for each in after) - sum(each.toys for each in before),
    )
