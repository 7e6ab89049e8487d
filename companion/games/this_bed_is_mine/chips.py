"""The chips to hand out at the end, and the pieces that run out.

The sides are owed as few points as possible, then get as few chips as possible, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

import msgspec

from companion.games.this_bed_is_mine.board import TOYS
from companion.games.this_bed_is_mine.score import Score
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions

VALUES = (10, 5, 2, 1)
"""Points on the chips, highest first."""

Stock = tuple[int, int, int, int]
"""Chips of each of `VALUES`."""


@dataclass(frozen=True, slots=True)
class Payment:
    """The chips of each of `VALUES` for two sides from one stock, and the points still owed."""

    chips: tuple[tuple[int, int, int, int], tuple[int, int, int, int]]
    short: tuple[int, int]

    @property
    def pieces(self) -> int:
        """The number of chips handed out."""
        return sum(map(sum, self.chips))

    @property
    def cost(self) -> tuple[int, int]:
        """The cost to minimize: the points owed first, then the pieces."""
        return sum(self.short), self.pieces


def stock_of(options: BedOptions) -> Stock:
    """The stock of a match."""
    return options.chips_10, options.chips_5, options.chips_2, options.chips_1


@lru_cache(maxsize=256)
def pay(first: int, second: int, stock: Stock) -> Payment:
    """Pay two sides their points from one stock; ties go to the side named first.

    Never pays a side more than its points. Tens and fives are tried in every way that could be best; then
    twos and ones, as a two saves a piece wherever it fits.
    """
    best: Payment | None = None
    for tens in _pairs(first, second, 10, stock[0]):
        after = first - 10 * tens[0], second - 10 * tens[1]
        for fives in _pairs(*after, 5, stock[1]):
            rest = after[0] - 5 * fives[0], after[1] - 5 * fives[1]
            if best is not None and _at_least(sum(tens) + sum(fives), rest, stock) >= best.cost:
                continue
            tried = _with_small_ones(tens, fives, rest, stock)
            if best is None or tried.cost < best.cost:
                best = tried
    assert best is not None  # paying no tens and no fives is always tried
    return best


def _pairs(first: int, second: int, value: int, there: int) -> Iterator[tuple[int, int]]:
    """Numbers of chips of a value for each side, the most first, without those that cannot be best.

    With two of these chips to spare, nobody is paid or owed three times their value or more in smaller ones:
    some of those add up to one or two of them, and would be changed for them.
    """
    for a in range(min(first // value, there), -1, -1):
        for b in range(min(second // value, there - a), -1, -1):
            rest = max(first - value * a, second - value * b)
            if there - a - b < 2 or rest <= 3 * value:
                yield a, b


def _at_least(pieces: int, rest: tuple[int, int], stock: Stock) -> tuple[int, int]:
    """A lower bound on the cost, before twos and ones."""
    owed = sum(rest)
    return max(0, owed - 2 * stock[2] - stock[3]), pieces + min((owed + 1) // 2, stock[2] + stock[3])


def _with_small_ones(
    tens: tuple[int, int], fives: tuple[int, int], rest: tuple[int, int], stock: Stock
) -> Payment:
    two = min(rest[0] // 2, stock[2])
    twos = two, min(rest[1] // 2, stock[2] - two)
    odd = rest[0] - 2 * twos[0], rest[1] - 2 * twos[1]
    one = min(odd[0], stock[3])
    ones = one, min(odd[1], stock[3] - one)
    return Payment(
        ((tens[0], fives[0], twos[0], ones[0]), (tens[1], fives[1], twos[1], ones[1])),
        (odd[0] - ones[0], odd[1] - ones[1]),
    )


What = Literal["marker", "bone", "mouse", "yarn", "chips"]

Instead = Literal["coins", "slips", "note"]
"""Coins for paw markers, slips of paper for toys, a note of the points for chips."""


class Shortage(msgspec.Struct, frozen=True):
    """Pieces that have run out: `need` are needed (chips: points with bonuses), only `there` exist."""

    what: What
    need: int
    there: int
    short: int
    instead: Instead


def shortages(options: BedOptions, scored: Score, owed: int) -> Iterator[Shortage]:
    """All pieces that have run out; `owed`: points without chips."""
    markers = sum(region.owner is not None for region in scored.regions)
    if markers > options.markers:
        yield Shortage("marker", markers, options.markers, markers - options.markers, "coins")
    for kind in TOYS:
        tokens = sum(scored.toys[kind].values())
        if tokens > options.toys_each:
            yield Shortage(cast("What", kind), tokens, options.toys_each, tokens - options.toys_each, "slips")
    if owed:
        points = sum(scored.total(owner) for owner in OWNERS)
        yield Shortage("chips", points, points - owed, owed, "note")
