"""The first look: where dice may lie in a photo, and how large they are."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.dice.classifier import Network

STRIDE = 4
"""Px of the small picture per cell of the detector's maps."""
PAD_TO = 32
"""The sides of the small picture are padded to multiples of this number of px."""
PAD_GREY = 114
EDGE_UNIT_PX = 32.0
"""The edge length in px whose logarithm is 0 for the networks."""

LONG_SIDE_PX = 704
"""The long side in px to which larger photos are shrunk before the first look."""
LEAST_SCORE = 0.25
MOST_DETECTIONS = 40
SAME_DIE = 0.45
"""The distance of two detections, in edges of the smaller one, up to which they are the same die."""


Sight = TypeVar("Sight")


@dataclass(frozen=True, slots=True)
class Detection:
    """A possible die in a photo: the centre of its upper face and the length of its edge, in px.

    `score` (0 to 1) is the detector's confidence. `values` has shape `(7,)`: the probabilities of 1 to 6 and
    of unsure.
    """

    x: float
    y: float
    edge: float
    score: float
    values: Float32


class Detector:
    """Finds possible dice in whole photos."""

    def __init__(self, weights: Path) -> None:
        self._net = Network(weights)

    def find(self, photo: Picture) -> list[Detection]:
        """The detections in a photo (BGR, shape `(h, w, 3)`), the surest first."""
        height, width = photo.shape[:2]
        shrink = min(1.0, LONG_SIDE_PX / max(height, width))
        small = photo
        if shrink < 1:
            size = (max(1, round(width * shrink)), max(1, round(height * shrink)))
            small = np.asarray(cv2.resize(photo, size, interpolation=cv2.INTER_AREA), np.uint8)
        down, right = -small.shape[0] % PAD_TO, -small.shape[1] % PAD_TO
        padded = cv2.copyMakeBorder(small, 0, down, 0, right, cv2.BORDER_CONSTANT, value=(PAD_GREY,) * 3)
        maps = self._net.run(np.asarray(padded, np.uint8))
        return _detections(maps, small.shape[1] / width, small.shape[0] / height)


def _detections(maps: Float32, shrink_x: float, shrink_y: float) -> list[Detection]:
    """The peaks of the score without close neighbours of better ones."""
    score = 1 / (1 + np.exp(-maps[0]))
    peaks = (score >= LEAST_SCORE) & (score >= cv2.dilate(score, np.ones((3, 3), np.uint8)))
    rows, cols = np.nonzero(peaks)
    order = np.argsort(-score[rows, cols])[: 4 * MOST_DETECTIONS]
    best_first = []
    for row, col in zip(rows[order].tolist(), cols[order].tolist(), strict=True):
        log_edge, off_x, off_y = maps[1:4, row, col]
        edge = EDGE_UNIT_PX * float(np.exp(np.clip(log_edge, -2, 4)))
        x, y = (col + 0.5 + float(off_x)) * STRIDE, (row + 0.5 + float(off_y)) * STRIDE
        scores = np.exp(maps[4:, row, col] - maps[4:, row, col].max())
        values = np.asarray(scores / scores.sum(), np.float32)
        side = edge / (shrink_x * shrink_y) ** 0.5
        best_first.append(Detection(x / shrink_x, y / shrink_y, side, float(score[row, col]), values))
    return non_max_suppression(best_first, _is_same_die)[:MOST_DETECTIONS]


def _is_same_die(one: Detection, two: Detection) -> bool:
    return bool(np.hypot(one.x - two.x, one.y - two.y) <= SAME_DIE * min(one.edge, two.edge))


def non_max_suppression(best_first: Iterable[Sight], is_same: Callable[[Sight, Sight], bool]) -> list[Sight]:
    """The detections, the best first, each thing once.

    `is_same` is called with a detection and a better one.
    """
    kept: list[Sight] = []
    for sight in best_first:
        if not any(is_same(sight, better) for better in kept):
            kept.append(sight)
    return kept
