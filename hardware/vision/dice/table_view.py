"""The table beside the board: its part of a picture, which way is up in it, and how bright white is.

A die beside the board shows its upper face and the sides that face the camera. Which sides these are follows
from the board's homography, however the camera is turned. The white of the board's markers tells a grey die
from a white or black one, whatever lamp there is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Die
from hardware.arrays import Float64, Picture
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography, expected_markers, focal_length

LEAST_SLANT = 0.1
"""The sine of the tilt below which a die shows hardly any side, so that the picture is not turned."""
LEAST_FOCAL = 0.5
"""The minimum focal length, in the picture's longer sides. A view from straight above shows nothing of it."""
MOST_FOCAL = 3.0
GAMMA = 2.2
"""The exponent from levels of the picture to brightness."""
LEAST_MARKER_PX = 10
MARKER_WHITE = 80
"""The percentile of a marker's brightness from which on its px are white. A third of a marker is white."""
LEAST_CONTRAST = 3.0
"""The minimum ratio of a marker's white to its black border. Below it, something lies on the marker."""
BORDER = (0.93, 0.8)
"""The scales of the two squares between which a marker's border is black for certain."""
BORDER_SHARE = 75
LEAST_BLACK = 1e-4
FEWEST_WHITES = 2
EVEN_LIGHT = 0.06
"""The weight of light that is even over the picture. A few markers are too few for a free fit."""
FACE_REACH = 0.27
"""The reach of the measured part of a face from its centre, in its width and height."""
BODY = 60
"""The percentile of a face's brightness that is the die's body, not its pips, for dark and for light pips."""
BODY_SHARE = 20
"""The percentage of a face's px, those closest to that brightness, whose colour is the body's."""
UNCOLOURED = ("white", "grey", "black", "other")
"""The names that the light can change; red, blue, green and yellow stay."""
LEAST_SATURATION = 0.35
"""The saturation below which a die is white, grey or black."""
WHITE_FROM = 0.84
"""The minimum brightness of a white die, in that of white paper. Chosen on rendered trays."""
GREY_FROM = 0.32
"""The brightness from which on a die is not black, in that of white paper. Chosen on rendered trays."""
BLACK_UP_TO = 0.15
"""The brightness up to which a die is black. Between the two, glossy black and dark grey look alike."""
FRAME_SQUARES = 2.3
"""The reach of the printed frame beyond the grid, in squares, plus a little."""

TRAY_MARGIN_SQUARES = 2.5
"""The tray's shift in the picture, in squares, because it is lower than the board."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A camera's view of the table beside a board.

    `turns`: the number of quarter turns, counterclockwise, after which things stand upright in the picture.
    `white`: the logarithm of white paper's brightness, blue, green and red, shape `(3, 3)`: in the picture's
    centre, then its slope to the right and down, in half the longer side; None if it is not known.
    """

    turns: int = 0
    white: Float64 | None = None

    def named(self, picture: Picture, die: Die) -> Die:
        """The die of this picture (BGR): white, grey or black as it is beside white paper.

        A die of any other colour stays as it is.
        """
        x, y, width, height = die.box
        middle = np.array([x + width / 2, y + height / 2])
        reach = FACE_REACH * np.array([width, height])
        left, top = np.maximum(0, np.floor(middle - reach)).astype(int)
        right, bottom = np.maximum(0, np.ceil(middle + reach)).astype(int)
        face = picture[top:bottom, left:right]
        if self.white is None or die.colour not in UNCOLOURED or not face.size:
            return die
        body = _body(face) / np.exp(_terms(middle, picture) @ self.white)
        if float(body.max() - body.min()) >= LEAST_SATURATION * float(body.max()):
            return die
        return msgspec.structs.replace(die, colour=_shade(float(body.mean()), die.colour))


def table_view(picture: Picture, scene: Scene, homography: Homography) -> TableView:
    """The view of the table in a picture (BGR): in the tray, or without one in the picture's middle."""
    tray = scene.tray_in_cells_at_table_height
    if tray is None:
        middle = np.linalg.solve(homography.matrix, np.append(homography.lens.middle, 1.0))
        square = middle[:2] / middle[2]
    else:
        square = np.array([tray[0] + tray[2], tray[1] + tray[3]]) / 2
    return TableView(_turns(_up(homography, square)), _white(picture, scene, homography))


def _up(homography: Homography, square: Float64) -> Float64:
    """The way that is up on the table, right and down in the picture; its length is the sine of the tilt."""
    lens = homography.lens
    longer = max(lens.width, lens.height)
    widths = focal_length([homography])
    focal = longer if widths is None else widths * lens.width
    focal = min(max(focal, LEAST_FOCAL * longer), MOST_FOCAL * longer)
    x, y = lens.middle
    plane = np.array([(1, 0, -x), (0, 1, -y), (0, 0, focal)]) / focal @ homography.matrix
    plane = plane / np.sqrt(np.linalg.norm(plane[:, 0]) * np.linalg.norm(plane[:, 1]))
    foot = plane @ np.append(square, 1.0)
    if foot[2] < 0:
        plane, foot = -plane, -foot
    # The board's x and y axes and its depth are a right-handed frame, so up is against their product.
    top = foot - np.cross(plane[:, 0], plane[:, 1])
    return np.asarray((top[:2] / top[2] - foot[:2] / foot[2]) * foot[2], dtype=np.float64)


