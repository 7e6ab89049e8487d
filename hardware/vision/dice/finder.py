"""The first look: where in a photo dice may lie, and how large they are."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.vision.dice.arrays import Array, Picture
from hardware.vision.dice.network import Network

STRIDE = 4
PAD_TO = 32
PAD_GREY = 114
EDGE_UNIT_PX = 32.0
"""The edge length whose logarithm the networks call 0."""

LONG_SIDE_PX = 704
"""Photos are shrunk to this long side before the first look; smaller ones stay as they are."""
LEAST_HEAT = 0.25
MOST_PLACES = 40
APART = 0.45
"""Two places nearer than this share of an edge are one. These were tried on pictures drawn from seeds of
their own."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a die may lie, in px of the photo: the middle of its uppermost face and the length of its edge
    square-on.

    `heat` 0–1 says how sure the finder is of a die; `values` has shape `(7,)`: chances of 1–6 and of unsure.
    """

    x: float
    y: float
    edge: float
    heat: float
    values: Array


class Finder:
    """Looks over whole photos."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def find(self, photo: Picture) -> list[Place]:
        """The places in a photo (BGR, shape `(h, w, 3)`), surest first."""
        height, width = photo.shape[:2]
        shrink = min(1.0, LONG_SIDE_PX / max(height, width))
        small = photo
        if shrink < 1:
            size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
            small = np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)
        down, right = -small.shape[0] % PAD_TO, -small.shape[1] % PAD_TO
        padded = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_CONSTANT, value=(PAD_GREY,) * 3)
        maps = self._net.run(np.asarray(padded, np.uint8))
        return _places(maps, small.shape[1] / width, small.shape[0] / height)


def _places(maps: Array, shrink_x: float, shrink_y: float) -> list[Place]:
    """Peaks of the heat that are no near neighbours of hotter ones."""
    heat = 1 / (1 + np.exp(-maps[0]))
    peaks = (heat >= LEAST_HEAT) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, cols = np.nonzero(peaks)
    order = np.argsort(-heat[rows, cols])[: 4 * MOST_PLACES]
    kept: list[Place] = []
    for row, col in zip(rows[order].tolist(), cols[order].tolist(), strict=True):
        log_edge, off_x, off_y = maps[1:4, row, col]
        edge = EDGE_UNIT_PX * float(np.exp(np.clip(log_edge, -2, 4)))
        x, y = (col + 0.5 + float(off_x)) * STRIDE, (row + 0.5 + float(off_y)) * STRIDE
        scores = np.exp(maps[4:, row, col] - maps[4:, row, col].max())
        place = Place(x / shrink_x, y / shrink_y, edge / (shrink_x * shrink_y) ** 0.5, float(heat[row, col]),
                      np.asarray(scores / scores.sum(), np.float32))  # fmt: skip
        if all(np.hypot(place.x - k.x, place.y - k.y) > APART * min(place.edge, k.edge) for k in kept):
            kept.append(place)
    return kept[:MOST_PLACES]
