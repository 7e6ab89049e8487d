"""The printed frame around a bed."""

from __future__ import annotations

import pytest

from hardware.vision.board.scene import markers_in_cells, scene_of
from hardware.vision.errors import SceneError


def test_markers_lie_off_the_corners_clockwise_from_the_top_left() -> None:
    markers = markers_in_cells(rows=16, cols=12)
    assert markers[0][2] == pytest.approx((-0.3, -0.3))
    assert markers[1][3] == pytest.approx((12.3, -0.3))
    assert markers[2][0] == pytest.approx((12.3, 16.3))
    assert markers[3][1] == pytest.approx((-0.3, 16.3))


def test_a_scene_that_tells_its_markers_keeps_them() -> None:
    own = {"7": [[0, 0], [1, 0], [1, 1], [0, 1]]}
    assert list(scene_of({"rows": 3, "cols": 3, "markers_in_cells": own}).markers_in_cells) == [7]
    assert list(scene_of({"rows": 3, "cols": 3}).markers_in_cells) == [0, 1, 2, 3]


def test_a_scene_that_makes_no_sense_is_said() -> None:
    with pytest.raises(SceneError, match="rows"):
        scene_of({"rows": "many", "cols": 3})
