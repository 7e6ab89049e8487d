# mypy: ignore-errors

"""Trains the classifier on dice cut out of drawn pictures, and on what the detector wrongly took for dice."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, IterableDataset

from hardware.vision.dice import classifier, pip_reader
from hardware.vision.dice.classifier import NONE
from hardware.vision.dice.classifier import Classifier as RunningClassifier
from hardware.vision.dice.detector import Detector
from hardware.vision.dice.reader import NO_DIE
from hardware.vision.dice.training.loop import train
from hardware.vision.dice.training.nets import PIP_READER_WIDTHS, Classifier
from hardware.vision.dice.training.photographs import Photograph, samples
from hardware.vision.dice.training.samples import judge_samples, load

Spots = dict[int, list[tuple[float, float, float]]]


def taken_for_dice(folder: Path, detector: Detector, numbers: range) -> Spots:
    """What the detector takes for dice in the drawn pictures, right or wrong."""
    return {n: [(p.x, p.y, p.edge) for p in detector.find(load(folder, n)[0])] for n in numbers}


def refine(folder: Path, spots: Spots, classifier: RunningClassifier) -> Spots:
    """The same places as the classifier sets them right, those aside that it is sure are no dice."""
    right: Spots = {}
    for number, places in spots.items():
        picture, _ = load(folder, number)
        looks = [classifier.look(picture, *place) for place in places]
        right[number] = [(v.x, v.y, v.edge) for v in looks if v.chances[NONE] < NO_DIE]
    return right


class ClassifierSet(IterableDataset[tuple[Tensor, Tensor]]):
    """Cut-outs and targets without end, every other one from real photographs where there are some."""

    def __init__(
        self, folder: Path, spots: Spots, seed: int, *, close: bool, known: Sequence[Photograph] = ()
    ) -> None:
        self.close, self.known = close, known
        self.folder, self.spots, self.seed = folder, spots, seed
        self.pictures = len(list(folder.glob("*.pkl")))
        self.looked_at = np.array(list(spots))

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        if not self.known:
            yield from self._drawn()
        real = samples(np.random.default_rng(self.seed), self.known, close=self.close)
        for drawn, (cut, targets) in zip(self._drawn(), real, strict=True):
            yield drawn
            yield torch.from_numpy(np.ascontiguousarray(cut)), torch.from_numpy(targets)

    def _drawn(self) -> Iterator[tuple[Tensor, Tensor]]:
        rng = np.random.default_rng(self.seed)
        waiting: list[tuple[Tensor, Tensor]] = []
        while True:
            number = int(rng.choice(self.looked_at) if rng.random() < 0.5 else rng.integers(self.pictures))
            for cut, targets in judge_samples(
                rng, *load(self.folder, number), self.spots.get(number, []), close=self.close
            ):
                waiting.append((torch.from_numpy(np.ascontiguousarray(cut)), torch.from_numpy(targets)))
            while len(waiting) > 400:
                yield waiting.pop(int(rng.integers(len(waiting))))


def classifier_loss(outs: Tensor, targets: Tensor) -> Tensor:
    """Cross entropies of value and colour plus the measures' distances."""
    value = functional.cross_entropy(outs[:, :8], targets[:, 0].long(), label_smoothing=0.01)
    colour = functional.cross_entropy(outs[:, 8:16], targets[:, 1].long(), ignore_index=-1)
    counts = targets[:, 7]
    flat = functional.smooth_l1_loss(outs[:, 16:21], targets[:, 2:7], reduction="none", beta=0.05).sum(1)
    return value + 0.15 * colour + (flat * counts).sum() / (counts.sum() + 1)


def train_classifier(
    folder: Path,
    spots: Spots,
    kept: Path,
    minutes: float,
    *,
    close: bool,
    known: Sequence[Photograph] = (),
    batch: int = 64,
    rate: float = 2e-3,
) -> nn.Module:
    """Trains the classifier, or the pip reader where `close`, for `minutes`, on from `kept` if it exists."""
    data = ClassifierSet(folder, spots, int(time.time()), close=close, known=known)
    net = Classifier(pip_reader.SIDE_PX, PIP_READER_WIDTHS) if close else Classifier(classifier.SIDE_PX)
    return train(net, DataLoader(data, batch), classifier_loss, kept, minutes=minutes, rate=rate)
