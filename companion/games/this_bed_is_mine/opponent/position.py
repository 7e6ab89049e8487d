"""A position of the bed in the search, and the worth of all positions one placement away, at once.

The score of a bed is a sum over its empty squares. To find out to whom a square belongs, the set of tiles
that touch it spreads over its region: afterwards each square bears the set of all tiles that touch its
region, and a table gives the difference of the sums. Numbers are whole throughout, so every machine gets the
same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

from companion.games.this_bed_is_mine.fits import binding
from companion.games.this_bed_is_mine.moves import OWNERS, Owner, Tile
from companion.games.this_bed_is_mine.opponent.plan import Plan, Squares, Words
from companion.games.this_bed_is_mine.score import BONUS_POINTS

Numbers = NDArray[np.int64]

POINT = 100
"""The worth of a point. All worths are whole numbers of hundredths."""

AT_ONCE = 768
"""The positions that are scored together: as many as a processor's cache takes."""

CAT, DOG = 0, 1
"""The sides as indices of `OWNERS`."""


@dataclass(frozen=True, slots=True)
class Taste:
    """What a player looks at besides the points of the bed as it lies.

    `mobility`: hundredths of a point for the logarithm of one side's placements over the other's. `margins`:
    the worth in hundredths of a square whose owner is ahead by 0, 1, 2, ... in a region; the last counts for
    all larger ones.
    """

    mobility: int
    variety: int = 0
    last: int = 0
    sums: int = 0
    margins: tuple[int, ...] = (0, POINT)


class Position:
    """Tiles on the bed, by a plan: immutable but for what is remembered of it."""

    __slots__ = ("alive", "bound", "free", "key", "laid", "out", "plan", "tiles", "touch")

    def __init__(
        self,
        plan: Plan,
        free: Squares,
        touch: NDArray[np.uint32],
        alive: Words,
        tiles: int,
        *,
        bound: tuple[bool, bool],
        out: tuple[bool, bool],
        key: frozenset[int],
    ) -> None:
        self.plan, self.free, self.touch, self.alive, self.tiles = plan, free, touch, alive, tiles
        self.bound, self.out, self.key = bound, out, key
        digits = len(plan.digits)
        self.laid = (tiles & (1 << digits) - 1).bit_count(), (tiles >> digits).bit_count()

    @staticmethod
    def of(plan: Plan, tiles: Iterable[Tile], out: tuple[bool, bool] = (False, False)) -> Position:
        """The position with these tiles on the bed."""
        tiles = tuple(tiles)
        position = Position(
            plan,
            plan.open.copy(),
            np.zeros(plan.squares, dtype=np.uint32),
            plan.real,
            0,
            bound=(False, False),
            out=out,
            key=frozenset(),
        )
        for tile in tiles:
            position = position.after(OWNERS.index(tile.owner), _number(plan, tile))
        cat, dog = (binding(plan.options, tiles, owner) is not None for owner in OWNERS)
        position.bound = (cat, dog)
        return position

    def after(self, side: int, number: int) -> Position:
        """The position once the side has laid the placement of that number."""
        plan = self.plan
        free = self.free & ~plan.cells[:, number]
        bit = 1 << int(plan.digit_of[number]) + side * len(plan.digits)
        touch = np.where(free, self.touch | np.where(plan.beside[:, number], np.uint32(bit), 0), 0)
        bound = (self.bound[0] and side != CAT, self.bound[1] and side != DOG)
        return Position(
            plan,
            free,
            touch.astype(np.uint32),
            self.alive & ~plan.excluded[number],
            self.tiles | bit,
            bound=bound,
            out=self.out,
            key=self.key | {number * 2 + side},
        )

    def hand(self, side: int) -> Words:
        """The placements of the tiles that a side still has in hand, possible or not."""
        return _hand(self.plan, self.tiles >> side * len(self.plan.digits))

    def placements(self, side: int) -> Words:
        """The placements that a side could make now, as bits; none for a side that is out."""
        if self.out[side]:
            return np.zeros_like(self.alive)
        mine = self.alive & self.hand(side)
        first = self.plan.first[OWNERS[side]]
        return mine & first if self.bound[side] and first is not None else mine

    def numbers(self, side: int) -> NDArray[np.intp]:
        """The numbers of the placements that a side could make now."""
        return self.plan.listed(self.placements(side))

    @property
    def turn(self) -> int | None:
        """The side in turn: of those that can lay, the one with fewer tiles, the cat before the dog.

        None if the match is over.
        """
        can = [side for side in (CAT, DOG) if self.placements(side).any()]
        return min(can, key=lambda side: self.laid[side], default=None)


