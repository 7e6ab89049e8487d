"""Where the four corners of a board lie in a photograph taken by hand, and how certain that is."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from hardware.arrays import Float64, Picture
from hardware.vision.board.board_view import Corners, check_picture
from hardware.vision.board.scene import Scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import (
    check_corners,
    grid_corners,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.markers import find_markers, to_gray

GUESS_SHARE = 0.7
"""The share of the picture's height, or width, that a guessed board fills."""

Point = tuple[float, float]
"""A point in px of the picture: x right, y down."""


class BoardCorners(msgspec.Struct, frozen=True):
    """The grid's four corners in px of the picture: the board's top left first, then clockwise.

    `source`: printed markers, the board's own edges, a person, or a guess to start dragging from.
    `certain`: a person need not confirm them.
    """

    corners_px: tuple[Point, Point, Point, Point]
    source: Literal["markers", "edges", "person", "guess"]
    certain: bool


def find_corners(picture: Picture, layout: Scene) -> BoardCorners:
    """The corners of the board in a picture, BGR. Raises PictureError if it is no picture."""
    check_picture(picture)
    return _by_markers(picture, layout) or _guess(picture, layout)


def board_corners(
    corners: Corners | Float64, source: Literal["markers", "edges", "person", "guess"]
) -> BoardCorners:
    """Four corners in px, and where they come from; all but guesses are certain.

    Raises HomographyError where they are not the corners of a convex quadrilateral.
    """
    one, two, three, four = ((round(float(x), 1), round(float(y), 1)) for x, y in check_corners(corners))
    return BoardCorners((one, two, three, four), source, certain=source != "guess")


def _by_markers(picture: Picture, layout: Scene) -> BoardCorners | None:
    markers = find_markers(to_gray(picture), layout.marker_dictionary)
    lens = lens_from_markers(layout, (picture.shape[1], picture.shape[0]), [markers])
    try:
        homography = homography_from_markers(layout, markers, lens)
    except HomographyError:
        return None
    return board_corners(homography.picture_points(grid_corners(layout)), "markers")


def _guess(picture: Picture, layout: Scene) -> BoardCorners:
    """A board in the middle of the picture, upright."""
    height, width = picture.shape[:2]
    square = GUESS_SHARE * min(width / layout.cols, height / layout.rows)
    middle = np.array([layout.cols, layout.rows]) / 2
    corners = (grid_corners(layout) - middle) * square + (width / 2, height / 2)
    return board_corners(corners, "guess")
