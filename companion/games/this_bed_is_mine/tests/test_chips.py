"""Chips: as little owing as can be, then the fewest pieces, checked by trying every way."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.this_bed_is_mine.chips import VALUES, Payment, Stock, pay, stock_of
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, start

DEFAULT = stock_of(GAME.options({}))


def test_the_stock_is_25_chips() -> None:
    assert sum(DEFAULT) == 25


@pytest.mark.parametrize(
    ("points", "stock", "chips", "short"),
    [
        ((0, 0), DEFAULT, ((0, 0, 0, 0), (0, 0, 0, 0)), (0, 0)),
        ((18, 0), DEFAULT, ((1, 1, 1, 1), (0, 0, 0, 0)), (0, 0)),
        ((10, 10), (1, 9, 9, 9), ((1, 0, 0, 0), (0, 2, 0, 0)), (0, 0)),
        ((6, 0), (0, 1, 3, 0), ((0, 0, 3, 0), (0, 0, 0, 0)), (0, 0)),  # not 5 and 1 owing
        ((8, 0), (0, 1, 4, 0), ((0, 0, 4, 0), (0, 0, 0, 0)), (0, 0)),
        ((11, 5), (1, 1, 0, 0), ((1, 0, 0, 0), (0, 1, 0, 0)), (1, 0)),  # the stock cannot pay
        ((3, 3), (0, 0, 0, 0), ((0, 0, 0, 0), (0, 0, 0, 0)), (3, 3)),
        ((7, 9), (100, 100, 100, 100), ((0, 1, 1, 0), (0, 1, 2, 0)), (0, 0)),
    ],
)
def test_chips_to_hand_out(
    points: tuple[int, int],
    stock: Stock,
    chips: tuple[tuple[int, ...], tuple[int, ...]],
    short: tuple[int, int],
) -> None:
    paid = pay(*points, stock)
    assert (paid.chips, paid.short) == (chips, short)


def _worth(paid: Payment, side: int) -> int:
    return sum(value * pieces for value, pieces in zip(VALUES, paid.chips[side], strict=True))


def _cheapest(first: int, second: int, stock: Stock) -> tuple[int, int]:
    """The least (owing, pieces), by trying every share of the stock."""
    shares = [[(a, b) for a in range(n + 1) for b in range(n + 1 - a)] for n in stock]
    best = (first + second, 0)
    for share in product(*shares):
        owing = [
            points - sum(v * s[side] for v, s in zip(VALUES, share, strict=True))
            for side, points in enumerate((first, second))
        ]
        if min(owing) >= 0:
            best = min(best, (sum(owing), sum(map(sum, share))))
    return best


few = st.integers(0, 3)

by_trying = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@by_trying
@given(st.integers(0, 40), st.integers(0, 40), st.tuples(few, few, few, few))
def test_never_more_owing_or_more_pieces_than_the_best_way(first: int, second: int, stock: Stock) -> None:
    paid = pay(first, second, stock)
    assert (sum(paid.short), paid.pieces) == _cheapest(first, second, stock)


many = st.integers(0, 60)


@settings(deadline=None)
@given(st.integers(0, 207), st.integers(0, 207), st.tuples(many, many, many, many))
def test_a_payment_is_exact_and_within_the_stock(first: int, second: int, stock: Stock) -> None:
    paid = pay(first, second, stock)
    assert min(paid.short) >= 0
    assert (_worth(paid, 0) + paid.short[0], _worth(paid, 1) + paid.short[1]) == (first, second)
    assert all(a + b <= there for a, b, there in zip(*paid.chips, stock, strict=True))
    assert all(pieces >= 0 for side in paid.chips for pieces in side)


def test_the_view_says_it_when_the_stock_cannot_pay() -> None:
    options = {
        "board": bed("......."),
        "tiles": bars(3),
        "chips_1": 0,
        "chips_2": 1,
        "chips_5": 0,
        "chips_10": 0,
    }
    chips = GAME.view(played(start(**options), "c1@0,2"), None).chips
    assert chips.cat == {"10": 0, "5": 0, "2": 1, "1": 0}
    assert (chips.short.cat, chips.short.dog) == (2, 0)
