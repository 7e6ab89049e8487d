"""A lens that bends straight lines, and how much, found from the markers alone."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
STRONGEST_BEND = 0.3
"""No lens that a person would put over a table bends more: straight(r) = r (1 + bend r²), r = 1 in the
corner."""
BEND_STEP = 0.005


class Lens(msgspec.Struct, frozen=True):
    """Radial distortion about the picture's middle: a point at radius r (1 = the corner) belongs at r (1 +
    bend r²)."""

    width: int
    height: int
    bend: float = 0.0

    @property
    def middle(self) -> Floats:
        """The picture's middle in px, shape (2,)."""
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    @property
    def radius(self) -> float:
        """Half the picture's diagonal in px."""
        return float(np.hypot(self.width, self.height) / 2)

    def straighten(self, points_px: Floats) -> Floats:
        """Points of the picture, shape (..., 2), to where a straight lens would have put them."""
        off = (points_px - self.middle) / self.radius
        square = (off * off).sum(axis=-1, keepdims=True)
        return np.asarray(off * (1 + self.bend * square) * self.radius + self.middle)

    def bend_points(self, points_px: Floats) -> Floats:
        """The way back: straight points, shape (..., 2), to where this lens puts them in the picture."""
        off = (points_px - self.middle) / self.radius
        far = np.sqrt((off * off).sum(axis=-1, keepdims=True))
        near = far.copy()
        for _ in range(4):
            near -= (near * (1 + self.bend * near * near) - far) / (1 + 3 * self.bend * near * near)
        return np.asarray(off * (near / np.maximum(far, 1e-9)) * self.radius + self.middle)


def plane_fit(cells: Floats, straight_px: Floats) -> tuple[Floats, float]:
    """The homography from squares to px, shape (3, 3), and how far its points miss on average, in px."""
    matrix, _ = cv2.findHomography(cells, straight_px, 0)
    if matrix is None:
        return np.eye(3), float("inf")
    seen = cv2.perspectiveTransform(cells.reshape(-1, 1, 2), matrix).reshape(-1, 2)
    return np.asarray(matrix, dtype=np.float64), float(
        np.sqrt(((seen - straight_px) ** 2).sum(axis=1).mean())
    )


def find_lens(width: int, height: int, views: Sequence[tuple[Floats, Floats]]) -> Lens:
    """The lens under which all views of the flat bed fit best.

    `views`: for each picture the marker corners in squares and in px, each shape (N, 2), N ≥ 12: with fewer
    corners a bend cannot be told from a tilt, and the lens is taken as straight.
    """
    views = [view for view in views if len(view[0]) >= 12]
    if not views:
        return Lens(width, height)
    bends = np.arange(-STRONGEST_BEND, STRONGEST_BEND + BEND_STEP, BEND_STEP)
    misses = []
    for bend in bends:
        lens = Lens(width, height, float(bend))
        misses.append(sum(plane_fit(cells, lens.straighten(px))[1] for cells, px in views))
    return Lens(width, height, float(bends[int(np.argmin(misses))]))
