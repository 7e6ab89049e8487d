"""Reads dice beside the board: selects the part of a picture in which to look for them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.dice.reader import DiceReader
from hardware.vision.dice.table_view import table_view
from hardware.vision.register.homography import Homography

FRAME_SQUARES = 2.3
"""The reach of the printed frame beyond the grid, in squares, plus a little.

Markers, tokens and prints on the board look like dice to the detector.
"""

TRAY_MARGIN_SQUARES = 2.5
"""The tray's shift in the picture, in squares, because it is lower than the board.

On the rendered beds, it is up to 2 squares at 45°.
"""


def beside_the_board(picture: Picture, scene: Scene, homography: Homography) -> Picture:
    """The picture, BGR, with the board, its frame and everything far from the tray painted over."""
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
    """The dice in the tray beside the board, boxes in px; none if the scene has no tray."""
    tray = scene.tray_in_cells_at_table_height
    if tray is None:
        return Observation(dice=())
    outline = _outline(homography, *_widened(tray, TRAY_MARGIN_SQUARES))
    corners = [(float(x), float(y)) for x, y in outline]
    view = table_view(picture, scene, homography)
    return reader.read(beside_the_board(picture, scene, homography), corners, view=view)


def _widened(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by


def _outline(
    homography: Homography, left: float, top: float, right: float, bottom: float
) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)
    return np.round(homography.picture_points(corners)).astype(np.int32).reshape(-1, 2)
