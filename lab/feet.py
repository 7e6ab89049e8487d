"""Fits the weights by which a tile's foot is told from its head (`hardware.vision.board.feet`).

python -m lab.feet FOLDER... [--penalty 10]

Each folder holds a finished board as for `lab.stranger`. All its tiles have a tail at their foot.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np

from companion.commands.score import bed_of
from companion.service.photos import reading as road
from hardware.arrays import Float64
from hardware.vision.board.feet import WEIGHTS, Ends
from hardware.vision.board.photos import PlacedPhoto, located
from hardware.vision.board.unshown import upper_faces
from hardware.vision.register.homography import usual_focal_length
from lab.evaluate import read_truth

ROUNDS = 15


def examples(folder: Path) -> Iterator[Float64]:
    """The features of each tile on the finished boards of a folder."""
    bed = bed_of([folder / "scene.json"], None, {})
    finals = [truth for truth in read_truth(folder).values() if truth.event.startswith("final")]
    for truth in finals:
        photo = road.take((folder / truth.image).read_bytes(), bed.layout)
        if photo.corners.certain:
            place = located(photo.picture, bed.layout, PlacedPhoto(photo.corners))
            focal = usual_focal_length([place.homography])
            ends = Ends(upper_faces(place, bed.layout, focal), bed.layout, truth.tiles)
            yield from (ends.features(tile) for tile in truth.tiles)


def fitted(examples: Float64, penalty: float) -> Float64:
    """Weights of a logistic regression, by Newton's method, for features that all speak for the foot."""
    spread = examples.std(axis=0) + 1e-6
    scaled, weights = examples / spread, np.zeros(examples.shape[1])
    for _ in range(ROUNDS):
        wrong = 1 / (1 + np.exp(scaled @ weights))
        slope = penalty * weights - scaled.T @ wrong
        curve = (scaled * (wrong * (1 - wrong))[:, None]).T @ scaled + penalty * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    return np.asarray(weights / spread)


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--penalty", default=10.0, show_default=True, help="The cost of large weights.")
def main(folders: tuple[Path, ...], penalty: float) -> None:
    """Fit the weights and write them beside the reader."""
    found = np.array([example for folder in folders for example in examples(folder)])
    np.savez_compressed(WEIGHTS, allow_pickle=False, weights=fitted(found, penalty).astype(np.float32))


if __name__ == "__main__":
    main()
