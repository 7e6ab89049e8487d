"""Draws the training pictures on several cores, and keeps them in a folder."""

import os
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, Picture
from hardware.vision.dice.classifier import COLOURS
from lab.dice.drawing import DrawnDie, draw_picture

SEED_BASE = 1_000_000
"""Training draws from this seed on, tests from small seeds, so the two never meet."""
WIDTH_PX, HEIGHT_PX = 640, 480
FIELDS = 10
"""Numbers of a die's truth: value (0 is none), sure, gone, colour (−1 unknown), x, y, edge, width and height
of its upper face in px, and whether that size was measured.
"""
VALUE, SURE, GONE, COLOUR, X, Y, EDGE, FACE_WIDTH, FACE_HEIGHT, MEASURED = range(FIELDS)


def start_drawing(folder: Path, pictures: int, cores: int) -> list[SpawnProcess]:
    """Start `cores` processes that draw the missing pictures; they end with this process."""
    folder.mkdir(parents=True, exist_ok=True)
    # PyTorch's threads do not survive a fork.
    context = get_context("spawn")
    shares = [(folder, range(first, pictures, cores)) for first in range(cores)]
    workers = [context.Process(target=_draw_all, args=share, daemon=True) for share in shares]
    for worker in workers:
        worker.start()
    return workers


def drawn_since(folder: Path, known: set[str]) -> Iterator[tuple[Picture, Float32]]:
    """The pictures that were not yet `known`, and their dice `(N, FIELDS)`; now they are known."""
    for path in sorted(folder.glob("*.npz")):
        if path.name not in known:
            known.add(path.name)
            with np.load(path) as kept:
                yield kept["image"], kept["truth"]


def _draw_all(folder: Path, numbers: range) -> None:
    os.nice(10)
    cv2.setNumThreads(1)
    for number in numbers:
        target = folder / f"{number}.npz"
        if not target.exists():
            rng = np.random.default_rng((SEED_BASE, number))
            drawn = draw_picture(SEED_BASE + number, (WIDTH_PX, HEIGHT_PX), variety=True, **_kind(rng))
            partial = target.with_suffix(".part")
            with partial.open("wb") as file:
                np.savez(file, image=drawn.image, truth=truth_of(drawn.dice))
            partial.replace(target)


def _kind(rng: Generator) -> dict[str, Any]:
    """Arguments of `draw_picture`: some without dice, some full of small dice from above, some slanted."""
    kind = rng.random()
    if kind < 0.1:
        return {"count": 0}
    if kind < 0.3:
        return {"count": int(rng.integers(6, 16)), "edge_px": (14, 34), "tilt_deg": (0, 28)}
    if kind < 0.42:
        return {"edge_px": (14, 42), "tilt_deg": (0, 28)}
    if kind < 0.58:
        return {"count": int(rng.integers(1, 4)), "edge_px": (20, 90), "tilt_deg": (25, 58)}
    return {}


def truth_of(dice: tuple[DrawnDie, ...]) -> Float32:
    """The dice as rows of numbers, shape `(N, FIELDS)`."""
    rows = []
    for die in dice:
        colour = COLOURS.index(die.colour) if die.colour in COLOURS else -1
        size = (die.edge_px, *die.face_box_px[2:], True)
        rows.append((die.value, die.sure, die.gone, colour, *die.centre_px, *size))
    return np.asarray(rows, np.float32).reshape(-1, FIELDS)
