# mypy: ignore-errors

"""Trains the network that says what a board's squares show, on labelled and on drawn beds.

    pip install torch==2.11.0
    python -m lab.joins photos/bed/* [--drawn 417] [--seed 50000] [--minutes 15] [--but final-3]

A folder holds scene.json, pictures and truth.jsonl, each line with `tiles`. Drawn beds (kinds `stranger-…` of
`tests.vision.chance_beds`) come from the seed on. Folders named with --but are left out, and judged.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import click
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from hardware import pictures
from hardware.vision.board import unshown
from hardware.vision.board.corners import find_corners
from hardware.vision.board.scene import read_scene, scene_of
from hardware.vision.board.unshown import EDGE, SQUARE, WEIGHTS, features
from hardware.vision.register.homography import homography_from_corners, usual_focal_length
from hardware.vision.register.lens import Lens

CHANNELS, LAYERS, ANSWERS = 40, 5, 8
BATCH, RATE, DECAY = 16, 3e-3, 1e-2
FEWEST_TILES = 5
"""The minimum tiles of a picture to learn from; emptier ones repeat the bed."""
NO_TILE = 255
ASKEW = 0.05
"""The corners of each labelled picture are moved by about so many squares for a second sample."""
COLOURS = [(2 * EDGE + plane * SQUARE + 1, 2 * EDGE + plane * SQUARE + 2) for plane in (0, 1)]
LIGHT = [2 * EDGE, 2 * EDGE + SQUARE]


class Net(nn.Module):
    """The network of `hardware.vision.board.unshown.Network`, to be trained."""

    def __init__(self) -> None:
        super().__init__()
        inputs = 2 * EDGE + 2 * SQUARE
        self.first = nn.Conv2d(inputs, CHANNELS, 1)
        self.layers = nn.ModuleList([nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1) for _ in range(LAYERS)])
        self.last = nn.Conv2d(CHANNELS, ANSWERS, 1)

    def forward(self, x):
        """The answers for features, both with the squares as their last two axes."""
        x = functional.dropout2d(x, 0.08, self.training)
        hidden = functional.dropout2d(functional.relu(self.first(x)), 0.1, self.training)
        for layer in self.layers:
            hidden = hidden + functional.relu(layer(functional.dropout2d(hidden, 0.1, self.training)))
        return self.last(hidden)


def samples(picture, scene, tiles, corners, askew):
    """Features, tile numbers, turns and blocked squares, once, and once more with the corners moved."""
    numbers = np.zeros((scene.rows, scene.cols), np.uint8)
    turns = np.full((scene.rows, scene.cols), NO_TILE, np.uint8)
    for number, tile in enumerate(tiles, 1):
        for row, col in tile["cells"]:
            numbers[row, col], turns[row, col] = number, tile["turns"] % 4
    lens = Lens(picture.shape[1], picture.shape[0])
    for moved in (0.0, *askew):
        square_px = np.linalg.norm(np.subtract(*corners[:2])) / scene.cols
        places = np.array(corners) + np.random.default_rng(5).normal(0, 1, (4, 2)) * moved * square_px
        homography = homography_from_corners(scene, places.tolist(), lens)
        seen = features(picture, scene, homography, usual_focal_length([homography]))
        yield seen.astype(np.float32), numbers, turns, scene.blocked_mask


def of_folder(folder: Path):
    """The samples of a labelled folder."""
    scene = read_scene(folder)
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        if len(line["tiles"]) >= FEWEST_TILES and not line["hand"]:
            picture = pictures.read(folder / line["image"])
            found = find_corners(picture, scene)
            if found.certain:
                yield from samples(picture, scene, line["tiles"], found.corners_px, (ASKEW,))


def of_drawn(seed: int):
    """The samples of a drawn bed."""
    from tests.vision.chance_beds import KINDS, ChanceBed

    kinds = ("stranger-photo", "stranger-careless", "stranger-photo", "stranger-tidy")
    bed = ChanceBed(KINDS[kinds[seed % len(kinds)]], seed)
    scene = scene_of(bed.scene_json)
    for _ in range(2):
        laid = bed.laid(bed.board())
        picture = bed.picture(laid, moved=True)
        found = find_corners(picture, scene)
        if found.certain:
            tiles = [{"cells": each.tile.cells, "turns": each.tile.turns} for each in laid]
            yield from samples(picture, scene, tiles, found.corners_px, ())


def mirrored(x, numbers, turns, blocked):
    """The samples mirrored from left to right."""
    x, turns = unshown.mirrored(x, unshown.LINES_RIGHT), turns[..., ::-1]
    return x, numbers[..., ::-1], np.where(turns % 2 == 1, (turns + 2) % 4, turns), blocked[..., ::-1]


def transposed(x, numbers, turns, blocked):
    """The samples with rows for columns."""
    swapped = np.where(turns < 4, 3 - turns, NO_TILE)
    others = (each.swapaxes(1, 2) for each in (numbers, swapped, blocked))
    return unshown.transposed(x, unshown.TRANSPOSED), *others


def as_tensors(x, numbers, turns, blocked):
    """Features and what the network should answer."""
    covered = numbers > 0
    right, below = np.zeros_like(covered), np.zeros_like(covered)
    right[:, :, :-1] = (numbers[:, :, :-1] == numbers[:, :, 1:]) & covered[:, :, :-1]
    below[:, :-1] = (numbers[:, :-1] == numbers[:, 1:]) & covered[:, :-1]
    wanted = np.stack([covered, right, below], axis=1).astype(np.float32)
    arrays = x.astype(np.float32), wanted, turns.astype(np.int64), blocked.astype(np.float32)
    return [torch.from_numpy(np.ascontiguousarray(array)) for array in arrays]


def loss_of(answers, wanted, turns, blocked):
    """The loss of a batch."""
    each = functional.binary_cross_entropy_with_logits(answers[:, :3], wanted, reduction="none").sum(1)
    squares = (each * (1 - blocked)).mean()
    pillows = functional.binary_cross_entropy_with_logits(answers[:, 3], blocked)
    way = functional.cross_entropy(answers[:, 4:], turns.masked_fill(turns > 3, -100))
    return squares + 0.5 * pillows + 0.2 * way


def spoiled(x):
    """Features with noise, another light and other colours."""
    x = x + 0.25 * torch.randn_like(x)
    x[:, LIGHT] += 0.5 * torch.randn(len(x), 1, 1, 1)
    angle, strong = 2 * np.pi * torch.rand(len(x), 1, 1), torch.exp(0.3 * torch.randn(len(x), 1, 1))
    for one, other in COLOURS:
        a, b = x[:, one] * strong, x[:, other] * strong
        x[:, one], x[:, other] = a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()
    return x


def trained(known, minutes: float) -> dict[str, np.ndarray]:
    """The network after so many minutes, as `unshown.Network` wants it."""
    x, *labels = (np.array(array) for array in zip(*known, strict=True))
    mean, spread = x.mean(axis=(0, 2, 3)), x.std(axis=(0, 2, 3)) + 1e-3
    mean[:EDGE] = mean[EDGE : 2 * EDGE] = (mean[:EDGE] + mean[EDGE : 2 * EDGE]) / 2
    spread[:EDGE] = spread[EDGE : 2 * EDGE] = (spread[:EDGE] + spread[EDGE : 2 * EDGE]) / 2
    x = (x - mean[:, None, None]) / spread[:, None, None]
    x[:, :EDGE, :, -1] = x[:, EDGE : 2 * EDGE, -1] = 0
    sets = []
    for one in ((x, *labels), mirrored(x, *labels)):
        turned = mirrored(*transposed(*one))
        sets += [as_tensors(*s) for s in (one, transposed(*one), turned, transposed(*turned))]
    net, random, begun = Net(), np.random.default_rng(1), time.monotonic()
    steps = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    while (share := (time.monotonic() - begun) / (60 * minutes)) < 1:
        for group in steps.param_groups:
            group["lr"] = RATE * max(0.01, 0.5 * (1 + np.cos(np.pi * share)))
        chosen = sets[random.integers(len(sets))]
        some = random.choice(len(x), BATCH, replace=False)
        loss_of(net(spoiled(chosen[0][some])), *(array[some] for array in chosen[1:])).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        steps.step()
        steps.zero_grad()
    layers = [layer.weight.detach().numpy() for layer in net.layers]
    return {
        "mean": mean,
        "spread": spread,
        "first": net.first.weight.detach().numpy()[:, :, 0, 0],
        "first_bias": net.first.bias.detach().numpy(),
        "layers": np.stack(layers),
        "biases": np.stack([layer.bias.detach().numpy() for layer in net.layers]),
        "last": net.last.weight.detach().numpy()[:, :, 0, 0],
        "last_bias": net.last.bias.detach().numpy(),
    }


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option("--drawn", default=417, show_default=True, help="The drawn beds.")
@click.option("--seed", default=50000, show_default=True, help="The first one's seed.")
@click.option("--minutes", default=15.0, show_default=True, help="The minutes of training.")
@click.option("--but", multiple=True, help="A folder to leave out.")
def main(folders: tuple[Path, ...], drawn: int, seed: int, minutes: float, but: tuple[str, ...]) -> None:
    """Train the network and write it beside the reader."""
    known = [sample for folder in folders if folder.name not in but for sample in of_folder(folder)]
    known += [sample for number in range(seed, seed + drawn) for sample in of_drawn(number)]
    weights = trained(known, minutes)
    stored = {
        name: array.astype(np.float16 if array.ndim > 1 else np.float32) for name, array in weights.items()
    }
    np.savez_compressed(WEIGHTS, allow_pickle=False, **stored)


if __name__ == "__main__":
    main()
