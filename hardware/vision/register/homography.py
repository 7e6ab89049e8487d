"""Locates the board in a picture: the homography from squares to px, through the lens."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import msgspec
import numpy as np

from hardware.arrays import Float64
from hardware.vision.board.scene import Scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.lens import Lens, fit_homography, fit_lens

LARGEST_ERROR_SQUARES = 0.12
"""The maximum reprojection error, in squares, of markers that belong to the board."""
LEAST_LIMIT_PX = 3.0
"""The minimum of that limit in px, because small boards have coarse corners."""

FARTHEST_PX = 1e6
"""The distance in px from a picture within which a corner can lie."""
USUAL_FOCAL_LENGTH = 0.9
"""The focal length, in widths of the picture, of most phones."""
USUAL_WEIGHT = 3e-4
"""The weight of that, against what the board's tilt says; from straight above, the tilt says nothing."""
FOCAL_LENGTHS = (0.6, 2.5)
TILE_SQUARES = 0.3
"""The height of a tile's upper face above the board, in squares."""


class Homography(msgspec.Struct, frozen=True):
    """The position of squares in a picture: `matrix` (3, 3) maps (x, y) in squares to undistorted px."""

    matrix: Float64
    lens: Lens

    def picture_points(self, squares: Float64) -> Float64:
        """Map points of the board in squares, shape (N, 2), to px of the picture, shape (N, 2)."""
        undistorted = cv2.perspectiveTransform(squares.reshape(-1, 1, 2).astype(np.float64), self.matrix)
        return self.lens.distort(np.asarray(undistorted, dtype=np.float64).reshape(-1, 2))

    def square_px(self, scene: Scene) -> float:
        """The mean width of a square in px of the picture."""
        area = cv2.contourArea(self.picture_points(grid_corners(scene)).astype(np.float32))
        return float(np.sqrt(area / scene.squares))

    def shifted_from(self, other: Homography, scene: Scene) -> float:
        """The maximum distance in px between the grid's corners by this homography and by another."""
        corners = grid_corners(scene)
        return float(np.abs(self.picture_points(corners) - other.picture_points(corners)).max())


def grid_corners(scene: Scene) -> Float64:
    """The grid's corners in squares, the top left first, then clockwise, shape (4, 2)."""
    return np.array([(0, 0), (scene.cols, 0), (scene.cols, scene.rows), (0, scene.rows)], dtype=np.float64)


def homography_from_corners(
    scene: Scene, corners_px: Sequence[Sequence[float]] | Float64, lens: Lens
) -> Homography:
    """The homography from the grid's four corners, set by a person.

    Raises HomographyError if they are not the corners of a convex quadrilateral.
    """
    matrix, _ = fit_homography(grid_corners(scene), lens.undistort(check_corners(corners_px)))
    return Homography(matrix, lens)


def check_corners(corners_px: Sequence[Sequence[float]] | Float64) -> Float64:
    """Corners that a person set, shape (4, 2).

    Raises HomographyError if they are not four corners of a convex quadrilateral.
    """
    corners = np.asarray(corners_px, dtype=np.float64).reshape(-1, 2)
    # NaN is not less than any number.
    if corners.shape != (4, 2) or not (np.abs(corners) < FARTHEST_PX).all() or not _is_convex(corners):
        raise HomographyError(
            "The four corners do not go once around the board: set them top left first, clockwise."
        )
    return corners


def _is_convex(corners: Float64) -> bool:
    ahead = np.roll(corners, -1, axis=0) - corners
    after = np.roll(ahead, -1, axis=0)
    turn = ahead[:, 0] * after[:, 1] - ahead[:, 1] * after[:, 0]
    return bool((turn > 1).all() or (turn < -1).all())


def marker_pairs(scene: Scene, markers: dict[int, Float64]) -> tuple[Float64, Float64]:
    """The corners of the scene's visible markers, in squares and in px, each shape (4 n, 2)."""
    known = [number for number in sorted(markers) if number in scene.markers_in_cells]
    squares = [np.array(scene.markers_in_cells[number], dtype=np.float64) for number in known]
    px = [markers[number] for number in known]
    if not known:
        return np.zeros((0, 2)), np.zeros((0, 2))
    return np.concatenate(squares), np.concatenate(px)


