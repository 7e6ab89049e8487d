"""The virtual camera's view: projects points and flat things of the table into its picture.

The world is measured in squares of the board: x to the right and y down from the grid's corner, z up from the
board's face (the table is at `TABLE_Z`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Texture = NDArray[np.uint8]

TABLE_Z = -2.0
"""The height of the table's face, in squares; the board stands on it."""
SUPERSAMPLE = 2
"""The factor by which flat things are drawn finer and then averaged, for smooth edges."""
BESIDE_ACROSS, BESIDE_DOWN = 12.0, 4.4
"""The minimum seen beside the board's squares, in squares: frame and tray."""
MAP_STEP = 8
"""The step between computed px, in fine px; interpolation errs by less than 0.01 px."""


@dataclass(frozen=True)
class Roi:
    """A rectangle of the picture in px."""

    x: int
    y: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Slices to cut it out of a picture: `picture[roi.slices]`."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    @property
    def empty(self) -> bool:
        """True if no pixel of it is in the picture."""
        return self.width <= 0 or self.height <= 0


@dataclass(frozen=True)
class View:
    """A tilted camera with lens distortion.

    `middle` is the point of the board's face at which it looks (squares), `distance` its distance (squares),
    `tilt` and `roll` are in degrees, `focal` is in picture widths. A point at radius r from the picture's
    centre (1 = half the diagonal) belongs at r (1 + bend r² + bend2 r⁴) without distortion.
    """

    width: int = 1280
    height: int = 960
    middle: tuple[float, float] = (7.4, 8.1)
    distance: float = 31.0
    tilt: float = 17.0
    roll: float = 1.5
    focal: float = 0.94
    bend: float = 0.06
    bend2: float = 0.012

    @cached_property
    def _pose(self) -> tuple[Floats, Floats]:
        """The rotation (3, 3) and the camera's position (3,), with z turned down so that it looks to +z."""
        tilt, roll = np.radians(self.tilt), np.radians(self.roll)
        ct, st, cr, sr = np.cos(tilt), np.sin(tilt), np.cos(roll), np.sin(roll)
        lean = np.array([[1, 0, 0], [0, ct, st], [0, -st, ct]])
        turn = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
        rotation = turn @ lean
        place = np.array([*self.middle, 0.0]) - rotation[2] * self.distance
        return rotation, place

    @property
    def _middle_px(self) -> tuple[float, float]:
        return (self.width - 1) / 2, (self.height - 1) / 2

    @property
    def _radius_px(self) -> float:
        return float(np.hypot(self.width, self.height) / 2)

    def plane(self, z: float) -> Floats:
        """The homography, shape (3, 3), from (x, y) in squares at height `z` to undistorted px."""
        rotation, place = self._pose
        focal_px = self.focal * self.width
        x, y = self._middle_px
        lens = np.array([[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]])
        third = rotation @ (np.array([0.0, 0.0, -z]) - place)
        return np.asarray(lens @ np.column_stack([rotation[:, 0], rotation[:, 1], third]), np.float64)

    def project(self, points: Floats) -> Floats:
        """Project points (x, y, z) in squares, shape (N, 3), to px of the picture, shape (N, 2)."""
        rotation, place = self._pose
        seen = (points * (1, 1, -1) - place) @ rotation.T
        straight = seen[:, :2] / seen[:, 2:] * (self.focal * self.width) / self._radius_px
        return self._bent(straight) * self._radius_px + self._middle_px

    def facing(self, point: Floats, normal: Floats) -> float:
        """The share of a face at `point` with `normal` (x, y, z) towards the camera; ≤ 0 if turned away."""
        _, place = self._pose
        towards = place * (1, 1, -1) - point
        return float(towards @ normal / np.linalg.norm(towards))

    def roi(self, points: Floats, margin_px: int = 3) -> Roi:
        """The rectangle of the picture around points (x, y, z) in squares, shape (N, 3)."""
        seen = self.project(points)
        low = np.maximum(np.floor(seen.min(axis=0)).astype(int) - margin_px, 0)
        high = np.minimum(np.ceil(seen.max(axis=0)).astype(int) + margin_px, (self.width, self.height))
        return Roi(int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))

    def whole(self) -> Roi:
        """The whole picture."""
        return Roi(0, 0, self.width, self.height)

    def flat(
        self,
        texture: Texture,
        corner: tuple[float, float],
        density: float,
        z: float,
        roi: Roi,
        *,
        supersample: int = SUPERSAMPLE,
    ) -> Texture:
        """A flat thing at height `z`, projected into `roi`.

        `texture` (H, W) or (H, W, C) lies with its top left at `corner` (x, y in squares), with `density` px
        per square; everything outside is 0. Returns shape (roi.height, roi.width[, C]).
        """
        x_map, y_map = self._texture_maps(corner, density, z, roi, supersample)
        fine = cv2.remap(texture, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        if supersample > 1:
            fine = cv2.resize(fine, (roi.width, roi.height), interpolation=cv2.INTER_AREA)
        return np.asarray(fine, np.uint8)

    def _texture_maps(
        self, corner: tuple[float, float], density: float, z: float, roi: Roi, supersample: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The position of each (fine) pixel of `roi` in a texture, in texture px.

        It is computed for the centre of every block of `MAP_STEP` px, and interpolated between.
        """
        width, height = roi.width * supersample, roi.height * supersample
        half = (1 - 1 / supersample) / 2
        columns, rows = _blocks(width) / supersample - half, _blocks(height) / supersample - half
        x, y = self._from_middle(columns + roi.x, rows + roi.y)
        square = x * x + y * y
        straight = 1 + square * (self.bend + self.bend2 * square)
        to_texture = np.diag([density, density, 1.0])
        to_texture[:2, 2] = -corner[0] * density - 0.5, -corner[1] * density - 0.5
        m = to_texture @ np.linalg.inv(self.plane(z)) @ self._to_px
        sx, sy = x * straight, y * straight
        far = m[2, 0] * sx + m[2, 1] * sy + m[2, 2]
        across = (m[0, 0] * sx + m[0, 1] * sy + m[0, 2]) / far
        down = (m[1, 0] * sx + m[1, 1] * sy + m[1, 2]) / far
        return _unblocked(across, width, height), _unblocked(down, width, height)

    def _from_middle(self, across: Floats, down: Floats) -> tuple[Floats, Floats]:
        """Px columns and rows as offsets from the picture's centre, 1 = half the diagonal."""
        x_middle, y_middle = self._middle_px
        across = (across - x_middle) / self._radius_px
        return across[None, :], ((down - y_middle) / self._radius_px)[:, None]

    @property
    def _to_px(self) -> Floats:
        """The matrix from offsets from the centre back to px, shape (3, 3)."""
        matrix = np.diag([self._radius_px, self._radius_px, 1.0])
        matrix[:2, 2] = self._middle_px
        return matrix

    def _bent(self, straight: Floats) -> Floats:
        """Distort points, shape (N, 2), 1 = half the diagonal, by Newton's method."""
        far = np.linalg.norm(straight, axis=1, keepdims=True)
        near = far.copy()
        for _ in range(6):
            square = near * near
            miss = near * (1 + square * (self.bend + self.bend2 * square)) - far
            near -= miss / (1 + square * (3 * self.bend + 5 * self.bend2 * square))
        return np.asarray(straight * near / np.maximum(far, 1e-9), np.float64)


def view_of(rows: int, cols: int) -> View:
    """A view of a board of this size, its frame, and a tray on its right."""
    usual = View()
    scale = max((rows + BESIDE_DOWN) / (16 + BESIDE_DOWN), (cols + BESIDE_ACROSS) / (12 + BESIDE_ACROSS))
    x, y = usual.middle
    return View(middle=(x + (cols - 12) / 2, y + (rows - 16) / 2), distance=usual.distance * scale)


def _blocks(length: int) -> Floats:
    """The centres of the blocks of `MAP_STEP` px along a line, and one more at each end."""
    count = -(-length // MAP_STEP) + 2
    return (np.arange(count, dtype=np.float64) - 1) * MAP_STEP + (MAP_STEP - 1) / 2


def _unblocked(values: Floats, width: int, height: int) -> NDArray[np.float32]:
    """A value for each px, from those of the blocks' centres."""
    rows, cols = values.shape
    size = cols * MAP_STEP, rows * MAP_STEP
    fine = cv2.resize(values.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(fine[MAP_STEP : MAP_STEP + height, MAP_STEP : MAP_STEP + width], np.float32)


def square_roi_points(x: float, y: float, width: float, height: float, z_low: float, z_high: float) -> Floats:
    """The eight corners of a box in squares, shape (8, 3)."""
    return np.array(
        [(a, b, c) for a in (x, x + width) for b in (y, y + height) for c in (z_low, z_high)], np.float64
    )
