"""Which squares of any board are covered: thick tiles on a printed board, drawn as photographs by hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.watching import Square
from hardware.arrays import Float64, Picture
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader

SCENE = Scene(rows=11, cols=11)
PX = 32
"""The px of a square in the drawing that is photographed."""
MARGIN = 2
"""The squares of table around the grid."""
SIZE = (900, 800)
"""The width and height of a photograph."""
PALE, GREEN = (222, 226, 228), (60, 110, 50)
BLACK, WOOD = (30, 28, 26), (110, 165, 200)
WORDS: tuple[Square, ...] = (*((5, col) for col in range(2, 8)), *((row, 4) for row in range(6, 10)))
"""The squares on which two words lie."""


def board(colour: tuple[int, int, int]) -> Picture:
    """A board with lines around its squares, some of them in colours of their own."""
    random = np.random.default_rng(4)
    side = (SCENE.rows + 2 * MARGIN) * PX
    drawn = np.full((side, side, 3), (90, 60, 120), dtype=np.uint8)
    drawn[PX:-PX, PX:-PX] = colour
    for row, col in random.integers(0, SCENE.rows, (30, 2)):
        y, x = (row + MARGIN) * PX, (col + MARGIN) * PX
        drawn[y : y + PX, x : x + PX] = random.integers(60, 220, 3)
    for at in range(MARGIN * PX, (MARGIN + SCENE.rows) * PX + 1, PX):
        ends = MARGIN * PX, (MARGIN + SCENE.rows) * PX
        cv2.line(drawn, (at, ends[0]), (at, ends[1]), (150, 150, 150), 2)
        cv2.line(drawn, (ends[0], at), (ends[1], at), (150, 150, 150), 2)
    return np.asarray(drawn)


def camera(tilt_deg: float, height: float = 0.0) -> Float64:
    """From px of the drawing to px of the photograph, for a plane some squares above the board."""
    tilt = np.radians(tilt_deg)
    turn = np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]], dtype=np.float64
    )
    half = SCENE.rows / 2
    plane = np.column_stack([turn[:, :2], turn @ [-half, -half, -height] + [0, 0, 24.0]])
    lens = np.array([[1100, 0, SIZE[0] / 2], [0, 1100, SIZE[1] / 2], [0, 0, 1]], dtype=np.float64)
    return np.asarray(lens @ plane @ [[1 / PX, 0, -MARGIN], [0, 1 / PX, -MARGIN], [0, 0, 1]])


def photograph(
    colour: tuple[int, int, int],
    tile: tuple[int, int, int],
    covered: tuple[Square, ...] = (),
    *,
    tilt_deg: float = 0.0,
    thick: float = 0.3,
    gain: float = 1.0,
) -> Picture:
    """The board with thick tiles and their shadows."""
    random = np.random.default_rng(len(covered) + int(tilt_deg))
    drawn, tops = board(colour).astype(np.float32), board(colour)
    lying = np.zeros(drawn.shape[:2], dtype=np.float32)
    for row, col in covered:
        y, x = (row + MARGIN) * PX, (col + MARGIN) * PX
        lying[y + 2 : y + PX - 1, x + 2 : x + PX - 1] = 1
        tops[y : y + PX, x : x + PX] = tile
        ink = (230, 230, 230) if sum(tile) < 200 else (30, 30, 30)
        letter = "ABCDEFGHKM"[(row + 3 * col) % 10]
        cv2.putText(tops, letter, (x + 9, y + 24), cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, 2, cv2.LINE_AA)
    off = np.array([[1, 0, thick * PX * 0.8], [0, 1, thick * PX * 0.5]])
    shadow = cv2.GaussianBlur(cv2.warpAffine(lying, off, lying.shape), (0, 0), 3)
    seen = cv2.warpPerspective(drawn * (1 - 0.35 * shadow[..., None]), camera(tilt_deg), SIZE)
    for part in (1, 2, 3, 4):
        face = tops.astype(np.float32) if part == 4 else np.full_like(drawn, np.multiply(tile, 0.8))
        there = camera(tilt_deg, thick * part / 4)
        share = cv2.warpPerspective(lying, there, SIZE)[..., None]
        seen = seen * (1 - share) + share * cv2.warpPerspective(face, there, SIZE)
    seen = cv2.GaussianBlur(seen * gain, (0, 0), 0.8) + random.normal(0, 2, seen.shape)
    return np.asarray(np.clip(seen, 0, 255), dtype=np.uint8)


def corners_px(tilt_deg: float, off_squares: float = 0.0) -> list[list[float]]:
    """The grid's corners in the photograph, as far off as a person sets them."""
    ends = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * SCENE.rows
    px = cv2.perspectiveTransform(
        ((ends + MARGIN) * PX).reshape(-1, 1, 2).astype(np.float64), camera(tilt_deg)
    )
    off = np.random.default_rng(3).normal(0, off_squares * 45, (4, 2))
    return [[float(x), float(y)] for x, y in px.reshape(-1, 2) + off]


@pytest.mark.parametrize(
    ("colour", "tile"),
    [
        pytest.param(PALE, BLACK, id="black tiles on a pale board"),
        pytest.param(PALE, WOOD, id="wooden tiles on a pale board"),
        pytest.param(GREEN, WOOD, id="wooden tiles on a green board"),
    ],
)
@pytest.mark.parametrize("tilt_deg", [5.0, 35.0])
def test_thick_tiles_are_read_in_photographs_by_hand(
    colour: tuple[int, int, int], tile: tuple[int, int, int], tilt_deg: float
) -> None:
    reader = TileReader(SCENE)
    reader.see_empty(photograph(colour, tile), corners_px(0.0))
    shown = photograph(colour, tile, WORDS, tilt_deg=tilt_deg, gain=0.85)
    reading = reader.read_board(shown, corners_px(tilt_deg, off_squares=0.08))
    assert (reading.unsure, set(reading.covered)) == (False, set(WORDS))


def test_what_is_unlike_the_other_tiles_is_asked_about() -> None:
    reader = TileReader(SCENE)
    reader.see_empty(photograph(GREEN, WOOD), corners_px(0.0))
    lying = (*WORDS, *((row, col) for row in (1, 2) for col in range(SCENE.cols)))
    shown = photograph(GREEN, WOOD, lying)
    left, top = corners_px(0.0)[0]
    square = 1100 / 24
    y, x = (int(side + 9 * square) for side in (top, left))
    shown[y : y + int(square) + 1, x : x + int(square) + 1] = (200, 120, 60)
    assert reader.read_board(shown, corners_px(0.0)).why == "not-told-apart"
