# mypy: ignore-errors

"""A training in its folder: pictures, states of the networks, photographs and the weights."""

import os
import time
from pathlib import Path

import torch

from hardware.vision.dice import classifier, pip_reader
from hardware.vision.dice.pip_reader import CHANNELS
from lab.dice.draw import drawn_since, start_drawing
from lab.dice.export import export
from lab.dice.loop import Networks
from lab.dice.photographs import photographs
from lab.dice.stock import Stock

RATE = 2e-3
RATE_AGAIN = 1e-3
DETECTOR_SIDE_PX = 256
"""The picture's side in the detector's file; it takes any size."""
FIRST_PICTURES = 200
WAIT_S = 0.5


def write(networks: Networks, target: Path) -> None:
    """Write the three networks as the reader loads them."""
    target.mkdir(parents=True, exist_ok=True)
    shapes = ((3, DETECTOR_SIDE_PX, DETECTOR_SIDE_PX), (3, classifier.SIDE_PX, classifier.SIDE_PX),
              (CHANNELS, pip_reader.SIDE_PX, pip_reader.SIDE_PX))  # fmt: skip
    for (name, one), shape in zip(networks.learners().items(), shapes, strict=True):
        export(one.mean.module.cpu(), shape, target / f"{name}.onnx", any_size=name == "detector")
        one.mean.module.to(networks.device)


class Training:
    """The pictures, drawn meanwhile, and the networks' states, in a folder."""

    def __init__(self, folder: Path, pictures: int, batches: tuple[int, int], photos: Path | None) -> None:
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.folder, self.batches, self.photos = folder, batches, photos
        self.cores = max(1, (os.cpu_count() or 1) * 2 // 3)
        room = 0 if photos is None else len((photos / "truth.jsonl").read_text().splitlines())
        self.stock = Stock(pictures + room, self.device)
        self.workers = start_drawing(folder / "pictures", pictures, self.cores)
        self.known: set[str] = set()
        self.photo_share, self.but = 0.0, ""
        while self.stock.count < FIRST_PICTURES and any(worker.is_alive() for worker in self.workers):
            time.sleep(WAIT_S)
            self.more()

    def more(self) -> None:
        """Take in the pictures drawn since."""
        for image, truth in drawn_since(self.folder / "pictures", self.known):
            self.stock.add(image, truth)
        self.stock.balance(self.photo_share, self.but)

    def train(self, name: str, first: str, minutes: float, rate: float) -> Networks:
        """Train the networks for this many minutes, from the state `first` if there is one, and keep them."""
        networks, begun = Networks(self.device, rate), self.folder / f"{first}.pt"
        if begun.exists():
            networks.load(begun)
        self.more()
        networks.train(self.stock, self.more, minutes, self.batches, self.folder / f"{name}.pt")
        write(networks, self.folder / name)
        return networks

    def add_photos(self, share: float) -> None:
        """Take in the photographs, for this share of the samples."""
        if self.photos is not None:
            self.photo_share = share
            for photo in photographs(self.photos, self.folder / "drawn", self.cores):
                self.stock.add(photo.image, photo.truth, photo.source)
