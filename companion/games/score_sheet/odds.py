"""Exact chances of a throw of dice: of its sum, of as much or more, and of just these dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from math import factorial, prod

from companion.games.score_sheet.state import FACES


@cache
def ways(count: int) -> tuple[int, ...]:
    """The number of ways in which `count` dice make each sum, from 0 on."""
    if not count:
        return (1,)
    fewer = ways(count - 1)
    return tuple(
        sum(fewer[total - face] for face in FACES if 0 <= total - face < len(fewer))
        for total in range(FACES[-1] * count + 1)
    )


def sum_chance(dice: tuple[int, ...]) -> Fraction:
    """The chance that so many dice make this sum."""
    return Fraction(ways(len(dice))[sum(dice)], len(FACES) ** len(dice))


def at_least_chance(dice: tuple[int, ...]) -> Fraction:
    """The chance that so many dice make this sum or more."""
    return Fraction(sum(ways(len(dice))[sum(dice) :]), len(FACES) ** len(dice))


def just_these_chance(dice: tuple[int, ...]) -> Fraction:
    """The chance that so many dice show these values, in any order."""
    orders = factorial(len(dice)) // prod(map(factorial, Counter(dice).values()))
    return Fraction(orders, len(FACES) ** len(dice))
