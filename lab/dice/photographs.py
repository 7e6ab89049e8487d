# mypy: ignore-errors

"""Real photographs with their truth, as a stock to train on.

The sources' boxes mean different things (the pips, the whole die). So networks trained on drawn pictures
give a face's centre and edge. The truth gives its value, and says that there are no dice elsewhere.
"""

import json
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from hardware.arrays import Float32, Picture
from hardware.vision.dice.classifier import Classifier
from hardware.vision.dice.detector import Detector
from hardware.vision.dice.pip_reader import PipReader
from lab.dice.draw import FIELDS
from lab.dice.stock import SIDE_PX

LEAST_VALUE_CHANCE = 0.05


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photo (8-bit BGR) of a source, and its dice `(N, FIELDS)`; one that no network found is ignored."""

    source: str
    image: Picture
    truth: Float32


def photographs(folder: Path, weights: Path, cores: int) -> list[Photograph]:
    """The photos of `folder/truth.jsonl`: `image`, `group`, `boxes` (x, y, width, height in px, value)."""
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    jobs = [(folder, weights, lines[n::cores]) for n in range(cores)]
    with get_context("spawn").Pool(cores) as pool:
        return [photo for some in pool.map(_known, jobs) for photo in some]


def _known(job: tuple[Path, Path, list[dict]]) -> list[Photograph]:
    folder, weights, lines = job
    cv2.setNumThreads(1)
    detector, first = Detector(weights / "detector.onnx"), Classifier(weights / "classifier.onnx")
    second = PipReader(weights / "pip_reader.onnx")
    known = []
    for photo in lines:
        if not photo.get("boxes"):
            continue
        image = cv2.imread(str(folder / photo["image"]))
        shrink = min(1.0, SIDE_PX / max(image.shape[:2]))
        if shrink < 1:
            image = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        looks = []
        for place in detector.find(image):
            judged = first.classify(image, place.x, place.y, place.edge)
            counted = second.count_pips(image, judged.x, judged.y, judged.edge)
            looks.append((counted.x, counted.y, counted.edge, place.score, counted.chances + judged.chances))
        boxes = [(*(side * shrink for side in box[:4]), box[4]) for box in photo["boxes"]]
        known.append(Photograph(photo["group"], np.asarray(image, np.uint8), _truth(boxes, looks)))
    return known


def _truth(
    boxes: list[tuple[float, ...]], looks: list[tuple[float, float, float, float, Float32]]
) -> Float32:
    rows = []
    for left, top, width, height, value in boxes:
        inside = [s for s in looks if left <= s[0] <= left + width and top <= s[1] <= top + height]
        best = max(inside, key=lambda s: s[3] * (LEAST_VALUE_CHANCE + s[4][int(value)]), default=None)
        if best is None:
            rows.append((value, 0, 1, -1, left + width / 2, top + height / 2, max(width, height), 0, 0, 0))
        else:
            rows.append((value, 1, 0, -1, *best[:3], 0, 0, 0))
    return np.asarray(rows, np.float32).reshape(-1, FIELDS)