def _turns(up: Float64) -> int:
    """The number of quarter turns, counterclockwise, that bring this direction closest to upright."""
    if np.hypot(*up) < LEAST_SLANT:
        return 0
    return round(float(np.arctan2(up[0], -up[1])) / (np.pi / 2)) % 4


def _white(picture: Picture, scene: Scene, homography: Homography) -> Float64 | None:
    """The brightness of white paper as in `TableView.white`, from the markers in sight."""
    terms, levels = [], []
    for corners in expected_markers(scene, homography).values():
        white = _white_of(picture, np.asarray(np.round(corners), np.int32))
        if white is not None:
            terms.append(_terms(corners.mean(axis=0), picture))
            levels.append(np.log(white))
    if len(levels) < FEWEST_WHITES:
        return None
    known = np.array(terms)
    slopes = np.diag([0.0, EVEN_LIGHT, EVEN_LIGHT])
    return np.asarray(np.linalg.solve(known.T @ known + slopes, known.T @ np.array(levels)), np.float64)


def _white_of(picture: Picture, corners: NDArray[np.int32]) -> Float64 | None:
    """The colour of a marker's white; None if it lies beyond the picture's border or under something."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    in_sight = (low >= 0).all() and (high < picture.shape[1::-1]).all()
    if not in_sight or (high - low).min() < LEAST_MARKER_PX:
        return None
    patch = picture[low[1] : high[1] + 1, low[0] : high[0] + 1]
    marker = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(marker, corners - low, 1)
    border = np.zeros_like(marker)
    for scale, ink in zip(BORDER, (1, 0), strict=True):
        middle = corners.mean(axis=0)
        square = np.round(middle + (corners - middle) * scale - low).astype(np.int32)
        cv2.fillConvexPoly(border, square, ink)
    colours = _linear(patch)
    levels = colours.mean(axis=-1)
    white = np.percentile(levels[marker > 0], MARKER_WHITE)
    black = max(float(np.percentile(levels[border > 0], BORDER_SHARE)), LEAST_BLACK)
    if white < LEAST_CONTRAST * black:
        return None
    return np.asarray(np.median(colours[(marker > 0) & (levels >= white)], axis=0), np.float64)


def _shade(level: float, colour: str) -> str:
    """White, grey or black, by a die's brightness beside white paper; `colour` is the first guess."""
    if level >= WHITE_FROM:
        return "white"
    black = level <= BLACK_UP_TO or (level < GREY_FROM and colour == "black")
    return "black" if black else "grey"


def _body(face: Picture) -> Float64:
    """The colour of a die's body, from the middle of its upper face."""
    colours = _linear(face.reshape(-1, 3))
    levels = colours.mean(axis=1)
    off = np.abs(levels - np.percentile(levels, BODY))
    return np.asarray(np.median(colours[off <= np.percentile(off, BODY_SHARE)], axis=0), np.float64)


def _linear(colours: Picture) -> Float64:
    """Levels of a picture as brightness from 0 to 1."""
    return np.asarray((colours / 255.0) ** GAMMA, np.float64)


def _terms(point: Float64, picture: Picture) -> Float64:
    """The factors of `TableView.white` at a point, px: 1, and its distance right and down."""
    height, width = picture.shape[:2]
    return np.append(1.0, (point - (width / 2, height / 2)) / (max(width, height) / 2))


def beside_the_board(picture: Picture, scene: Scene, homography: Homography) -> Picture:
    """The picture, BGR, with the board, its frame and everything far from the tray painted over."""
    ground = tuple(float(level) for level in np.median(picture[::16, ::16].reshape(-1, 3), axis=0))
    tray = tray_outline(scene, homography)
    if tray is None:
        shown = picture.copy()
    else:
        near = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(near, tray, 1)
        shown = np.empty_like(picture)
        shown[:] = ground
        cv2.copyTo(picture, near, shown)
    frame = _widened((0, 0, scene.cols, scene.rows), FRAME_SQUARES)
    cv2.fillConvexPoly(shown, _outline(homography, *frame), ground)
    return shown


def tray_outline(scene: Scene, homography: Homography) -> NDArray[np.int32] | None:
    """The corners in px of the part of a picture that may show the tray; None without a tray."""
    tray = scene.tray_in_cells_at_table_height
    return None if tray is None else _outline(homography, *_widened(tray, TRAY_MARGIN_SQUARES))


def _widened(box: tuple[float, float, float, float], by: float) -> tuple[float, float, float, float]:
    left, top, right, bottom = box
    return left - by, top - by, right + by, bottom + by


def _outline(
    homography: Homography, left: float, top: float, right: float, bottom: float
) -> NDArray[np.int32]:
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)
    return np.round(homography.picture_points(corners)).astype(np.int32).reshape(-1, 2)


def ground_for_dice(
    picture: Picture, scene: Scene, homography: Homography | None
) -> tuple[Picture, TableView | None]:
    """The picture to look for dice in, beside the board, and its view of the table.

    `homography`: the board's; without one, the whole picture and no view.
    """
    if homography is None:
        return picture, None
    return beside_the_board(picture, scene, homography), table_view(picture, scene, homography)
