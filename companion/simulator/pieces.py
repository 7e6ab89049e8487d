"""What people lay on the table, drawn flat: tiles with their tails and faces, paw markers, a cup."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.simulator.coats import Colour, coat_of, paint_coat

DENSITY = 48
"""Px a square in the drawings of pieces."""
TAIL_SQUARES = 1.5
"""How far a tail reaches beyond its tile at most."""
MARGIN = int(TAIL_SQUARES * DENSITY)

PAW_INKS = {"cat": ((120, 190, 250), (40, 80, 160)), "dog": ((150, 84, 44), (242, 228, 208))}
"""Each side's paw marker: its ground and its paw."""

Rgba = NDArray[np.uint8]
"""A drawing with how much it covers, shape (H, W, 4): BGR and alpha, 0 to 255."""


@lru_cache(maxsize=128)
def tile_body(owner: str, digit: int, shape: tuple[str, ...], turns: int) -> Rgba:
    """A tile without its tail, turned clockwise: the turned box, `DENSITY` px a square."""
    height, width = len(shape) * DENSITY, max(map(len, shape)) * DENSITY
    coat = coat_of(owner, digit)
    picture = paint_coat(coat, height, width, DENSITY)
    alpha = np.zeros((height, width), np.uint8)
    for row, line in enumerate(shape):
        for col, sign in enumerate(line):
            if sign == "#":
                alpha[row * DENSITY : (row + 1) * DENSITY, col * DENSITY : (col + 1) * DENSITY] = 255
    _round_off(picture, alpha)
    _face(picture, owner, coat.base, coat.mark, _head(shape))
    body = np.dstack([picture, alpha])
    return np.ascontiguousarray(np.rot90(body, -turns))


@lru_cache(maxsize=128)
def tile_tail(owner: str, digit: int, shape: tuple[str, ...], turns: int) -> tuple[Rgba, tuple[float, float]]:
    """A tile's tail alone, and where its drawing lies from the turned box's top left, (x, y) in squares."""
    height, width = len(shape) * DENSITY + 2 * MARGIN, max(map(len, shape)) * DENSITY + 2 * MARGIN
    coat = coat_of(owner, digit)
    random = np.random.default_rng(coat.seed + 1)
    foot = _foot(shape)
    x, y = MARGIN + (foot + 0.5) * DENSITY, MARGIN + len(shape) * DENSITY - 0.25 * DENSITY
    curl = float(random.choice([-1, 1]) * random.uniform(0.5, 1.1))
    along = np.linspace(0, 1, 24)
    reach = DENSITY * random.uniform(0.75, 1.0)
    spine = np.column_stack([x + curl * DENSITY * 0.7 * along**2.2, y + reach * np.sin(along * 2.0) * 1.05])
    tail = np.zeros((height, width, 4), np.uint8)
    thick = DENSITY * (0.1 if owner == "cat" else 0.13)
    for shade, move, thinner in ((0.72, 0, 0), (1.0, -1, 4)):
        for number, (at, ahead) in enumerate(pairwise(spine)):
            ink = coat.mark if number % 6 < 2 or number > 19 else coat.base
            width_px = max(2, round(2 * thick * (1 - 0.35 * number / 24))) - thinner
            colour = (*(part * shade for part in ink), 255)
            cv2.line(tail, _px(at + move), _px(ahead + move), colour, max(1, width_px), cv2.LINE_AA)
    return _trimmed(np.ascontiguousarray(np.rot90(tail, -turns)))


def _trimmed(drawing: Rgba) -> tuple[Rgba, tuple[float, float]]:
    """A drawing on a margin of `MARGIN`, cut to what it covers, and where that lies in squares."""
    x, y, width, height = cv2.boundingRect(np.ascontiguousarray(drawing[..., 3]))
    cut = np.ascontiguousarray(drawing[y : y + height, x : x + width])
    return cut, ((x - MARGIN) / DENSITY, (y - MARGIN) / DENSITY)


@lru_cache(maxsize=8)
def paw_marker(owner: str) -> Rgba:
    """A round paw marker of a side, one square wide."""
    disc = np.zeros((DENSITY, DENSITY, 4), np.uint8)
    middle = DENSITY // 2
    ground, ink = PAW_INKS.get(owner, PAW_INKS["cat"])
    cv2.circle(disc, (middle, middle), int(DENSITY * 0.4), (*ink, 255), -1, cv2.LINE_AA)
    cv2.circle(disc, (middle, middle), int(DENSITY * 0.35), (*ground, 255), -1, cv2.LINE_AA)
    pad, heel = (middle, int(DENSITY * 0.6)), (int(DENSITY * 0.14), int(DENSITY * 0.11))
    cv2.ellipse(disc, pad, heel, 0, 0, 360, (*ink, 255), -1, cv2.LINE_AA)
    for angle in np.radians((-58, -20, 20, 58)):
        toe = np.array([middle + DENSITY * 0.22 * np.sin(angle), DENSITY * (0.6 - 0.24 * np.cos(angle))])
        cv2.circle(disc, _px(toe), int(DENSITY * 0.06), (*ink, 255), -1, cv2.LINE_AA)
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
    cv2.line(
        seen,
        (int(side * 0.78), int(side * 0.3)),
        (int(side * 0.92), int(side * 0.2)),
        (248, 250, 250, 255),
        9,
        cv2.LINE_AA,
    )
    return seen


