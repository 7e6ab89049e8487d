"""Whether a photo was taken off a screen, by the rainbow that its dots and the camera's make together.

A screen's red, green and blue dots stand side by side. Where they beat against the camera's pixels, the
colours follow one another round the colour circle: red, green, blue, red, and the other way from the other
side. On a table, threads, grain and printed stripes swing to and fro between colours, whatever the camera
makes of them. Colour as one complex number tells the two apart: what goes round has power at a frequency, and
none at its opposite; what swings has as much at both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.arrays import Float64, Mask, Picture

Complex64 = NDArray[np.complex64]
"""Each pixel's colour as one complex number: its hue as the angle, how colourful it is as the length."""

BLOCK_PX = 128
"""The side of the blocks in which a rainbow is looked for, in px of the halved photo."""

STEP_PX = 64
"""The distance from each block to the next, in px of the halved photo."""

LOWEST, HIGHEST = 0.045, 0.45
"""The frequencies at which a rainbow is looked for, in cycles a px of the halved photo."""

PEAK_CELLS, AROUND_CELLS = 3, 15
"""The width of a peak of the spectrum, and of what it stands out from, in its cells."""

SHARP = 12.0
"""How many times the power around it a peak has at least."""

ONE_SIDED = 0.8
"""The least share of a peak's power, and its opposite's, that is at the one side alone."""

STRONG = 0.5
"""The least swing of the colours, in gray levels."""

ALIKE_CELLS = 6.0
"""The most by which the frequency changes from a block to the next, in cells of the spectrum."""

LEAST_NEIGHBOURS = 2
"""The blocks beside it that show the same rainbow, for one to count."""

LEAST_SHARE = 0.08
"""The share of the blocks that must count."""

CIRCLE = np.exp(2j * np.pi * np.arange(3) / 3).astype(np.complex64)
"""Where blue, green and red stand on the colour circle."""


class Peak(NamedTuple):
    """The sharpest one-sided peak of a block: the block's row and column, and its frequency in cells."""

    row: int
    column: int
    across: int
    down: int


def is_of_a_screen(photo: Picture) -> bool:
    """Whether the photo shows a screen whose dots beat visibly with the camera's."""
    return rainbow_share(photo) >= LEAST_SHARE


def rainbow_share(photo: Picture) -> float:
    """The share of the photo's blocks in which the same rainbow is seen as in those beside them."""
    # Not by mere means of four: threads that are finer than the halved pixels would beat with those.
    halved = cv2.pyrDown(photo)
    colour: Complex64 = halved.astype(np.float32) @ CIRCLE
    down, across = ((side - BLOCK_PX) // STEP_PX + 1 for side in colour.shape)
    if down < 2 or across < 2:
        return 0.0
    peaks = {(peak.row, peak.column): peak for peak in _peaks(colour)}
    counted = sum(_neighbours(peak, peaks) >= LEAST_NEIGHBOURS for peak in peaks.values())
    return float(counted / (down * across))


def _neighbours(peak: Peak, peaks: dict[tuple[int, int], Peak]) -> int:
    """How many of the four blocks beside this one have a peak like its own."""
    beside = (
        peaks.get((peak.row + down, peak.column + across))
        for down, across in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    return sum(
        other is not None and np.hypot(other.across - peak.across, other.down - peak.down) <= ALIKE_CELLS
        for other in beside
    )


def _peaks(colour: Complex64) -> Iterator[Peak]:
    """The sharpest one-sided peak of each block that has one."""
    window = np.outer(np.hanning(BLOCK_PX), np.hanning(BLOCK_PX)).astype(np.float32)
    cells = np.fft.fftshift(np.fft.fftfreq(BLOCK_PX))
    frequency = np.hypot(cells[:, None], cells)
    band = (frequency > LOWEST) & (frequency < HIGHEST)
    for row, top in enumerate(range(0, colour.shape[0] - BLOCK_PX + 1, STEP_PX)):
        for column, left in enumerate(range(0, colour.shape[1] - BLOCK_PX + 1, STEP_PX)):
            block = colour[top : top + BLOCK_PX, left : left + BLOCK_PX]
            spectrum = np.fft.fftshift(np.fft.fft2((block - block.mean()) * window))
            power = (np.abs(spectrum) / window.sum()) ** 2
            at = _peak(power, band)
            if at is not None:
                yield Peak(row, column, at[1], at[0])


def _peak(power: Float64, band: Mask) -> tuple[int, int] | None:
    opposite = np.roll(power[::-1, ::-1], 1, (0, 1))
    here, there = _sum(power, PEAK_CELLS), _sum(opposite, PEAK_CELLS)
    around = (_sum(power, AROUND_CELLS) - here) / (AROUND_CELLS**2 - PEAK_CELLS**2)
    one_sided = band & (here - there > ONE_SIDED * (here + there)) & (here > STRONG**2)
    sharpness = np.where(one_sided, here / PEAK_CELLS**2 / np.maximum(around, 1e-9), 0)
    row, column = divmod(int(sharpness.argmax()), power.shape[1])
    return (row, column) if sharpness[row, column] >= SHARP else None


def _sum(power: Float64, side: int) -> Float64:
    """The power in the square of that side around each cell."""
    mean = cv2.blur(power, (side, side), borderType=cv2.BORDER_REFLECT)
    return np.asarray(mean * side**2, np.float64)
