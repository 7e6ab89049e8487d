"""Where the bed is in a picture, and the bed seen square-on."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.vision.board.scene import Scene
from hardware.vision.errors import PoseError
from hardware.vision.register.lens import Floats, Lens, find_lens, plane_fit

Picture = NDArray[np.uint8]
Map = NDArray[np.float32]

MARGIN = 1
"""Squares around the grid that the square-on view shows too: the frame tells how the light changed."""
MAP_STEP = 8
"""The square-on map is worked out every so many px and interpolated between: the error stays below 0.02
px."""
LARGEST_MISS = 0.12
"""Marker corners that miss their homography by more squares than this on average belong to no bed."""


class Pose(msgspec.Struct, frozen=True):
    """How the bed's squares lie in the picture: `matrix` (3, 3) takes (x, y) in squares to straight px."""

    matrix: Floats
    lens: Lens

    def picture_points(self, cells: Floats) -> Floats:
        """Points of the bed in squares, shape (N, 2), to px of the picture, shape (N, 2)."""
        straight = cv2.perspectiveTransform(cells.reshape(-1, 1, 2).astype(np.float64), self.matrix)
        return self.lens.bend_points(np.asarray(straight, dtype=np.float64).reshape(-1, 2))

    def square_px(self, scene: Scene) -> float:
        """How many px wide the grid's squares are in the picture, in the middle of all."""
        area = cv2.contourArea(self.picture_points(grid_corners(scene)).astype(np.float32))
        return float(np.sqrt(area / scene.squares))

    def shifted_from(self, other: Pose, scene: Scene) -> float:
        """How far the grid's corners moved between two poses at most, in px."""
        corners = grid_corners(scene)
        return float(np.abs(self.picture_points(corners) - other.picture_points(corners)).max())


def grid_corners(scene: Scene) -> Floats:
    """The grid's corners in squares, top left first, clockwise, shape (4, 2)."""
    return np.array([(0, 0), (scene.cols, 0), (scene.cols, scene.rows), (0, scene.rows)], dtype=np.float64)


def pose_from_corners(scene: Scene, corners_px: Sequence[Sequence[float]] | Floats, lens: Lens) -> Pose:
    """The pose from the grid's four corners as a person set them. Raises PoseError where they span
    nothing."""
    corners = np.asarray(corners_px, dtype=np.float64).reshape(-1, 2)
    if corners.shape != (4, 2) or not np.isfinite(corners).all() or not _is_convex(corners):
        raise PoseError("The four corners do not go once around the bed: set them top left first, clockwise.")
    matrix, _ = plane_fit(grid_corners(scene), lens.straighten(corners))
    return Pose(matrix, lens)


def _is_convex(corners: Floats) -> bool:
    ahead = np.roll(corners, -1, axis=0) - corners
    after = np.roll(ahead, -1, axis=0)
    turn = ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]
    return bool((turn > 1).all() or (turn < -1).all())


def marker_pairs(scene: Scene, markers: dict[int, Floats]) -> tuple[Floats, Floats]:
    """The corners of the scene's markers that are seen: in squares and in px, each shape (4 n, 2)."""
    known = [number for number in sorted(markers) if number in scene.markers_in_cells]
    cells = [np.array(scene.markers_in_cells[number], dtype=np.float64) for number in known]
    px = [markers[number] for number in known]
    if not known:
        return np.zeros((0, 2)), np.zeros((0, 2))
    return np.concatenate(cells), np.concatenate(px)


def expected_markers(scene: Scene, pose: Pose) -> dict[int, Floats]:
    """Where the scene's markers lie in the picture by a pose: their corners in px, shape (4, 2) each."""
    return {
        number: pose.picture_points(np.array(corners, dtype=np.float64))
        for number, corners in scene.markers_in_cells.items()
    }


def pose_from_markers(scene: Scene, markers: dict[int, Floats], lens: Lens) -> Pose:
    """The pose from any two or more markers. Raises PoseError where fewer are seen or they do not fit."""
    cells, px = marker_pairs(scene, markers)
    if len(cells) < 8:
        raise PoseError(
            f"{len(cells) // 4} of the bed's {len(scene.markers_in_cells)} markers seen, two are needed: "
            "bring the markers into the picture, or set the four corners by hand."
        )
    matrix, miss_px = plane_fit(cells, lens.straighten(px))
    side_px = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    if not miss_px < max(LARGEST_MISS * side_px, 3.0):
        raise PoseError(
            "The markers seen do not fit the places that scene.json gives them: check their order."
        )
    return Pose(matrix, lens)


def lens_from_markers(scene: Scene, size: tuple[int, int], views: Sequence[dict[int, Floats]]) -> Lens:
    """The lens of pictures of `size` (width, height) in which these markers were seen."""
    return find_lens(*size, [marker_pairs(scene, markers) for markers in views])


class SquareOn:
    """Shows the bed square-on, `scale` px a square, with MARGIN squares of frame around it."""

    def __init__(self, scene: Scene, pose: Pose, scale: int) -> None:
        self.pose = pose
        self.scale = scale
        height, width = ((side + 2 * MARGIN) * scale for side in (scene.rows, scene.cols))
        xs = np.arange(0, width + MAP_STEP, MAP_STEP, dtype=np.float64)
        ys = np.arange(0, height + MAP_STEP, MAP_STEP, dtype=np.float64)
        cells = np.stack(np.meshgrid((xs + 0.5) / scale - MARGIN, (ys + 0.5) / scale - MARGIN), axis=-1)
        points = pose.picture_points(cells.reshape(-1, 2)).reshape(*cells.shape).astype(np.float32)
        self.maps = _between(points, width, height)

    def __call__(self, picture: Picture) -> Picture:
        """The picture seen square-on, shape ((rows + 2 MARGIN) scale, (cols + 2 MARGIN) scale, 3), BGR."""
        return np.asarray(
            cv2.remap(picture, *self.maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
        )


def _between(points: Map, width: int, height: int) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    # warpAffine samples the coarse map at exact fractions, which resize would shift by half a step.
    back = np.array([[MAP_STEP, 0, 0], [0, MAP_STEP, 0]], dtype=np.float64)
    fine = cv2.warpAffine(
        points, back, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    whole, fraction = cv2.convertMaps(fine, np.empty(0, dtype=np.float32), cv2.CV_16SC2)
    return np.asarray(whole, dtype=np.int16), np.asarray(fraction, dtype=np.uint16)
