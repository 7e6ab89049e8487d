"""Kitchens that the tests draw: a board of slabs with a table and pieces on it, seen by a tilted camera."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.simulator.kitchen import FLOOR_INK, FRAME_INK, paint_board, pawn
from companion.simulator.table_scene import Thing
from hardware.arrays import Picture
from hardware.vision.board.scene import scene_of

PX = 80
ROWS, COLS = 6, 7
SCENE = scene_of({"rows": ROWS, "cols": COLS})
WIDTH, HEIGHT = 1280, 960
FRAME = 2
"""Squares of frame around the grid."""
SEEN = ((290, 90), (1010, 120), (1120, 900), (170, 880))
BUMPED = ((279, 102), (1001, 128), (1113, 912), (161, 893))
TABLE = ((2, 2), (4, 5))
"""Its top left square, and the square past its bottom right one."""

StandsAt = tuple[str, float, float]
"""Kind, and the square of its foot (row, column; whole numbers are squares' middles)."""


def kitchen(
    pieces: Iterable[StandsAt] = (),
    *,
    bare: Iterable[tuple[int, int]] = (),
    cheese: Iterable[tuple[int, int]] = (),
    floor: tuple[int, int, int] = FLOOR_INK,
    noise: int = 0,
    gain: float = 1.0,
    warm: float = 0.0,
    slope: float = 0.0,
    lean: tuple[float, float] = (0.0, 0.0),
    corners: tuple[tuple[int, int], ...] = SEEN,
    hand: bool = False,
    extra: tuple[int, int, int] | None = None,
) -> Picture:
    """The kitchen as a camera would see it, BGR, 960 × 1280.

    `bare` squares have no slab, `cheese` ones show it. `gain`, `warm` (red up, blue down) and `slope`
    (brighter to one side) are the light's; `lean` how far a piece's head is seen off its foot, in squares;
    `extra` the ink of a thing on B5 that is no piece.
    """
    flat = _board(set(bare), set(cheese), floor)
    for kind, row, col in pieces:
        _stand(flat, kind, row, col, lean)
    if extra is not None:
        _disc(flat, 4.5, 1.5, 0.3, extra)
    height, width = flat.shape[:2]
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(corners, dtype=np.float32))
    seen = cv2.warpPerspective(flat, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_AREA, borderValue=(70, 60, 60))
    if hand:
        cv2.line(seen, (1279, 500), (640, 480), (120, 150, 205), 120)
    across = np.linspace(1 - slope, 1 + slope, WIDTH)[None, :, None]
    tint = np.array([1 - warm, 1.0, 1 + warm])[None, None, :]
    random = np.random.default_rng(noise)
    lit = gain * across * tint * seen + random.normal(0, 2, seen.shape)
    return np.clip(lit, 0, 255).astype(np.uint8)


def corners_px() -> list[list[float]]:
    """The grid's corners in px of a kitchen that is not bumped, as a person would set them."""
    height, width = (ROWS + 2 * FRAME) * PX, (COLS + 2 * FRAME) * PX
    square = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(SEEN, dtype=np.float32))
    low, right, bottom = FRAME * PX, width - FRAME * PX, height - FRAME * PX
    grid = np.array([[(low, low), (right, low), (right, bottom), (low, bottom)]], dtype=np.float32)
    return [[float(x), float(y)] for x, y in cv2.perspectiveTransform(grid, matrix)[0]]


def _board(bare: set[tuple[int, int]], cheese: set[tuple[int, int]], floor: tuple[int, int, int]) -> Picture:
    flat = np.full(((ROWS + 2 * FRAME) * PX, (COLS + 2 * FRAME) * PX, 3), FRAME_INK, dtype=np.uint8)
    (top, left), (bottom, right) = TABLE
    table = [(row, col) for row in range(top, bottom) for col in range(left, right)]
    squares = {(row, col) for row in range(ROWS) for col in range(COLS)}
    lying = {"slab": squares - bare - cheese, "cheese": cheese, "table": table}
    things = [Thing(kind, *square) for kind, where in lying.items() for square in sorted(where)]
    inside = slice(FRAME * PX, (FRAME + ROWS) * PX), slice(FRAME * PX, (FRAME + COLS) * PX)
    flat[inside] = paint_board(ROWS, COLS, things, PX, floor)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    for number, corners in SCENE.markers_in_cells.items():
        x, y = (round((value + FRAME) * PX) for value in corners[0])
        side = round((corners[1][0] - corners[0][0]) * PX)
        flat[y : y + side, x : x + side] = cv2.aruco.generateImageMarker(dictionary, number, side)[..., None]
    return flat


def _stand(flat: Picture, kind: str, row: float, col: float, lean: tuple[float, float]) -> None:
    """A pawn: its shadow, its body from foot to head, a lighter top and a darker side."""
    y, x = row + 0.5, col + 0.5
    shadow = flat.copy()
    slices = list(pawn(kind))
    _disc(shadow, y + 0.12, x + 0.16, slices[0][1], (0, 0, 0))
    flat[:] = cv2.addWeighted(flat, 0.72, shadow, 0.28, 0)
    for part, radius, ink in slices:
        _disc(flat, y + lean[0] * part, x + lean[1] * part, radius, ink)


def _disc(flat: Picture, y: float, x: float, radius: float, ink: tuple[int, ...]) -> None:
    centre = (round((x + FRAME) * PX), round((y + FRAME) * PX))
    cv2.circle(flat, centre, round(radius * PX), ink, -1, cv2.LINE_AA)
