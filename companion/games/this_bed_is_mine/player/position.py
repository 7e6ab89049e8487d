"""A position of the bed in the search, and the worth of all positions one placement away, at once.

The score of a bed is a sum over its empty squares. To find each square's owner, the set of tiles that touch
it spreads over its region; a table then gives the difference of the sums. All numbers are whole, so every
machine gets the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from companion.games.this_bed_is_mine.fits import binding
from companion.games.this_bed_is_mine.player.plan import Plan, Words
from companion.games.this_bed_is_mine.player.regions import (
    Rows,
    any_of,
    find,
    one_piece,
    pieces,
    rows_of,
    scoring_regions,
    without_single,
    words_of,
)
from companion.games.this_bed_is_mine.score import BONUS_POINTS, SMALLEST_REGION, most_tokens
from companion.games.this_bed_is_mine.state import OWNERS, Lay, Tile

Numbers = NDArray[np.int64]

POINT = 100
"""The worth of a point: worths are whole hundredths."""

AT_ONCE = 2_304
"""Positions scored together: as many as a processor's cache holds."""

FEW = 40
"""Below this number, positions are scored one by one: arrays are quicker only for more."""

MARGINS = (0, 60, 70, 80, 90, 100)
"""The worth of a square whose owner is ahead by 0, 1, 2, ... in its region, in hundredths: a lead of 1 is
easily lost again. The last counts for all larger leads."""

MOBILITY = 9000
"""Hundredths of a point for the logarithm of one side's placements over the other's."""

ROOM = 2000
"""The same for the logarithm of a tile's placements while it is in hand."""

TOYS_WORTH = (-450, -350, -200, 0, 200, 350, 450)
"""The worth of being 3, 2, 1 toys of a kind behind, level, and 1, 2, 3 ahead."""

CAT, DOG = 0, 1
"""Indices of `OWNERS`."""


class Position:
    """Tiles on the bed, by a plan: immutable except for cached values."""

    __slots__ = ("alive", "bound", "free", "key", "laid", "out", "plan", "tiles")

    def __init__(
        self,
        plan: Plan,
        free: int,
        alive: Words,
        tiles: int,
        *,
        bound: tuple[bool, bool],
        out: tuple[bool, bool],
        key: frozenset[int],
    ) -> None:
        self.plan, self.free, self.alive, self.tiles = plan, free, alive, tiles
        self.bound, self.out, self.key = bound, out, key
        digits = len(plan.digits)
        self.laid = (tiles & (1 << digits) - 1).bit_count(), (tiles >> digits).bit_count()

    @staticmethod
    def from_tiles(plan: Plan, tiles: Iterable[Tile], out: tuple[bool, bool] = (False, False)) -> Position:
        """The position with these tiles on the bed."""
        tiles = tuple(tiles)
        position = Position(plan, plan.bed.open, plan.real, 0, bound=(False, False), out=out, key=frozenset())
        for tile in tiles:
            position = position.after(OWNERS.index(tile.owner), number_of(plan, tile))
        cat, dog = (binding(plan.options, tiles, owner) is not None for owner in OWNERS)
        position.bound = (cat, dog)
        return position

    def after(self, side: int, number: int) -> Position:
        """The position after the side has laid the placement of that number."""
        plan = self.plan
        bit = 1 << int(plan.digit_of[number]) + side * len(plan.digits)
        bound = (self.bound[0] and side != CAT, self.bound[1] and side != DOG)
        return Position(
            plan,
            self.free & ~plan.outlines.masks[number],
            self.alive & ~plan.excluded[number],
            self.tiles | bit,
            bound=bound,
            out=self.out,
            key=self.key | {number * 2 + side},
        )

    def hand(self, side: int) -> Words:
        """The placements of the tiles in a side's hand, possible or not."""
        plan, digits = self.plan, len(self.plan.digits)
        laid = self.tiles >> side * digits & (1 << digits) - 1
        hand = plan.hands.get(laid)
        if hand is None:
            hand = np.zeros(plan.words, dtype=np.uint64)
            for n, words in enumerate(plan.of_digit):
                if not laid >> n & 1:
                    hand |= words
            plan.hands[laid] = hand
        return hand

    def placements(self, side: int) -> Words:
        """The possible placements of a side, as bits; empty for a side that is out."""
        if self.out[side]:
            return np.zeros_like(self.alive)
        mine = self.alive & self.hand(side)
        first = self.plan.first[OWNERS[side]]
        return mine & first if self.bound[side] and first is not None else mine

    def numbers(self, side: int) -> NDArray[np.intp]:
        """The numbers of a side's possible placements."""
        return self.plan.listed(self.placements(side))

    @property
    def turn(self) -> int | None:
        """The side in turn: of those that can lay, the one with fewer tiles, the cat before the dog.

        None if the match is over.
        """
        can = [side for side in (CAT, DOG) if self.placements(side).any()]
        return min(can, key=lambda side: self.laid[side], default=None)


