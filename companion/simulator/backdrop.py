"""Draws what does not move: the table, the tray, the board with its squares, markers and cushions."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.table_scene import TableScene
from companion.simulator.view import TABLE_Z, Floats, Roi, Texture, View
from hardware.arrays import Picture

Ink = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

FINEST = 64
"""Px per square of a board of usual size; larger boards are drawn coarser."""
LONGEST_PX = 1800
FRAME_SQUARES = 2.2

FRAME_INK = (150, 178, 205)
SHEET_INKS = ((203, 178, 148), (214, 192, 164))
LINE_INK = (160, 128, 98)
ZONE_INK = (96, 104, 222)
PAPER_INK = (246, 248, 248)
"""The paper that markers are printed on."""
PRINT_BLACK = 26
CLOTH = 3.0
"""The cloth's unevenness, in levels of 255 (standard deviation)."""
MARKER_PX = 200
MARKER_PAPER = 0.22
"""The margin of the paper around a marker, as a share of the marker's size."""

CUSHION_DENSITY = 64
TRAY_DENSITY = 40
CUSHION_Z = 0.35
TABLE_PX = 960
TABLE_REACH = 0.8
"""The table's reach to each side, in distances of the camera."""
PLANK_SQUARES = 5.5

BOARD_SIDE_INK = (92, 122, 156)
WOOD_INK = (92, 138, 186)
CUSHION_INK = (222, 232, 250)
TRAY_INK = (88, 116, 62)
TRAY_RIM_INK = (52, 78, 112)


def paint_still(scene: TableScene, view: View) -> Picture:
    """The empty table with the board on it, before any light falls; shape (view.height, view.width, 3)."""
    picture = _table(view)
    _tray(picture, scene, view)
    low = -FRAME_SQUARES
    corners = box_corners(low, low, scene.cols + FRAME_SQUARES, scene.rows + FRAME_SQUARES)
    shade(picture, view, corners, TABLE_Z, (0.55, 0.75), 0.5, 26)
    _board_sides(picture, view, corners)
    whole = view.whole()
    face = paint_face(scene)
    density = density_of(scene)
    near = -round(FRAME_SQUARES * density) / density
    corner = (near, near)
    seen = view.flat(face, corner, density, 0, whole)
    alpha = view.flat(np.full(face.shape[:2], 255, np.uint8), corner, density, 0, whole)
    blend(picture, seen, alpha, whole)
    for squares in scene.blocked:
        _cushion(picture, view, squares)
    return picture


def blend(picture: Picture, colours: NDArray[np.uint8], alpha: NDArray[np.uint8], roi: Roi) -> None:
    """Blend `colours` over `roi` of the picture by `alpha` (0 to 255)."""
    under = picture[roi.slices]
    weight = cv2.merge([alpha, alpha, alpha])
    over = cv2.multiply(colours, weight, scale=1 / 255)
    rest = cv2.multiply(under, cv2.bitwise_not(weight), scale=1 / 255)
    picture[roi.slices] = cv2.add(over, rest)


def darken(picture: Picture, shadow: NDArray[np.uint8], strength: float, roi: Roi) -> None:
    """Darken `roi` by a shadow (0 to 255); `strength` 1 is black."""
    keep = cv2.convertScaleAbs(shadow, alpha=-strength, beta=0)
    keep = cv2.bitwise_not(keep)
    picture[roi.slices] = cv2.multiply(picture[roi.slices], cv2.merge([keep, keep, keep]), scale=1 / 255)


def box_corners(x: float, y: float, right: float, bottom: float) -> Floats:
    """The corners of a box, the top left first, then clockwise, shape (4, 2)."""
    return np.array([(x, y), (right, y), (right, bottom), (x, bottom)], np.float64)


