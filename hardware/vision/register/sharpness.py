"""How sharp a picture is: the width of the edges of the printed markers, which no game changes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.arrays import Float64, Picture
from hardware.vision.board.scene import Scene

Widths = dict[int, float]

BITS = 8
"""A marker's side in its own small squares, the black border with them."""
REACH_BITS = 0.8
"""Profiles go so far to either side of a marker's edge: black border inside, white paper outside."""
STEP_PX = 0.25
PROFILES = 24
TOLD = 0.72
"""Edges tell this share of a blur: the marker's own squares beside the border run into it. The same within a
tenth on the rendered and the drawn markers, for blurs of 0.7 to 2 px."""
LEVELS = (0.0, 0.011, 0.02, 0.028, 0.036)
"""Coats are learned as they look through a blur of so many squares, too."""
CLEAR = 25.0
"""An edge of less contrast, in grey levels, says nothing."""


def edge_widths(grey: Picture, scene: Scene, markers: dict[int, Float64]) -> Widths:
    """How wide the edges of each of the scene's markers are, in squares, as a standard deviation.

    `markers`: corners in px, shape (4, 2) each. A marker whose edges are not to be seen is left out.
    """
    found = {}
    for number, corners in markers.items():
        told = scene.markers_in_cells.get(number)
        width_px = None if told is None else _marker_width(grey, corners)
        if told is not None and width_px is not None:
            found[number] = width_px * _around(np.array(told, dtype=np.float64)) / _around(corners)
    return found


def usual_widths(shown: Sequence[Widths]) -> Widths:
    """The middle width of each marker over the pictures that were shown."""
    numbers = sorted({number for widths in shown for number in widths})
    return {
        number: float(np.median([widths[number] for widths in shown if number in widths]))
        for number in numbers
    }


def blur_beyond(widths: Widths, shown: Widths) -> float:
    """How much blurrier a picture is than those shown: the width, in squares, of the blur that would make it
    so. Negative where it is sharper; 0 where no marker is seen in both."""
    more = [widths[number] ** 2 - shown[number] ** 2 for number in widths.keys() & shown.keys()]
    middle = float(np.median(more)) if more else 0.0
    return float(np.copysign(np.sqrt(abs(middle)), middle)) / TOLD


def level_of(beyond: float) -> int:
    """Which of LEVELS comes closest to how much blurrier a picture is than those shown, in squares."""
    return int(np.argmin(np.abs(np.array(LEVELS) - beyond)))


def blurred(picture: Picture, width_px: float) -> Picture:
    """The picture out of focus by so many px, as a standard deviation."""
    return picture if width_px <= 0 else np.asarray(cv2.GaussianBlur(picture, (0, 0), width_px), np.uint8)


def _around(corners: Float64) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).sum())


def _marker_width(grey: Picture, corners: Float64) -> float | None:
    sides = [_side_width(grey, corners, corners[at], corners[(at + 1) % 4]) for at in range(4)]
    widths = [width for width in sides if width is not None]
    return float(np.median(widths)) if len(widths) >= 2 else None


def _side_width(grey: Picture, corners: Float64, start: Float64, end: Float64) -> float | None:
    length = float(np.hypot(*(end - start)))
    along = (end - start) / max(length, 1e-6)
    across = np.array([along[1], -along[0]])
    if across @ (corners.mean(axis=0) - start) > 0:
        across = -across
    reach = length / BITS * REACH_BITS
    steps = np.arange(-reach, reach + STEP_PX, STEP_PX)
    if len(steps) < 8:
        return None
    starts = start + np.linspace(0.1, 0.9, PROFILES)[:, None] * (end - start)
    at = (starts[:, None] + steps[None, :, None] * across).astype(np.float32)
    profiles = cv2.remap(grey, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _width(profiles.astype(np.float64))


def _width(profiles: Float64) -> float | None:
    """The width of an edge in px, from profiles across it, dark to light, shape (PROFILES, steps)."""
    rise = np.diff(cv2.blur(profiles, (5, 1)), axis=1)
    profile = np.median(profiles, axis=0)
    contrast = profile[-4:].mean() - profile[:4].mean()
    if contrast < CLEAR:
        return None
    steepest = float(np.median(rise.max(axis=1))) / STEP_PX
    return float(contrast / (max(steepest, 1e-6) * np.sqrt(2 * np.pi)))
