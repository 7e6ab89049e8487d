"""Where the four corners of a board lie in a photograph taken by hand, and how certain that is."""

from __future__ import annotations

from typing import Literal

import msgspec
import numpy as np

from hardware.arrays import Float64, Picture
from hardware.vision.board.board_view import Corners, check_picture
from hardware.vision.board.edges import Outline, find_outlines
from hardware.vision.board.scene import Scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.homography import (
    check_corners,
    grid_corners,
    homography_from_corners,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_markers, to_gray

GUESS_SHARE = 0.7
"""The share of the picture's height, or width, that a guessed board fills."""

LEAST_SCORE = 1.2
"""The score of an outline above which it is offered as a board."""
CERTAIN_SCORE = 1.6
"""The score of an outline above which it is believed, if its blocked squares show as well."""
CERTAIN_UPRIGHT = 1.2
"""The logarithm by which blocked squares must look more like blocked ones than turned by half.

Without markers, the right outlines of 20 rendered photos by hand with blocked squares reach 0.9 to 2.7, the
wrong ones of four others at most 0.3.
"""
MARKER_OFF = 0.6
"""The maximum distance in squares of a marker's corners from where an outline expects them.

Outlines are fitted without the lens, and markers lie outside of them.
"""

Source = Literal["markers", "edges", "person", "guess"]
"""Where corners come from."""

Point = tuple[float, float]
"""A point in px of the picture: x right, y down."""


class BoardCorners(msgspec.Struct, frozen=True):
    """The grid's four corners in px of the picture: the board's top left first, then clockwise.

    `source`: printed markers, the board's own edges, a person, or a guess to start dragging from.
    `certain`: a person need not confirm them.
    """

    corners_px: tuple[Point, Point, Point, Point]
    source: Source
    certain: bool


def find_corners(picture: Picture, layout: Scene) -> BoardCorners:
    """The corners of the board in a picture, BGR. Raises PictureError if it is no picture."""
    check_picture(picture)
    markers = find_markers(to_gray(picture), layout.marker_dictionary)
    return (
        _by_markers(picture, layout, markers)
        or _by_edges(picture, layout, markers)
        or _guess(picture, layout)
    )


def board_corners(corners: Corners | Float64, source: Source, *, certain: bool) -> BoardCorners:
    """Four corners in px, and where they come from.

    Raises HomographyError where they are not the corners of a convex quadrilateral.
    """
    one, two, three, four = ((round(float(x), 1), round(float(y), 1)) for x, y in check_corners(corners))
    return BoardCorners((one, two, three, four), source, certain)


def _by_markers(picture: Picture, layout: Scene, markers: dict[int, Float64]) -> BoardCorners | None:
    lens = lens_from_markers(layout, (picture.shape[1], picture.shape[0]), [markers])
    try:
        homography = homography_from_markers(layout, markers, lens)
    except HomographyError:
        return None
    corners = homography.picture_points(grid_corners(layout))
    return board_corners(corners, "markers", certain=True)


def _by_edges(picture: Picture, layout: Scene, markers: dict[int, Float64]) -> BoardCorners | None:
    """The corners by the board's edges; a single marker must lie where it belongs."""
    outlines = find_outlines(picture, layout.blocked_mask)
    known = sorted(markers.keys() & layout.markers_in_cells.keys())
    if not known:
        best = next((outline for outline in outlines if outline.score > LEAST_SCORE), None)
        if best is None:
            return None
        certain = best.score > CERTAIN_SCORE and best.upright > CERTAIN_UPRIGHT
        return board_corners(best.corners, "edges", certain=certain)
    for outline in outlines:
        for each in (outline, outline.turned()):
            if all(_fits_marker(layout, picture, each, number, markers[number]) for number in known):
                return board_corners(each.corners, "edges", certain=True)
    return None


def _fits_marker(layout: Scene, picture: Picture, outline: Outline, number: int, seen: Float64) -> bool:
    """Whether a marker lies where an outline expects it, and the same way round."""
    lens = Lens(picture.shape[1], picture.shape[0])
    homography = homography_from_corners(layout, outline.corners, lens)
    expected = homography.picture_points(np.array(layout.markers_in_cells[number], dtype=np.float64))
    off = np.linalg.norm(expected - seen, axis=1).max()
    return bool(off < MARKER_OFF * homography.square_px(layout))


def _guess(picture: Picture, layout: Scene) -> BoardCorners:
    """A board in the middle of the picture, upright."""
    height, width = picture.shape[:2]
    square = GUESS_SHARE * min(width / layout.cols, height / layout.rows)
    middle = np.array([layout.cols, layout.rows]) / 2
    corners = (grid_corners(layout) - middle) * square + (width / 2, height / 2)
    return board_corners(corners, "guess", certain=False)
