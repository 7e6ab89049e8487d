"""The dice of one picture agree on their size and on how slanted the camera looks."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.vision.dice import reader
from hardware.vision.dice.classifier import Verdict
from hardware.vision.dice.reader import _Seen

EDGE_PX = 40.0


def seen(
    x: float, y: float, *, there: float = 0.95, sure: float = 0.95, tilt_deg: float = 0, edge: float = EDGE_PX
) -> _Seen:
    """A detected face of a die that shows 3, seen by a camera that is tilted from straight above."""
    height = edge * float(np.cos(np.radians(tilt_deg)))
    return _Seen(there, 3, sure, Verdict(np.zeros(8, np.float32), "white", x, y, edge, edge, height))


def side_of_cube(tilt_deg: float, turned_deg: float) -> tuple[float, float]:
    """How far right and down the middle of a cube's front face appears from that of its upper one, in px."""
    turn, tilt = np.radians(turned_deg), np.radians(tilt_deg)
    front = np.array([np.sin(turn), -np.cos(turn), 0]) * EDGE_PX / 2
    x, away, up = front - np.array([0, 0, EDGE_PX / 2])
    return float(x), float(-away * np.cos(tilt) - up * np.sin(tilt))


def places(detections: list[_Seen]) -> list[tuple[float, float, bool]]:
    """Where the dice lie, and whether a person is asked about each."""
    return [(die.verdict.x, die.verdict.y, die.doubtful) for die in reader._suppressed(detections)]


@pytest.mark.parametrize("tilt_deg", [25, 40, 55])
@pytest.mark.parametrize("turned_deg", [0, 20, -35])
def test_a_weak_face_where_a_side_must_be_is_that_side(tilt_deg: float, turned_deg: float) -> None:
    off_x, off_y = side_of_cube(tilt_deg, turned_deg)
    side = seen(200 + off_x, 100 + off_y, there=0.58, tilt_deg=tilt_deg)
    assert places([seen(200, 100, tilt_deg=tilt_deg), side]) == [(200, 100, False)]


def test_a_surer_face_there_is_asked_about() -> None:
    off_x, off_y = side_of_cube(40, 0)
    side = seen(200 + off_x, 100 + off_y, there=0.7, tilt_deg=40)
    assert [asked for _, _, asked in places([seen(200, 100, tilt_deg=40), side])] == [False, True]


def test_dice_that_touch_seen_from_above_hide_no_side() -> None:
    below = seen(204, 100 + EDGE_PX, there=0.7)
    assert places([seen(200, 100), below]) == [(200, 100, False), (204, 100 + EDGE_PX, False)]


def test_a_die_behind_another_in_a_slanted_picture_is_a_die_of_its_own() -> None:
    """It lies farther below than a side can hang."""
    front = seen(200, 100 + 1.25 * EDGE_PX, there=0.58, tilt_deg=55)
    assert len(places([seen(200, 100, tilt_deg=55), front])) == 2


@pytest.mark.parametrize("edge", [EDGE_PX / 2, EDGE_PX * 2])
def test_a_thing_of_another_size_that_shows_no_value_is_no_die(edge: float) -> None:
    dice = [seen(100, 100), seen(300, 100)]
    assert len(places([*dice, seen(200, 250, there=0.7, sure=0.4, edge=edge)])) == 2
    assert len(places([*dice, seen(200, 250, there=0.7, sure=0.4)])) == 3, "of their size it is asked about"
    assert len(places([*dice, seen(200, 250, there=0.7, sure=0.9, edge=edge)])) == 3, "it shows a value"
    assert len(places([seen(200, 250, there=0.7, sure=0.4, edge=edge)])) == 1, "nothing tells its size"


def test_what_may_be_a_die_is_asked_about_if_it_shows_a_value_plainly() -> None:
    """A key or a label shows none so plainly."""
    assert places([seen(200, 100), seen(300, 100, there=0.4, sure=0.95)]) == [
        (200, 100, False),
        (300, 100, True),
    ]
    assert places([seen(200, 100), seen(300, 100, there=0.4, sure=0.8)]) == [(200, 100, False)]


def test_classifier_and_pip_reader_say_together_whether_a_die_is_there_and_what_it_shows() -> None:
    """Both say what a die would show; the classifier has less to say about it than the pip reader."""
    sees_none = np.float32([0.6, 0.4, 0, 0, 0, 0, 0, 0])
    sees_two = np.float32([0, 0, 1, 0, 0, 0, 0, 0])
    together = reader._together(sees_none, sees_two)
    assert together.sum() == pytest.approx(1)
    assert together[2] > 3 * together[1]
    assert 0.6 > together[0] > together[1]
    assert reader._together(sees_two, sees_none)[0] > together[0], "the pip reader has more to say"
