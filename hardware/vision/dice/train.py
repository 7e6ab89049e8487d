"""Trains the dice reader anew: draws pictures, trains the finder, then the judge on what the finder found,
writes both.

    pip install torch==2.13.0 onnx
    python -m hardware.vision.dice.train --folder /tmp/drawn-dice

It takes about an hour and a half on one core; what is in the folder already is gone on from, so it may be
broken off. PyTorch and onnx are needed for this alone.
"""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from hardware.vision.dice import counter, judge
from hardware.vision.dice.reader import WEIGHTS


@click.command()
@click.option(
    "--folder", type=click.Path(path_type=Path), required=True, help="Where pictures and states are kept."
)
@click.option("--pictures", default=6000, show_default=True, help="How many pictures to draw.")
@click.option("--finder-minutes", default=40.0, show_default=True)
@click.option("--judge-minutes", default=30.0, show_default=True)
@click.option("--target", default=WEIGHTS, type=click.Path(path_type=Path), help="Where the weights go.")
def main(folder: Path, pictures: int, finder_minutes: float, judge_minutes: float, target: Path) -> None:
    """Train both networks on one core and write them where the reader loads them from."""
    import torch

    from hardware.vision.dice.finder import Finder
    from hardware.vision.dice.training.export import export
    from hardware.vision.dice.training.samples import draw_set
    from hardware.vision.dice.training.train_finder import train_finder
    from hardware.vision.dice.training.train_judge import taken_for_dice, train_judge

    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    target.mkdir(parents=True, exist_ok=True)
    drawn = folder / "pictures"
    draw_set(drawn, 0, pictures)
    finder = train_finder(drawn, folder / "finder.pt", finder_minutes)
    export(finder, 256, target / "finder.onnx", any_size=True)
    spots = taken_for_dice(drawn, Finder(target / "finder.onnx"), range(min(pictures, 2000)))
    for name, side, close in (("judge", judge.SIDE_PX, False), ("counter", counter.SIDE_PX, True)):
        net = train_judge(drawn, spots, folder / f"{name}.pt", judge_minutes, close=close)
        export(net, side, target / f"{name}.onnx", any_size=False)


if __name__ == "__main__":
    main()
