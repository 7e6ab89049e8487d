"""Locating a board by its print, on a printed board that is drawn here and seen through a known camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.arrays import Float32, Float64
from hardware.vision.board.board_view import UNCERTAIN_SQUARES
from hardware.vision.board.scene import Scene, markers_in_cells
from hardware.vision.register.homography import (
    Homography,
    expected_markers,
    grid_corners,
    homography_from_corners,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.print_match import (
    PrintMatch,
    has_moved,
    match_print,
    refined_by_print,
)
from hardware.vision.register.rectify import MARGIN

SCENE = Scene(rows=16, cols=12, markers_in_cells=markers_in_cells(16, 12))
LENS = Lens(1600, 1200)
FOCAL_PX = 1500.0
SAMPLES = 8


def camera_at(tilt: float, roll: float) -> Homography:
    """The board seen by a camera that is tilted and rolled by some degrees, 35 squares away."""
    turn = (
        cv2.Rodrigues(np.deg2rad([tilt, 0.3 * tilt, 0.0]))[0] @ cv2.Rodrigues(np.deg2rad([0.0, 0, roll]))[0]
    )
    middle = turn @ np.array([SCENE.cols / 2, SCENE.rows / 2, 0.0])
    pose = np.column_stack([turn[:, :2], np.array([0.0, 0.0, 35.0]) - middle])
    x, y = LENS.middle
    matrix = np.array([(FOCAL_PX, 0, x), (0, FOCAL_PX, y), (0, 0, 1)]) @ pose
    return Homography(matrix / matrix[2, 2], LENS)


def printed(seed: int) -> Float32:
    """The luma of an empty board: squares with lines around them, and a few soft spots."""
    random = np.random.default_rng(seed)
    high, wide = ((side + 2 * MARGIN) * SAMPLES for side in (SCENE.rows, SCENE.cols))
    luma = cv2.GaussianBlur(random.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), 3)
    luma[::SAMPLES] -= 0.2
    luma[:, ::SAMPLES] -= 0.2
    return luma


def seen_by(luma: Float32, true: Homography, assumed: Homography) -> Float32:
    """The board as it is rectified by an assumed homography, where the true one is another."""
    high, wide = luma.shape
    rows, cols = np.mgrid[:high, :wide]
    at = np.stack([cols.ravel(), rows.ravel()], axis=-1) / SAMPLES + 0.5 / SAMPLES - MARGIN
    px = assumed.picture_points(at).reshape(-1, 1, 2)
    on_board = cv2.perspectiveTransform(px, np.linalg.inv(true.matrix)).reshape(high, wide, 2)
    maps = ((on_board + MARGIN) * SAMPLES - 0.5).astype(np.float32)
    return np.asarray(cv2.remap(luma, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), dtype=np.float32)


def located(empty: Float32, shown: Float32, true: Homography, off_px: float = 0.1) -> PrintMatch | None:
    """What one marker and the print locate, where the marker's corners are a little off."""
    squares = np.array(SCENE.markers_in_cells[2])
    random = np.random.default_rng(5)
    px = expected_markers(SCENE, true)[2] + random.normal(0, off_px, (4, 2))

    def rectified(assumed: Homography) -> Float32:
        return seen_by(shown, true, assumed)

    return match_print(SCENE, empty, rectified, LENS, FOCAL_PX, (squares, px))


def off_squares(match: PrintMatch, true: Homography) -> float:
    """How far off the board's corners are, in squares."""
    corners: Float64 = grid_corners(SCENE)
    off_px = np.linalg.norm(match.homography.picture_points(corners) - true.picture_points(corners), axis=1)
    return float(off_px.max()) / true.square_px(SCENE)


@pytest.mark.parametrize(("tilt", "roll"), [(0, 0), (25, 15), (-40, -10)])
def test_one_marker_and_the_print_locate_the_board(tilt: float, roll: float) -> None:
    board, true = printed(1), camera_at(tilt, roll)
    match = located(board, board, true)
    assert match is not None
    assert off_squares(match, true) < 0.05
    assert match.error_squares < 0.03


def test_the_print_is_found_between_tiles() -> None:
    board, true = printed(1), camera_at(30, 10)
    covered = board.copy()
    for top, left in ((2, 2), (2, 8), (7, 5), (12, 1), (11, 9)):
        here = slice(top * SAMPLES, (top + 4) * SAMPLES), slice(left * SAMPLES, (left + 3) * SAMPLES)
        covered[here] = printed(9)[here] - 1
    match = located(board, covered, true)
    assert match is not None
    assert off_squares(match, true) < 0.08


def test_the_far_corners_are_uncertain_where_only_the_print_near_the_marker_shows() -> None:
    """Half of the print fits as well as all of it, but what it says of the far corners is worth less."""
    board, true = printed(1), camera_at(30, 10)
    near = board.copy()
    near[: 9 * SAMPLES] = printed(9)[: 9 * SAMPLES] - 1
    whole, half = located(board, board, true), located(board, near, true)
    assert whole is not None and half is not None
    assert half.patches > whole.patches / 4
    assert half.error_squares > 4 * whole.error_squares


def test_another_print_locates_nothing() -> None:
    """Lines between squares look alike everywhere: they alone must not be taken for the board."""
    true = camera_at(20, 5)
    match = located(
        printed(1), np.random.default_rng(3).normal(0, 1, printed(1).shape).astype(np.float32), true
    )
    assert match is None or match.error_squares > UNCERTAIN_SQUARES


@pytest.mark.parametrize(("by", "moved"), [(0.0, False), (0.05, False), (0.3, True)])
def test_a_board_that_was_moved_is_noticed_without_markers(by: float, moved: bool) -> None:
    board, before = printed(1), camera_at(20, 5)
    shifted = np.array([(1, 0, by), (0, 1, 0), (0, 0, 1)])
    now = Homography(before.matrix @ shifted, LENS)
    assert has_moved(SCENE, board, seen_by(board, now, before)) is moved


def test_what_shows_no_print_says_nothing_of_a_move() -> None:
    assert not has_moved(SCENE, printed(1), printed(2))


def set_by_hand(true: Homography, off_squares: float) -> Homography:
    """The homography from corners that a person set beside the true ones."""
    random = np.random.default_rng(8)
    off = random.normal(0, off_squares * true.square_px(SCENE), (4, 2))
    return homography_from_corners(SCENE, true.picture_points(grid_corners(SCENE)) + off, LENS)


@pytest.mark.parametrize("tilt", [0.0, 40.0], ids=["from above", "aslant"])
def test_corners_set_by_hand_are_refined_by_the_print(tilt: float) -> None:
    empty, true = printed(3), camera_at(tilt, 10.0)
    by_hand = set_by_hand(true, 0.12)
    covered = empty.copy()
    covered[20:90, 30:70] = 0.5
    refined = refined_by_print(SCENE, empty, lambda assumed: seen_by(covered, true, assumed), by_hand)
    assert refined is not None
    assert by_hand.shifted_from(true, SCENE) > 0.1 * true.square_px(SCENE)
    assert refined.shifted_from(true, SCENE) < 0.03 * true.square_px(SCENE)


def test_corners_stay_where_the_print_says_nothing() -> None:
    plain, true = np.zeros_like(printed(3)), camera_at(0.0, 0.0)
    assert refined_by_print(SCENE, plain, lambda assumed: plain, true) is None
