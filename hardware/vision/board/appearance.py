"""What tiles look like: the colours and the grain of each coat, learned from the squares that a tile
covered."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Float64, Picture
from hardware.vision.board.illumination import DARK, SAMPLES

Boxes = NDArray[np.int32]

LOWEST = np.array([4.1, -0.6, -0.6], dtype=np.float32)
STEPS = np.array([0.05, 0.025, 0.025], dtype=np.float32)
SIZE = (34, 49, 49)
"""Colours are counted in boxes of STEPS from LOWEST on: all that a picture can hold, strong colours
clipped."""
BLUR = np.array([0.10, 0.015, 0.015])
"""How far a coat's colour wanders over the bed (one-sided lamps, glare). Tried 0.04 to 0.2 and 0.01 to
0.03 on the twenty rendered pictures of finished boards: this mixes up fewest tiles of one shape."""
STRANGE = 0.08
"""The share of a tile that shows no colour of its coat: a tail over it, glare."""
ANYTHING = 1.0 / (1.6 * 1.0 * 1.0)
"""The density of a colour of which nothing is known."""
BANDS = ((0.0, 1.0, 2.0), (1.0, 2.0, 3.0), (2.0, 4.0, 4.0), (4.0, 8.0, 6.0))
"""Grain is how much luma varies in each band: blurred by the first but not by the second of its widths (in
px of 24 a square), averaged over the third. Fine stripes stand in the first, large spots in the last."""
GRAIN_LOWEST, GRAIN_STEP, GRAINS = -6.2, 0.2, 30
GRAIN_FLOOR = 0.002
GRAIN_BLUR = 0.25
"""Its logarithm is counted in GRAINS boxes, and blurred by GRAIN_BLUR."""


class Look(msgspec.Struct, frozen=True):
    """A square-on picture as boxes, ready to be looked up: each square's samples.

    `colours` shape (rows, cols, samples); `grains` shape (bands, rows, cols, samples).
    """

    colours: Boxes
    grains: Boxes


def colour_boxes(colours: Float32) -> Boxes:
    """Which box of colours each sample falls into, shape of `colours` without its last axis."""
    at = ((colours - LOWEST) * (1 / STEPS)).astype(np.int32)
    np.clip(at, 0, np.array(SIZE, dtype=np.int32) - 1, out=at)
    return np.asarray((at[..., 0] * SIZE[1] + at[..., 1]) * SIZE[2] + at[..., 2], dtype=np.int32)


def grain_boxes(square_on: Picture, rows: int, cols: int) -> Boxes:
    """Which box of grain each sample of a square-on picture falls into: shape (bands, rows, cols,
    samples)."""
    luma = cv2.transform(_LOGARITHMS[square_on], np.full((1, 3), 1 / 3, dtype=np.float32))
    blurred = {0.0: luma}
    for width in sorted({width for band in BANDS for width in band[:2]} - {0.0}):
        blurred[width] = cv2.GaussianBlur(luma, (0, 0), width)
    scale = luma.shape[0] // rows // SAMPLES
    found = np.empty((len(BANDS), rows, cols, SAMPLES * SAMPLES), dtype=np.int32)
    for number, (fine, coarse, around) in enumerate(BANDS):
        band = blurred[fine] - blurred[coarse]
        spread = cv2.GaussianBlur(band * band, (0, 0), around)[scale // 2 :: scale, scale // 2 :: scale]
        logs = np.log(np.sqrt(np.maximum(spread, 0)) + GRAIN_FLOOR)
        at = np.clip((logs - GRAIN_LOWEST) / GRAIN_STEP, 0, GRAINS - 1).astype(np.int32)
        found[number] = at.reshape(rows, SAMPLES, cols, SAMPLES).transpose(0, 2, 1, 3).reshape(rows, cols, -1)
    return found


_LOGARITHMS = np.log(np.arange(256) + DARK).astype(np.float32)


def _blur_matrix(count: int, width: float) -> Float64:
    at = np.arange(count)
    matrix = np.exp(-0.5 * ((at[:, None] - at[None, :]) / width) ** 2)
    return np.asarray(matrix / matrix.sum(axis=0, keepdims=True), dtype=np.float64)


_BLURS = [_blur_matrix(count, width) for count, width in zip(SIZE, BLUR / STEPS, strict=True)]
_GRAIN_BLUR = _blur_matrix(GRAINS, GRAIN_BLUR / GRAIN_STEP)


class Coat:
    """One coat: how likely each colour and each grain is on it.

    `colours` shape (N, 3) under the reference's light; `grains` shape (levels, bands, N), boxes of grain in
    the picture it was learned from, and in the same picture blurred, level by level.
    """

    def __init__(self, colours: Float32, grains: Boxes) -> None:
        self.colours = colours
        self.grains = grains
        counts = np.bincount(colour_boxes(colours).ravel(), minlength=int(np.prod(SIZE))).reshape(SIZE)
        share = np.tensordot(_BLURS[0], counts / len(colours), axes=(1, 0))
        share = np.matmul(np.matmul(_BLURS[1], share), _BLURS[2].T)
        known = share.ravel() / float(STEPS.prod())
        self.colour_log = np.log((1 - STRANGE) * known + STRANGE * ANYTHING).astype(np.float32)
        # Grain against a grain of which nothing is known, so that a coat's colours can be judged without it.
        self.grain_log = np.zeros((len(grains), len(BANDS), GRAINS), dtype=np.float32)
        for level, band in np.ndindex(*grains.shape[:2]):
            boxes = grains[level, band]
            share = _GRAIN_BLUR @ (np.bincount(boxes, minlength=GRAINS) / boxes.size)
            self.grain_log[level, band] = np.log((1 - STRANGE) * share * GRAINS + STRANGE)

    def colour_likelihood(self, look: Look) -> Float32:
        """The mean log-density of each square's colours on this coat, shape (rows, cols)."""
        return np.asarray(self.colour_log[look.colours].mean(axis=-1), dtype=np.float32)

    def grain_likelihood(self, look: Look, level: int = 0) -> Float32:
        """The mean log-density of each square's grain on this coat, blurred to a level, against any grain,
        shape (rows, cols)."""
        logs = self.grain_log[min(level, len(self.grain_log) - 1)]
        bands = [logs[band][boxes] for band, boxes in enumerate(look.grains)]
        return np.asarray(np.sum(bands, axis=0).mean(axis=-1), dtype=np.float32)
