"""The exact chances of throws, against every way in which the dice can fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from companion.games.score_sheet import GAME, odds


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_the_chances_are_those_of_all_ways_counted(count: int) -> None:
    every = [tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count)]
    for dice in set(every):
        of = len(every)
        assert odds.sum_chance(dice) == Fraction(sum(sum(other) == sum(dice) for other in every), of)
        assert odds.at_least_chance(dice) == Fraction(sum(sum(other) >= sum(dice) for other in every), of)
        assert odds.just_these_chance(dice) == Fraction(every.count(dice), of)


def test_twelve_dice_are_exact_too() -> None:
    assert sum(odds.ways(12)) == 6**12
    assert odds.just_these_chance((6,) * 12) == odds.at_least_chance((6,) * 12) == Fraction(1, 6**12)


def test_a_throw_is_shown_with_its_chances() -> None:
    state = GAME.play(GAME.start(GAME.options({}), 2), GAME.parse("player-2 throws 6 5"))
    (shown,) = GAME.view(state, None).throws
    assert (shown.seat, shown.dice, shown.sum, shown.line) == ("player-2", (6, 5), 11, 1)
    assert (shown.as_sum.part, shown.as_sum.of) == (1, 18)
    assert (shown.at_least.part, shown.at_least.of) == (1, 12)
    assert (shown.just_these.part, shown.just_these.of) == (1, 18)
