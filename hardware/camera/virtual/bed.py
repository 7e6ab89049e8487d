"""What does not move: the table, the tray, the bed with its squares, markers, pillows and toys."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera.frame import Picture
from hardware.camera.virtual.view import TABLE_Z, Floats, Roi, View
from hardware.vision.scene import Scene

Ink = tuple[int, int, int]

DENSITY = 64
"""Px a square in the drawing of the bed's face."""
TABLE_DENSITY = 40
FRAME_SQUARES = 2.2
"""How far the bed's frame reaches beyond the grid."""
PILLOW_Z = 0.35

FRAME_INK = (150, 178, 205)
SHEET_INKS = ((203, 178, 148), (214, 192, 164))
"""The two inks of the quilt's checks."""
LINE_INK = (160, 128, 98)
ZONE_INK = (96, 104, 222)
BED_SIDE_INK = (92, 122, 156)
PILLOW_INK = (222, 232, 250)
TRAY_INK = (88, 116, 62)
TRAY_RIM_INK = (52, 78, 112)


def paint_still(scene: Scene, view: View) -> Picture:
    """The empty table with the bed on it, before any light falls; shape (view.height, view.width, 3)."""
    picture = _table(view)
    _tray(picture, scene, view)
    low = -FRAME_SQUARES
    corners = box_corners(low, low, scene.cols + FRAME_SQUARES, scene.rows + FRAME_SQUARES)
    shade(picture, view, corners, TABLE_Z, (0.55, 0.75), 0.5, 26)
    _bed_sides(picture, view, corners)
    whole = view.whole()
    face = paint_face(scene)
    seen = view.flat(face, (low, low), DENSITY, 0, whole)
    alpha = view.flat(np.full(face.shape[:2], 255, np.uint8), (low, low), DENSITY, 0, whole)
    blend(picture, seen, alpha, whole)
    for pillow in scene.pillows:
        _pillow(picture, view, pillow)
    return picture


def blend(picture: Picture, colours: NDArray[np.uint8], alpha: NDArray[np.uint8], roi: Roi) -> None:
    """Lay `colours` over `roi` of the picture where `alpha` (0 to 255) covers it."""
    under = picture[roi.slices]
    weight = cv2.merge([alpha, alpha, alpha])
    over = cv2.multiply(colours, weight, scale=1 / 255)
    rest = cv2.multiply(under, cv2.bitwise_not(weight), scale=1 / 255)
    picture[roi.slices] = cv2.add(over, rest)


def darken(picture: Picture, shadow: NDArray[np.uint8], strength: float, roi: Roi) -> None:
    """Let a shadow (0 to 255) fall on `roi`; `strength` 1 would be black."""
    keep = cv2.convertScaleAbs(shadow, alpha=-strength, beta=0)
    keep = cv2.bitwise_not(keep)
    picture[roi.slices] = cv2.multiply(picture[roi.slices], cv2.merge([keep, keep, keep]), scale=1 / 255)


