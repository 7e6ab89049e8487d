"""Draws the board's face from above: its checks, the zone for the first tile, pictures, printed markers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np

from companion.simulator.table_scene import TableScene
from companion.simulator.view import Floats, Texture

Ink = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

FINEST = 64
"""Px per square in the drawing of a board of usual size; larger boards are drawn coarser."""
LONGEST_PX = 1800
"""The maximum side of a board's drawing, in px."""
FRAME_SQUARES = 2.2
"""The reach of the board's frame beyond the grid, in squares."""

FRAME_INK = (150, 178, 205)
"""The colour of the frame, BGR."""
SHEET_INKS = ((203, 178, 148), (214, 192, 164))
"""The two colours of the checks, BGR."""
LINE_INK = (160, 128, 98)
"""The colour of the lines between squares, BGR."""
ZONE_INK = (96, 104, 222)
"""The colour of the outline around the zone for the first tile, BGR."""
PAPER_INK = (246, 248, 248)
"""The colour of the paper that markers are printed on, BGR."""
PRINT_BLACK = 26
"""The level of a printer's black, 0 to 255."""
CLOTH = 3.0
"""The unevenness of the cloth, in levels of 255 (standard deviation)."""
MARKER_PX = 200
"""The side of a marker's own drawing, in px."""
MARKER_PAPER = 0.22
"""The margin of the paper around a marker, as a share of the marker's size."""


