"""Boards without markers are found by their edges and their grid, however they lie in the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.arrays import Float64, Mask, Picture
from hardware.vision.board.corners import CERTAIN_UPRIGHT, Outline, find_outlines

ROWS, COLS, PX = 6, 4, 40
SEEN = np.array([(170, 50), (390, 60), (420, 400), (140, 380)], dtype=np.float64)
"""Where the board's corners lie in the picture, clockwise from its upper left."""
NONE = np.zeros((ROWS, COLS), dtype=bool)
NEAR_PX = 6.0
"""How near a corner must be to where it was drawn: about a tenth of a square."""


def blocked() -> Mask:
    """Two squares side by side near the upper left that hold no grid."""
    mask = NONE.copy()
    mask[1, 0] = mask[1, 1] = True
    return mask


def board(corners: Float64 = SEEN, *, pillow: bool = False, squares: bool = True, noise: int = 0) -> Picture:
    """A board of squares in two shades with a frame, on a plain table, as a tilted camera sees it."""
    flat = np.full(((ROWS + 2) * PX, (COLS + 2) * PX, 3), (170, 190, 205), dtype=np.uint8)
    grid = flat[PX:-PX, PX:-PX]
    grid[:] = (110, 160, 120)
    if squares:
        shades = np.indices((ROWS, COLS)).sum(axis=0) % 2
        grid[np.kron(shades, np.ones((PX, PX))) == 1] = (90, 135, 100)
    if pillow:
        grid[PX : 2 * PX, : 2 * PX] = (110, 160, 120)
    inner = np.array([(PX, PX), (5 * PX, PX), (5 * PX, 7 * PX), (PX, 7 * PX)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(inner, corners.astype(np.float32))
    seen = cv2.warpPerspective(flat, matrix, (560, 460), flags=cv2.INTER_AREA, borderValue=(60, 60, 65))
    random = np.random.default_rng(noise)
    return np.clip(seen + random.normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


def off_px(outline: Outline, corners: Float64 = SEEN) -> float:
    """How far the farthest corner of an outline lies from where it was drawn."""
    return float(np.linalg.norm(outline.corners - corners, axis=1).max())


def test_the_best_outline_is_the_grid_and_not_its_frame() -> None:
    best, *_ = find_outlines(board(), NONE)
    assert off_px(best) < NEAR_PX
    assert best.upright == 0.0, "nothing on a bare grid says which way up it lies"


@pytest.mark.parametrize("shift", [(-60, 0), (40, 30)])
def test_it_follows_the_board(shift: tuple[int, int]) -> None:
    corners = SEEN + shift
    best, *_ = find_outlines(board(corners, noise=1), NONE)
    assert off_px(best, corners) < NEAR_PX


def test_a_large_picture_gives_corners_in_its_own_px() -> None:
    large = cv2.resize(board(), None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    best, *_ = find_outlines(np.asarray(large, np.uint8), NONE)
    assert off_px(best, SEEN * 3) < 3 * NEAR_PX


def lined(side: int, corners: Float64) -> Picture:
    """A plain board of `side` × `side` squares with thin lines, in a frame on a plain table."""
    flat = np.full(((side + 2) * PX, (side + 2) * PX, 3), (170, 190, 205), dtype=np.uint8)
    grid = flat[PX:-PX, PX:-PX]
    grid[:] = (110, 160, 120)
    for number in range(side + 1):
        at, end = PX * (number + 1), PX * (side + 1)
        cv2.line(flat, (PX, at), (end, at), (70, 110, 80), 2, cv2.LINE_AA)
        cv2.line(flat, (at, PX), (at, end), (70, 110, 80), 2, cv2.LINE_AA)
    ends = np.array([(PX, PX), (end, PX), (end, end), (PX, end)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(ends, corners.astype(np.float32))
    seen = cv2.warpPerspective(flat, matrix, (900, 700), flags=cv2.INTER_AREA, borderValue=(60, 60, 65))
    random = np.random.default_rng(5)
    return np.clip(seen + random.normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


def test_a_part_of_a_board_with_thin_even_lines_is_not_taken_for_the_whole() -> None:
    """Four by four of its squares, each taken for four, have lines too; but these go on outside."""
    corners = np.array([(230, 90), (690, 120), (720, 600), (190, 580)], dtype=np.float64)
    best, *_ = find_outlines(lined(8, corners), np.zeros((8, 8), dtype=bool))
    turns = (Outline(np.roll(best.corners, turn, axis=0), best.score, 0.0) for turn in range(4))
    assert min(off_px(turned, corners) for turned in turns) < NEAR_PX


class TestWhichWayUp:
    """Squares that hold no grid say which way round a board lies."""

    def test_it_lies_as_its_blocked_squares_do(self) -> None:
        best, *_ = find_outlines(board(pillow=True), blocked())
        assert off_px(best) < NEAR_PX
        assert best.upright > 0.5

    def test_a_board_upside_down_is_turned(self) -> None:
        upside_down = np.roll(SEEN, 2, axis=0)
        best, *_ = find_outlines(board(upside_down, pillow=True), blocked())
        assert off_px(best, upside_down) < NEAR_PX
        assert best.upright > 0.5

    def test_turned_by_half_the_same_outline_is_as_unlikely_as_it_was_likely(self) -> None:
        outline = Outline(SEEN, 1.5, 0.7)
        turned = outline.turned()
        assert (turned.score, turned.upright) == (1.5, -0.7)
        np.testing.assert_array_equal(turned.corners, SEEN[[2, 3, 0, 1]])
        np.testing.assert_array_equal(turned.turned().corners, SEEN)


class TestNoBoard:
    """What is no board has no outline, or one with a low score."""

    def test_a_plain_picture_has_none(self) -> None:
        assert find_outlines(np.full((300, 400, 3), 128, np.uint8), NONE) == []

    def test_noise_has_none(self) -> None:
        random = np.random.default_rng(3)
        assert find_outlines(random.integers(0, 255, (200, 260, 3)).astype(np.uint8), NONE) == []

    def test_a_sheet_without_a_grid_scores_less(self) -> None:
        plain = find_outlines(board(squares=False), blocked())
        assert plain[0].score < find_outlines(board(), NONE)[0].score - 0.5
        assert abs(plain[0].upright) < CERTAIN_UPRIGHT / 2, "which is far from certain"
