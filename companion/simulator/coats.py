"""Draws the coats of tiles: a few colours in a pattern, for named owners and any others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind
from companion.simulator.dice import INKS

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""
Field = NDArray[np.float32]
"""The strength of a mark in each px, 0 to 1, shape (height, width)."""

DENSITY = 48
TONES = (0.8, 1.0, 1.2)
"""The brightnesses of a plain coat's base, relative to its owner's colour."""


@dataclass(frozen=True)
class Coat:
    """A coat: the colours of base, mark and second mark, the pattern of the marks, and its random seed."""

    base: Colour
    mark: Colour
    second: Colour
    pattern: str
    seed: int


def colour_of(name: str) -> Colour:
    """The colour that a name names, or else a strong one derived from its letters."""
    if name in INKS:
        return INKS[name]
    hue = crc32(name.encode()) % 180
    blue, green, red = cv2.cvtColor(np.array([[[hue, 190, 200]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def plain_coat(owner: str, kind: Kind) -> Coat:
    """A coat in the owner's colour, with marks that follow from the kind."""
    seed = crc32(f"{owner} {kind}".encode())
    of_kind = crc32(str(kind).encode())
    tone = TONES[of_kind % len(TONES)]
    base, mark = _toned(colour_of(owner), tone), colour_of(f"kind {kind}")
    return Coat(base, mark, _toned(mark, 0.6), sorted(PATTERNS)[of_kind % len(PATTERNS)], seed)


def _toned(colour: Colour, tone: float) -> Colour:
    blue, green, red = (min(255, round(part * tone)) for part in colour)
    return blue, green, red


def paint_coat(coat: Coat, height: int, width: int, square_px: int) -> NDArray[np.uint8]:
    """The coat as a picture, shape (height, width, 3), BGR, with `square_px` px per square of the board."""
    random = np.random.default_rng(coat.seed)
    mark, second = PATTERNS[coat.pattern](random, height, width, square_px)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = coat.base
    for strength, colour in ((second, coat.second), (mark, coat.mark)):
        picture += strength[..., None] * (np.array(colour, np.float32) - picture)
    fur = _waves(random, height, width, square_px / 9, square_px / 22)
    return np.clip(picture + (fur[..., None] - 0.5) * 26, 0, 255).astype(np.uint8)


def _waves(random: np.random.Generator, height: int, width: int, down_px: float, across_px: float) -> Field:
    """Smooth noise from 0 to 1 with lumps of about this size."""
    rows, cols = max(3, int(height / down_px) + 2), max(3, int(width / across_px) + 2)
    coarse = random.random((rows, cols)).astype(np.float32)
    fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(fine, 0, 1), np.float32)


def _step(field: NDArray[np.floating[Any]], edge: float, softness: float) -> Field:
    """0 below `edge`, 1 above, soft in between."""
    t = np.clip((field - edge) / softness + 0.5, 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def _stripes(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """A tabby: wavy stripes across, lighter towards one side."""
    down = np.arange(height, dtype=np.float32)[:, None] / square_px
    bend = _waves(random, height, width, square_px * 0.9, square_px * 0.7)
    slant = np.arange(width, dtype=np.float32)[None, :] / square_px * random.uniform(-0.5, 0.5)
    wave = np.sin((down + slant + bend * 0.55) * 2 * np.pi * random.uniform(1.9, 2.5))
    broken = _waves(random, height, width, square_px * 0.5, square_px * 0.5)
    second = _waves(random, height, width, square_px, square_px) * 0.45
    return _step(wave + broken * 0.8 - 0.4, 0.25, 0.5), second


def _brindle(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Many thin, broken, slanting streaks."""
    down = np.arange(height, dtype=np.float32)[:, None] / square_px
    across = np.arange(width, dtype=np.float32)[None, :] / square_px
    bend = _waves(random, height, width, square_px * 0.4, square_px * 0.4)
    wave = np.sin((down * 3.4 + across * 1.9 + bend * 1.1) * 2 * np.pi)
    broken = _waves(random, height, width, square_px * 0.35, square_px * 0.35)
    return _step(wave * 0.6 + broken, 0.6, 0.5), _waves(random, height, width, square_px, square_px) * 0.5


def _patches(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Large patches of two colours on the base."""
    first = _waves(random, height, width, square_px * 1.1, square_px * 1.1)
    other = _waves(random, height, width, square_px * 1.1, square_px * 1.1)
    return _step(first, 0.6, 0.1), _step(other, 0.63, 0.1)


def _mottled(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """A tortoiseshell or a merle: small torn flecks."""
    first = _waves(random, height, width, square_px * 0.35, square_px * 0.3)
    other = _waves(random, height, width, square_px * 0.5, square_px * 0.4)
    return _step(first, 0.56, 0.18), _step(other, 0.72, 0.15) * 0.8


def _bib(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """One wide band of the mark across the middle, as a white chest."""
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    bend = _waves(random, height, width, square_px * 0.8, square_px * 0.8) - 0.5
    second = _waves(random, height, width, square_px, square_px) * 0.5
    return _step(0.42 - np.abs(down + bend * 0.5), 0, 0.12), second


def _points(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Marks at the head and the foot, fading towards the middle."""
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    bend = _waves(random, height, width, square_px * 0.6, square_px * 0.6) - 0.5
    second = _waves(random, height, width, square_px, square_px) * 0.5
    return _step(np.abs(down) + bend * 0.3, 0.72, 0.4), second


def _spots(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    spots = np.zeros((height, width), np.uint8)
    for _ in range(int(height * width / square_px**2 * 3.2)):
        middle = int(random.integers(0, width)), int(random.integers(0, height))
        axes = int(square_px * random.uniform(0.06, 0.17)), int(square_px * random.uniform(0.06, 0.15))
        cv2.ellipse(spots, middle, axes, float(random.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    return np.asarray(spots / 255, np.float32), np.zeros((height, width), np.float32)


def _curls(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Woolly curls: rings beside rings."""
    rings = np.zeros((height, width), np.uint8)
    for _ in range(int(height * width / square_px**2 * 9)):
        middle = int(random.integers(0, width)), int(random.integers(0, height))
        radius = int(square_px * random.uniform(0.08, 0.2))
        begin = float(random.uniform(0, 360))
        cv2.ellipse(rings, middle, (radius, radius), begin, 0, 260, 255, max(1, square_px // 18), cv2.LINE_AA)
    second = _waves(random, height, width, square_px, square_px) * 0.6
    return np.asarray(rings / 255 * 0.8, np.float32), second


def _plain(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    sheen = _waves(random, height, width, square_px * 1.2, square_px * 0.8)
    return sheen * np.float32(0.5), _waves(random, height, width, square_px * 1.5, square_px * 1.5) * 0.3


Pattern = Callable[[np.random.Generator, int, int, int], tuple[Field, Field]]
"""Takes a random generator, height, width and px per square; returns the two fields of marks."""
PATTERNS: dict[str, Pattern] = {
    "stripes": _stripes,
    "brindle": _brindle,
    "patches": _patches,
    "mottled": _mottled,
    "bib": _bib,
    "points": _points,
    "spots": _spots,
    "curls": _curls,
    "plain": _plain,
}
