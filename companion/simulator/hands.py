"""Draws the hand that lays the tiles: one drawing, moved and turned over the table."""

from __future__ import annotations

from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Tile
from companion.simulator.looks import look_of
from companion.simulator.view import Floats

DENSITY = 30
LENGTH_SQUARES, WIDTH_SQUARES = 22, 8
HAND_Z = 1.0

FINGERS = (
    ((-1.5, 1.9), (-1.0, 4.6), 0.72),
    ((1.55, 1.75), (1.0, 4.2), 0.56),
    ((0.98, 0.95), (0.55, 4.0), 0.66),
    ((0.3, 0.65), (0.0, 3.9), 0.7),
    ((-0.4, 0.85), (-0.55, 4.0), 0.68),
)
"""Each finger's tip, root and thickness, in squares; the thumb first."""


class Hand(msgspec.Struct, frozen=True):
    """A hand over the table, with its fingertips at (x, y) in squares.

    It reaches in from the board's bottom row, or from the top row if `far`. `lean` turns the arm by degrees.
    """

    x: float
    y: float
    owner: str = ""
    lean: float = 12.0
    far: bool = False
    holds: Tile | None = None
    holds_at: tuple[float, float] = (0.0, 0.0)
    """The held tile's row and column, in fractions of a square."""


def hand_matrix(hand: Hand) -> Floats:
    """The matrix from px of the hand's drawing to (x, y) in squares, shape (3, 3)."""
    angle = np.radians(180 + hand.lean if hand.far else hand.lean)
    cos, sin = np.cos(angle) / DENSITY, np.sin(angle) / DENSITY
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    tip = np.array([WIDTH_SQUARES * DENSITY / 2, 0.6 * DENSITY, 1.0])
    move = np.array([hand.x, hand.y, 0]) - [*(turn @ tip)[:2], 0]
    turn[:2, 2] = move[:2]
    return turn


@lru_cache(maxsize=4)
def hand_drawing(owner: str) -> NDArray[np.uint8]:
    """A hand with arm and sleeve in its owner's colours, fingertips up, shape (H, W, 4)."""
    height, width = LENGTH_SQUARES * DENSITY, WIDTH_SQUARES * DENSITY
    ink = look_of(owner).skin
    drawing = np.zeros((height, width, 4), np.uint8)
    middle = width / 2
    thumb, *fingers = FINGERS
    _lay(drawing, _stroke(drawing, middle, thumb), ink, thumb[2] * DENSITY * 0.5)
    palm = _stroke(drawing, middle, ((0, 4.8), (0, 9.0), 1.75))
    cv2.ellipse(
        palm, _at(middle, 4.3), (int(1.45 * DENSITY), int(1.5 * DENSITY)), 0, 0, 360, 255, -1, cv2.LINE_AA
    )
    _lay(drawing, palm, ink, 0.95 * DENSITY)
    for finger in fingers:
        _lay(drawing, _stroke(drawing, middle, finger), ink, finger[2] * DENSITY * 0.5)
        (tip_x, tip_y), _, thick = finger
        nail = _at(middle + tip_x * DENSITY, tip_y - thick * 0.1)
        light = tuple(min(255, part * 1.12 + 8) for part in ink)
        cv2.ellipse(
            drawing, nail, (int(thick * 9), int(thick * 11)), 0, 0, 360, (*light, 255), -1, cv2.LINE_AA
        )
    sleeve = np.zeros((height, width), np.uint8)
    cv2.line(sleeve, _at(middle, 8.2), _at(middle + 10, 26), 255, int(3.1 * DENSITY), cv2.LINE_AA)
    sleeve[: int(7.2 * DENSITY)] = 0
    _lay(drawing, sleeve, look_of(owner).sleeve, 1.6 * DENSITY)
    cuff = (slice(int(7.2 * DENSITY), int(7.9 * DENSITY)), slice(None), slice(0, 3))
    drawing[cuff] = np.clip(drawing[cuff] * 1.18, 0, 255).astype(np.uint8)
    return drawing


def _stroke(
    drawing: NDArray[np.uint8], middle: float, part: tuple[tuple[float, float], tuple[float, float], float]
) -> NDArray[np.uint8]:
    """The mask of a rounded stroke from tip to root (in squares, x from the drawing's centre)."""
    (tip_x, tip_y), (root_x, root_y), thick = part
    mask = np.zeros(drawing.shape[:2], np.uint8)
    tip, root = _at(middle + tip_x * DENSITY, tip_y), _at(middle + root_x * DENSITY, root_y)
    cv2.line(mask, tip, root, 255, int(thick * DENSITY), cv2.LINE_AA)
    return mask


def _lay(
    drawing: NDArray[np.uint8], mask: NDArray[np.uint8], ink: tuple[int, int, int], round_px: float
) -> None:
    """Draw a rounded body with this outline, lighter in the centre than at its edges."""
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5) / round_px
    bulge = np.asarray(cv2.GaussianBlur(np.sqrt(np.clip(depth, 0, 1)), (0, 0), 2.5), np.float32)
    colours = np.clip(np.array(ink) * (0.62 + 0.42 * bulge[..., None]), 0, 255)
    alpha = mask[..., None].astype(np.float32) / 255
    drawing[..., :3] = (colours * alpha + drawing[..., :3] * (1 - alpha)).astype(np.uint8)
    drawing[..., 3] = np.maximum(drawing[..., 3], mask)


def _at(x: float, y_squares: float) -> tuple[int, int]:
    return round(x), round(y_squares * DENSITY)
