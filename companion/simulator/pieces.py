"""Draws what people lay on the table, flat: tiles with their tails and faces, markers, a cup."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind
from companion.simulator.coats import DENSITY, Colour, paint_coat
from companion.simulator.looks import Face, coat_of, look_of

TAIL_SQUARES = 1.5
"""The maximum reach of a tail beyond its tile, in squares."""
MARGIN = int(TAIL_SQUARES * DENSITY)
"""The same in px, around a tail's uncut drawing."""

Rgba = NDArray[np.uint8]
"""A drawing with transparency, shape (H, W, 4): BGR and alpha, 0 to 255."""


@lru_cache(maxsize=128)
def tile_body(owner: str, kind: Kind, shape: tuple[str, ...], turns: int) -> Rgba:
    """A tile without its tail, turned clockwise: the turned box, `DENSITY` px per square."""
    height, width = len(shape) * DENSITY, max(map(len, shape)) * DENSITY
    coat = coat_of(owner, kind)
    picture = paint_coat(coat, height, width, DENSITY)
    alpha = np.zeros((height, width), np.uint8)
    for row, line in enumerate(shape):
        for col, sign in enumerate(line):
            if sign == "#":
                alpha[row * DENSITY : (row + 1) * DENSITY, col * DENSITY : (col + 1) * DENSITY] = 255
    # Darker towards its edge, so that it looks thick and plush.
    padded = cv2.copyMakeBorder(alpha, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1] / (DENSITY * 0.16)
    light = 0.72 + 0.28 * np.sqrt(np.clip(depth, 0, 1))
    picture[:] = np.clip(picture * light[..., None], 0, 255).astype(np.uint8)
    _face(picture, owner, coat.base, coat.mark, (_middle_square(shape[0]) + 0.5, 0.52))
    body = np.dstack([picture, alpha])
    return np.ascontiguousarray(np.rot90(body, -turns))


@lru_cache(maxsize=128)
def tile_tail(
    owner: str, kind: Kind, shape: tuple[str, ...], turns: int
) -> tuple[Rgba, tuple[float, float]] | None:
    """A tile's tail, and its drawing's position from the turned box's top left, (x, y) in squares.

    None if the owner's tiles have no tail.
    """
    half = look_of(owner).tail
    if not half:
        return None
    height, width = len(shape) * DENSITY + 2 * MARGIN, max(map(len, shape)) * DENSITY + 2 * MARGIN
    coat = coat_of(owner, kind)
    random = np.random.default_rng(coat.seed + 1)
    foot = _middle_square(shape[-1])
    x, y = MARGIN + (foot + 0.5) * DENSITY, MARGIN + len(shape) * DENSITY - 0.25 * DENSITY
    curl = float(random.choice([-1, 1]) * random.uniform(0.5, 1.1))
    along = np.linspace(0, 1, 24)
    reach = DENSITY * random.uniform(0.75, 1.0)
    spine = np.column_stack([x + curl * DENSITY * 0.7 * along**2.2, y + reach * np.sin(along * 2.0) * 1.05])
    tail = np.zeros((height, width, 4), np.uint8)
    thick = DENSITY * half
    for shade, move, thinner in ((0.72, 0, 0), (1.0, -1, 4)):
        for number, (point, ahead) in enumerate(pairwise(spine)):
            ink = coat.mark if number % 6 < 2 or number > 19 else coat.base
            width_px = max(2, round(2 * thick * (1 - 0.35 * number / 24))) - thinner
            colour = (*(part * shade for part in ink), 255)
            cv2.line(tail, _px(point + move), _px(ahead + move), colour, max(1, width_px), cv2.LINE_AA)
    # Cut to its content.
    drawing = np.ascontiguousarray(np.rot90(tail, -turns))
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(drawing[..., 3]))
    cut = np.ascontiguousarray(drawing[y : y + height, x : x + width])
    return cut, ((x - MARGIN) / DENSITY, (y - MARGIN) / DENSITY)


@lru_cache(maxsize=8)
def marker(owner: str) -> Rgba:
    """A round marker of an owner, one square wide."""
    disc = np.zeros((DENSITY, DENSITY, 4), np.uint8)
    middle = DENSITY // 2
    look = look_of(owner)
    ground, ink = look.marker
    cv2.circle(disc, (middle, middle), int(DENSITY * 0.4), (*ink, 255), -1, cv2.LINE_AA)
    cv2.circle(disc, (middle, middle), int(DENSITY * 0.35), (*ground, 255), -1, cv2.LINE_AA)
    if look.sign is not None:
        look.sign(disc, ink)
    return disc


@lru_cache(maxsize=1)
def cup() -> Rgba:
    """A cup of coffee from above, 3 squares wide with its saucer."""
    side = 3 * DENSITY
    seen = np.zeros((side, side, 4), np.uint8)
    middle = (side // 2, side // 2)
    for radius, ink in ((1.45, (222, 228, 232)), (1.32, (238, 242, 244)), (1.05, (206, 214, 220))):
        cv2.circle(seen, middle, int(radius * DENSITY), (*ink, 255), -1, cv2.LINE_AA)
    for radius, ink in ((0.92, (248, 250, 250)), (0.8, (44, 66, 104)), (0.62, (52, 78, 120))):
        cv2.circle(seen, middle, int(radius * DENSITY), (*ink, 255), -1, cv2.LINE_AA)
    begin, end = (int(side * 0.78), int(side * 0.3)), (int(side * 0.92), int(side * 0.2))
    cv2.line(seen, begin, end, (248, 250, 250, 255), 9, cv2.LINE_AA)
    return seen


def _middle_square(row: str) -> int:
    """The column of the middle square of a row: of the face in the top one, of the tail in the bottom one."""
    filled = [col for col, sign in enumerate(row) if sign == "#"]
    return filled[len(filled) // 2]


def _face(
    picture: NDArray[np.uint8], owner: str, base: Colour, mark: Colour, head: tuple[float, float]
) -> None:
    draw_face = look_of(owner).face
    if draw_face is None:
        return
    light: Colour = tuple(min(255, int(part * 0.55 + 120)) for part in base)  # type: ignore[assignment]
    dark: Colour = tuple(int(part * 0.55) for part in mark)  # type: ignore[assignment]
    draw_face(Face(picture, np.array(head) * DENSITY), light, dark)


def _px(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
