"""What does not move: the table, the tray, the bed with its squares, markers, pillows and toys."""

from __future__ import annotations

from collections.abc import Callable

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
    low, high = -FRAME_SQUARES, FRAME_SQUARES
    corners = np.array([(low, low), (scene.cols + high, low), (scene.cols + high, scene.rows + high), (low, scene.rows + high)])
    shade(picture, view, corners, TABLE_Z, (0.55, 0.75), 0.5, 26)
    _bed_sides(picture, view, corners)
    whole = view.whole()
    face = paint_face(scene)
    mask = np.full(face.shape[:2], 255, np.uint8)
    blend(picture, view.flat(face, (low, low), DENSITY, 0, whole), view.flat(mask, (low, low), DENSITY, 0, whole), whole)
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


def shade(
    picture: Picture, view: View, corners: Floats, z: float, shift: tuple[float, float], strength: float, blur_px: int
) -> None:
    """The soft shadow, on the plane at `z`, of a flat thing with these corners (N, 2) in squares, moved by `shift`."""
    at = np.column_stack([corners + shift, np.full(len(corners), z)])
    roi = view.roi(at, margin_px=3 * blur_px)
    if roi.empty:
        return
    shadow = np.zeros((roi.height, roi.width), np.uint8)
    points = (view.project(at) - (roi.x, roi.y)) * 16
    cv2.fillPoly(shadow, [points.astype(np.int32)], 255, cv2.LINE_AA, 4)
    shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), blur_px), np.uint8)
    darken(picture, shadow, strength, roi)


def _table(view: View) -> Picture:
    """Planks of wood over the whole picture."""
    random = np.random.default_rng(7)
    reach = 30
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
        corners = np.array(
            [(x - grow, y - grow), (right + grow, y - grow), (right + grow, bottom + grow), (x - grow, bottom + grow)]
        )
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
    felt = np.asarray(cv2.addWeighted(felt, 0.72, cv2.multiply(felt, depth, scale=1 / 255), 0.28, 0), np.uint8)
    at = np.array([(x, y, TABLE_Z), (right, y, TABLE_Z), (right, bottom, TABLE_Z), (x, bottom, TABLE_Z)])
    roi = view.roi(at)
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
    for row, col in {(r, c) for r in range(scene.rows) for c in range(scene.cols)}:
        cv2.rectangle(
            sheet, (col * DENSITY, row * DENSITY), ((col + 1) * DENSITY, (row + 1) * DENSITY), LINE_INK, 2, cv2.LINE_AA
        )
    cv2.rectangle(face, (frame, frame), (frame + width, frame + height), LINE_INK, 4, cv2.LINE_AA)
    for kind, squares in scene.toys.items():
        for row, col in squares:
            TOYS.get(kind, _yarn)(sheet, int((col + 0.5) * DENSITY), int((row + 0.5) * DENSITY), (row * 7 + col) * 31)
    _zone(sheet, scene)
    cloth = random.normal(0, 3, (*face.shape[:2], 1))
    face = np.clip(face + cloth, 0, 255).astype(np.uint8)
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
    corners = np.array([(x, y), (right, y), (right, bottom), (x, bottom)], np.float64)
    shade(picture, view, corners, 0, (0.1, 0.14), 0.4, 6)
    height, width = (bottom - y) * DENSITY, (right - x) * DENSITY
    shape = np.zeros((height, width), np.uint8)
    inset, round_px = DENSITY // 12, DENSITY // 3
    cv2.rectangle(shape, (inset + round_px, inset + round_px), (width - inset - round_px, height - inset - round_px), 255, -1)
    shape = np.asarray(cv2.dilate(shape, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round_px + 1,) * 2)), np.uint8)
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
    angle = np.radians(degrees)
    along, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    for grow, ink in ((5, (96, 112, 132)), (0, (226, 240, 250))):
        ends = [np.array([x, y]) + along * DENSITY * 0.2 * way for way in (-1, 1)]
        cv2.line(sheet, _px(ends[0]), _px(ends[1]), ink, DENSITY // 6 + grow, cv2.LINE_AA)
        for end in ends:
            for side in (-1, 1):
                cv2.circle(sheet, _px(end + aside * side * DENSITY * 0.085), DENSITY // 9 + grow // 2, ink, -1, cv2.LINE_AA)


def _mouse(sheet: NDArray[np.uint8], x: int, y: int, degrees: int) -> None:
    angle = np.radians(degrees)
    along, aside = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    at = np.array([x, y])
    tail = np.array([at - along * DENSITY * t - aside * DENSITY * 0.1 * np.sin(t * 14) for t in np.linspace(0.18, 0.44, 9)])
    cv2.polylines(sheet, [tail.astype(np.int32)], False, (150, 130, 205), 3, cv2.LINE_AA)
    cv2.ellipse(sheet, (x, y), (DENSITY // 4, DENSITY // 7), degrees, 0, 360, (128, 118, 122), -1, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(sheet, _px(at + along * DENSITY * 0.13 + aside * side * DENSITY * 0.12), 5, (170, 150, 215), -1, cv2.LINE_AA)
    cv2.circle(sheet, _px(at + along * DENSITY * 0.25), 3, (120, 90, 200), -1, cv2.LINE_AA)


def _yarn(sheet: NDArray[np.uint8], x: int, y: int, degrees: int) -> None:
    radius = DENSITY // 4
    cv2.circle(sheet, (x, y), radius, (78, 66, 196), -1, cv2.LINE_AA)
    for turn in (0, 60, 120):
        for part in (0.9, 0.55, 0.2):
            axes = (radius - 2, int(radius * part))
            cv2.ellipse(sheet, (x, y), axes, degrees + turn, 200, 340, (122, 112, 232), 2, cv2.LINE_AA)
    end = np.array([(x + radius * np.cos(t) * (1 + t / 9), y + radius * (0.9 + t / 9)) for t in np.linspace(0.4, 2.4, 12)])
    cv2.polylines(sheet, [end.astype(np.int32)], False, (78, 66, 196), 3, cv2.LINE_AA)


def _px(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


TOYS: dict[str, Callable[[NDArray[np.uint8], int, int, int], None]] = {"bone": _bone, "mouse": _mouse, "yarn": _yarn}
"""By kind: draws the toy's picture around a point of the sheet, turned by some degrees."""
