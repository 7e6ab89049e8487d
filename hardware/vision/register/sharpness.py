"""Measures a picture's sharpness by the width of the edges of the printed markers, which no game changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from hardware.arrays import Float64, Gray, Picture
from hardware.vision.board.scene import Scene

Widths = dict[int, float]
"""The width of each marker's edges by id, in squares, as a standard deviation."""

BITS = 8
"""A marker's side in bits (its own small squares), including the black border."""
REACH_BITS = 0.8
"""The reach of a profile to either side of an edge, in bits: black border inside, white paper outside."""
STEP_PX = 0.25
PROFILES = 24
SHARE_OF_BLUR = 0.72
"""The share of a blur that the edges show, because the marker's bits beside the border blur into it."""
LEVELS = (0.0, 0.011, 0.02, 0.028, 0.036)
"""The blurs in squares at which coats are learned."""
LEAST_CONTRAST = 25.0

SOFT_SQUARES = 0.045
"""The width of a marker's edges in squares from which on a picture is blurred; sharp ones: 0.015 to 0.040."""
SOFT_PX = 1.6
"""The width in px that it must have as well: in a small picture a sharp edge is wide in squares."""


def edge_widths(gray: Gray, scene: Scene, markers: dict[int, Float64]) -> Widths:
    """The width of the edges of each visible marker of the scene.

    `markers`: corners in px, shape (4, 2) each. A marker without visible edges is left out.
    """
    widths = {}
    for number, corners in markers.items():
        squares = scene.markers_in_cells.get(number)
        width_px = None if squares is None else _marker_width(gray, corners)
        if squares is not None and width_px is not None:
            widths[number] = width_px * _around(np.array(squares, dtype=np.float64)) / _around(corners)
    return widths


def usual_widths(shown: Sequence[Widths]) -> Widths:
    """The median width of each marker over the pictures that were shown."""
    numbers = sorted({number for widths in shown for number in widths})
    return {
        number: float(np.median([widths[number] for widths in shown if number in widths]))
        for number in numbers
    }


def blur_beyond(widths: Widths, shown: Widths) -> float:
    """A picture's blur beyond that of the pictures shown, in squares, as a standard deviation.

    It is negative if the picture is sharper, and 0 if no marker is visible in both.
    """
    more = [widths[number] ** 2 - shown[number] ** 2 for number in widths.keys() & shown.keys()]
    middle = float(np.median(more)) if more else 0.0
    return float(np.copysign(np.sqrt(abs(middle)), middle)) / SHARE_OF_BLUR


def is_blurred(widths: Iterable[float], square_px: float) -> bool:
    """True if a picture is blurred: `widths` of its markers' edges, in squares of `square_px`.

    Without a marker in sight nothing is known of that: False.
    """
    known = list(widths)
    width = float(np.median(known)) if known else 0.0
    return width > SOFT_SQUARES and width * square_px > SOFT_PX


def level_of(beyond: float) -> int:
    """The index of the nearest of LEVELS to a blur in squares."""
    return int(np.argmin(np.abs(np.array(LEVELS) - beyond)))


def blurred(picture: Picture, width_px: float) -> Picture:
    """The picture after a Gaussian blur with the standard deviation `width_px`."""
    return picture if width_px <= 0 else np.asarray(cv2.GaussianBlur(picture, (0, 0), width_px), np.uint8)


def _around(corners: Float64) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).sum())


def _marker_width(gray: Gray, corners: Float64) -> float | None:
    sides = [_side_width(gray, corners, corners[n], corners[(n + 1) % 4]) for n in range(4)]
    widths = [width for width in sides if width is not None]
    return float(np.median(widths)) if len(widths) >= 2 else None


def _side_width(gray: Gray, corners: Float64, start: Float64, end: Float64) -> float | None:
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
    px = (starts[:, None] + steps[None, :, None] * across).astype(np.float32)
    profiles = cv2.remap(gray, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _width(profiles.astype(np.float64))


def _width(profiles: Float64) -> float | None:
    """The width of an edge in px, from profiles across it, dark to light, shape (PROFILES, steps)."""
    rise = np.diff(cv2.blur(profiles, (5, 1)), axis=1)
    # What np.median gives, in a fifth of its time.
    middle = len(profiles) // 2
    profile = np.sort(profiles, axis=0)[(len(profiles) - 1) // 2 : middle + 1].mean(axis=0)
    contrast = profile[-4:].mean() - profile[:4].mean()
    if contrast < LEAST_CONTRAST:
        return None
    steepest = float(np.median(rise.max(axis=1))) / STEP_PX
    return float(contrast / (max(steepest, 1e-6) * np.sqrt(2 * np.pi)))
