# mypy: ignore-errors

"""Real photographs with their truth, as training samples for classifier and pip reader.

The sources' boxes mean different things (the pips, the whole die). So the current networks give a face's
centre and edge. The truth gives its value, and says that there are no dice elsewhere.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, Picture
from hardware.vision.dice import classifier, pip_reader
from hardware.vision.dice.classifier import Classifier
from hardware.vision.dice.detector import Detector
from hardware.vision.dice.pip_reader import PipReader, even_out
from hardware.vision.dice.training.drawing import DrawnDie
from hardware.vision.dice.training.samples import recolour

NEAR_A_DIE = 0.5
"""The distance from a die's centre, as a share of its edge, beyond which a look is an example of no die."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a photo: the centre and the edge of a face in px. `value` is 0 without a die, and −1 for a
    die that no network found."""

    x: float
    y: float
    edge: float
    value: int


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photo (8-bit BGR) of a source, and the known places in it."""

    source: str
    image: Picture
    spots: tuple[Spot, ...]

    @property
    def dice(self) -> tuple[DrawnDie, ...]:
        """Its dice in the form of a drawn picture's; a die that no network found counts neither way."""
        return tuple(
            DrawnDie(s.value, "", (s.x, s.y), s.edge, (0, 0, 0, 0), (0, 0, 0, 0), sure=True, gone=s.value < 0)
            for s in self.spots
            if s.value
        )


def photographs(folder: Path, weights: Path, but: str = "") -> list[Photograph]:
    """The photos that `folder/truth.jsonl` lists, except those of the source `but`.

    Each line has `image`, `group` and `boxes`: x, y, width, height in px, value.
    """
    detector, first, second = (
        Detector(weights / "detector.onnx"),
        Classifier(weights / "classifier.onnx"),
        PipReader(weights / "pip_reader.onnx"),
    )
    known = []
    for line in (folder / "truth.jsonl").read_text().splitlines():
        photo = json.loads(line)
        if photo["group"] == but or not photo.get("boxes"):
            continue
        image = np.asarray(cv2.imread(str(folder / photo["image"])), np.uint8)
        looks = []
        for place in detector.find(image):
            judged = first.look(image, place.x, place.y, place.edge)
            counted = second.look(image, judged.x, judged.y, judged.edge)
            looks.append((counted.x, counted.y, counted.edge, place.score, counted.chances + judged.chances))
        known.append(Photograph(photo["group"], image, _spots(photo["boxes"], looks)))
    return known


def _spots(
    boxes: list[tuple[float, ...]], looks: list[tuple[float, float, float, float, Float32]]
) -> tuple[Spot, ...]:
    """The likeliest look in each box is its die; a look far from all dice is an example of none."""
    dice = []
    for left, top, width, height, value in boxes:
        inside = [s for s in looks if left <= s[0] <= left + width and top <= s[1] <= top + height]
        best = max(inside, key=lambda s: s[3] * (0.05 + s[4][int(value)]), default=None)
        if best is None:
            dice.append(Spot(left + width / 2, top + height / 2, max(width, height), -1))
        else:
            dice.append(Spot(*best[:3], int(value)))
    none = [
        Spot(*s[:3], 0)
        for s in looks
        if all(np.hypot(s[0] - d.x, s[1] - d.y) > NEAR_A_DIE * d.edge for d in dice)
    ]
    return (*dice, *none)


def samples(rng: Generator, known: list[Photograph], *, close: bool) -> Iterator[tuple[Float32, Float32]]:
    """An endless series of cut-outs and targets as from `judge_samples`, each source equally often.

    Every cut-out is turned, tilted, shrunk or smeared at random, and its colours are shifted, so that the few
    dice of a source stand for many.
    """
    by_source = {p.source: [] for p in known}
    for photo in known:
        by_source[photo.source] += [(photo, spot) for spot in photo.spots if spot.value >= 0]
    pools = [
        [pair for pair in pairs if (pair[1].value > 0) == die]
        for pairs in by_source.values()
        for die in (True, True, False)
    ]
    pools = [pool for pool in pools if pool]
    while True:
        pool = pools[int(rng.integers(len(pools)))]
        photo, spot = pool[int(rng.integers(len(pool)))]
        yield _sample(rng, photo.image, spot, close=close)


def _sample(rng: Generator, image: Picture, spot: Spot, *, close: bool) -> tuple[Float32, Float32]:
    side, across = (
        (pip_reader.SIDE_PX, pip_reader.EDGES_ACROSS)
        if close
        else (classifier.SIDE_PX, classifier.EDGES_ACROSS)
    )
    edge = spot.edge * float(np.exp(rng.normal(0, 0.1)))
    off = rng.normal(0, 0.05, 2)
    scale, turn = side / (edge * across), rng.uniform(-np.pi, np.pi)
    if rng.random() < 0.6:
        turn = rng.normal(0, 0.15)
    lean = np.eye(2) + rng.normal(0, 0.07, (2, 2))
    cos, sin = np.cos(turn), np.sin(turn)
    move = lean @ np.array([[cos, -sin], [sin, cos]])
    if rng.random() < 0.5:
        move[:, 0] *= -1
    middle = np.array([spot.x, spot.y]) - 0.5
    aim = side / 2 - 0.5 + off * side / across
    shrink = min(1.0, scale * float(np.exp(rng.uniform(-0.2, 0.8))))
    small = image
    if scale < 0.7:
        small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        scale, middle = scale / shrink, (middle + 0.5) * shrink - 0.5
    matrix = np.hstack([move * scale, (aim - move @ middle * scale)[:, None]])
    cut = cv2.warpAffine(small, matrix, (side, side), flags=cv2.INTER_LINEAR, borderValue=classifier.BORDER)
    cut = _worse(rng, np.asarray(cut, np.uint8))
    seen, _ = recolour(rng, cut)
    targets = np.zeros(8, np.float32)
    targets[0], targets[1] = spot.value, -1
    return (even_out(seen) if close else seen).transpose(2, 0, 1), targets


def _worse(rng: Generator, cut: Picture) -> Picture:
    """The picture of a worse camera: smeared, with fewer px, compressed."""
    side, kind = cut.shape[0], rng.random()
    if kind < 0.2:
        cut = cv2.GaussianBlur(cut, (0, 0), rng.uniform(0.4, 1.3))
    elif kind < 0.45:
        few = int(side / rng.uniform(1.1, 2.6))
        cut = cv2.resize(cv2.resize(cut, (few, few), interpolation=cv2.INTER_AREA), (side, side))
    if rng.random() < 0.3:
        cut = cv2.imdecode(cv2.imencode(".jpg", cut, [1, int(rng.uniform(35, 90))])[1], 1)
    return np.asarray(cut, np.uint8)
