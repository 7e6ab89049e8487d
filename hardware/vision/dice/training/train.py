"""Trains the dice reader's three networks: draws pictures, then trains detector, classifier and pip reader.

Each network is trained on what the previous one takes for dice. All three are written to where the reader
loads them.

    pip install torch==2.13.0 onnx
    python -m hardware.vision.dice.training.train --folder /tmp/drawn-dice
    python -m hardware.vision.dice.training.train --folder /tmp/drawn-dice --photos PHOTOS

The second command continues from the first: the networks then see real photographs too, except those of the
source named with `--but`, which can judge the result.

Training takes about two hours on one core, and 6 GB of memory for the pictures. It can be interrupted: it
continues from what the folder holds. Only training needs PyTorch and onnx.
"""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from hardware.vision.dice import classifier, pip_reader
from hardware.vision.dice.detector import Detector
from hardware.vision.dice.reader import WEIGHTS

LOOKED_AT = 1500
"""The number of pictures with dice, besides all those without, in which to gather the detector's mistakes."""
PHOTO_MINUTES = 8.0
"""The minutes of further training of each network with real photographs among the drawn pictures."""
Minutes = tuple[float, float, float]


def train_all(drawn: Path, pictures: int, folder: Path, minutes: Minutes, target: Path) -> None:
    """Train the three networks on the pictures in `drawn`, of which the first `pictures` have dice."""
    # Only training has PyTorch; the reader's own imports must not need it.
    from hardware.vision.dice.training.export import export
    from hardware.vision.dice.training.train_classifier import refine, taken_for_dice, train_classifier
    from hardware.vision.dice.training.train_detector import train_detector

    trained = train_detector(drawn, folder / "detector.pt", minutes[0])
    export(trained, 256, target / "detector.onnx", any_size=True)
    detector = Detector(target / "detector.onnx")
    spots = taken_for_dice(drawn, detector, range(min(pictures, LOOKED_AT)))
    spots |= taken_for_dice(drawn, detector, range(pictures, pictures + pictures // 8))
    first = train_classifier(drawn, spots, folder / "classifier.pt", minutes[1], close=False)
    export(first, classifier.SIDE_PX, target / "classifier.onnx", any_size=False)
    spots = refine(drawn, spots, classifier.Classifier(target / "classifier.onnx"))
    last = train_classifier(drawn, spots, folder / "pip_reader.pt", minutes[2], close=True)
    export(last, pip_reader.SIDE_PX, target / "pip_reader.onnx", any_size=False)


def go_on_with_photos(drawn: Path, pictures: int, folder: Path, photos: Path, but: str, target: Path) -> None:
    """Train the networks further, on drawn dice and the real ones of `photos` in equal parts."""
    from hardware.vision.dice.training.export import export
    from hardware.vision.dice.training.photographs import photographs
    from hardware.vision.dice.training.train_classifier import refine, taken_for_dice, train_classifier
    from hardware.vision.dice.training.train_detector import train_detector

    known = photographs(photos, target, but)
    trained = train_detector(drawn, folder / "detector.pt", PHOTO_MINUTES, known, rate=1e-3)
    export(trained, 256, target / "detector.onnx", any_size=True)
    spots = taken_for_dice(drawn, Detector(target / "detector.onnx"), range(min(pictures, LOOKED_AT)))
    right = refine(drawn, spots, classifier.Classifier(target / "classifier.onnx"))
    for name, side, places in (
        ("classifier", classifier.SIDE_PX, spots),
        ("pip_reader", pip_reader.SIDE_PX, right),
    ):
        net = train_classifier(
            drawn,
            places,
            folder / f"{name}.pt",
            PHOTO_MINUTES,
            close=name == "pip_reader",
            known=known,
            rate=1e-3,
        )
        export(net, side, target / f"{name}.onnx", any_size=False)


@click.command()
@click.option(
    "--folder", type=click.Path(path_type=Path), required=True, help="The folder for pictures and states."
)
@click.option("--pictures", default=5600, show_default=True, help="The number of pictures with dice to draw.")
@click.option(
    "--minutes", nargs=3, default=(20.0, 12.0, 15.0), help="The minutes for detector, classifier, pip reader."
)
@click.option(
    "--target", default=WEIGHTS, type=click.Path(path_type=Path), help="The folder for the weights."
)
@click.option("--photos", type=click.Path(path_type=Path), help="A folder of photographs with truth.jsonl.")
@click.option("--but", default="", help="The source of photographs to hold out.")
def main(folder: Path, pictures: int, minutes: Minutes, target: Path, photos: Path | None, but: str) -> None:
    """Draw the pictures and train the three networks on one core."""
    import torch

    from hardware.vision.dice.training.samples import draw_set

    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    target.mkdir(parents=True, exist_ok=True)
    drawn = folder / "pictures"
    draw_set(drawn, 0, pictures)
    draw_set(drawn, pictures, pictures + pictures // 8, count=0)
    if photos is None:
        train_all(drawn, pictures, folder, minutes, target)
    else:
        go_on_with_photos(drawn, pictures, folder, photos, but, target)


if __name__ == "__main__":
    main()
