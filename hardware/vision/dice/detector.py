"""The first look: where in a photo dice may lie, and how large they are."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.dice.network import Network

STRIDE = 4
PAD_TO = 32
PAD_GREY = 114
EDGE_UNIT_PX = 32.0
"""The edge length whose logarithm the networks call 0."""

LONG_SIDE_PX = 704
"""Photos are shrunk to this long side before the first look; smaller ones stay as they are."""
LEAST_SCORE = 0.25
MOST_DETECTIONS = 40
APART = 0.45
"""Two places nearer than this share of an edge are one. These were tried on pictures drawn from seeds of
their own."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Where a die may lie, in px of the photo: the middle of its uppermost face and the length of its edge
    square-on.

    `score` (0 to 1) says how sure the detector is of a die; `values` has shape `(7,)`: the chances of 1 to 6
    and of unsure.
    """

    x: float
    y: float
    edge: float
    score: float
    values: Float32


class Detector:
    """Looks over whole photos."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def find(self, photo: Picture) -> list[Detection]:
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


def _places(maps: Float32, shrink_x: float, shrink_y: float) -> list[Detection]:
    """Peaks of the score that are no near neighbours of hotter ones."""
    score = 1 / (1 + np.exp(-maps[0]))
    peaks = (score >= LEAST_SCORE) & (score >= cv2.dilate(score, np.ones((3, 3), np.uint8)))
    rows, cols = np.nonzero(peaks)
    order = np.argsort(-score[rows, cols])[: 4 * MOST_DETECTIONS]
    kept: list[Detection] = []
    for row, col in zip(rows[order].tolist(), cols[order].tolist(), strict=True):
        log_edge, off_x, off_y = maps[1:4, row, col]
        edge = EDGE_UNIT_PX * float(np.exp(np.clip(log_edge, -2, 4)))
        x, y = (col + 0.5 + float(off_x)) * STRIDE, (row + 0.5 + float(off_y)) * STRIDE
        scores = np.exp(maps[4:, row, col] - maps[4:, row, col].max())
        values = np.asarray(scores / scores.sum(), np.float32)
        side = edge / (shrink_x * shrink_y) ** 0.5
        place = Detection(x / shrink_x, y / shrink_y, side, float(score[row, col]), values)
        if all(np.hypot(place.x - k.x, place.y - k.y) > APART * min(place.edge, k.edge) for k in kept):
            kept.append(place)
    return kept[:MOST_DETECTIONS]