def _number(plan: Plan, tile: Tile) -> int:
    """The number of the placement that covers a tile's squares, however many turns its record says."""
    shape = plan.bed.shapes[tile.digit][tile.turns]
    turns = next(each.turns for each in plan.bed.distinct[tile.digit] if each.mask == shape.mask)
    return plan.number[tile.digit, turns, tile.row, tile.col]


def _hand(plan: Plan, laid: int) -> Words:
    laid &= (1 << len(plan.digits)) - 1
    hand = plan.hands.get(laid)
    if hand is None:
        hand = np.zeros(plan.words, dtype=np.uint64)
        for n, words in enumerate(plan.of_digit):
            if not laid >> n & 1:
                hand |= words
        plan.hands[laid] = hand
    return hand


@cache
def logarithms() -> Numbers:
    """The natural logarithm of 1, 2, 3, ... in thousandths."""
    return np.array([round(1000 * log(n)) for n in range(1, 20_000)], dtype=np.int64)


@cache
def _worths(plan_sums: bytes, margins: tuple[int, ...]) -> NDArray[np.int16]:
    """For each set of tiles, the worth of a square to the cat."""
    sums = np.frombuffer(plan_sums, dtype=np.int16)
    by_margin = np.array(margins, dtype=np.int16)
    return np.sign(sums) * by_margin[np.minimum(np.abs(sums), len(margins) - 1)]


@dataclass(frozen=True, slots=True)
class Children:
    """The positions one placement away, and what each is worth to the side that laid it."""

    numbers: NDArray[np.intp]
    points: Numbers
    """Points ahead, if it ended so."""
    worths: Numbers
    """In hundredths of a point. Where nothing can be laid any more: the points."""
    mine: Numbers
    theirs: Numbers
    """How many placements each side has left, the side that laid it first."""


