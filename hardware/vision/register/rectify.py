"""Rectifies the board: as seen straight from above, with all squares the same size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Mask, Picture
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography

SCALE = 24
"""Px per square: about what a one-megapixel camera resolves on a bed of 16 × 12."""
MARGIN = 1
"""The squares of frame around the grid in the rectified picture, which show how the light changed."""
INNER = (slice(MARGIN, -MARGIN), slice(MARGIN, -MARGIN))
"""The grid without its frame, as an index of rows and columns."""
MAP_STEP = 8
"""Px between the computed points of the map; interpolation errs by less than 0.02 px."""


class Rectifier:
    """Rectifies pictures of a board to `scale` px per square, with MARGIN squares of frame around it."""

    def __init__(self, scene: Scene, homography: Homography, scale: int) -> None:
        self.homography = homography
        self.scale = scale
        height, width = ((side + 2 * MARGIN) * scale for side in (scene.rows, scene.cols))
        xs = np.arange(0, width + MAP_STEP, MAP_STEP, dtype=np.float64)
        ys = np.arange(0, height + MAP_STEP, MAP_STEP, dtype=np.float64)
        squares = np.stack(np.meshgrid((xs + 0.5) / scale - MARGIN, (ys + 0.5) / scale - MARGIN), axis=-1)
        points = homography.picture_points(squares.reshape(-1, 2)).reshape(*squares.shape).astype(np.float32)
        self._maps = _interpolated(points, width, height)
        self._squares_in: dict[tuple[int, int, float], Mask] = {}

    def __call__(self, picture: Picture) -> Picture:
        """The rectified picture, BGR, shape ((rows + 2 MARGIN) scale, (cols + 2 MARGIN) scale, 3)."""
        return np.asarray(
            cv2.remap(picture, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
        )

    def squares_in(self, picture: Picture, part: float = 1.0) -> Mask:
        """The squares, including the frame's, that lie wholly in a picture, or at least their middle `part`.

        Shape (rows + 2 MARGIN, cols + 2 MARGIN). Elsewhere the rectified picture repeats the picture's edge.
        """
        known = picture.shape[0], picture.shape[1], part
        if known not in self._squares_in:
            self._squares_in[known] = self._inside(*known)
        return self._squares_in[known]

    def _inside(self, height: int, width: int, part: float) -> Mask:
        rows, cols = (side // self.scale for side in self._maps[0].shape[:2])
        inside = np.ones((rows, cols), dtype=bool)
        for down, across in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
            grid = np.meshgrid(
                np.arange(cols) + (1 + across * part) / 2 - MARGIN,
                np.arange(rows) + (1 + down * part) / 2 - MARGIN,
            )
            px = self.homography.picture_points(np.stack(grid, axis=-1).reshape(-1, 2))
            inside &= ((px >= 0) & (px <= (width, height))).all(axis=-1).reshape(rows, cols)
        return inside


def _interpolated(points: Float32, width: int, height: int) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    # warpAffine samples the coarse map at exact fractions, which resize would shift by half a step.
    back = np.array([[MAP_STEP, 0, 0], [0, MAP_STEP, 0]], dtype=np.float64)
    fine = cv2.warpAffine(
        points, back, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    whole, fraction = cv2.convertMaps(fine, np.empty(0, dtype=np.float32), cv2.CV_16SC2)
    return np.asarray(whole, dtype=np.int16), np.asarray(fraction, dtype=np.uint16)