def number_of(plan: Plan, tile: Tile | Lay) -> int:
    """The number of the placement that covers a tile's squares, whatever turns were recorded."""
    shape = plan.bed.shapes[tile.digit][tile.turns]
    turns = next(distinct.turns for distinct in plan.bed.distinct[tile.digit] if distinct.mask == shape.mask)
    return plan.number[tile.digit, turns, tile.row, tile.col]


@cache
def logarithms() -> tuple[int, ...]:
    """The natural logarithm of 1, 2, 3, ... in thousandths."""
    return tuple(round(1000 * log(n)) for n in range(1, 20_000))


@cache
def _logarithms() -> Numbers:
    return np.array(logarithms(), dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Children:
    """The positions one placement away, each with its worth to the side that laid it."""

    numbers: NDArray[np.intp]
    points: Numbers
    """Points ahead, if it ended so."""
    worths: Numbers
    """In hundredths of a point. Where nobody can lay any more: the points."""
    mine: Numbers
    theirs: Numbers
    """The placements left to each side, first the side that laid."""


def children(position: Position, side: int, numbers: NDArray[np.intp] | None = None) -> Children:
    """Every position one placement of the side away."""
    plan = position.plan
    if numbers is None:
        numbers = position.numbers(side)
    sign = 1 if side == CAT else -1
    points, worths = np.empty(len(numbers), dtype=np.int64), np.empty(len(numbers), dtype=np.int64)
    lying = _Lying(position)
    for start in range(0, len(numbers), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        points[some], worths[some] = lying.with_one_more(side, numbers[some])
    alive = position.alive & ~plan.excluded[numbers]
    counts = np.add.reduceat(np.bitwise_count(alive), plan.starts, axis=1, dtype=np.int64)
    hands = _hands(position, side, numbers)
    mine = (counts * hands[0]).sum(axis=1)
    first = plan.first[OWNERS[1 - side]]
    if position.bound[1 - side] and first is not None:
        theirs = np.bitwise_count(alive & first & position.hand(1 - side)).sum(axis=1, dtype=np.int64)
    else:
        theirs = (counts * hands[1]).sum(axis=1)
    worths = sign * worths + _prospects(counts, hands, mine, theirs)
    worths = np.where((mine == 0) & (theirs == 0), sign * POINT * points, worths)
    return Children(numbers, sign * points, worths, mine, theirs)


class _Lying:
    """The tiles on the bed, made ready to weigh one more."""

    def __init__(self, position: Position) -> None:
        plan = position.plan
        self._plan = plan
        digits = len(plan.digits)
        self._tiles = [
            (1 << int(plan.digit_of[key >> 1]) + (key & 1) * digits, key >> 1) for key in position.key
        ]
        beside = plan.outlines.beside_masks
        self._regions = find(plan.bed, position.free, [(bit, beside[n]) for bit, n in self._tiles])
        masks = list(self._regions.masks)
        self._rows = rows_of(plan.bed, masks)
        self._all = without_single(np.bitwise_or.reduce(self._rows, axis=1)[:, None])
        self._region_of = _labels(plan, masks)
        self._by_sum = _worths_by_sum(plan.digits)
        self._worth_of = worth_by_sum(plan.digits)
        self._beside = [(int(plan.sums[bit]), beside[n]) for bit, n in self._tiles]
        self._corners = plan.options.touch == "edge-or-corner"
        scoring = [mask if mask.bit_count() >= SMALLEST_REGION else 0 for mask in masks]
        sizes = np.array([mask.bit_count() for mask in scoring], dtype=np.int64)
        sums = plan.sums[list(self._regions.touch)].astype(np.int64)
        toys = self._toy_masks = [mask for _, mask in sorted(plan.bed.toys.items()) if mask]
        most = self._most_toys = most_tokens(plan.options)
        self._nothing = [0] * (2 + len(toys))
        self._toy_words = words_of(rows_of(plan.bed, toys))
        counts = np.array(
            [[min((mask & toy).bit_count(), most) for mask in scoring] for toy in toys], dtype=np.int64
        ).reshape(len(toys), len(masks))
        owner = np.sign(sums)
        self._now = owner * sizes, self._by_sum[sums + len(self._by_sum) // 2] * sizes, owner * counts

    def with_one_more(self, side: int, numbers: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
        """The points of each position after one of these placements, and its worth to the cat."""
        outlines = self._plan.outlines
        mine = self._region_of[outlines.first[numbers]]
        if len(numbers) < FEW or self._corners:
            gained = self._one_by_one(side, numbers, mine)
        else:
            free = self._rows.take(mine, axis=1)
            left = without_single(free & ~outlines.squares.take(numbers, axis=1))
            all_left = left | (self._all & ~free)
            number = pieces(all_left, outlines, numbers, self._regions, self._plan.bed)
            split = _most_split(number)
            number[split] = 1
            gained = self._gained(side, numbers, left, number)
            for many, few in zip(gained, self._one_by_one(side, numbers[split], mine[split]), strict=True):
                many[..., split] = few
        points, worths, toys = (
            whole.sum(axis=-1, keepdims=True) - whole.take(mine, axis=-1) + new
            for whole, new in zip(self._now, gained, strict=True)
        )
        points += BONUS_POINTS * np.sign(toys).sum(axis=0)
        worths += _TOYS_WORTH[np.clip(toys, -3, 3) + 3].sum(axis=0)
        return points, worths

    def _one_by_one(
        self, side: int, numbers: NDArray[np.intp], mine: NDArray[np.intp]
    ) -> tuple[Numbers, Numbers, Numbers]:
        """The same as `_gained`, one placement after the other: quicker for few of them.

        Where corners count, a tile may touch other regions, too; their changes are added.
        """
        plan, regions = self._plan, self._regions
        masks, around, all_gained = plan.outlines.masks, plan.outlines.beside_masks, []
        for number, region in zip(numbers.tolist(), mine.tolist(), strict=True):
            digit = plan.digits[plan.digit_of[number]] * (1 if side == CAT else -1)
            left = scoring_regions(regions.masks[region] & ~masks[number], plan.bed.stride)
            changes = [self._worth(piece, digit) for piece in left]
            if self._corners:
                for other, piece in enumerate(regions.masks):
                    if other != region and piece & around[number] and piece.bit_count() >= SMALLEST_REGION:
                        changes += [self._worth(piece, digit), [-worth for worth in self._worth(piece, 0)]]
            all_gained.append([sum(column) for column in zip(*changes, strict=True)] or self._nothing)
        gained = np.array(all_gained, dtype=np.int64).reshape(len(numbers), len(self._nothing)).T
        return gained[0], gained[1], gained[2:]

    def _worth(self, piece: int, digit: int) -> list[int]:
        """The points, worth and toys of a region to the cat; `digit`: one more tile beside it."""
        total = digit
        for value, beside in self._beside:
            if beside & piece:
                total += value
        size, owner = piece.bit_count(), (total > 0) - (total < 0)
        toys = [owner * min((piece & toy).bit_count(), self._most_toys) for toy in self._toy_masks]
        return [owner * size, self._worth_of[total] * size, *toys]

    def _gained(
        self, side: int, numbers: NDArray[np.intp], left: Rows, number: Numbers
    ) -> tuple[Numbers, Numbers, Numbers]:
        """The points, worths and toys in the rest of each placement's region; `number`: its pieces."""
        several = np.flatnonzero(number > 1)
        if not len(several):
            return self._in_one_piece(side, numbers, left)
        rest = left.take(several, axis=1)
        piece = one_piece(rest)
        left[:, several] = piece
        points, worths, toys = self._in_one_piece(side, numbers, left)
        more = self._gained(side, numbers[several], rest & ~piece, number[several] - 1)
        points[several] += more[0]
        worths[several] += more[1]
        toys[:, several] += more[2]
        return points, worths, toys

    def _in_one_piece(
        self, side: int, numbers: NDArray[np.intp], left: Rows
    ) -> tuple[Numbers, Numbers, Numbers]:
        """The same for regions left in one piece or wholly covered."""
        plan, by_sum = self._plan, self._by_sum
        words = words_of(left)
        sums = np.array(plan.digits, dtype=np.int64)[plan.digit_of[numbers]] * (1 if side == CAT else -1)
        for bit, number in self._tiles:
            touches = any_of(words, plan.outlines.beside[:, number])
            sums += touches * int(plan.sums[bit])
        sizes = np.bitwise_count(words).sum(axis=0, dtype=np.int64)
        owner = np.sign(sums)
        here = [
            np.bitwise_count(words & toys[:, None]).sum(axis=0, dtype=np.int64) for toys in self._toy_words.T
        ]
        toys = np.array(here, dtype=np.int64).reshape(len(here), len(numbers)).clip(max=self._most_toys)
        return owner * sizes, by_sum[sums + len(by_sum) // 2] * sizes, owner * toys


@cache
def worth_by_sum(digits: tuple[int, ...]) -> dict[int, int]:
    """The worth of a square to the cat by the difference of the sums."""
    most = sum(digits)
    worths = _worths_by_sum(digits).tolist()
    return dict(zip(range(-most, most + 1), worths, strict=True))


def _most_split(number: Numbers) -> NDArray[np.intp]:
    """The placements that leave the most pieces, fewer than `FEW`."""
    pieces_left = 1
    while np.count_nonzero(number > pieces_left) >= FEW:
        pieces_left += 1
    return np.flatnonzero(number > pieces_left)


def _labels(plan: Plan, masks: list[int]) -> NDArray[np.intp]:
    """The region of each square, by its number."""
    labels = np.zeros(plan.squares, dtype=np.intp)
    for n, mask in enumerate(masks):
        for row, col in plan.bed.listed(mask):
            labels[row * plan.cols + col] = n
    return labels


@cache
def _worths_by_sum(digits: tuple[int, ...]) -> Numbers:
    """The worth of a square to the cat by the difference of the sums, from the least to the largest."""
    most = sum(digits)
    sums = np.arange(-most, most + 1)
    by_margin = np.array(MARGINS, dtype=np.int64)
    return np.sign(sums) * by_margin[np.minimum(np.abs(sums), len(MARGINS) - 1)]


def _hands(position: Position, side: int, numbers: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
    """The digits in each side's hand, as 0 and 1: `side` after each of its moves, and the other."""
    digits = len(position.plan.digits)
    hands = np.zeros((2, digits), dtype=np.int64)
    for n, owner in enumerate((side, 1 - side)):
        if not position.out[owner]:
            hands[n] = [not position.tiles >> owner * digits + digit & 1 for digit in range(digits)]
    mine = np.repeat(hands[:1], len(numbers), axis=0)
    mine[np.arange(len(numbers)), position.plan.digit_of[numbers]] = 0
    return mine, hands[1:]


def _prospects(counts: Numbers, hands: tuple[Numbers, Numbers], mine: Numbers, theirs: Numbers) -> Numbers:
    """The worth of the tiles in hand, by their placements and by the number of tiles that have any."""
    table = _logarithms()
    last = len(table) - 1
    worths = MOBILITY * (table[np.minimum(mine, last)] - table[np.minimum(theirs, last)])
    rooms = (table[np.minimum(counts, last)] * (hands[0] - hands[1])).sum(axis=1)
    prospects: Numbers = (worths + ROOM * rooms) // 1000
    return prospects


_TOYS_WORTH = np.array(TOYS_WORTH, dtype=np.int64)
