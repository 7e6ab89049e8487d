"""The look of tiles: histograms of the colours and of the grain (texture energy) of each coat."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float32, Float64, Picture
from hardware.vision.board.illumination import LOGARITHMS, SAMPLES

Bins = NDArray[np.int32]
GrainBins = NDArray[np.uint8]
LOWEST = np.array([4.1, -0.6, -0.6], dtype=np.float32)
"""The lower edges of the first bins of luma and chromas (logarithms)."""
STEPS = np.array([0.05, 0.025, 0.025], dtype=np.float32)
SIZE = (34, 49, 49)
"""Bins of luma and of each chroma, which cover all but the strongest colours."""
BLUR = np.array([0.10, 0.015, 0.015])
"""The standard deviation of a coat's luma and chromas over the board, from one-sided lamps and glare."""
OUTLIERS = 0.08
"""The share of a tile in other colours than its coat's: a tail over it, glare."""
UNIFORM = 1.0 / (1.6 * 1.0 * 1.0)
"""The density of an unknown colour, over 1.6 of luma and 1 of each chroma."""
BANDS = ((0.0, 1.0, 2.0), (1.0, 2.0, 3.0), (2.0, 4.0, 4.0), (4.0, 8.0, 6.0))
"""Each band of grain: the Gaussian widths of its bounds and of its average, in px of 24 per square."""
GRAIN_LOWEST = -6.2
GRAIN_STEP = 0.2
GRAINS = 30
GRAIN_FLOOR = 0.002
"""Added to grain before its logarithm; no picture is smoother."""
GRAIN_BLUR = 0.25
"""The standard deviation of a coat's grain over the board (logarithm)."""


class Appearance(msgspec.Struct, frozen=True):
    """A rectified picture as histogram bins: the bins of each square's samples.

    `colours` shape (rows, cols, samples); `grains` shape (bands, rows, cols, samples).
    """

    colours: Bins
    grains: GrainBins


def colour_bins(colours: Float32) -> Bins:
    """The colour bin of each sample, shape of `colours` without its last axis."""
    bins = ((colours - LOWEST) * (1 / STEPS)).astype(np.int32)
    np.clip(bins, 0, np.array(SIZE, dtype=np.int32) - 1, out=bins)
    return np.asarray((bins[..., 0] * SIZE[1] + bins[..., 1]) * SIZE[2] + bins[..., 2], dtype=np.int32)


def grain_bins(rectified: Picture, rows: int, cols: int) -> GrainBins:
    """The grain bin of each sample of a rectified picture, shape (bands, rows, cols, samples)."""
    luma = cv2.transform(cv2.LUT(rectified, LOGARITHMS), np.full((1, 3), 1 / 3, dtype=np.float32))
    blurred = {0.0: luma}
    for width in sorted({width for band in BANDS for width in band[:2]} - {0.0}):
        blurred[width] = cv2.GaussianBlur(luma, (0, 0), width)
    scale = luma.shape[0] // rows // SAMPLES
    bins = np.empty((len(BANDS), rows, cols, SAMPLES * SAMPLES), dtype=np.uint8)
    for number, (fine, coarse, around) in enumerate(BANDS):
        band = blurred[fine] - blurred[coarse]
        spread = cv2.GaussianBlur(band * band, (0, 0), around)[scale // 2 :: scale, scale // 2 :: scale]
        logs = np.log(np.sqrt(np.maximum(spread, 0)) + GRAIN_FLOOR)
        levels = np.clip((logs - GRAIN_LOWEST) / GRAIN_STEP, 0, GRAINS - 1).astype(np.uint8)
        levels = levels.reshape(rows, SAMPLES, cols, SAMPLES).transpose(0, 2, 1, 3)
        bins[number] = levels.reshape(rows, cols, -1)
    return bins


def _blur_matrix(count: int, width: float) -> Float64:
    places = np.arange(count)
    matrix = np.exp(-0.5 * ((places[:, None] - places[None, :]) / width) ** 2)
    return np.asarray(matrix / matrix.sum(axis=0, keepdims=True), dtype=np.float64)


_BLURS = [_blur_matrix(count, width) for count, width in zip(SIZE, BLUR / STEPS, strict=True)]
_GRAIN_BLUR = _blur_matrix(GRAINS, GRAIN_BLUR / GRAIN_STEP)


class Coat:
    """One coat: the log-density of each colour and each grain on it.

    `colours` shape (N, 3), in the reference's light. `grains` shape (levels, bands, N): the bins of grain in
    the picture that the coat was learned from, and in the same picture at each level of blur. `usual`: the
    mean log-density of its own colours.
    """

    def __init__(self, colours: Float32, grains: GrainBins) -> None:
        self.colours = colours
        self.grains = grains
        counts = np.bincount(colour_bins(colours).ravel(), minlength=int(np.prod(SIZE))).reshape(SIZE)
        share = np.tensordot(_BLURS[0], counts / len(colours), axes=(1, 0))
        share = np.matmul(np.matmul(_BLURS[1], share), _BLURS[2].T)
        known = share.ravel() / float(STEPS.prod())
        # Half precision is enough for a logarithm, and saves a small Pi 3 MB.
        self.colour_log = np.log((1 - OUTLIERS) * known + OUTLIERS * UNIFORM).astype(np.float16)
        self.usual = float(self.colour_log[colour_bins(colours)].mean())
        # Grain is relative to an unknown grain, so that a coat's colours can be judged without it.
        self.grain_log = np.zeros((len(grains), len(BANDS), GRAINS), dtype=np.float32)
        for level, band in np.ndindex(*grains.shape[:2]):
            bins = grains[level, band]
            share = _GRAIN_BLUR @ (np.bincount(bins, minlength=GRAINS) / bins.size)
            self.grain_log[level, band] = np.log((1 - OUTLIERS) * share * GRAINS + OUTLIERS)

    def colour_likelihood(self, look: Appearance) -> Float32:
        """The mean log-density of each square's colours on this coat, shape (rows, cols)."""
        return np.asarray(self.colours_fit(look.colours).mean(axis=-1), dtype=np.float32)

    def colours_fit(self, bins: Bins) -> Float32:
        """The log-density of colours on this coat, by their bins, of the bins' shape."""
        return np.asarray(self.colour_log[bins], dtype=np.float32)

    def grain_samples(self, look: Appearance, level: int = 0) -> Float32:
        """The log-density of each sample's grain on this coat, of the shape of the look's colours.

        It is relative to an unknown grain, and at a level of blur.
        """
        logs = self.grain_log[min(level, len(self.grain_log) - 1)]
        total = np.zeros(look.grains.shape[1:], dtype=np.float32)
        for table, bins in zip(logs, look.grains, strict=True):
            total += table[bins]
        return total

    def grain_likelihood(self, look: Appearance, level: int = 0) -> Float32:
        """The mean of `grain_samples` on each square, shape (rows, cols)."""
        return np.asarray(self.grain_samples(look, level).mean(axis=-1), dtype=np.float32)