def expected_markers(scene: Scene, homography: Homography) -> dict[int, Float64]:
    """The corners in px, shape (4, 2) each, where a homography expects the scene's markers."""
    return {
        number: homography.picture_points(np.array(corners, dtype=np.float64))
        for number, corners in scene.markers_in_cells.items()
    }


def homography_from_markers(scene: Scene, markers: dict[int, Float64], lens: Lens) -> Homography:
    """The homography from two or more markers.

    Raises HomographyError if fewer are visible, or if they do not fit the scene.
    """
    squares, px = marker_pairs(scene, markers)
    if len(squares) < 8:
        raise HomographyError(
            f"{len(squares) // 4} of the board's {len(scene.markers_in_cells)} markers seen, two are needed: "
            "bring the markers into the picture, focus the lens, or set the four corners by hand."
        )
    matrix, error_px = fit_homography(squares, lens.undistort(px))
    square_px = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    if not error_px < max(LARGEST_ERROR_SQUARES * square_px, LEAST_LIMIT_PX):
        raise HomographyError(
            "The markers seen do not fit the places that scene.json gives them: check their order."
        )
    return Homography(matrix, lens)


def lens_from_markers(scene: Scene, size: tuple[int, int], views: Sequence[dict[int, Float64]]) -> Lens:
    """The lens of pictures of `size` (width, height) with these markers."""
    return fit_lens(*size, [marker_pairs(scene, markers) for markers in views])


def usual_focal_length(views: Iterable[Homography]) -> float:
    """The focal length of a camera that may be any phone's, in widths of its pictures, from views of flat
    boards."""
    across, away = _residuals(views)
    shortest, longest = FOCAL_LENGTHS
    toward = USUAL_WEIGHT / USUAL_FOCAL_LENGTH**2 - float(across @ away)
    inverse = toward / (float(across @ across) + USUAL_WEIGHT)
    return float(1 / np.sqrt(np.clip(inverse, 1 / longest**2, 1 / shortest**2)))


def focal_length(views: Iterable[Homography]) -> float | None:
    """The focal length of one camera, in widths of its pictures, from views of flat boards.

    None if they do not determine it: a tilted view does, a view from straight above does not.
    """
    across, away = _residuals(views)
    tilted = float(away @ away)
    # This way round, errors in the board's two sides cancel out; they would make the lens longer.
    square = -float(across @ away) / tilted if tilted else 0.0
    return float(np.sqrt(square)) if square > 0 else None


def _residuals(views: Iterable[Homography]) -> tuple[Float64, Float64]:
    """Two values for each view, across and away: the right focal length f makes across + f² away zero.

    Through it, the board's axes are at a right angle, and equally long.
    """
    across, away = [], []
    for view in views:
        plane = _centred(view)
        one, two = plane[:, 0], plane[:, 1]
        across += [one[:2] @ two[:2], one[:2] @ one[:2] - two[:2] @ two[:2]]
        away += [one[2] * two[2], one[2] ** 2 - two[2] ** 2]
    return np.array(across, dtype=np.float64), np.array(away, dtype=np.float64)


def _centred(view: Homography) -> Float64:
    """The matrix for px from the picture's middle, in widths of the picture."""
    lens = view.lens
    x, y = lens.middle
    matrix = np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]]) @ view.matrix
    matrix[:2] /= lens.width
    return np.asarray(matrix / np.linalg.norm(matrix[:2, :2]), dtype=np.float64)


def raised(homography: Homography, focal_length: float, height: float) -> Homography:
    """The homography of a plane that lies `height` squares above the board."""
    lens = homography.lens
    camera = np.array(
        [
            [focal_length * lens.width, 0, lens.middle[0]],
            [0, focal_length * lens.width, lens.middle[1]],
            [0, 0, 1],
        ]
    )
    axes = np.linalg.solve(camera, homography.matrix)
    scale = np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    into_the_table = np.cross(axes[:, 0], axes[:, 1]) / scale
    matrix = homography.matrix.copy()
    matrix[:, 2] -= height * (camera @ into_the_table)
    return msgspec.structs.replace(homography, matrix=matrix)