def box_corners(x: float, y: float, right: float, bottom: float) -> Floats:
    """The corners of a box, top left first, clockwise, shape (4, 2)."""
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
    """The soft shadow, on the plane at `z`, of a flat thing with these corners (N, 2) in squares.

    It is moved by `shift` squares; `strength` 1 would be black.
    """
    at = np.column_stack([corners + shift, np.full(len(corners), z)])
    roi = view.roi(at, margin_px=3 * blur_px)
    if roi.empty:
        return
    # Softer shadows are drawn coarser: nobody sees it, and it is soon done.
    coarse = max(1, blur_px // 4)
    shadow = np.zeros((-(-roi.height // coarse), -(-roi.width // coarse)), np.uint8)
    points = (view.project(at) - (roi.x, roi.y)) * (16 / coarse)
    cv2.fillPoly(shadow, [points.astype(np.int32)], 255, cv2.LINE_AA, 4)
    soft = cv2.resize(cv2.GaussianBlur(shadow, (0, 0), blur_px / coarse), (roi.width, roi.height))
    darken(picture, np.asarray(soft, np.uint8), strength, roi)


def _table(view: View) -> Picture:
    """Planks of wood over the whole picture."""
    random = np.random.default_rng(7)
    reach = 24
    side = 2 * reach * TABLE_DENSITY // 2
    across = np.arange(side, dtype=np.float32)[None, :] / (TABLE_DENSITY / 2)
    down = np.arange(side, dtype=np.float32)[:, None] / (TABLE_DENSITY / 2)
    plank = np.floor(down / 5.5)
    shift = random.random(64).astype(np.float32)[plank.astype(int)]
    coarse = random.random((side // 40, side // 260)).astype(np.float32)
    bend = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    grain = np.sin((down * 1.3 + bend * 2.4 + shift * 17 + across * 0.02) * 2 * np.pi) * 0.5 + 0.5
    streaks = cv2.resize(random.random((side, side // 60)).astype(np.float32), (side, side))
    tone = 0.80 + 0.10 * shift + 0.07 * grain + 0.07 * streaks
    tone[np.abs(down / 5.5 - np.round(down / 5.5))[:, 0] < 0.008] *= 0.72
    wood = np.clip(tone[..., None] * np.array((92, 138, 186), np.float32), 0, 255).astype(np.uint8)
    middle = view.middle
    corner = (middle[0] - reach, middle[1] - reach)
    return view.flat(wood, corner, TABLE_DENSITY / 2, TABLE_Z, view.whole(), supersample=1)


def _tray(picture: Picture, scene: Scene, view: View) -> None:
    """The dice tray on the table: a rim of wood with felt in it."""
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
    """The tray's floor: a little uneven, darker along the rim."""
    x, y, right, bottom = box
    random = np.random.default_rng(11)
    size = int((bottom - y) * TABLE_DENSITY), int((right - x) * TABLE_DENSITY)
    felt = np.clip(np.array(TRAY_INK) + random.normal(0, 5, (*size, 1)), 0, 255).astype(np.uint8)
    inside = np.zeros(size, np.uint8)
    edge = TABLE_DENSITY // 3
    inside[edge:-edge, edge:-edge] = 255
    inside = np.asarray(cv2.GaussianBlur(inside, (0, 0), edge / 2), np.uint8)
    depth = cv2.merge([inside, inside, inside])
    lit = cv2.multiply(felt, depth, scale=1 / 255)
    felt = np.asarray(cv2.addWeighted(felt, 0.72, lit, 0.28, 0), np.uint8)
    roi = view.roi(np.column_stack([box_corners(*box), np.full(4, TABLE_Z)]))
    alpha = view.flat(np.full(size, 255, np.uint8), (x, y), TABLE_DENSITY, TABLE_Z, roi)
    blend(picture, view.flat(felt, (x, y), TABLE_DENSITY, TABLE_Z, roi), alpha, roi)


def _bed_sides(picture: Picture, view: View, corners: Floats) -> None:
    """The bed's four sides, from its face down to the table; those turned away are covered by the face."""
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        wall = np.array([(*a, 0), (*b, 0), (*b, TABLE_Z), (*a, TABLE_Z)], np.float64)
        along = (b - a) / np.linalg.norm(b - a)
        light = 0.8 + 0.2 * float(-along[1] * 0.4 + along[0] * 0.6)
        ink = tuple(light * part for part in BED_SIDE_INK)
        cv2.fillPoly(picture, [(view.project(wall) * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def paint_face(scene: Scene) -> NDArray[np.uint8]:
    """The bed's face seen square-on, `DENSITY` px a square, its frame included; BGR."""
    frame = int(FRAME_SQUARES * DENSITY)
    height, width = scene.rows * DENSITY, scene.cols * DENSITY
    random = np.random.default_rng(3)
    face = np.empty((height + 2 * frame, width + 2 * frame, 3), np.uint8)
    face[:] = FRAME_INK
    sheet = face[frame : frame + height, frame : frame + width]
    _quilt(sheet, scene)
    for col in range(1, scene.cols):
        cv2.line(sheet, (col * DENSITY, 0), (col * DENSITY, height), LINE_INK, 2)
    for row in range(1, scene.rows):
        cv2.line(sheet, (0, row * DENSITY), (width, row * DENSITY), LINE_INK, 2)
    cv2.rectangle(face, (frame, frame), (frame + width, frame + height), LINE_INK, 4, cv2.LINE_AA)
    for kind, squares in scene.toys.items():
        for row, col in squares:
            x, y = int((col + 0.5) * DENSITY), int((row + 0.5) * DENSITY)
            TOYS.get(kind, _yarn)(sheet, x, y, (row * 7 + col) * 31)
    _zone(sheet, scene)
    cloth = random.standard_normal(face.shape[:2], dtype=np.float32) * 3 + 16
    woven = cv2.merge([np.clip(cloth, 0, 32).astype(np.uint8)] * 3)
    face = np.asarray(cv2.addWeighted(face, 1, woven, 1, -16), np.uint8)
    for marker, corners in scene.markers_in_cells.items():
        _marker(face, marker, np.array(corners))
    return face


def _quilt(sheet: NDArray[np.uint8], scene: Scene) -> None:
    """Checks of two by two squares with a stitched seam between them."""
    for row in range(scene.rows):
        for col in range(scene.cols):
            ink = SHEET_INKS[(row // 2 + col // 2) % 2]
            sheet[row * DENSITY : (row + 1) * DENSITY, col * DENSITY : (col + 1) * DENSITY] = ink


def _zone(sheet: NDArray[np.uint8], scene: Scene) -> None:
    """The outline of the squares where the first tile goes."""
    start = set(scene.start)
    for row, col in start:
        x, y = col * DENSITY, row * DENSITY
        for neighbour, a, b in (
            ((row - 1, col), (x, y), (x + DENSITY, y)),
            ((row + 1, col), (x, y + DENSITY), (x + DENSITY, y + DENSITY)),
            ((row, col - 1), (x, y), (x, y + DENSITY)),
            ((row, col + 1), (x + DENSITY, y), (x + DENSITY, y + DENSITY)),
        ):
            if neighbour not in start:
                cv2.line(sheet, a, b, ZONE_INK, 6, cv2.LINE_AA)


def _marker(face: NDArray[np.uint8], marker: int, corners: Floats) -> None:
    """A printed AprilTag on white paper; `corners` (4, 2) in squares, the printed marker's own order."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    side = 200
    tag = cv2.aruco.generateImageMarker(dictionary, marker, side)
    at = (corners + FRAME_SQUARES) * DENSITY
    paper = at + (at - at.mean(axis=0)) * 0.22
    cv2.fillPoly(face, [np.round(paper).astype(np.int32)], (246, 248, 248), cv2.LINE_AA)
    own = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    matrix = cv2.getPerspectiveTransform(own, (at - 0.5).astype(np.float32))
    size = face.shape[1], face.shape[0]
    printed = cv2.warpPerspective(cv2.merge([tag, tag, tag]), matrix, size, flags=cv2.INTER_AREA)
    where = cv2.warpPerspective(np.full_like(tag, 255), matrix, size)
    face[where > 127] = np.maximum(printed[where > 127], 26)


def _pillow(picture: Picture, view: View, squares: tuple[tuple[int, int], ...]) -> None:
    """A plump pillow over its squares."""
    rows, cols = [row for row, _ in squares], [col for _, col in squares]
    x, y, right, bottom = min(cols), min(rows), max(cols) + 1, max(rows) + 1
    corners = box_corners(x, y, right, bottom)
    shade(picture, view, corners, 0, (0.1, 0.14), 0.4, 6)
    height, width = (bottom - y) * DENSITY, (right - x) * DENSITY
    shape = np.zeros((height, width), np.uint8)
    round_px = DENSITY // 3
    inset = DENSITY // 12 + round_px
    cv2.rectangle(shape, (inset, inset), (width - inset, height - inset), 255, -1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round_px + 1, 2 * round_px + 1))
    shape = np.asarray(cv2.dilate(shape, disc), np.uint8)
    depth = cv2.distanceTransform(shape, cv2.DIST_L2, 5) / (min(height, width) / 2)
    light = 0.78 + 0.24 * np.sqrt(np.clip(depth, 0, 1))
    stripes = 1 - 0.09 * ((np.arange(width) // (DENSITY // 4)) % 2)
    colour = np.array(PILLOW_INK) * light[..., None] * stripes[None, :, None]
    texture = np.clip(colour, 0, 255).astype(np.uint8)
    for z in (PILLOW_Z * 0.4, PILLOW_Z):
        roi = view.roi(np.column_stack([corners, np.full(4, z)]))
        alpha = view.flat(shape, (x, y), DENSITY, z, roi)
        ink = texture if z == PILLOW_Z else (texture * 0.75).astype(np.uint8)
        blend(picture, view.flat(ink, (x, y), DENSITY, z, roi), alpha, roi)


def _bone(sheet: NDArray[np.uint8], x: int, y: int, degrees: int) -> None:
    along, aside = _axes(degrees)
    for grow, ink in ((5, (96, 112, 132)), (0, (226, 240, 250))):
        ends = [np.array([x, y]) + along * 0.2 * way for way in (-1, 1)]
        cv2.line(sheet, _px(ends[0]), _px(ends[1]), ink, DENSITY // 6 + grow, cv2.LINE_AA)
        for end in ends:
            for side in (-1, 1):
                knob = _px(end + aside * side * 0.085)
                cv2.circle(sheet, knob, DENSITY // 9 + grow // 2, ink, -1, cv2.LINE_AA)


def _mouse(sheet: NDArray[np.uint8], x: int, y: int, degrees: int) -> None:
    along, aside = _axes(degrees)
    at = np.array([x, y])
    tail = [at - along * t - aside * 0.1 * np.sin(t * 14) for t in np.linspace(0.18, 0.44, 9)]
    _stroke(sheet, np.array(tail), (150, 130, 205), 3)
    body = (DENSITY // 4, DENSITY // 7)
    cv2.ellipse(sheet, (x, y), body, degrees, 0, 360, (128, 118, 122), -1, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(sheet, _px(at + along * 0.13 + aside * side * 0.12), 5, (170, 150, 215), -1, cv2.LINE_AA)
    cv2.circle(sheet, _px(at + along * 0.25), 3, (120, 90, 200), -1, cv2.LINE_AA)


def _yarn(sheet: NDArray[np.uint8], x: int, y: int, degrees: int) -> None:
    radius = DENSITY // 4
    ink = (78, 66, 196)
    cv2.circle(sheet, (x, y), radius, ink, -1, cv2.LINE_AA)
    for turn in (0, 60, 120):
        for part in (0.95, 0.6, 0.25):
            axes = (radius - 3, int((radius - 3) * part))
            cv2.ellipse(sheet, (x, y), axes, degrees + turn, 200, 340, (122, 112, 232), 2, cv2.LINE_AA)
    along, aside = _axes(degrees)
    loose = [
        np.array([x, y]) + along * (0.1 + 0.3 * t) + aside * (0.24 + 0.05 * np.sin(t * 7))
        for t in np.linspace(0, 1, 12)
    ]
    _stroke(sheet, np.array(loose), ink, 3)


def _axes(degrees: int) -> tuple[Floats, Floats]:
    """One square along the way that a toy is turned, and one square aside of it, in px."""
    angle = np.radians(degrees)
    cos, sin = np.cos(angle) * DENSITY, np.sin(angle) * DENSITY
    return np.array([cos, sin]), np.array([-sin, cos])


def _stroke(sheet: NDArray[np.uint8], points: Floats, ink: Ink, thick: int) -> None:
    for a, b in pairwise(points):
        cv2.line(sheet, _px(a), _px(b), ink, thick, cv2.LINE_AA)


def _px(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


Toy = Callable[[NDArray[np.uint8], int, int, int], None]
TOYS: dict[str, Toy] = {"bone": _bone, "mouse": _mouse, "yarn": _yarn}
"""By kind: draws the toy's picture around a point of the sheet, turned by some degrees."""