def density_of(scene: TableScene) -> int:
    """Px per square in the drawing of this board's face."""
    return max(12, min(FINEST, LONGEST_PX // max(scene.rows, scene.cols)))


def paint_face(scene: TableScene) -> Texture:
    """The board's face with its frame, BGR, `density_of(scene)` px per square."""
    density = density_of(scene)
    frame = round(FRAME_SQUARES * density)
    height, width = scene.rows * density, scene.cols * density
    face = np.empty((height + 2 * frame, width + 2 * frame, 3), np.uint8)
    face[:] = FRAME_INK
    sheet = face[frame : frame + height, frame : frame + width]
    _checks(sheet, scene, density)
    cv2.rectangle(face, (frame, frame), (frame + width, frame + height), LINE_INK, density // 16, cv2.LINE_AA)
    for kind, squares in scene.pictures.items():
        for row, col in squares:
            _toy(sheet, kind, row, col, density)
    _zone(sheet, scene, density)
    _weave(face)
    for marker, corners in scene.markers_in_cells.items():
        _marker(face, scene.marker_dictionary, marker, (np.array(corners) + frame / density) * density)
    return face


def _checks(sheet: Texture, scene: TableScene, density: int) -> None:
    """Checks of two by two squares, and the lines between the squares."""
    check = (np.arange(scene.rows)[:, None] // 2 + np.arange(scene.cols)[None, :] // 2) % 2
    inks = np.array(SHEET_INKS, np.uint8)[check]
    sheet[:] = inks.repeat(density, axis=0).repeat(density, axis=1)
    thick = max(1, density // 32)
    for col in range(1, scene.cols):
        cv2.line(sheet, (col * density, 0), (col * density, scene.rows * density), LINE_INK, thick)
    for row in range(1, scene.rows):
        cv2.line(sheet, (0, row * density), (scene.cols * density, row * density), LINE_INK, thick)


def _zone(sheet: Texture, scene: TableScene, density: int) -> None:
    """The outline of the squares for the first tile."""
    start = set(scene.zone)
    for row, col in start:
        sides = (
            ((row - 1, col), (0, 0), (1, 0)),
            ((row + 1, col), (0, 1), (1, 1)),
            ((row, col - 1), (0, 0), (0, 1)),
            ((row, col + 1), (1, 0), (1, 1)),
        )
        for neighbour, (ax, ay), (bx, by) in sides:
            if neighbour not in start:
                a = ((col + ax) * density, (row + ay) * density)
                b = ((col + bx) * density, (row + by) * density)
                cv2.line(sheet, a, b, ZONE_INK, max(2, density // 11), cv2.LINE_AA)


def _weave(face: Texture) -> None:
    """Make the cloth a little uneven."""
    random = np.random.default_rng(3)
    grain = random.standard_normal(face.shape[:2], dtype=np.float32) * CLOTH
    for add, part in ((cv2.add, np.maximum(grain, 0)), (cv2.subtract, np.maximum(-grain, 0))):
        add(face, cv2.merge([part.astype(np.uint8)] * 3), face)


def _marker(face: Texture, dictionary: str, marker: int, corners_px: Floats) -> None:
    """A printed marker on white paper; `corners_px` (4, 2) in the printed marker's own order."""
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    tag = np.maximum(cv2.aruco.generateImageMarker(family, marker, MARKER_PX), PRINT_BLACK)
    paper = corners_px + (corners_px - corners_px.mean(axis=0)) * MARKER_PAPER
    cv2.fillPoly(face, [np.round(paper).astype(np.int32)], PAPER_INK, cv2.LINE_AA)
    low = np.floor(corners_px.min(axis=0)).astype(int)
    size = np.ceil(corners_px.max(axis=0)).astype(int) - low
    own = np.array([(0, 0), (MARKER_PX, 0), (MARKER_PX, MARKER_PX), (0, MARKER_PX)], np.float32)
    # The marker is drawn three times as fine and then averaged, because a module is only a few px wide.
    matrix = cv2.getPerspectiveTransform(own, ((corners_px - low) * 3).astype(np.float32))
    fine = (int(size[0]) * 3, int(size[1]) * 3)
    white = cv2.warpPerspective(tag, matrix, fine, borderValue=PAPER_INK[1])
    printed = cv2.resize(white, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    face[low[1] : low[1] + size[1], low[0] : low[0] + size[0]] = printed[..., None]


def _toy(sheet: Texture, kind: str, row: int, col: int, density: int) -> None:
    """The picture of a toy in the centre of a square."""
    drawing = _toy_drawing(kind, (row * 7 + col) * 31 % 360)
    fitted = cv2.resize(drawing, (density, density), interpolation=cv2.INTER_AREA).astype(np.float32)
    square = sheet[row * density : (row + 1) * density, col * density : (col + 1) * density]
    alpha = fitted[..., 3:] / 255
    square[:] = (fitted[..., :3] * alpha + square * (1 - alpha)).astype(np.uint8)


@lru_cache(maxsize=64)
def _toy_drawing(kind: str, degrees: int) -> Texture:
    """A toy turned by degrees, shape (FINEST, FINEST, 4)."""
    drawing = np.zeros((FINEST, FINEST, 4), np.uint8)
    TOYS.get(kind, _yarn)(_Pen(drawing, degrees))
    return drawing


class _Pen:
    """Draws on a toy's square, in squares from its centre, with x along the toy's direction."""

    def __init__(self, drawing: Texture, degrees: int) -> None:
        self.drawing, self.degrees = drawing, degrees
        angle = np.radians(degrees)
        self._turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])

    def at(self, x: float, y: float) -> tuple[int, int]:
        px = (np.array([x, y]) @ self._turn + 0.5) * FINEST
        return round(float(px[0])), round(float(px[1]))

    def dot(self, x: float, y: float, radius: float, ink: Ink) -> None:
        cv2.circle(self.drawing, self.at(x, y), round(radius * FINEST), (*ink, 255), -1, cv2.LINE_AA)

    def line(self, points: list[tuple[float, float]], width: float, ink: Ink) -> None:
        for a, b in pairwise(points):
            cv2.line(self.drawing, self.at(*a), self.at(*b), (*ink, 255), round(width * FINEST), cv2.LINE_AA)

    def oval(self, across: float, down: float, ink: Ink) -> None:
        axes = round(across * FINEST), round(down * FINEST)
        cv2.ellipse(self.drawing, self.at(0, 0), axes, self.degrees, 0, 360, (*ink, 255), -1, cv2.LINE_AA)

    def arc(self, across: float, down: float, turned: int, ink: Ink) -> None:
        axes = round(across * FINEST), round(down * FINEST)
        angle = self.degrees + turned
        cv2.ellipse(self.drawing, self.at(0, 0), axes, angle, 200, 340, (*ink, 255), 2, cv2.LINE_AA)


def _bone(pen: _Pen) -> None:
    for grow, ink in ((0.04, (96, 112, 132)), (0.0, (226, 240, 250))):
        pen.line([(-0.2, 0), (0.2, 0)], 0.16 + 2 * grow, ink)
        for x in (-0.2, 0.2):
            for y in (-0.085, 0.085):
                pen.dot(x, y, 0.11 + grow, ink)


def _mouse(pen: _Pen) -> None:
    tail = [(-t, -0.1 * float(np.sin(t * 14))) for t in np.linspace(0.18, 0.44, 9)]
    pen.line(tail, 0.05, (150, 130, 205))
    pen.oval(0.25, 0.14, (128, 118, 122))
    for y in (-0.12, 0.12):
        pen.dot(0.13, y, 0.08, (170, 150, 215))
    pen.dot(0.25, 0, 0.05, (120, 90, 200))


def _yarn(pen: _Pen) -> None:
    ink = (78, 66, 196)
    loose = [(0.1 + 0.3 * t, 0.24 + 0.05 * float(np.sin(t * 7))) for t in np.linspace(0, 1, 12)]
    pen.line(loose, 0.05, ink)
    pen.dot(0, 0, 0.25, ink)
    for turned in (0, 60, 120):
        for part in (0.95, 0.6, 0.25):
            pen.arc(0.2, 0.2 * part, turned, (122, 112, 232))


TOYS: dict[str, Callable[[_Pen], None]] = {"bone": _bone, "mouse": _mouse, "yarn": _yarn}
"""The drawing function of each kind of toy."""
