"""Trains the network of `joins` on labelled folders, and says how it judges folders that it did not see.

    python -m hardware.vision.board.training.joins photos/bed/*

A folder holds scene.json, pictures and truth.jsonl, each line with `tiles` and `grid_corners`. The
folders are dealt to five groups; each group is judged by a network that was trained on the others. The
network that is written is trained on all of them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hardware import pictures
from hardware.arrays import Float64, Picture
from hardware.vision.board.joins import WEIGHTS, Network, features, pairs
from hardware.vision.board.scene import Scene, read_scene
from hardware.vision.errors import HomographyError
from hardware.vision.register.focal_length import usual_focal_length
from hardware.vision.register.homography import (
    Homography,
    homography_from_corners,
    homography_from_markers,
    lens_from_markers,
)
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_markers, to_gray

GROUPS = 5
"""The number of groups of folders."""
HIDDEN = 16
"""The number of units of the inner layer."""
EPOCHS = 40
"""The number of times that all pairs are shown."""
BATCH = 512
"""The number of pairs that are shown at once."""
RATE = 3e-3
"""The first step; it shrinks to nothing."""
DECAY = 1e-4
"""The weight of the squared weights."""
FEWEST_TILES = 5
"""The minimum tiles of a picture to learn from; emptier ones repeat the bed."""

Labels = NDArray[np.bool_]
"""Whether each pair belongs to one tile."""


def samples(folder: Path) -> tuple[Float64, Labels]:
    """The features and labels of all pairs of squares in a folder's pictures of tiles."""
    scene = read_scene(folder)
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    views = [(line, _picture(folder / line["image"])) for line in lines if line["tiles"] and not line["hand"]]
    views = [(line, picture) for line, picture in views if len(line["tiles"]) >= FEWEST_TILES]
    first = _picture(folder / lines[0]["image"])
    markers = find_markers(to_gray(first), scene.marker_dictionary)
    lens = lens_from_markers(scene, (first.shape[1], first.shape[0]), [markers])
    homographies = [_homography(scene, picture, line["grid_corners"], lens) for line, picture in views]
    focal = usual_focal_length(homographies)
    at = pairs(scene.rows, scene.cols)
    free = ~scene.blocked_mask.ravel()[at].any(axis=1)
    rows, labels = [], []
    for (line, picture), homography in zip(views, homographies, strict=True):
        tile_of = np.full(scene.squares, -1)
        for number, tile in enumerate(line["tiles"]):
            tile_of[[row * scene.cols + col for row, col in tile["cells"]]] = number
        rows.append(features(picture, scene, homography, focal)[free])
        labels.append(((tile_of[at[:, 0]] == tile_of[at[:, 1]]) & (tile_of[at[:, 0]] >= 0))[free])
    return np.concatenate(rows), np.concatenate(labels)


def train(rows: Float64, labels: Labels, seed: int = 0) -> Network:
    """A network trained by Adam on features, shape (N, features), and their labels, shape (N,)."""
    random = np.random.default_rng(seed)
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    scaled, wanted = (rows - mean) / spread, labels.astype(np.float64)
    count = rows.shape[1]
    weights = [
        random.normal(0, 1 / np.sqrt(count), (count, HIDDEN)),
        np.zeros(HIDDEN),
        random.normal(0, 1 / np.sqrt(HIDDEN), HIDDEN),
        np.zeros(()),
    ]
    first = [np.zeros_like(each) for each in weights]
    second = [np.zeros_like(each) for each in weights]
    step = 0
    for epoch in range(EPOCHS):
        for batch in np.array_split(random.permutation(len(rows)), max(len(rows) // BATCH, 1)):
            step += 1
            for number, slope in enumerate(_slopes(weights, scaled[batch], wanted[batch])):
                first[number] = 0.9 * first[number] + 0.1 * slope
                second[number] = 0.999 * second[number] + 0.001 * slope**2
                ahead = first[number] / (1 - 0.9**step)
                size = np.sqrt(second[number] / (1 - 0.999**step)) + 1e-8
                weights[number] = weights[number] - RATE * (1 - epoch / EPOCHS) * ahead / size
    return Network(mean, spread, *weights)


def _slopes(weights: list[Float64], rows: Float64, wanted: Float64) -> list[Float64]:
    """The slopes of the cross-entropy of a batch by each of the weights."""
    inner, inner_bias, outer, outer_bias = weights
    hidden = np.tanh(rows @ inner + inner_bias)
    off = (1 / (1 + np.exp(-(hidden @ outer + outer_bias))) - wanted) / len(rows)
    back = np.outer(off, outer) * (1 - hidden * hidden)
    return [
        rows.T @ back + DECAY * inner,
        back.sum(axis=0),
        hidden.T @ off + DECAY * outer,
        np.asarray(off.sum()),
    ]


def _picture(path: Path) -> Picture:
    picture = pictures.read(path)
    assert picture is not None, path
    return picture


def _homography(scene: Scene, picture: Picture, corners: list[list[float]], lens: Lens) -> Homography:
    try:
        return homography_from_markers(scene, find_markers(to_gray(picture), scene.marker_dictionary), lens)
    except HomographyError:
        return homography_from_corners(scene, corners, lens)


def main() -> None:
    """Train on the folders that are named, and write the network beside the reader."""
    folders = [Path(name) for name in sys.argv[1:]]
    known = [samples(folder) for folder in folders]
    for group in range(min(GROUPS, len(folders))):
        others = [each for number, each in enumerate(known) if number % GROUPS != group]
        judge = train(np.concatenate([rows for rows, _ in others]), np.concatenate([at for _, at in others]))
        for number in range(group, len(folders), GROUPS):
            rows, labels = known[number]
            wrong = float(((judge.logits(rows) > 0) != labels).mean())
            sys.stdout.write(
                f"{folders[number].name}: {100 * wrong:.2f} % of {len(labels)} pairs misjudged\n"
            )
    whole = train(np.concatenate([rows for rows, _ in known]), np.concatenate([at for _, at in known]))
    WEIGHTS.parent.mkdir(exist_ok=True)
    np.savez_compressed(
        WEIGHTS,
        allow_pickle=False,
        **{name: getattr(whole, name).astype(np.float32) for name in Network.__struct_fields__},
    )


if __name__ == "__main__":
    main()
