"""Locates the board by its print, around one whole marker in sight.

It begins at that marker and goes outwards: patches of the empty board are searched in the picture near their
places in the camera's pose so far, and the pose is fitted again to those found. Patches under tiles are not
found, or in places that do not fit the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Float64
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography, grid_corners
from hardware.vision.register.lens import Lens, fit_homography
from hardware.vision.register.rectify import MARGIN

PATCH_SQUARES = 2
LEAST_TEXTURE = 0.01
"""The standard deviation of a patch's luma (logarithm) below which it shows nothing to be found by."""
LEAST_LIKENESS = 0.65
"""The minimum correlation of a patch that is found."""
EVERYWHERE = 1000.0
RINGS = (
    (5.0, 0.12),
    (8.0, 0.12),
    (12.0, 0.12),
    (17.0, 0.12),
    (EVERYWHERE, 0.12),
    (EVERYWHERE, 0.12),
    (EVERYWHERE, 0.08),
)
"""The reach around the marker, step by step, and the most that a patch there may be off, in squares."""
REACH = 0.4
"""The reach around a patch's expected place, in squares: less than half, as squares repeat."""
IN_PLACE = 0.12
"""The distance in squares below which a patch is in its place."""
FEWEST_PATCHES = 8
REFININGS = 2
REFINED_SQUARES = 0.06
"""The distance in squares above which a patch does not fit the others, or one half of them the other half."""
REFINED_SHARE = 0.85
"""The minimum share of the patches that fit each other."""
OVERLAP = 4.0
"""Patches that share each square of the board."""
IN_PLACE_SHARE = 0.4
"""The share of the patches found below which the board has moved; by chance, a tenth are in place."""


_Pose = tuple[NDArray[Any], NDArray[Any]]
"""The camera's rotation and shift, as in OpenCV."""


class PrintMatch(msgspec.Struct, frozen=True):
    """The board located by its print.

    `patches`: the number that were found where they fit each other. `error_squares`: the standard error of
    the board's worst corner.
    """

    homography: Homography
    patches: int
    error_squares: float


def match_print(
    scene: Scene,
    empty: Float32,
    rectified: Callable[[Homography], Float32],
    lens: Lens,
    focal_px: float,
    marker: tuple[Float64, Float64],
) -> PrintMatch | None:
    """Locate the board by its print, from one marker's corners.

    `empty`: the empty board's luma, MARGIN squares of frame included; `rectified` gives that of the picture
    by a homography, of the same shape. `marker`: its corners in squares and in px, shape (4, 2) each. None if
    the print is not found.
    """
    # A square seen from afar leaves two poses open; the print tells which is right.
    starts = _poses_of_square(*marker, lens, focal_px)
    grown = [_grown(scene, empty, rectified, start, focal_px, marker) for start in starts]
    matches = [match for match in grown if match is not None]
    return max(matches, key=lambda match: match.patches, default=None)


def has_moved(scene: Scene, empty: Float32, seen: Float32) -> bool:
    """True if a picture, rectified as the empty board was, shows the print beside its place.

    If no print is found, as under a hand or after a move by many squares, nothing is known: False.
    """
    patches = _patches(scene, empty, seen, np.zeros(2), EVERYWHERE)
    in_place = np.linalg.norm(patches[:, 2:] - patches[:, :2], axis=1) < IN_PLACE
    return len(patches) >= FEWEST_PATCHES and float(in_place.mean()) < IN_PLACE_SHARE


def refined_by_print(
    scene: Scene, empty: Float32, rectified: Callable[[Homography], Float32], near: Homography
) -> Homography | None:
    """A homography that a person set, refined by the print; None where the print says too little.

    `empty`: the empty board's luma, MARGIN squares of frame included; `rectified` gives that of the picture
    by a homography, of the same shape.
    """
    refined = near
    for _ in range(REFININGS):
        patches = _patches(scene, empty, rectified(refined), np.zeros(2), EVERYWHERE)
        if len(patches) < FEWEST_PATCHES:
            return None
        px = near.lens.undistort(refined.picture_points(patches[:, 2:]))
        fitted = _plane_through(patches[:, :2], px, near, scene)
        if fitted is None:
            return None
        refined = fitted
    return refined


def _plane_through(
    squares: Float64, undistorted: Float64, near: Homography, scene: Scene
) -> Homography | None:
    """The plane that most of the points lie in, None where its two halves put the board elsewhere."""
    most_off_px = REFINED_SQUARES * near.square_px(scene)
    matrix, fit = cv2.findHomography(squares, undistorted, cv2.RANSAC, most_off_px)
    if matrix is None or int(fit.sum()) < max(FEWEST_PATCHES, REFINED_SHARE * len(squares)):
        return None
    inside = np.flatnonzero(fit)
    one, other = (
        Homography(fit_homography(squares[half], undistorted[half])[0], near.lens)
        for half in (inside[::2], inside[1::2])
    )
    steady = one.shifted_from(other, scene) < most_off_px
    return Homography(np.asarray(matrix, dtype=np.float64), near.lens) if steady else None


def _grown(
    scene: Scene,
    empty: Float32,
    rectified: Callable[[Homography], Float32],
    start: Homography,
    focal_px: float,
    marker: tuple[Float64, Float64],
) -> PrintMatch | None:
    """The match that one pose of the marker leads to."""
    homography, best = start, None
    for ring, most_off in RINGS:
        patches = _patches(scene, empty, rectified(homography), marker[0].mean(axis=0), ring)
        if not len(patches):
            continue
        squares = np.concatenate([marker[0], patches[:, :2]])
        px = np.concatenate([marker[1], homography.picture_points(patches[:, 2:])])
        best = _fit(squares, px, homography, scene, focal_px, most_off)
        if best is None and ring == EVERYWHERE:
            return None
        homography = homography if best is None else best.homography
    return best


