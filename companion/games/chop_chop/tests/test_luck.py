"""What the dice and the slabs brought each side."""

from __future__ import annotations

from fractions import Fraction

import pytest

from companion.games.chance import Stream, key_of
from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import SIDES
from companion.games.chop_chop.retrospect import Course, cheese, thrown
from companion.games.chop_chop.state import ChopState, ThrowDie, TurnSlab


@pytest.fixture(scope="module")
def hunted() -> tuple[Course, ChopState]:
    """A match that two simple players have played: each move with the state before it, and the end."""
    luck, state = Stream(key_of(6)), GAME.start(GAME.options({}), 2)
    course = []
    while not state.ended:
        course.append((state, GAME.likely_move(state, luck.randbelow)))
        state = GAME.play(*course[-1])
    return course, state


def test_the_cheese_to_be_expected_is_that_of_the_slabs_left(hunted: tuple[Course, ChopState]) -> None:
    """Counted by hand: ten cheeses under 38 slabs, one slab less with each that is turned."""
    left, lying, expected = 10, 38, dict.fromkeys(SIDES, Fraction(0))
    for state, move in hunted[0]:
        if isinstance(move, TurnSlab):
            expected[state.standing.side] += Fraction(left, lying)
            left, lying = left - (move.slab == "cheese"), lying - 1
    assert {side: cheese(hunted[0], side)[2] for side in SIDES} == expected
    assert sum(cheese(hunted[0], side)[1] for side in SIDES) == 10 - left


def test_each_throw_counts_with_the_mean_of_its_die(hunted: tuple[Course, ChopState]) -> None:
    """The grey die of the mice shows 1 1 2 2 3 4, the blue one of the cat 1 1 2 2 2 3."""
    throws = [move for _, move in hunted[0] if isinstance(move, ThrowDie)]
    means = {"mice": Fraction(13, 6), "cat": Fraction(11, 6)}
    counted = {side: thrown(hunted[0], side) for side in SIDES}
    assert sum(times for times, _, _ in counted.values()) == len(throws)
    for side, (times, _, expected) in counted.items():
        assert expected == times * means[side]


def test_both_sides_have_a_remark_on_their_dice_and_their_slabs(hunted: tuple[Course, ChopState]) -> None:
    remarks = GAME.retrospect.luck_remarks(*hunted)
    assert [(each.reason, each.seat) for each in remarks] == [
        ("threw", "mice"), ("threw", "cat"), ("cheese", "mice"), ("cheese", "cat")
    ]  # fmt: skip
