"""What covers each square: the same code for a bed and for any board of squares."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.vision.coats import ANYTHING
from hardware.vision.light import NOISE_FLOOR, STEEPEST, Colours, Floats, Light

Densities = NDArray[np.float32]

TAIL_WEIGHT = 2.0
"""Degrees of freedom of what is left between an empty square and its reference: edges and shadows have long tails."""
SOMETHING_LIES_THERE = 0.05
"""The share of an empty square's samples that may show anything at all: a tail, a paw marker, a reflection."""
DARKEST, LIGHTEST = -0.4, 0.15
"""How far a shadow or a glare may change a whole square's luma, as logarithms."""
GAIN_WIDTH = 0.12
GAIN_PRICE = 0.3
GAIN_FEE = 0.1
"""What a shadow or glare over the square costs, in the units of the log-densities."""


def empty_likelihood(picture: Colours, expected: Colours, steep: Colours, light: Light) -> Densities:
    """How well each square fits its empty self, as a mean log-density, shape (rows, cols).

    All three arrays have shape (rows, cols, samples, 3): the picture, what the reference looks like under the
    picture's light, and how steep the reference is there.
    """
    width = np.sqrt(light.noise.astype(np.float32) ** 2 + (STEEPEST * steep) ** 2)
    off = picture - expected
    plain = _student(off, width)
    gain = np.clip(np.median(off[..., 0], axis=-1), DARKEST, LIGHTEST)
    off = off.copy()
    off[..., 0] -= gain[..., None]
    price = GAIN_PRICE * np.minimum((gain / GAIN_WIDTH) ** 2 / 2, 4) + GAIN_FEE
    return np.asarray(np.maximum(plain, _student(off, width) - price), dtype=np.float32)


def _student(off: Colours, width: Colours) -> Densities:
    far = ((off / width) ** 2).sum(axis=-1)
    log = -np.log(15.75 * width.prod(axis=-1)) - (TAIL_WEIGHT + 3) / 2 * np.log1p(far / TAIL_WEIGHT)
    mixed = np.log((1 - SOMETHING_LIES_THERE) * np.exp(log) + SOMETHING_LIES_THERE * ANYTHING)
    return np.asarray(mixed.mean(axis=-1), dtype=np.float32)