def shade(
    picture: Picture,
    view: View,
    corners: Floats,
    z: float,
    shift: tuple[float, float],
    strength: float,
    blur_px: int,
) -> None:
    """Cast the soft shadow of a flat thing with these corners (N, 2) in squares on the plane at `z`.

    It is shifted by `shift` squares; `strength` 1 is black.
    """
    outline = np.column_stack([corners + shift, np.full(len(corners), z)])
    roi = view.roi(outline, margin_px=3 * blur_px)
    if roi.empty:
        return
    # Softer shadows are drawn coarser, which is faster and invisible.
    coarse = max(1, blur_px // 4)
    shadow = np.zeros((-(-roi.height // coarse), -(-roi.width // coarse)), np.uint8)
    points = (view.project(outline) - (roi.x, roi.y)) * (16 / coarse)
    cv2.fillPoly(shadow, [points.astype(np.int32)], 255, cv2.LINE_AA, 4)
    soft = cv2.resize(cv2.GaussianBlur(shadow, (0, 0), blur_px / coarse), (roi.width, roi.height))
    darken(picture, np.asarray(soft, np.uint8), strength, roi)


def _table(view: View) -> Picture:
    random = np.random.default_rng(7)
    reach = TABLE_REACH * view.distance
    density = TABLE_PX / (2 * reach)
    across = np.arange(TABLE_PX, dtype=np.float32)[None, :] / density
    down = np.arange(TABLE_PX, dtype=np.float32)[:, None] / density
    plank = down / PLANK_SQUARES
    shift = random.random(1000).astype(np.float32)[np.floor(plank).astype(int) % 1000]
    bend = _soft(random, TABLE_PX // 40, TABLE_PX // 260)
    streaks = _soft(random, TABLE_PX, TABLE_PX // 60)
    grain = np.sin((down * 1.3 + bend * 2.4 + shift * 17 + across * 0.02) * 2 * np.pi) * 0.5 + 0.5
    tone = 0.80 + 0.10 * shift + 0.07 * grain + 0.09 * streaks
    tone[np.abs(plank - np.round(plank))[:, 0] < 0.008] *= 0.72
    wood = np.clip(tone[..., None] * np.array(WOOD_INK, np.float32), 0, 255).astype(np.uint8)
    corner = (view.middle[0] - reach, view.middle[1] - reach)
    return view.flat(wood, corner, density, TABLE_Z, view.whole(), supersample=1)


def _soft(random: np.random.Generator, rows: int, cols: int) -> NDArray[np.float32]:
    """Noise from 0 to 1 in `rows` lumps down and `cols` across, as large as the table's drawing."""
    lumps = random.random((rows, max(2, cols)), dtype=np.float32)
    return np.asarray(cv2.resize(lumps, (TABLE_PX, TABLE_PX), interpolation=cv2.INTER_LINEAR), np.float32)


def _tray(picture: Picture, scene: TableScene, view: View) -> None:
    if scene.tray_in_cells_at_table_height is None:
        return
    x, y, right, bottom = scene.tray_in_cells_at_table_height
    for grow, ink, z, shadow in ((0.45, TRAY_RIM_INK, TABLE_Z + 0.4, 0.45), (0.0, TRAY_INK, TABLE_Z, 0.0)):
        corners = box_corners(x - grow, y - grow, right + grow, bottom + grow)
        if shadow:
            shade(picture, view, corners, TABLE_Z, (0.15, 0.2), shadow, 8)
        points = view.project(np.column_stack([corners, np.full(4, z)])) * 16
        cv2.fillPoly(picture, [points.astype(np.int32)], ink, cv2.LINE_AA, 4)
    _felt(picture, view, (x, y, right, bottom))


def _felt(picture: Picture, view: View, box: tuple[float, float, float, float]) -> None:
    x, y, right, bottom = box
    random = np.random.default_rng(11)
    size = int((bottom - y) * TRAY_DENSITY), int((right - x) * TRAY_DENSITY)
    felt = np.clip(np.array(TRAY_INK) + random.normal(0, 5, (*size, 1)), 0, 255).astype(np.uint8)
    inside = np.zeros(size, np.uint8)
    edge = TRAY_DENSITY // 3
    inside[edge:-edge, edge:-edge] = 255
    inside = np.asarray(cv2.GaussianBlur(inside, (0, 0), edge / 2), np.uint8)
    depth = cv2.merge([inside, inside, inside])
    lit = cv2.multiply(felt, depth, scale=1 / 255)
    felt = np.asarray(cv2.addWeighted(felt, 0.72, lit, 0.28, 0), np.uint8)
    roi = view.roi(np.column_stack([box_corners(*box), np.full(4, TABLE_Z)]))
    alpha = view.flat(np.full(size, 255, np.uint8), (x, y), TRAY_DENSITY, TABLE_Z, roi)
    blend(picture, view.flat(felt, (x, y), TRAY_DENSITY, TABLE_Z, roi), alpha, roi)


def _board_sides(picture: Picture, view: View, corners: Floats) -> None:
    """The board's four sides, down to the table; its face covers those turned away."""
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        wall = np.array([(*a, 0), (*b, 0), (*b, TABLE_Z), (*a, TABLE_Z)], np.float64)
        along = (b - a) / np.linalg.norm(b - a)
        light = 0.8 + 0.2 * float(-along[1] * 0.4 + along[0] * 0.6)
        ink = tuple(light * part for part in BOARD_SIDE_INK)
        cv2.fillPoly(picture, [(view.project(wall) * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def _cushion(picture: Picture, view: View, squares: tuple[tuple[int, int], ...]) -> None:
    rows, cols = [row for row, _ in squares], [col for _, col in squares]
    x, y, right, bottom = min(cols), min(rows), max(cols) + 1, max(rows) + 1
    corners = box_corners(x, y, right, bottom)
    shade(picture, view, corners, 0, (0.1, 0.14), 0.4, 6)
    height, width = (bottom - y) * CUSHION_DENSITY, (right - x) * CUSHION_DENSITY
    shape = np.zeros((height, width), np.uint8)
    round_px = CUSHION_DENSITY // 3
    inset = CUSHION_DENSITY // 12 + round_px
    cv2.rectangle(shape, (inset, inset), (width - inset, height - inset), 255, -1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round_px + 1, 2 * round_px + 1))
    shape = np.asarray(cv2.dilate(shape, disc), np.uint8)
    depth = cv2.distanceTransform(shape, cv2.DIST_L2, 5) / (min(height, width) / 2)
    light = 0.78 + 0.24 * np.sqrt(np.clip(depth, 0, 1))
    stripes = 1 - 0.09 * ((np.arange(width) // (CUSHION_DENSITY // 4)) % 2)
    colour = np.array(CUSHION_INK) * light[..., None] * stripes[None, :, None]
    texture = np.clip(colour, 0, 255).astype(np.uint8)
    for z in (CUSHION_Z * 0.4, CUSHION_Z):
        roi = view.roi(np.column_stack([corners, np.full(4, z)]))
        alpha = view.flat(shape, (x, y), CUSHION_DENSITY, z, roi)
        ink = texture if z == CUSHION_Z else (texture * 0.75).astype(np.uint8)
        blend(picture, view.flat(ink, (x, y), CUSHION_DENSITY, z, roi), alpha, roi)


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
    grain = np.random.default_rng(3).standard_normal(face.shape[:2], dtype=np.float32) * CLOTH
    for add, part in ((cv2.add, np.maximum(grain, 0)), (cv2.subtract, np.maximum(-grain, 0))):
        add(face, cv2.merge([part.astype(np.uint8)] * 3), face)
    for marker, corners in scene.markers_in_cells.items():
        _marker(face, scene.marker_dictionary, marker, (np.array(corners) + frame / density) * density)
    return face


def _checks(sheet: Texture, scene: TableScene, density: int) -> None:
    check = (np.arange(scene.rows)[:, None] // 2 + np.arange(scene.cols)[None, :] // 2) % 2
    inks = np.array(SHEET_INKS, np.uint8)[check]
    sheet[:] = inks.repeat(density, axis=0).repeat(density, axis=1)
    thick = max(1, density // 32)
    for col in range(1, scene.cols):
        cv2.line(sheet, (col * density, 0), (col * density, scene.rows * density), LINE_INK, thick)
    for row in range(1, scene.rows):
        cv2.line(sheet, (0, row * density), (scene.cols * density, row * density), LINE_INK, thick)


def _zone(sheet: Texture, scene: TableScene, density: int) -> None:
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


def _marker(face: Texture, dictionary: str, marker: int, corners_px: Floats) -> None:
    """A printed marker on white paper; `corners_px` (4, 2) in the printed marker's own order."""
    family = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    tag = np.maximum(cv2.aruco.generateImageMarker(family, marker, MARKER_PX), PRINT_BLACK)
    paper = corners_px + (corners_px - corners_px.mean(axis=0)) * MARKER_PAPER
    cv2.fillPoly(face, [np.round(paper).astype(np.int32)], PAPER_INK, cv2.LINE_AA)
    low = np.floor(corners_px.min(axis=0)).astype(int)
    size = np.ceil(corners_px.max(axis=0)).astype(int) - low
    square = np.array([(0, 0), (MARKER_PX, 0), (MARKER_PX, MARKER_PX), (0, MARKER_PX)], np.float32)
    # The marker is drawn three times as fine and then averaged, because a module is only a few px wide.
    matrix = cv2.getPerspectiveTransform(square, ((corners_px - low) * 3).astype(np.float32))
    fine = (int(size[0]) * 3, int(size[1]) * 3)
    white = cv2.warpPerspective(tag, matrix, fine, borderValue=PAPER_INK[1])
    printed = cv2.resize(white, (int(size[0]), int(size[1])), interpolation=cv2.INTER_AREA)
    face[low[1] : low[1] + size[1], low[0] : low[0] + size[0]] = printed[..., None]


def _toy(sheet: Texture, kind: str, row: int, col: int, density: int) -> None:
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
