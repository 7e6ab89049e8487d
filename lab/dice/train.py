"""Trains the dice reader's three networks on drawn pictures, and on photographs after that.

    pip install torch==2.11.0 onnx
    python -m lab.dice.train --folder /tmp/dice
    python -m lab.dice.train --folder /tmp/dice --photos PHOTOS --but SOURCE

The first command draws pictures on two thirds of the cores and trains meanwhile; it keeps the weights in
the folder and writes them where the reader loads them. The second goes on from there with real photographs
too. Each source named with `--but` gets weights of its own in the folder, which never saw it, to judge the
result. A graphics processor is used if there is one.
"""

from __future__ import annotations

from pathlib import Path

import click

from hardware.vision.dice.reader import WEIGHTS

PATH = click.Path(path_type=Path)


@click.command()
@click.option("--folder", type=PATH, required=True, help="The folder for pictures and states.")
@click.option("--pictures", default=16000, show_default=True, help="The number of pictures to draw.")
@click.option("--minutes", default=60.0, show_default=True, help="The minutes of training on drawn pictures.")
@click.option("--batches", nargs=2, default=(64, 640), show_default=True, help="Samples: detector, others.")
@click.option("--target", default=WEIGHTS, type=PATH, help="The folder for the weights.")
@click.option("--photos", type=PATH, help="A folder of photographs with truth.jsonl.")
@click.option("--photo-minutes", default=8.0, show_default=True, help="The minutes with photographs.")
@click.option("--photo-share", default=0.3, show_default=True, help="Their share of the samples.")
@click.option("--but", multiple=True, help="A source to hold out, for weights of its own.")
def main(
    folder: Path,
    pictures: int,
    minutes: float,
    batches: tuple[int, int],
    target: Path,
    photos: Path | None,
    photo_minutes: float,
    photo_share: float,
    but: tuple[str, ...],
) -> None:
    """Draw pictures and train the three networks."""
    # Only training has PyTorch; the processes that draw load this module too, and do without.
    from lab.dice.course import RATE, RATE_AGAIN, Training, write

    training = Training(folder, pictures, batches, photos)
    networks = training.train("drawn", "drawn", minutes, RATE)
    if photos is not None:
        training.add_photos(photo_share)
        for training.but in (*but, ""):
            name = f"but-{training.but}" if training.but else "all"
            networks = training.train(name, "drawn", photo_minutes, RATE_AGAIN)
    write(networks, target)
    for worker in training.workers:
        worker.terminate()


if __name__ == "__main__":
    main()
