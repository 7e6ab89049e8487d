"""A position of the bed in the search, and the worth of the positions one placement away.

The score of a bed is a sum over its regions, and a tile changes only those that it touches. All numbers are
whole, so every machine gets the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from operator import mul
from typing import NamedTuple

from companion.games.this_bed_is_mine.fits import binding
from companion.games.this_bed_is_mine.player.plan import MOST_PLACEMENTS, Plan, bits_of
from companion.games.this_bed_is_mine.player.weights import (
    BY_KNOT,
    DIGITS,
    KNOTS,
    LAND,
    MARGINS,
    MOBILITY,
    ROOM,
    SIZES,
    TOYS,
    TOYS_COUNTED,
    TURN,
    WEIGHTS,
)
from companion.games.this_bed_is_mine.score import BONUS_POINTS, SMALLEST_REGION, most_tokens, regions_of
from companion.games.this_bed_is_mine.state import OWNERS, Tile

POINT = 100
"""The worth of a point: worths are whole hundredths."""

CAT, DOG = 0, 1
"""Indices of `OWNERS`."""

PARTS = 1024
"""Parts between two knots: all that is counted is whole."""


@dataclass(frozen=True, slots=True)
class Position:
    """Tiles on the bed, by a plan.

    `tiles`: twice the placement's number, and 1 more if it is the dog's. `hands`: the digits of each side as
    bits, 0 for a side that is out. `bound`: by the rule for the first tile.
    """

    plan: Plan
    free: int
    alive: int
    tiles: tuple[int, ...]
    hands: tuple[int, int]
    bound: tuple[bool, bool]

    @staticmethod
    def from_tiles(plan: Plan, tiles: Sequence[Tile], out: tuple[bool, bool] = (False, False)) -> Position:
        """The position with these tiles on the bed."""
        every = (1 << len(plan.digits)) - 1
        hands = (0 if out[CAT] else every), (0 if out[DOG] else every)
        position = Position(plan, plan.bed.open, plan.real, (), hands, (False, False))
        for tile in tiles:
            position = position.after(OWNERS.index(tile.owner), plan.number_of(tile))
        cat, dog = (binding(plan.options, tiles, owner) is not None for owner in OWNERS)
        return Position(plan, position.free, position.alive, position.tiles, position.hands, (cat, dog))

    def after(self, side: int, number: int) -> Position:
        """The position after the side has laid the placement of that number."""
        plan, (cat, dog), (cat_bound, dog_bound) = self.plan, self.hands, self.bound
        laid = ~(1 << plan.digit_of[number])
        return Position(
            plan,
            self.free & ~plan.masks[number],
            self.alive & ~plan.excluded[number],
            (*self.tiles, 2 * number + side),
            (cat & laid, dog) if side == CAT else (cat, dog & laid),
            (cat_bound and side != CAT, dog_bound and side != DOG),
        )

    def placements(self, side: int) -> int:
        """The possible placements of a side, as bits."""
        mine = self.alive & self.plan.of_hand(self.hands[side])
        return mine & self.plan.first[side] if self.bound[side] else mine

    @property
    def turn(self) -> int | None:
        """The side in turn: of those that can lay, the one with fewer tiles, the cat before the dog.

        None if the match is over.
        """
        can = [side for side in (CAT, DOG) if self.placements(side)]
        return min(can, key=lambda side: sum(tile & 1 == side for tile in self.tiles), default=None)


class Child(NamedTuple):
    """A position one placement away.

    `worth` is to the side that laid, in hundredths of a point; where nobody can lay any more, it is the
    points ahead. `mine` and `theirs`: the placements left, first of the side that laid.
    """

    number: int
    worth: int
    points: int
    mine: int
    theirs: int


class _Region(NamedTuple):
    """Squares joined along edges; points and toys are the cat's. `land`: its class, by size and margin."""

    squares: int
    points: int
    land: int
    toys: tuple[int, ...]


@cache
def logarithms() -> tuple[int, ...]:
    """The natural logarithm of 1, 2, 3, ... in thousandths, up to all placements of both sides."""
    return tuple(round(1000 * log(n)) for n in range(1, 2 * MOST_PLACEMENTS + 2))


