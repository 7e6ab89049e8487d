"""A reading as lines to draw over the picture, and the part of a picture around some squares."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import cv2
import numpy as np

from companion.games.watching import Square
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography

Point = tuple[float, float]
"""A point in px of the picture: x right, y down."""

POINTS_A_LINE = 9

LINE, LINE_EDGE = (138, 224, 255), (24, 22, 16)
"""The colours (blue, green, red) of the line around a tile and of its edges, seen on every ground."""

LINE_SHARE = 1 / 60


def grid_lines(scene: Scene, homography: Homography) -> tuple[tuple[Point, ...], ...]:
    """The lines between squares, each as points of the picture (rows + 1 across, then cols + 1 down)."""
    along = np.linspace(0, 1, POINTS_A_LINE)
    across = [[(t * scene.cols, row) for t in along] for row in range(scene.rows + 1)]
    down = [[(col, t * scene.rows) for t in along] for col in range(scene.cols + 1)]
    return tuple(_points(line, homography) for line in across + down)


def outline(cells: Iterable[Square], homography: Homography) -> tuple[Point, ...]:
    """The outer border of squares joined by edges, once around, as points of the picture.

    Holes (in a 6, an 8, a 9) are ignored.
    """
    return _points(border(cells), homography)


def border(cells: Iterable[Square]) -> list[Point]:
    """The outer border of squares joined by edges: corner points (x, y) in squares, clockwise."""
    covered = set(cells)
    # Every side between a square and an open one: from its start to its end corner, with the square to its
    # right.
    sides: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for row, col in covered:
        for facing, start, end in (
            ((row - 1, col), (col, row), (col + 1, row)),
            ((row, col + 1), (col + 1, row), (col + 1, row + 1)),
            ((row + 1, col), (col + 1, row + 1), (col, row + 1)),
            ((row, col - 1), (col, row + 1), (col, row)),
        ):
            if facing not in covered:
                sides.setdefault(start, []).append(end)
    if not sides:
        return []
    first = min(sides, key=lambda corner: (corner[1], corner[0]))
    around = [first]
    here = sides[first].pop()
    while here != first:
        came = (here[0] - around[-1][0], here[1] - around[-1][1])
        around.append(here)
        ways = sides[here]
        # If two squares meet only here a corner, stay with the current square.
        way = min(ways, key=lambda end: -_right_turn(came, (end[0] - here[0], end[1] - here[1])))
        ways.remove(way)
        here = way
    return [(float(x), float(y)) for x, y in around]


def _right_turn(came: tuple[int, int], goes: tuple[int, int]) -> int:
    return came[0] * goes[1] - came[1] * goes[0]


def crop(
    picture: Picture, homography: Homography, squares: Iterable[Square], margin_squares: float
) -> Picture:
    """The upright part of the picture around these squares, plus `margin_squares` on each side."""
    x0, y0, x1, y1 = _window(picture, homography, squares, margin_squares)
    return picture[y0:y1, x0:x1]


def crop_outlined(
    picture: Picture, homography: Homography, squares: Collection[Square], margin_squares: float
) -> Picture:
    """The same part as a copy, with a line around the squares: these are meant, not what lies beside them."""
    x0, y0, x1, y1 = _window(picture, homography, squares, margin_squares)
    part = picture[y0:y1, x0:x1].copy()
    around = np.rint(np.array(outline(squares, homography)) - (x0, y0)).astype(np.int32)
    width_px = max(2, round(max(part.shape[:2]) * LINE_SHARE))
    for colour, line_px in ((LINE_EDGE, 2 * width_px), (LINE, width_px)):
        cv2.polylines(part, [around], isClosed=True, color=colour, thickness=line_px, lineType=cv2.LINE_AA)
    return part


def _window(
    picture: Picture, homography: Homography, squares: Iterable[Square], margin_squares: float
) -> tuple[int, int, int, int]:
    rows, cols = zip(*squares, strict=True)
    low = (min(cols) - margin_squares, min(rows) - margin_squares)
    high = (max(cols) + 1 + margin_squares, max(rows) + 1 + margin_squares)
    corners = np.array([low, (high[0], low[1]), high, (low[0], high[1])], dtype=np.float64)
    px = homography.picture_points(corners)
    height, width = picture.shape[:2]
    x0, y0 = np.clip(np.floor(px.min(axis=0)), 0, (width - 1, height - 1)).astype(int)
    x1, y1 = np.clip(np.ceil(px.max(axis=0)), (x0 + 1, y0 + 1), (width, height)).astype(int)
    return int(x0), int(y0), int(x1), int(y1)


def _points(cells: Iterable[Point], homography: Homography) -> tuple[Point, ...]:
    points = np.array(list(cells), dtype=np.float64).reshape(-1, 2)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in homography.picture_points(points))
