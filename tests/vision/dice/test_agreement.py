"""The dice of one picture agree on their size, and what is not sure is asked about."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.vision.dice import reader
from hardware.vision.dice.classifier import DieFace
from hardware.vision.dice.detector import Detection
from hardware.vision.dice.reader import _Seen

EDGE_PX = 40.0


def seen(x: float, y: float, *, there: float = 0.95, sure: float = 0.95, edge: float = EDGE_PX) -> _Seen:
    """A detected face of a die that shows 3."""
    return _Seen(there, 3, sure, DieFace(np.zeros(8, np.float32), "white", x, y, edge, edge, edge))


def places(detections: list[_Seen]) -> list[tuple[float, float, bool]]:
    """Where the dice lie, and whether a person is asked about each."""
    return [(die.face.x, die.face.y, die.doubtful) for die in reader._suppressed(detections)]


@pytest.mark.parametrize("edge", [EDGE_PX / 3, EDGE_PX / 2.1, EDGE_PX * 2.1])
def test_a_thing_of_another_size_is_no_die_unless_it_is_plainly_one(edge: float) -> None:
    """A pencil's rubber looks like a small die that shows a one."""
    dice = [seen(100, 100), seen(300, 100)]
    assert places([*dice, seen(200, 250, there=0.75, edge=edge)]) == places(dice)
    assert len(places([*dice, seen(200, 250, there=0.75)])) == 3, "of their size it is asked about"
    assert places([*dice, seen(200, 250, edge=edge)])[-1] == (200, 250, True), "it is asked about"
    assert len(places([seen(200, 250, there=0.75, edge=edge)])) == 1, "nothing tells its size"


def test_a_plain_die_a_little_larger_than_the_others_is_asked_about() -> None:
    dice = [seen(100, 100), seen(300, 100)]
    for times, asked in ((1.6, False), (1.8, True)):
        assert places([*dice, seen(200, 250, edge=times * EDGE_PX)])[-1] == (200, 250, asked)


@pytest.mark.parametrize(("there", "sure"), [(0.75, 1.0), (1.0, 0.75), (0.88, 0.88)])
def test_a_die_believed_below_four_fifths_is_asked_about(there: float, sure: float) -> None:
    assert places([seen(200, 100, there=there, sure=sure)]) == [(200, 100, True)]
    assert places([seen(200, 100, there=there + 0.1, sure=sure + 0.1)]) == [(200, 100, False)]


def test_where_just_as_many_are_sure_as_were_thrown_nothing_else_counts() -> None:
    dice = [seen(100, 100), seen(300, 100), seen(200, 100, there=0.7)]
    dice = reader._suppressed(dice)
    assert [len(reader._of_count(dice, count)) for count in (None, 1, 2, 3)] == [3, 3, 2, 3]


def test_all_three_networks_say_whether_a_die_is_there() -> None:
    """The pip reader has the most to say, and alone says what a die shows."""
    there = [
        reader._weigh(
            Detection(0, 0, EDGE_PX, score, np.zeros(7, np.float32)), says(first, 3), says(second, 2)
        )
        for score, first, second in ((0.9, 0.9, 0.99), (0.5, 0.9, 0.99), (0.9, 0.5, 0.99), (0.9, 0.9, 0.9))
    ]
    assert all(die.value == 2 for die in there)
    sure, *less = (die.there for die in there)
    assert sure > max(less)
    assert there[3].there == min(less)


def says(die: float, value: int) -> DieFace:
    """The answer of a network that believes so much in a die of this value."""
    chances = np.zeros(8, np.float32)
    chances[[0, value]] = 1 - die, die
    return DieFace(chances, "white", 0, 0, EDGE_PX, EDGE_PX, EDGE_PX)