def _round_off(picture: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> None:
    """Darken a tile towards its edge, so that it looks thick and plush."""
    padded = cv2.copyMakeBorder(alpha, 1, 1, 1, 1, cv2.BORDER_CONSTANT)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1] / (DENSITY * 0.16)
    light = 0.72 + 0.28 * np.sqrt(np.clip(depth, 0, 1))
    picture[:] = np.clip(picture * light[..., None], 0, 255).astype(np.uint8)


def _head(shape: tuple[str, ...]) -> tuple[float, float]:
    """Where the face goes, (x, y) in squares: the middle one of the squares in the top row."""
    filled = [col for col, sign in enumerate(shape[0]) if sign == "#"]
    return filled[len(filled) // 2] + 0.5, 0.52


def _foot(shape: tuple[str, ...]) -> int:
    """The column whose lowest square the tail is plugged into: the middle of the bottom row's squares."""
    filled = [col for col, sign in enumerate(shape[-1]) if sign == "#"]
    return filled[len(filled) // 2]


def _face(
    picture: NDArray[np.uint8], owner: str, base: Colour, mark: Colour, head: tuple[float, float]
) -> None:
    """A cat's or a dog's face around `head` (x, y in squares)."""
    face = _Face(picture, np.array(head) * DENSITY)
    light: Colour = tuple(min(255, int(part * 0.55 + 120)) for part in base)  # type: ignore[assignment]
    dark: Colour = tuple(int(part * 0.55) for part in mark)  # type: ignore[assignment]
    (_cat_face if owner == "cat" else _dog_face)(face, light, dark)


class _Face:
    """Draws around a face's middle; places and sizes in half squares."""

    def __init__(self, picture: NDArray[np.uint8], middle: NDArray[np.float64]) -> None:
        self.picture, self.middle = picture, middle

    def at(self, x: float, y: float) -> tuple[int, int]:
        return _px(self.middle + np.array([x, y]) * (DENSITY / 2))

    def oval(self, x: float, y: float, across: float, down: float, ink: Colour, angle: float = 0) -> None:
        axes = max(1, round(across * DENSITY / 2)), max(1, round(down * DENSITY / 2))
        cv2.ellipse(self.picture, self.at(x, y), axes, angle, 0, 360, ink, -1, cv2.LINE_AA)

    def triangle(self, corners: tuple[tuple[float, float], ...], ink: Colour) -> None:
        points = np.array([self.at(x, y) for x, y in corners], np.int32)
        cv2.fillPoly(self.picture, [points], ink, cv2.LINE_AA)

    def hair(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        cv2.line(self.picture, self.at(*begin), self.at(*end), (70, 70, 70), 1, cv2.LINE_AA)


def _cat_face(face: _Face, light: Colour, dark: Colour) -> None:
    for side in (-1, 1):
        face.triangle(((side * 0.82, -0.05), (side * 0.72, -0.92), (side * 0.15, -0.55)), dark)
    face.oval(0, 0.12, 0.82, 0.68, light)
    for side in (-1, 1):
        face.oval(side * 0.34, 0.02, 0.16, 0.2, (90, 190, 150))
        face.oval(side * 0.34, 0.02, 0.06, 0.19, (24, 24, 24))
        for y in (0.22, 0.42):
            face.hair((side * 0.25, 0.36), (side * 0.95, y))
    face.triangle(((-0.11, 0.28), (0.11, 0.28), (0, 0.42)), (130, 120, 230))


def _dog_face(face: _Face, light: Colour, dark: Colour) -> None:
    face.oval(0, 0.05, 0.7, 0.74, light)
    for side in (-1, 1):
        face.oval(side * 0.72, -0.1, 0.22, 0.5, dark, side * -14)
        face.oval(side * 0.28, -0.1, 0.11, 0.11, (24, 24, 24))
    face.oval(
        0, 0.38, 0.36, 0.28, (min(255, light[0] + 30), min(255, light[1] + 30), min(255, light[2] + 30))
    )
    face.oval(0, 0.25, 0.17, 0.12, (30, 28, 28))


def _px(point: NDArray[np.float64]) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