class Parent:
    """A position whose children are weighed, in plain Python. `bed.c` does the same."""

    def __init__(self, position: Position) -> None:
        plan = self._plan = position.plan
        self.position = position
        self._most_toys = most_tokens(plan.options)
        self._tiles = [(self._signed(tile & 1, tile >> 1), plan.beside[tile >> 1]) for tile in position.tiles]
        self._regions = [self._region(squares, ()) for squares in regions_of(position.free, plan.bed.stride)]

    def _signed(self, side: int, number: int) -> int:
        digit = self._plan.digits[self._plan.digit_of[number]]
        return digit if side == CAT else -digit

    def _region(self, squares: int, more: tuple[tuple[int, int], ...]) -> _Region:
        plan, size = self._plan, squares.bit_count()
        ahead = sum(digit for digit, beside in (*self._tiles, *more) if beside & squares)
        owner = (ahead > 0) - (ahead < 0) if size >= SMALLEST_REGION else 0
        toys = tuple(owner * min((squares & toy).bit_count(), self._most_toys) for toy in plan.toys)
        land = len(MARGINS) * (bisect_right(SIZES, size) - 1) + bisect_right(MARGINS, max(abs(ahead), 1)) - 1
        return _Region(squares, owner * size, land, toys)

    def children(self, side: int, numbers: Iterable[int] | None = None) -> list[Child]:
        """Every position one placement of the side away, or one for each of `numbers`, which are possible."""
        some = bits_of(self.position.placements(side)) if numbers is None else numbers
        return [self.child(side, number) for number in some]

    def child(self, side: int, number: int) -> Child:
        """The position after one placement."""
        features, points, mine, theirs = self.features(side, number)
        worth = prospects(features, mine + theirs) if mine or theirs else POINT * points
        return Child(number, worth, points, mine, theirs)

    def features(self, side: int, number: int) -> tuple[list[int], int, int, int]:
        """What a placement leads to, in the order of `WEIGHTS`, in thousandths; the points ahead; and the
        placements left, first of the side that laid."""
        plan, position, sign = self._plan, self.position, 1 if side == CAT else -1
        regions, alive = self._regions_after(side, number), position.alive & ~plan.excluded[number]
        toys = [sum(counts) for counts in zip(*(region.toys for region in regions), strict=True)]
        own, other = position.hands[side] & ~(1 << plan.digit_of[number]), position.hands[1 - side]
        bound = plan.first[1 - side] if position.bound[1 - side] else alive
        mine, theirs = (
            (alive & plan.of_hand(own)).bit_count(),
            (alive & plan.of_hand(other) & bound).bit_count(),
        )
        features, logs = [0] * len(WEIGHTS), logarithms()
        features[TURN] = 1000 if self._moves_again(side, mine, theirs) else -1000
        for region in regions:
            features[LAND + region.land] += 1000 * sign * region.points
        for toy in filter(None, toys):
            features[TOYS + min(abs(toy), TOYS_COUNTED) - 1] += 1000 if (toy > 0) == (side == CAT) else -1000
        features[MOBILITY] = logs[mine] - logs[theirs]
        for digit, of_digit in enumerate(plan.of_digit):
            in_hand = (own >> digit & 1) - (other >> digit & 1)
            if in_hand:
                room = ROOM + min(plan.digits[digit], DIGITS) - 1
                features[room] += in_hand * logs[(alive & of_digit).bit_count()]
        bonus = BONUS_POINTS * sum((toy > 0) - (toy < 0) for toy in toys)
        return features, sign * (sum(region.points for region in regions) + bonus), mine, theirs

    def _moves_again(self, side: int, mine: int, theirs: int) -> bool:
        if not (mine and theirs):
            return mine > 0
        ahead = 1 + sum(1 if tile & 1 == side else -1 for tile in self.position.tiles)
        return ahead < 0 or (not ahead and side == CAT)

    def _regions_after(self, side: int, number: int) -> list[_Region]:
        plan = self._plan
        mask, beside = plan.masks[number], plan.beside[number]
        after = []
        for region in self._regions:
            if region.squares & (mask | beside):
                tile = (self._signed(side, number), beside)
                rest = regions_of(region.squares & ~mask, plan.bed.stride)
                after += [self._region(squares, (tile,)) for squares in rest]
            else:
                after.append(region)
        return after


def prospects(features: Sequence[int], left: int) -> int:
    """The worth by the weights of the two knots around the placements left."""
    x = min(max(logarithms()[left], KNOTS[0]), KNOTS[-1])
    k = min(bisect_right(KNOTS, x), len(KNOTS) - 1) - 1
    low, high = (sum(map(mul, features, BY_KNOT[knot])) for knot in (k, k + 1))
    part = (x - KNOTS[k]) * PARTS // (KNOTS[k + 1] - KNOTS[k])
    worth: int = (low * (PARTS - part) + high * part) // (1000 * PARTS)
    return worth
