"""Overlap of outlines, held against a count of points, and non-max suppression, against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.arrays import Float32
from hardware.vision.cards.place import intersection_area, iou
from hardware.vision.dice.detector import non_max_suppression


def rectangle(left: float, top: float, width: float, height: float, turn_deg: float = 0.0) -> Float32:
    """A rectangle's corners, turned about its middle."""
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
    angle = np.radians(turn_deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    return np.asarray(corners @ turn.T + (left + width / 2, top + height / 2), np.float32)


def inside(outline: Float32, points: Float32) -> np.ndarray:
    """Which points lie in a convex outline that goes around clockwise (y down)."""
    sides = np.roll(outline, -1, axis=0) - outline
    off = points[:, None] - outline
    return ((sides[:, 0] * off[..., 1] - sides[:, 1] * off[..., 0]) >= 0).all(axis=1)


GRID = np.stack(np.meshgrid(*[np.arange(-9.75, 60, 0.5)] * 2), -1).reshape(-1, 2)
"""Points on a grid; a turned rectangle may reach out to -4, or to 54."""
RECTANGLES = st.builds(
    rectangle,
    st.floats(5, 25),
    st.floats(5, 25),
    st.floats(8, 25),
    st.floats(8, 25),
    st.floats(0, 90),
)


@settings(deadline=None)
@given(RECTANGLES, RECTANGLES)
def test_iou_is_the_share_of_points_in_both(one: Float32, two: Float32) -> None:
    in_one, in_two = inside(one, GRID), inside(two, GRID)
    counted = (in_one & in_two).sum() / (in_one | in_two).sum()
    assert iou(one, two) == pytest.approx(counted, abs=0.08)


@settings(deadline=None)
@given(RECTANGLES, RECTANGLES)
def test_iou_is_between_none_and_all_and_the_same_both_ways(one: Float32, two: Float32) -> None:
    assert 0 <= iou(one, two) <= 1 + 1e-5
    assert iou(one, two) == pytest.approx(iou(two, one), abs=1e-4)


def test_iou_of_known_outlines() -> None:
    one = rectangle(0, 0, 10, 10)
    assert iou(one, one) == pytest.approx(1)
    assert iou(one, rectangle(5, 0, 10, 10)) == pytest.approx(50 / 150)
    assert iou(one, rectangle(20, 20, 5, 5)) == 0
    assert intersection_area(one, rectangle(4, 4, 2, 3)) == pytest.approx(6)


SIGHTS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 10)), max_size=12, unique_by=lambda sight: sight[0])
"""Sights with a score and a place on a line; those nearer than 1 show the same thing."""


def same(one: tuple[float, float], two: tuple[float, float]) -> bool:
    """Whether two sights show the same thing."""
    return abs(one[1] - two[1]) < 1


@settings(deadline=None)
@given(SIGHTS)
def test_what_is_kept_stands_apart_and_the_rest_had_a_better_one(sights: list[tuple[float, float]]) -> None:
    best_first = sorted(sights, reverse=True)
    kept = non_max_suppression(best_first, same)
    assert all(not same(one, two) for one in kept for two in kept if one is not two)
    for lost in set(sights) - set(kept):
        assert any(same(lost, better) and better[0] > lost[0] for better in kept)


@settings(deadline=None)
@given(SIGHTS)
def test_the_kept_are_those_of_the_definition(sights: list[tuple[float, float]]) -> None:
    left, kept = list(sights), []
    while left:
        best = max(left)
        kept.append(best)
        left = [sight for sight in left if not same(sight, best)]
    assert non_max_suppression(sorted(sights, reverse=True), same) == kept


def test_the_better_one_is_the_second_argument() -> None:
    asked: list[tuple[int, int]] = []
    non_max_suppression([3, 2, 1], lambda sight, better: bool(asked.append((sight, better))))
    assert asked == [(2, 3), (1, 3), (1, 2)]
