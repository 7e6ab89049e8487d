"""Flat pictures to lay drawn dice on: wood, cloth, carpet, waves, boards and printed sheets."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, float32
from lab.dice.drawing.noise import any_colour, field

SIDE_PX = 768
SIZE = (SIDE_PX, SIDE_PX)
"""Width and height of a table's picture; it is mirrored beyond its edges."""


def draw_table(rng: Generator, edge_px: float) -> Float32:
    """A table top: BGR 0–1, shape `(SIDE_PX, SIDE_PX, 3)`; a die's edge spans `edge_px` of its px."""
    kinds: dict[Callable[[Generator, float], Float32], float] = {
        _plain: 0.3, _wood: 0.22, _cloth: 0.14, _carpet: 0.1, _waves: 0.06, _squares: 0.12, _patchwork: 0.06,
    }  # fmt: skip
    top = list(kinds)[int(rng.choice(len(kinds), p=list(kinds.values())))](rng, edge_px)
    grain = rng.normal(0, rng.uniform(0, 0.025), top.shape[:2]).astype(np.float32)
    return np.asarray(np.clip(top + grain[..., None], 0, 1), np.float32)


def _blend(mix: Float32, first: Float32, second: Float32) -> Float32:
    return np.asarray(first + (second - first) * np.clip(mix, 0, 1)[..., None], np.float32)


def _table_colour(rng: Generator) -> Float32:
    if rng.random() < 0.4:
        return np.asarray(np.full(3, rng.uniform(0.05, 1)) + rng.normal(0, 0.025, 3), np.float32).clip(0, 1)
    return any_colour(rng)


def _plain(rng: Generator, edge_px: float) -> Float32:
    mix = 0.5 + 0.5 * field(rng, SIZE, (300, 300), 3)
    first = _table_colour(rng)
    return _blend(mix, first, np.clip(first * rng.uniform(0.85, 1.15, 3), 0, 1).astype(np.float32))


def _wood(rng: Generator, edge_px: float) -> Float32:
    tone = float32([rng.uniform(0.15, 0.65), rng.uniform(0.35, 0.8), rng.uniform(0.55, 0.95)])
    tone *= rng.uniform(0.4, 1)
    long, across = rng.uniform(150, 500), rng.uniform(4, 30)
    rings = field(rng, SIZE, (long, across * 4), 2) * rng.uniform(1, 6)
    down = np.arange(SIDE_PX, dtype=np.float32)[:, None] / across
    mix = 0.5 + 0.35 * np.sin(down + rings) + 0.4 * field(rng, SIZE, (long, 3), 2)
    wood = _blend(mix.astype(np.float32), tone, (tone * rng.uniform(0.55, 0.95)).astype(np.float32))
    if rng.random() < 0.5:
        for seam in np.arange(rng.uniform(0, 100), SIDE_PX, rng.uniform(80, 300)):
            wood[int(seam) : int(seam) + int(rng.integers(1, 4))] *= rng.uniform(0.3, 0.8)
    return _spin(rng, wood)


def _cloth(rng: Generator, edge_px: float) -> Float32:
    step = rng.uniform(2.5, max(3.0, edge_px / 4))
    place = np.arange(SIDE_PX, dtype=np.float32) * (2 * np.pi / step)
    weave = np.sin(place)[:, None] * np.sin(place)[None] * 0.5 + 0.5
    mix = weave * rng.uniform(0.3, 1) + 0.3 * field(rng, SIZE, (step * 2, step * 2), 2)
    first = _table_colour(rng)
    second = np.clip(first * rng.uniform(0.6, 1.3), 0, 1).astype(np.float32)
    return _spin(rng, _blend(mix.astype(np.float32), first, second))


def _carpet(rng: Generator, edge_px: float) -> Float32:
    cell = rng.uniform(2, edge_px * 0.8)
    mix = 0.5 + rng.uniform(0.3, 1.5) * field(rng, SIZE, (cell, cell), 2)
    first, second = _table_colour(rng), _table_colour(rng)
    return _blend(mix, first, first + (second - first) * np.float32(rng.uniform(0.2, 1)))


def _waves(rng: Generator, edge_px: float) -> Float32:
    down = np.arange(SIDE_PX, dtype=np.float32)[:, None]
    step = rng.uniform(0.4, 2.5) * edge_px
    bend = rng.uniform(0.5, 4) * field(rng, SIZE, (3 * step, 3 * step), 2)
    mix = 0.5 + 0.5 * np.sin(down / step * 6.28 + bend)
    if rng.random() < 0.4:
        mix = (mix > 0.5).astype(np.float32)
    return _spin(rng, _blend(float32(mix), _table_colour(rng), _table_colour(rng)))


def _squares(rng: Generator, edge_px: float) -> Float32:
    board = _plain(rng, edge_px)
    side = int(rng.uniform(0.9, 4) * edge_px)
    first, second, ink = any_colour(rng), any_colour(rng), any_colour(rng)
    check = rng.random() < 0.6
    count = SIDE_PX // side + 1
    for row in range(count):
        for col in range(count):
            corner, far = (col * side, row * side), (col * side + side, row * side + side)
            if check:
                tone = first if (row + col) % 2 else second
                cv2.rectangle(board, corner, far, [float(c * rng.uniform(0.95, 1.05)) for c in tone], -1)
            if rng.random() < 0.18:
                middle = (corner[0] + side // 2, corner[1] + side // 2)
                radius = max(1, int(side * rng.uniform(0.05, 0.4)))
                cv2.circle(board, middle, radius, [float(c) for c in any_colour(rng)], -1)
    width = int(rng.integers(1, 4))
    for line in range(0, SIDE_PX, side):
        cv2.line(board, (line, 0), (line, SIDE_PX), [float(c) for c in ink], width, cv2.LINE_AA)
        cv2.line(board, (0, line), (SIDE_PX, line), [float(c) for c in ink], width, cv2.LINE_AA)
    return _spin(rng, board)


def _patchwork(rng: Generator, edge_px: float) -> Float32:
    sheet = _plain(rng, edge_px)
    for _ in range(int(rng.integers(10, 60))):
        tone = [float(c) for c in any_colour(rng)]
        x, y = (int(v) for v in rng.integers(0, SIDE_PX, 2))
        size = rng.uniform(0.3, 5) * edge_px
        if rng.random() < 0.5:
            points = (float32([x, y]) + rng.normal(0, size, (int(rng.integers(3, 7)), 2))).astype(np.int32)
            cv2.fillPoly(sheet, [points], tone, cv2.LINE_AA)
        else:
            thick = -1 if rng.random() < 0.6 else int(rng.integers(1, 9))
            cv2.circle(sheet, (x, y), int(size), tone, thick, cv2.LINE_AA)
    return sheet


def _spin(rng: Generator, sheet: Float32) -> Float32:
    turn = cv2.getRotationMatrix2D((SIDE_PX / 2, SIDE_PX / 2), rng.uniform(0, 360), 1.0)
    return float32(cv2.warpAffine(sheet, turn, SIZE, borderMode=cv2.BORDER_REFLECT_101))
