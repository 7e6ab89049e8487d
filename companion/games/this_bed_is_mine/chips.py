"""Which chips to hand out: as little owing as can be, then the fewest pieces, exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.games.this_bed_is_mine.moves import BedOptions

VALUES = (10, 5, 2, 1)
"""Points on the chips, highest first."""

Stock = tuple[int, int, int, int]
"""How many chips there are of each of `VALUES`."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What two sides get from one stock: chips of each of `VALUES`, and what it could not pay."""

    chips: tuple[tuple[int, int, int, int], tuple[int, int, int, int]]
    short: tuple[int, int]

    @property
    def pieces(self) -> int:
        """How many chips are handed out."""
        return sum(map(sum, self.chips))

    @property
    def cost(self) -> tuple[int, int]:
        """What is to be small: first what is owing, then the pieces."""
        return sum(self.short), self.pieces


def stock_of(options: BedOptions) -> Stock:
    """The stock that a match is played with."""
    return options.chips_10, options.chips_5, options.chips_2, options.chips_1


@lru_cache(maxsize=256)
def pay(first: int, second: int, stock: Stock) -> Payment:
    """Pay two sides their points out of one stock; ties go to the side named first.

    Never pays a side more than its points. Tens and fives are tried in every way that could be
    best; twos and ones then follow of themselves: a two saves a piece wherever it fits.
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
    """How many chips of a value each side may get, the most first, less what cannot be best.

    With two such chips to spare, nobody is paid three times their value or more in smaller ones, nor
    owed it: some of those add up to one or two of them, and would be changed for them.
    """
    for a in range(min(first // value, there), -1, -1):
        for b in range(min(second // value, there - a), -1, -1):
            rest = max(first - value * a, second - value * b)
            if there - a - b < 2 or rest <= 3 * value:
                yield a, b


def _at_least(pieces: int, rest: tuple[int, int], stock: Stock) -> tuple[int, int]:
    """A bound from below on the cost, with only twos and ones to come."""
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
