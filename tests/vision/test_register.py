"""Lens, homography and rectified picture: there and back, and what cannot be placed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.arrays import Float64, Picture
from hardware.vision.board.scene import Scene, markers_in_cells
from hardware.vision.errors import HomographyError, SceneError
from hardware.vision.motion import Motion
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    grid_corners,
    homography_from_corners,
    homography_from_markers,
    lens_from_markers,
    marker_pairs,
)
from hardware.vision.register.lens import Lens, fit_homography, fit_lens
from hardware.vision.register.markers import find_markers, to_gray
from hardware.vision.register.rectify import MARGIN, Rectifier
from tests.vision.drawn import picture

SCENE = Scene(rows=16, cols=12, markers_in_cells=markers_in_cells(16, 12))
SIZE = (1280, 960)
TILTED = np.array([(30.0, 4.0, 400.0), (-2.0, 32.0, 180.0), (0.001, 0.004, 1.0)])
"""From squares to px, as a camera above one side of the bed sees it."""

K1 = st.floats(-0.25, 0.25)
POINTS = st.lists(st.tuples(st.floats(0, 1279), st.floats(0, 959)), min_size=1, max_size=20)


@settings(deadline=None)
@given(K1, POINTS)
def test_a_point_undistorted_and_distorted_is_where_it_was(
    k1: float, points: list[tuple[float, float]]
) -> None:
    lens, px = Lens(*SIZE, k1), np.array(points)
    assert np.abs(lens.distort(lens.undistort(px)) - px).max() < 0.01


@settings(deadline=None)
@given(K1)
def test_a_lens_moves_the_corner_by_k1_and_leaves_the_middle(k1: float) -> None:
    lens = Lens(*SIZE, k1)
    at_radius = lens.middle + np.array([0.6, 0.8]) * lens.radius
    assert np.allclose(lens.undistort(lens.middle), lens.middle)
    assert np.allclose(lens.undistort(at_radius) - lens.middle, (at_radius - lens.middle) * (1 + k1))


def test_without_distortion_nothing_moves() -> None:
    px = np.array([(3.0, 4.0), (1200.0, 900.0)])
    assert np.allclose(Lens(*SIZE).undistort(px), px)
    assert np.allclose(Lens(*SIZE).distort(px), px)


@settings(deadline=None)
@given(K1)
def test_the_lens_is_found_from_the_markers_it_bends(k1: float) -> None:
    lens = Lens(*SIZE, k1)
    markers = expected_markers(SCENE, Homography(TILTED, lens))
    assert lens_from_markers(SCENE, SIZE, [markers]).k1 == pytest.approx(k1, abs=0.006)


def test_two_markers_say_nothing_of_the_lens() -> None:
    markers = expected_markers(SCENE, Homography(TILTED, Lens(*SIZE, 0.2)))
    few = {number: markers[number] for number in (0, 2)}
    assert lens_from_markers(SCENE, SIZE, [few]) == Lens(*SIZE)
    assert fit_lens(*SIZE, []) == Lens(*SIZE)


@settings(deadline=None)
@given(K1, st.sets(st.sampled_from([0, 1, 2, 3]), min_size=2))
def test_a_homography_from_any_two_markers_is_the_one_they_were_seen_by(k1: float, seen: set[int]) -> None:
    lens = Lens(*SIZE, k1)
    true = Homography(TILTED, lens)
    markers = {number: px for number, px in expected_markers(SCENE, true).items() if number in seen}
    again = homography_from_markers(SCENE, markers, lens)
    assert again.shifted_from(true, SCENE) < 0.1


@settings(deadline=None)
@given(K1)
def test_corners_set_by_hand_give_the_same_homography(k1: float) -> None:
    true = Homography(TILTED, Lens(*SIZE, k1))
    corners = true.picture_points(grid_corners(SCENE))
    assert homography_from_corners(SCENE, corners, true.lens).shifted_from(true, SCENE) < 0.05


def test_how_far_a_homography_moved_is_said_in_px() -> None:
    one = homography_from_corners(SCENE, [(100, 50), (340, 50), (340, 370), (100, 370)], Lens(640, 480))
    two = homography_from_corners(SCENE, [(103, 50), (343, 50), (343, 370), (103, 370)], Lens(640, 480))
    assert one.shifted_from(two, SCENE) == pytest.approx(3, abs=0.01)
    assert one.square_px(SCENE) == pytest.approx(20, abs=0.01)


def test_the_reprojection_error_is_in_px() -> None:
    squares = np.array([(x, y) for x in range(4) for y in range(4)], dtype=np.float64)
    assert fit_homography(squares, squares * 10 + 5)[1] == pytest.approx(0, abs=1e-6)
    off = squares * 10
    off[5] += (8, 0)
    _, error_px = fit_homography(squares, off)
    assert 0.5 < error_px < 2.0 + 1e-9  # 8 px on one of 16 points, less what the fit takes up


def test_points_on_one_line_span_no_plane() -> None:
    assert fit_homography(np.zeros((4, 2)), np.zeros((4, 2)))[1] == float("inf")


def test_markers_of_another_board_are_left_out() -> None:
    markers = expected_markers(SCENE, Homography(TILTED, Lens(*SIZE)))
    squares, px = marker_pairs(SCENE, {**markers, 77: markers[0] + 300})
    assert squares.shape == px.shape == (16, 2)
    assert marker_pairs(SCENE, {77: markers[0]})[0].shape == (0, 2)


@pytest.mark.parametrize("seen", [(), (1,)])
def test_fewer_than_two_markers_are_too_few(seen: tuple[int, ...]) -> None:
    markers = expected_markers(SCENE, Homography(TILTED, Lens(*SIZE)))
    with pytest.raises(HomographyError, match=f"{len(seen)} of the board's 4 markers seen, two are needed"):
        homography_from_markers(SCENE, {number: markers[number] for number in seen}, Lens(*SIZE))


def test_markers_in_another_order_do_not_fit() -> None:
    markers = expected_markers(SCENE, Homography(TILTED, Lens(*SIZE)))
    swapped = {0: markers[1], 1: markers[0], 2: markers[2], 3: markers[3]}
    with pytest.raises(HomographyError, match="check their order"):
        homography_from_markers(SCENE, swapped, Lens(*SIZE))


@pytest.mark.parametrize(
    "corners",
    [
        pytest.param([(0, 0), (100, 100), (100, 0), (0, 100)], id="crossed"),
        pytest.param([(0, 0), (50, 0), (100, 0), (0, 100)], id="three in a line"),
        pytest.param([(0, 0), (100, 0), (100, 100)], id="three"),
        pytest.param([(0, 0), (100, 0), (float("nan"), 100), (0, 100)], id="no number"),
        pytest.param([(5, 5)] * 4, id="one point"),
    ],
)
def test_four_corners_must_go_once_around(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(HomographyError, match="once around"):
        homography_from_corners(SCENE, corners, Lens(640, 480))


def test_the_rectified_board_shows_every_square_where_it_belongs() -> None:
    scale = 20
    flat = np.zeros(((16 + 2 * MARGIN) * scale, (12 + 2 * MARGIN) * scale, 3), dtype=np.uint8)
    random = np.random.default_rng(1)
    colours = random.integers(0, 255, (16 + 2 * MARGIN, 12 + 2 * MARGIN, 3))
    flat[:] = np.kron(colours, np.ones((scale, scale, 1)))
    true = Homography(TILTED, Lens(*SIZE))
    to_squares = np.array([(1 / scale, 0, -MARGIN), (0, 1 / scale, -MARGIN), (0, 0, 1)])
    seen: Picture = np.asarray(cv2.warpPerspective(flat, TILTED @ to_squares, SIZE), dtype=np.uint8)
    rectified = Rectifier(SCENE, true, scale)(seen)
    middles = rectified[scale // 2 :: scale, scale // 2 :: scale].astype(int)
    assert np.abs(middles - colours).max() <= 3


@settings(deadline=None)
@given(K1)
def test_the_map_of_a_rectified_picture_is_exact_to_a_fiftieth_of_a_px(k1: float) -> None:
    lens = Lens(*SIZE, k1)
    true = Homography(TILTED, lens)
    across: Float64 = np.tile(np.arange(1280, dtype=np.float64), (960, 1))
    levels = np.repeat((across / 8).astype(np.uint8)[..., None], 3, axis=2)
    scale = 24
    rectified = Rectifier(SCENE, true, scale)(levels).astype(float)
    at = np.array([(6.0, 8.0), (3.3, 12.7), (10.9, 0.4)])
    px = np.round((at + MARGIN) * scale - 0.5).astype(int)
    exact = true.picture_points((px + 0.5) / scale - MARGIN)[:, 0] / 8
    assert np.abs(rectified[px[:, 1], px[:, 0], 0] - exact).max() <= 1.1


def test_a_marker_seen_twice_places_nothing() -> None:
    seen = picture()
    markers = find_markers(to_gray(seen))
    assert sorted(markers) == [0, 1, 2, 3]
    corner = np.round(markers[0]).astype(int)
    (left, top), (right, bottom) = corner.min(axis=0) - 9, corner.max(axis=0) + 9
    copied = seen.copy()
    copied[60 : 60 + bottom - top, 60 : 60 + right - left] = seen[top:bottom, left:right]
    assert sorted(find_markers(to_gray(copied))) == [1, 2, 3]


def test_a_marker_dictionary_that_there_is_not_is_named() -> None:
    with pytest.raises(SceneError, match="DICT_NONE"):
        find_markers(np.zeros((50, 50), np.uint8), "DICT_NONE")


def still(noise: int, gain: float = 1.0) -> Picture:
    """A picture in which nothing moves, with its own noise."""
    random = np.random.default_rng(noise)
    ground = np.random.default_rng(0).integers(60, 180, (240, 320, 3))
    return np.clip(gain * ground + random.normal(0, 2, ground.shape), 0, 255).astype(np.uint8)


def test_noise_is_no_motion_and_a_small_thing_is() -> None:
    motion = Motion()
    assert motion.moved(still(1))
    assert not motion.moved(still(2))
    with_thing = still(3)
    with_thing[100:120, 100:120] = 0
    assert motion.moved(with_thing)
    assert not motion.moved(with_thing)
    assert motion.moved(still(4))


def test_motion_adds_up_over_pictures_that_were_not_read() -> None:
    motion = Motion()
    motion.moved(still(1))
    assert [motion.moved(still(2, gain)) for gain in (1.0, 1.01, 1.02)] == [False] * 3
    slowly = [still(5) for _ in range(6)]
    for number, each in enumerate(slowly):
        each[100:132, 100:132] = np.clip(each[100:132, 100:132].astype(int) + 1 + number, 0, 255)
    assert motion.moved(slowly[5])


def test_another_size_and_a_forgotten_picture_count_as_motion() -> None:
    motion = Motion()
    motion.moved(still(1))
    assert motion.moved(still(2)[:200])
    motion.forget()
    assert motion.moved(still(3)[:200])
