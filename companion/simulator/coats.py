"""The coats of the cats and dogs: what is printed on each tile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Blue, green, red, 0 to 255."""
Field = NDArray[np.float32]
"""How strongly a mark shows in each px, 0 to 1, shape (height, width)."""


@dataclass(frozen=True)
class Coat:
    """A coat: base, mark and second mark colours, the pattern that the marks make and its own random seed."""

    base: Colour
    mark: Colour
    second: Colour
    pattern: str
    seed: int


def _bgr(rgb: str) -> Colour:
    """`rrggbb` as blue, green, red."""
    return int(rgb[4:6], 16), int(rgb[2:4], 16), int(rgb[0:2], 16)


def _coats(rows: tuple[tuple[str, str, str, str], ...], seed: int) -> dict[int, Coat]:
    return {
        digit: Coat(_bgr(base), _bgr(mark), _bgr(second), pattern, seed + digit)
        for digit, (base, mark, second, pattern) in enumerate(rows, start=1)
    }


COATS: dict[str, dict[int, Coat]] = {
    "cat": _coats(
        (
            ("e8a055", "c0702a", "f6d9b0", "stripes"),
            ("9aa0a6", "5f666e", "d9dcdf", "stripes"),
            ("f7f1e6", "d88a3d", "37302c", "patches"),
            ("3a3a40", "f4f1ec", "24242a", "bib"),
            ("efe2cb", "6b4d3a", "c9ab88", "points"),
            ("4b3a30", "c97a34", "e9c48d", "mottled"),
            ("c9b08c", "7c6144", "efe3cd", "stripes"),
            ("6a5f6e", "574d5c", "8d8290", "plain"),
            ("faf6ef", "55504e", "8a8480", "patches"),
        ),
        100,
    ),
    "dog": _coats(
        (
            ("f8f5ef", "2d2a2a", "57504e", "spots"),
            ("dba860", "c08a41", "f0d3a0", "curls"),
            ("5b3a26", "45291a", "7c5439", "curls"),
            ("f2e8d8", "8a4f28", "2f2623", "patches"),
            ("2b2724", "b8692e", "463d38", "points"),
            ("a9713c", "553219", "c99457", "brindle"),
            ("8f99a6", "f3f3f1", "596270", "bib"),
            ("e9dcc2", "cdb78f", "f8f1e0", "curls"),
            ("a3adba", "4a4f59", "e4e2de", "mottled"),
        ),
        200,
    ),
}
"""Each side's coats by digit."""


def coat_of(owner: str, digit: int) -> Coat:
    """The coat of a side's tile; sides and digits beyond those drawn here share the coats there are."""
    coats = COATS.get(owner, COATS["cat"])
    return coats[(digit - 1) % len(coats) + 1]


def paint_coat(coat: Coat, height: int, width: int, square_px: int) -> NDArray[np.uint8]:
    """The coat as a picture, shape (height, width, 3), BGR; `square_px` px make a square of the bed."""
    random = np.random.default_rng(coat.seed)
    mark, second = PATTERNS[coat.pattern](random, height, width, square_px)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = coat.base
    for strength, colour in ((second, coat.second), (mark, coat.mark)):
        picture += strength[..., None] * (np.array(colour, np.float32) - picture)
    fur = _waves(random, height, width, square_px / 9, square_px / 22)
    return np.clip(picture + (fur[..., None] - 0.5) * 26, 0, 255).astype(np.uint8)


def _waves(random: np.random.Generator, height: int, width: int, down_px: float, across_px: float) -> Field:
    """Smooth noise from 0 to 1 whose lumps are about so large."""
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
    return _step(wave + broken * 0.8 - 0.4, 0.25, 0.5), _waves(
        random, height, width, square_px, square_px
    ) * 0.45


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
    return _step(0.42 - np.abs(down + bend * 0.5), 0, 0.12), _waves(
        random, height, width, square_px, square_px
    ) * 0.5


def _points(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Marks at the head and the foot, fading towards the middle."""
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    bend = _waves(random, height, width, square_px * 0.6, square_px * 0.6) - 0.5
    return _step(np.abs(down) + bend * 0.3, 0.72, 0.4), _waves(
        random, height, width, square_px, square_px
    ) * 0.5


def _spots(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Round spots, some smaller."""
    spots = np.zeros((height, width), np.uint8)
    for _ in range(int(height * width / square_px**2 * 3.2)):
        at = int(random.integers(0, width)), int(random.integers(0, height))
        axes = int(square_px * random.uniform(0.06, 0.17)), int(square_px * random.uniform(0.06, 0.15))
        cv2.ellipse(spots, at, axes, float(random.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
    return np.asarray(spots / 255, np.float32), np.zeros((height, width), np.float32)


def _curls(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """Woolly curls: rings beside rings."""
    rings = np.zeros((height, width), np.uint8)
    for _ in range(int(height * width / square_px**2 * 9)):
        at = int(random.integers(0, width)), int(random.integers(0, height))
        radius = int(square_px * random.uniform(0.08, 0.2))
        begin = float(random.uniform(0, 360))
        cv2.ellipse(rings, at, (radius, radius), begin, 0, 260, 255, max(1, square_px // 18), cv2.LINE_AA)
    return np.asarray(rings / 255 * 0.8, np.float32), _waves(
        random, height, width, square_px, square_px
    ) * 0.6


def _plain(random: np.random.Generator, height: int, width: int, square_px: int) -> tuple[Field, Field]:
    """One colour with a soft sheen."""
    sheen = _waves(random, height, width, square_px * 1.2, square_px * 0.8)
    return sheen * np.float32(0.5), _waves(random, height, width, square_px * 1.5, square_px * 1.5) * 0.3


Pattern = Callable[[np.random.Generator, int, int, int], tuple[Field, Field]]
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
"""By name: how strongly the mark and the second mark show in each px."""
