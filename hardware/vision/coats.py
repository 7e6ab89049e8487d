"""What tiles look like: the colours and the grain of each coat, learned from the squares that a tile covered."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.vision.light import SAMPLES, Colours, Floats

Boxes = NDArray[np.int32]
Densities = NDArray[np.float32]

LOWEST = np.array([4.1, -0.6, -0.6], dtype=np.float32)
STEPS = np.array([0.05, 0.025, 0.025], dtype=np.float32)
SIZE = (34, 49, 49)
"""Colours are counted in boxes of STEPS from LOWEST on: all that a picture can hold, strong colours clipped."""
BLUR = np.array([0.10, 0.015, 0.015])
"""How far a coat's colour wanders over the bed (one-sided lamps, glare). Tried 0.06 to 0.2 and 0.015 to 0.03 on
the twenty pictures of finished boards: this mixes up fewest tiles of one shape."""
STRANGE = 0.08
"""The share of a tile that shows no colour of its coat: a tail over it, glare."""
ANYTHING = 1.0 / (1.6 * 1.0 * 1.0)
"""The density of a colour of which nothing is known."""
GRAIN_LOWEST = -6.0
GRAIN_STEP = 0.2
GRAINS = 30
GRAIN_BLUR = 0.25
"""Grain, the logarithm of how much luma varies around a sample, is counted in GRAINS boxes."""
GRAIN_FLOOR = 0.005


def colour_boxes(colours: Colours) -> Boxes:
    """Which box of colours each sample falls into, shape of `colours` without its last axis."""
    at = ((colours - LOWEST) * (1 / STEPS)).astype(np.int32)
    np.clip(at, 0, np.array(SIZE, dtype=np.int32) - 1, out=at)
    return np.asarray((at[..., 0] * SIZE[1] + at[..., 1]) * SIZE[2] + at[..., 2], dtype=np.int32)


def grain_boxes(colours: Colours) -> Boxes:
    """Which box of grain each sample falls into: `colours` (rows, cols, samples, 3) to (rows, cols, samples)."""
    rows, cols = colours.shape[:2]
    flat = colours[..., 0].reshape(rows, cols, SAMPLES, SAMPLES).transpose(0, 2, 1, 3)
    luma = np.ascontiguousarray(flat.reshape(rows * SAMPLES, cols * SAMPLES))
    around = cv2.GaussianBlur(luma, (0, 0), 0.8)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur((luma - around) ** 2, (0, 0), 1.0), 0))
    at = ((np.log(spread + GRAIN_FLOOR) - GRAIN_LOWEST) / GRAIN_STEP).astype(np.int32)
    at = np.clip(at, 0, GRAINS - 1).reshape(rows, SAMPLES, cols, SAMPLES).transpose(0, 2, 1, 3)
    return np.ascontiguousarray(at.reshape(rows, cols, SAMPLES * SAMPLES))


def _blur_matrix(count: int, width: float) -> Floats:
    at = np.arange(count)
    matrix = np.exp(-0.5 * ((at[:, None] - at[None, :]) / width) ** 2)
    return np.asarray(matrix / matrix.sum(axis=0, keepdims=True), dtype=np.float64)


_BLURS = [_blur_matrix(count, width) for count, width in zip(SIZE, BLUR / STEPS, strict=True)]
_GRAIN_BLUR = _blur_matrix(GRAINS, GRAIN_BLUR / GRAIN_STEP)


class Coat:
    """One coat: how likely each colour and each grain is on it.

    `colours` shape (N, 3) under the reference's light; `grains` shape (N,), boxes of grain.
    """

    def __init__(self, colours: Colours, grains: Boxes) -> None:
        self.colours = colours
        self.grains = grains
        counts = np.bincount(colour_boxes(colours).ravel(), minlength=int(np.prod(SIZE))).reshape(SIZE)
        share = np.tensordot(_BLURS[0], counts / len(colours), axes=(1, 0))
        share = np.matmul(np.matmul(_BLURS[1], share), _BLURS[2].T)
        known = share.ravel() / float(STEPS.prod())
        self.colour_log = np.log((1 - STRANGE) * known + STRANGE * ANYTHING).astype(np.float32)
        grain = _GRAIN_BLUR @ (np.bincount(grains.ravel(), minlength=GRAINS) / len(grains))
        flat = 1 / (GRAINS * GRAIN_STEP)
        self.grain_log = np.log((1 - STRANGE) * grain / GRAIN_STEP + STRANGE * flat).astype(np.float32)

    def likelihood(self, colours: Boxes, grains: Boxes) -> Densities:
        """The log-density of samples, averaged over the last axis."""
        return np.asarray((self.colour_log[colours] + self.grain_log[grains]).mean(axis=-1), dtype=np.float32)
