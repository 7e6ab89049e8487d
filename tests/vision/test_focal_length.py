"""A flat board seen aslant tells a camera's focal length, and with it where the upper faces of tiles fall."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.arrays import Float64
from hardware.vision.register.homography import (
    USUAL_FOCAL_LENGTH,
    Homography,
    focal_length,
    raised,
    usual_focal_length,
)
from hardware.vision.register.lens import Lens

LENS = Lens(1000, 800)
FOCAL_LENGTH = 1.1
"""The focal length of the camera, in widths of its pictures."""
CAMERA = np.array([[1100, 0, LENS.middle[0]], [0, 1100, LENS.middle[1]], [0, 0, 1]])
AWAY = np.array([-6.0, -8.0, 25.0])
"""Where the board's corner lies from the camera, in squares."""


def turned(tilt_degrees: float) -> Float64:
    """The turn of a board that the camera sees at this tilt."""
    tilt = np.deg2rad(tilt_degrees)
    return np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])


def view(tilt_degrees: float) -> Homography:
    """The board as that camera sees it."""
    turn = turned(tilt_degrees)
    return Homography(CAMERA @ np.column_stack([turn[:, 0], turn[:, 1], AWAY]), LENS)


def test_tilted_views_tell_the_focal_length() -> None:
    assert focal_length([view(20), view(-30), view(35)]) == pytest.approx(FOCAL_LENGTH, rel=1e-6)
    assert focal_length([]) is None


def test_a_view_from_straight_above_says_nothing_so_it_is_that_of_most_telephones() -> None:
    assert focal_length([view(0)]) is None
    assert usual_focal_length([view(0)]) == pytest.approx(USUAL_FOCAL_LENGTH)
    assert usual_focal_length([view(30)]) == pytest.approx(FOCAL_LENGTH, rel=0.02)


def test_upper_faces_fall_where_the_pose_puts_them() -> None:
    # The board's third axis leads into the table, so a point above it has a negative height.
    point = CAMERA @ (turned(30) @ np.array([3.0, 5.0, -0.3]) + AWAY)
    top = raised(view(30), FOCAL_LENGTH, 0.3).picture_points(np.array([[3.0, 5.0]]))[0]
    np.testing.assert_allclose(top, point[:2] / point[2], atol=1e-6)
