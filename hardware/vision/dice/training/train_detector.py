# mypy: ignore-errors

"""Trains the detector on drawn pictures."""

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import DataLoader, Dataset

from hardware.vision.dice.training.loop import train
from hardware.vision.dice.training.nets import Detector
from hardware.vision.dice.training.photographs import Photograph
from hardware.vision.dice.training.samples import finder_sample, load


class FinderSet(Dataset[tuple[Tensor, Tensor]]):
    """Crops of the drawn pictures, another one at each asking, and as many of real photographs where there
    are some, each source as often."""

    def __init__(self, folder: Path, count: int, seed: int, known: Sequence[Photograph] = ()) -> None:
        self.folder, self.count, self.seed = folder, count, seed
        self.sources = [[p for p in known if p.source == s] for s in sorted({p.source for p in known})]
        self.pictures = len(list(folder.glob("*.pkl")))

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        rng = np.random.default_rng((self.seed, index))
        if self.sources and index % 2:
            source = self.sources[int(rng.integers(len(self.sources)))]
            photo = source[int(rng.integers(len(source)))]
            crop, targets = finder_sample(rng, photo.image, photo.dice)
        else:
            crop, targets = finder_sample(rng, *load(self.folder, int(rng.integers(self.pictures))))
        return torch.from_numpy(np.ascontiguousarray(crop)), torch.from_numpy(targets)


def finder_loss(maps: Tensor, targets: Tensor) -> Tensor:
    """Penalty-reduced focal loss on the score (as CenterNet has it), plus size, offset and value at the
    dice's middles."""
    score, weight = targets[:, 0], targets[:, 1]
    logit = maps[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (score > 0.999).float()
    pull = -hit * (1 - chance) ** 2 * torch.log(chance)
    push = -(1 - hit) * (1 - score) ** 4 * chance**2 * torch.log(1 - chance) * weight
    mask = targets[:, 6]
    middles = mask.sum() + 1
    flat = functional.smooth_l1_loss(maps[:, 1:4], targets[:, 2:5], reduction="none").sum(1)
    values = functional.cross_entropy(
        maps[:, 4:], targets[:, 5].long(), reduction="none", label_smoothing=0.02
    )
    return (pull + push).sum() / (hit.sum() + 1) + ((flat * 1.0 + values * 0.5) * mask).sum() / middles


def train_detector(
    folder: Path,
    kept: Path,
    minutes: float,
    known: Sequence[Photograph] = (),
    batch: int = 16,
    rate: float = 2e-3,
) -> nn.Module:
    """Trains for so many minutes, going on from `kept` where it exists, and keeps the weights there."""
    batches = DataLoader(FinderSet(folder, 10_000_000, int(time.time()), known), batch)
    return train(Detector(), batches, finder_loss, kept, minutes=minutes, rate=rate)
