"""Radial lens distortion with one coefficient, estimated from the printed markers alone."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np

from hardware.arrays import Float64

LARGEST_K1 = 0.3
"""The maximum |k1| to try. No lens that a person would put over a table distorts more."""
K1_STEP = 0.005
FEWEST_CORNERS = 12
"""The minimum marker corners in a view to estimate k1; with fewer, distortion and tilt look alike."""
NEWTON_STEPS = 4
"""The number of Newton steps in `distort`. From the third on, points move by less than 0.001 px."""


class Lens(msgspec.Struct, frozen=True):
    """Radial distortion about the picture's centre: radius r (1 = the corner) belongs at r (1 + k1 r²)."""

    width: int
    height: int
    k1: float = 0.0

    @property
    def middle(self) -> Float64:
        """The picture's centre in px, shape (2,)."""
        return np.array([(self.width - 1) / 2, (self.height - 1) / 2])

    @property
    def radius(self) -> float:
        """Half the picture's diagonal in px."""
        return float(np.hypot(self.width, self.height) / 2)

    def undistort(self, points_px: Float64) -> Float64:
        """Map points of the picture, shape (..., 2), to their positions without distortion."""
        off = (points_px - self.middle) / self.radius
        square = (off * off).sum(axis=-1, keepdims=True)
        return np.asarray(off * (1 + self.k1 * square) * self.radius + self.middle)

    def distort(self, points_px: Float64) -> Float64:
        """Map undistorted points, shape (..., 2), to px of the picture: the inverse of `undistort`."""
        off = (points_px - self.middle) / self.radius
        far = np.sqrt((off * off).sum(axis=-1, keepdims=True))
        near = far.copy()
        for _ in range(NEWTON_STEPS):
            near -= (near * (1 + self.k1 * near * near) - far) / (1 + 3 * self.k1 * near * near)
        return np.asarray(off * (near / np.maximum(far, 1e-9)) * self.radius + self.middle)


def fit_homography(squares: Float64, undistorted_px: Float64) -> tuple[Float64, float]:
    """The homography from squares to px, shape (3, 3), and its reprojection error (RMS, px).

    The error is infinite if the points span no plane.
    """
    matrix, _ = cv2.findHomography(squares, undistorted_px, 0)
    if matrix is None:
        return np.eye(3), float("inf")
    projected = cv2.perspectiveTransform(squares.reshape(-1, 1, 2), matrix).reshape(-1, 2)
    error_px = float(np.sqrt(((projected - undistorted_px) ** 2).sum(axis=1).mean()))
    return np.asarray(matrix, dtype=np.float64), error_px


def fit_lens(width: int, height: int, views: Sequence[tuple[Float64, Float64]]) -> Lens:
    """The lens whose k1 minimises the sum of reprojection errors over all views of the flat board.

    `views`: each picture's marker corners in squares and in px, each shape (N, 2). Views with fewer than
    FEWEST_CORNERS corners are ignored; without any others, the lens has no distortion.
    """
    views = [view for view in views if len(view[0]) >= FEWEST_CORNERS]
    if not views:
        return Lens(width, height)
    candidates = np.arange(-LARGEST_K1, LARGEST_K1 + K1_STEP, K1_STEP)
    errors = []
    for k1 in candidates:
        lens = Lens(width, height, float(k1))
        errors.append(sum(fit_homography(squares, lens.undistort(px))[1] for squares, px in views))
    return Lens(width, height, float(candidates[int(np.argmin(errors))]))
