"""Dice thrown beside the bed: the part of a picture in which to look for them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.dice.reader import DiceReader
from hardware.vision.register.homography import Homography

FRAME_SQUARES = 2.3
"""How far the printed frame with its markers reaches beyond the grid, in squares, and a little more: the
cards' pips, toys and markers on the bed look like dice to whoever looks for pips."""

TRAY_MARGIN_SQUARES = 2.5
"""The tray stands lower than the bed's face, so that it is seen off its place on that plane by about as
much (the rendered beds: up to 2 squares at 45°)."""


def beside_the_board(picture: Picture, scene: Scene, homography: Homography) -> Picture:
    """The picture with the bed and its frame painted over, and all that is far from the tray where there is
    one; shape as before, BGR."""
    ground = tuple(float(level) for level in np.median(picture[::16, ::16].reshape(-1, 3), axis=0))
    tray = scene.tray_in_cells_at_table_height
    if tray is None:
        shown = picture.copy()
    else:
        near = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(near, _outline(homography, *_widened(tray, TRAY_MARGIN_SQUARES)), 1)
        shown = np.empty_like(picture)
        shown[:] = ground
        cv2.copyTo(picture, near, shown)
    frame = _widened((0, 0, scene.cols, scene.rows), FRAME_SQUARES)
    cv2.fillConvexPoly(shown, _outline(homography, *frame), ground)
    return shown


def read_tray(reader: DiceReader, picture: Picture, scene: Scene, homography: Homography) -> Observation:
    """The dice in the tray beside the bed; none where the scene has no tray. Boxes in px of the picture."""
    tray = scene.tray_in_cells_at_table_height
    if tray is None:
        return Observation(dice=())
    outline = _outline(homography, *_widened(tray, TRAY_MARGIN_SQUARES))
    return reader.read(
        beside_the_board(picture, scene, homography), [(float(x), float(y)) for x, y in outline]
    )


def _widened(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by


def _outline(
    homography: Homography, left: float, top: float, right: float, bottom: float
) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)
    return np.round(homography.picture_points(corners)).astype(np.int32).reshape(-1, 2)
