"""Draws a board of squares with pieces: slabs, bared floor, cheese, the table, and the pawns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.backdrop import shade
from companion.simulator.looks import pawn_look
from companion.simulator.table_scene import Thing
from companion.simulator.view import Floats, View
from hardware.arrays import Picture

Ink = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""

DENSITY = 48
PAWN_Z = 0.75
SLAB_Z = 0.07
"""The thickness of slabs and the table, in squares."""
RAISED = frozenset({"slab", "table"})
SLAB_INKS: tuple[Ink, Ink] = ((92, 128, 168), (104, 142, 182))
FLOOR_INK: Ink = (58, 70, 84)
CHEESE_INK: Ink = (60, 190, 240)
HOLE_INK: Ink = (30, 34, 40)
WOOD_INK: Ink = (70, 108, 150)
WOOD_EDGE_INK: Ink = (40, 62, 92)
FRAME_INK: Ink = (176, 196, 214)
SLICES = 9
CORNERS = 24


def paint_board(
    rows: int, cols: int, ground: Iterable[Thing], density: int, floor: Ink = FLOOR_INK
) -> Picture:
    """Draw the floor and its things from above; shape (rows * density, cols * density, 3).

    Kinds: `slab`, `cheese`, `hole`, `table`; a square without a thing is bare.
    """
    flat = np.full((rows * density, cols * density, 3), FRAME_INK, np.uint8)
    for row in range(rows):
        for col in range(cols):
            _square(flat, row, col, floor, 0.04, density)
    table = []
    for thing in ground:
        row, col = int(thing.row), int(thing.col)
        if thing.kind == "slab":
            _square(flat, row, col, SLAB_INKS[(row + col) % 2], 0.04, density)
            _square(flat, row, col, SLAB_INKS[(row + col + 1) % 2], 0.3, density)
        elif thing.kind in ("cheese", "hole"):
            ink = CHEESE_INK if thing.kind == "cheese" else HOLE_INK
            cv2.circle(flat, _px(row + 0.5, col + 0.5, density), round(0.4 * density), ink, -1, cv2.LINE_AA)
        elif thing.kind == "table":
            table.append((row, col))
    if table:
        _table(flat, table, density)
    return flat


def raised(rows: int, cols: int, ground: Iterable[Thing], density: int) -> NDArray[np.uint8]:
    """The mask of slabs and the table, 255 or 0; shape as in `paint_board`."""
    mask = np.zeros((rows * density, cols * density), np.uint8)
    for thing in ground:
        if thing.kind in RAISED:
            inset = 0.04 if thing.kind == "slab" else 0.0
            _square(mask, int(thing.row), int(thing.col), 255, inset, density)
    return mask


@lru_cache(maxsize=2)
def board_drawing(rows: int, cols: int, ground: tuple[Thing, ...]) -> tuple[Picture, NDArray[np.uint8]]:
    """The floor, and the raised things (BGRA), both with `DENSITY` px per square."""
    low = paint_board(rows, cols, (thing for thing in ground if thing.kind not in RAISED), DENSITY)
    high = paint_board(rows, cols, ground, DENSITY)
    return low, np.dstack([high, raised(rows, cols, ground, DENSITY)])


def pawn(kind: str) -> Iterator[tuple[float, float, Ink]]:
    """A pawn's discs from foot to head: height (0 to 1), radius in squares, and colour."""
    look = pawn_look(kind)
    for step in range(SLICES):
        part = step / (SLICES - 1)
        blue, green, red = (min(255, round((0.78 + 0.28 * part) * value)) for value in look.ink)
        yield part, look.foot * (1 - 0.3 * part), (blue, green, red)


def draw_pawn(picture: Picture, view: View, piece: Thing) -> None:
    """Draw a pawn on its square's centre, with its shadow, into the picture."""
    x, y = piece.col + 0.5, piece.row + 0.5
    shade(picture, view, _disc(x, y, pawn_look(piece.kind).foot), 0, (0.16, 0.12), 0.28, 3)
    for part, radius, ink in pawn(piece.kind):
        outline = np.column_stack([_disc(x, y, radius), np.full(CORNERS, part * PAWN_Z)])
        cv2.fillPoly(picture, [(view.project(outline) * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def _disc(x: float, y: float, radius: float) -> Floats:
    around = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    return np.asarray(np.column_stack([x + radius * np.cos(around), y + radius * np.sin(around)]), np.float64)


def _square(flat: NDArray[np.uint8], row: int, col: int, ink: Ink | int, inset: float, density: int) -> None:
    low = round((row + inset) * density), round((col + inset) * density)
    high = round((row + 1 - inset) * density), round((col + 1 - inset) * density)
    flat[low[0] : high[0], low[1] : high[1]] = ink


def _table(flat: Picture, squares: list[tuple[int, int]], density: int) -> None:
    rows, cols = [row for row, _ in squares], [col for _, col in squares]
    low = _px(min(rows), min(cols), density)
    high = _px(max(rows) + 1, max(cols) + 1, density)
    flat[low[1] : high[1], low[0] : high[0]] = WOOD_INK
    cv2.rectangle(flat, low, high, WOOD_EDGE_INK, max(2, density // 16))


def _px(row: float, col: float, density: int) -> tuple[int, int]:
    """A point of the board in px of its drawing, (x, y)."""
    return round(col * density), round(row * density)