def children(
    position: Position, side: int, taste: Taste, numbers: NDArray[np.intp] | None = None
) -> Children:
    """Every position that the side can bring about."""
    plan = position.plan
    if numbers is None:
        numbers = position.numbers(side)
    sign = 1 if side == CAT else -1
    points, worths = np.empty(len(numbers), dtype=np.int64), np.empty(len(numbers), dtype=np.int64)
    for start in range(0, len(numbers), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        points[some], worths[some] = _laid(position, side, numbers[some], taste)
    alive = position.alive & ~plan.excluded[numbers]
    counts = np.add.reduceat(np.bitwise_count(alive), plan.starts, axis=1, dtype=np.int64)
    hands = _hands(position, side, numbers)
    mine = (counts * hands[0]).sum(axis=1)
    first = plan.first[OWNERS[1 - side]]
    if position.bound[1 - side] and first is not None:
        theirs = np.bitwise_count(alive & first & position.hand(1 - side)).sum(axis=1, dtype=np.int64)
    else:
        theirs = (counts * hands[1]).sum(axis=1)
    worths = sign * worths + _prospects(plan, taste, counts, hands, mine, theirs)
    worths = np.where((mine == 0) & (theirs == 0), sign * POINT * points, worths)
    return Children(numbers, sign * points, worths, mine, theirs)


def _laid(position: Position, side: int, numbers: NDArray[np.intp], taste: Taste) -> tuple[Numbers, Numbers]:
    """The points and the worth to the cat of each position with one of these placements laid."""
    plan = position.plan
    free = position.free[:, None] & ~plan.cells.take(numbers, axis=1)
    bits = (np.uint32(1) << (plan.digit_of[numbers] + np.uint32(side * len(plan.digits)))).astype(np.uint32)
    touch = position.touch[:, None] | np.where(plan.beside.take(numbers, axis=1), bits, np.uint32(0))
    return _scored(plan, free, touch, taste)


def _hands(position: Position, side: int, numbers: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
    """Which digits each side has in hand, as 0 and 1: `side` after each of its moves, and the other."""
    digits = len(position.plan.digits)
    hands = np.zeros((2, digits), dtype=np.int64)
    for n, each in enumerate((side, 1 - side)):
        if not position.out[each]:
            hands[n] = [not position.tiles >> each * digits + digit & 1 for digit in range(digits)]
    mine = np.repeat(hands[:1], len(numbers), axis=0)
    mine[np.arange(len(numbers)), position.plan.digit_of[numbers]] = 0
    return mine, hands[1:]


def _prospects(
    plan: Plan, taste: Taste, counts: Numbers, hands: tuple[Numbers, Numbers], mine: Numbers, theirs: Numbers
) -> Numbers:
    """What the tiles in hand are worth: how many places they have, and how many of them have any."""
    table = logarithms()
    last = len(table) - 1
    worths = taste.mobility * (table[np.minimum(mine, last)] - table[np.minimum(theirs, last)])
    better = hands[0] - hands[1]
    worths += taste.variety * (table[np.minimum(counts, last)] * better).sum(axis=1)
    worths += taste.last * ((counts > 0) * better).sum(axis=1) * 1000
    worths += taste.sums * ((counts > 0) * better * np.array(plan.digits)).sum(axis=1) * 1000
    return worths // 1000


def score(position: Position) -> int:
    """The cat's points less the dog's, as if it ended now."""
    points, _ = _scored(position.plan, position.free[:, None], position.touch[:, None], Taste(0))
    return int(points[0])


def _scored(plan: Plan, free: Squares, touch: NDArray[np.uint32], taste: Taste) -> tuple[Numbers, Numbers]:
    """The cat's points less the dog's, and the worth of the squares to the cat, of many positions.

    `free` and `touch` have shape (squares, positions).
    """
    rows, cols, count = plan.rows, plan.cols, free.shape[1]
    full = np.where(free, np.uint32(0xFFFF_FFFF), np.uint32(0)).reshape(rows, cols, count)
    spread = (touch.reshape(rows, cols, count) & full).astype(np.uint32)
    _spread(spread, full)
    regions = spread.reshape(plan.squares, count)
    near = np.zeros((rows, cols, count), dtype=np.uint32)
    near[1:] |= full[:-1]
    near[:-1] |= full[1:]
    near[:, 1:] |= full[:, :-1]
    near[:, :-1] |= full[:, 1:]
    regions &= near.reshape(plan.squares, count)
    whole = np.sign(plan.sums).astype(np.int8)
    owners = whole[regions]
    points = owners.sum(axis=0, dtype=np.int64)
    worths = _worths(plan.sums.tobytes(), taste.margins)[regions].sum(axis=0, dtype=np.int64)
    for toys in plan.toys:
        more = owners[toys].sum(axis=0, dtype=np.int64)
        points += BONUS_POINTS * np.sign(more)
        worths += _TOYS[np.clip(more, -3, 3) + 3]
    return points, worths


_TOYS = np.array([-450, -350, -200, 0, 200, 350, 450], dtype=np.int64)


def _spread(spread: NDArray[np.uint32], full: NDArray[np.uint32]) -> None:
    """Spread each square's bits over its region, in place; shapes (rows, cols, positions)."""
    rows, cols, _ = spread.shape
    before = -1
    while (now := int(spread.sum(dtype=np.uint64))) != before:
        before = now
        for row in range(1, rows):
            spread[row] |= spread[row - 1] & full[row]
        for row in range(rows - 2, -1, -1):
            spread[row] |= spread[row + 1] & full[row]
        for col in range(1, cols):
            spread[:, col] |= spread[:, col - 1] & full[:, col]
        for col in range(cols - 2, -1, -1):
            spread[:, col] |= spread[:, col + 1] & full[:, col]


def owner_of(side: int) -> Owner:
    """A side as the rules name it."""
    return OWNERS[side]
