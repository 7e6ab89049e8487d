"""The discard spot: the part of a picture in which cards are looked for."""

from __future__ import annotations

import numpy as np

from hardware.arrays import Picture
from hardware.vision.register.markers import find_markers, to_gray

Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""

MIDDLE = 0.5
"""Without markers the spot is the middle of the picture, so much of its width and height."""
LEAST = 0.1
"""Markers nearer to each other than this share of the picture mark no spot."""


def middle_of(picture: Picture) -> Bounds:
    """The spot where nothing marks one: the middle of the picture."""
    height, width = picture.shape[:2]
    x, y = round(width * (1 - MIDDLE) / 2), round(height * (1 - MIDDLE) / 2)
    return x, y, width - x, height - y


def spot_of(picture: Picture) -> Bounds:
    """The spot in a BGR picture: what lies between the printed markers (two in opposite corners will do, or
    all four), else the middle."""
    found = find_markers(to_gray(picture))
    if not found:
        return middle_of(picture)
    height, width = picture.shape[:2]
    middles = np.array([corners.mean(0) for corners in found.values()])
    left, top = (int(v) for v in np.clip(middles.min(0), 0, (width, height)))
    right, bottom = (int(v) for v in np.clip(middles.max(0), 0, (width, height)))
    if right - left < LEAST * width or bottom - top < LEAST * height:
        return middle_of(picture)
    return left, top, right, bottom
