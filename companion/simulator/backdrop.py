"""Draws what does not move: the table, the tray, the board with its squares, markers and cushions."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.face import FRAME_SQUARES, density_of, paint_face
from companion.simulator.table_scene import TableScene
from companion.simulator.view import TABLE_Z, Floats, Roi, View
from hardware.arrays import Picture

CUSHION_DENSITY = 64
"""Px per square in the drawing of a cushion."""
TRAY_DENSITY = 40
"""Px per square in the drawing of the tray."""
CUSHION_Z = 0.35
"""The height of a cushion, in squares."""
TABLE_PX = 960
"""The side of the table's drawing, in px."""
TABLE_REACH = 0.8
"""The table's reach to each side, in distances of the camera."""
PLANK_SQUARES = 5.5
"""The width of a plank, in squares."""

BOARD_SIDE_INK = (92, 122, 156)
"""The colour of the board's sides, BGR."""
WOOD_INK = (92, 138, 186)
"""The colour of the planks, BGR."""
CUSHION_INK = (222, 232, 250)
"""The colour of a cushion, BGR."""
TRAY_INK = (88, 116, 62)
"""The colour of the tray's felt, BGR."""
TRAY_RIM_INK = (52, 78, 112)
"""The colour of the tray's rim, BGR."""


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
    """The soft shadow, on the plane at `z`, of a flat thing with these corners (N, 2) in squares.

    It is shifted by `shift` squares; `strength` 1 is black.
    """
    at = np.column_stack([corners + shift, np.full(len(corners), z)])
    roi = view.roi(at, margin_px=3 * blur_px)
    if roi.empty:
        return
    # Softer shadows are drawn coarser, which is faster and invisible.
    coarse = max(1, blur_px // 4)
    shadow = np.zeros((-(-roi.height // coarse), -(-roi.width // coarse)), np.uint8)
    points = (view.project(at) - (roi.x, roi.y)) * (16 / coarse)
    cv2.fillPoly(shadow, [points.astype(np.int32)], 255, cv2.LINE_AA, 4)
    soft = cv2.resize(cv2.GaussianBlur(shadow, (0, 0), blur_px / coarse), (roi.width, roi.height))
    darken(picture, np.asarray(soft, np.uint8), strength, roi)


def _table(view: View) -> Picture:
    """Planks of wood over the whole picture."""
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
    """The board's four sides, from its face down to the table; those turned away are covered by the face."""
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        wall = np.array([(*a, 0), (*b, 0), (*b, TABLE_Z), (*a, TABLE_Z)], np.float64)
        along = (b - a) / np.linalg.norm(b - a)
        light = 0.8 + 0.2 * float(-along[1] * 0.4 + along[0] * 0.6)
        ink = tuple(light * part for part in BOARD_SIDE_INK)
        cv2.fillPoly(picture, [(view.project(wall) * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def _cushion(picture: Picture, view: View, squares: tuple[tuple[int, int], ...]) -> None:
    """A plump cushion over squares that are blocked."""
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