def _patches(scene: Scene, empty: Float32, seen: Float32, middle: Float64, ring: float) -> Float64:
    """The patches that are found: (x, y) on the empty board and in the picture, in squares, shape (N, 4)."""
    samples = empty.shape[0] // (scene.rows + 2 * MARGIN)
    side, reach = PATCH_SQUARES * samples, int(REACH * samples)
    patches = []
    for top in range(reach, empty.shape[0] - side - reach + 1, samples // 2):
        for left in range(reach, empty.shape[1] - side - reach + 1, samples // 2):
            place = np.array([left, top]) / samples + PATCH_SQUARES / 2 - MARGIN
            patch = empty[top : top + side, left : left + side]
            if np.hypot(*(place - middle)) > ring or float(patch.std()) < LEAST_TEXTURE:
                continue
            around = seen[top - reach : top + side + reach, left - reach : left + side + reach]
            likeness = np.asarray(cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED), np.float32)
            _, most, _, (x, y) = cv2.minMaxLoc(likeness)
            if most >= LEAST_LIKENESS and 0 < x < 2 * reach and 0 < y < 2 * reach:
                off = np.array([x + _peak(likeness[y, x - 1 : x + 2]), y + _peak(likeness[y - 1 : y + 2, x])])
                patches.append([*place, *(place + (off - reach) / samples)])
    return np.array(patches, dtype=np.float64).reshape(-1, 4)


def _peak(three: Float32) -> float:
    """The maximum of the parabola through three values, from the middle one."""
    before, middle, after = map(float, three)
    bend = before - 2 * middle + after
    return 0.0 if bend >= 0 else float(np.clip((before - after) / (2 * bend), -0.5, 0.5))


def _fit(
    squares: Float64, px: Float64, near: Homography, scene: Scene, focal_px: float, most_off: float
) -> PrintMatch | None:
    """The pose that most of the points fit, None if too few of them do."""
    if len(squares) < FEWEST_PATCHES:
        return None
    lens, square_px = near.lens, near.square_px(scene)
    camera = _camera(lens, focal_px)
    points, undistorted = np.column_stack([squares, np.zeros(len(squares))]), lens.undistort(px)
    fitted, turn, shift, inside = cv2.solvePnPRansac(
        points,
        undistorted,
        camera,
        None,
        iterationsCount=300,
        reprojectionError=most_off * square_px,
        flags=cv2.SOLVEPNP_SQPNP,
    )
    if not fitted or inside is None or len(inside) < FEWEST_PATCHES:
        return None
    fits = np.asarray(inside, dtype=np.intp).ravel()

    pose = cv2.solvePnPRefineLM(points[fits], undistorted[fits], camera, None, turn, shift)
    error_px = _error_px(points[fits], undistorted[fits], camera, pose, grid_corners(scene))
    return PrintMatch(Homography(_plane(camera, *pose), lens), len(fits), error_px / square_px)


def _error_px(points: Float64, undistorted: Float64, camera: Float64, pose: _Pose, corners: Float64) -> float:
    """The standard error in px of the worst corner of a board, by the points that its pose was fitted to.

    `points` shape (N, 3), in squares; `corners` shape (4, 2). Points near the marker alone leave the far
    corners open, however well they fit. Infinite where they leave the pose itself open.
    """
    seen, slopes = cv2.projectPoints(points, *pose, camera, None)
    variance = OVERLAP * ((seen.reshape(-1, 2) - undistorted) ** 2).sum() / (2 * len(points) - 6)
    try:
        spread = variance * np.linalg.inv(slopes[:, :6].T @ slopes[:, :6])
    except np.linalg.LinAlgError:
        return float("inf")
    ends = np.column_stack([corners, np.zeros(len(corners))])
    bends = cv2.projectPoints(ends, *pose, camera, None)[1][:, :6].reshape(len(ends), 2, 6)
    errors = np.einsum("cij,jk,cik->c", bends, spread, bends)
    # What rounding makes negative is as open as what cannot be inverted.
    return float(np.sqrt(errors.max())) if (errors > 0).all() else float("inf")


def _poses_of_square(squares: Float64, px: Float64, lens: Lens, focal_px: float) -> list[Homography]:
    """The homographies that a marker in squares and px leaves open, the likelier first."""
    middle, half = squares.mean(axis=0), float(np.linalg.norm(squares[1] - squares[0])) / 2
    camera = _camera(lens, focal_px)
    square = half * np.array([(-1, 1, 0), (1, 1, 0), (1, -1, 0), (-1, -1, 0)], dtype=np.float64)
    _, turns, shifts, _ = cv2.solvePnPGeneric(
        square, lens.undistort(px), camera, None, flags=cv2.SOLVEPNP_IPPE_SQUARE
    )
    # That solver's square has y upwards, the board has it downwards.
    upwards = np.array([(1, 0, -middle[0]), (0, -1, middle[1]), (0, 0, 1)])
    poses = zip(turns, shifts, strict=True)
    return [Homography(_plane(camera, turn, shift) @ upwards, lens) for turn, shift in poses]


def _camera(lens: Lens, focal_px: float) -> Float64:
    x, y = lens.middle
    return np.array([(focal_px, 0, x), (0, focal_px, y), (0, 0, 1)])


def _plane(camera: Float64, turn: NDArray[Any], shift: NDArray[Any]) -> Float64:
    """The homography of the board's plane, shape (3, 3), from the camera's pose."""
    turning = np.asarray(cv2.Rodrigues(turn)[0], dtype=np.float64)
    matrix = camera @ np.column_stack([turning[:, :2], shift.ravel()])
    return np.asarray(matrix / matrix[2, 2], dtype=np.float64)
