"""Photographs screens, and counts how many are noticed; and looks for screens in pictures that show none.

    python -m tests.vision.measure_screens PICTURE_OR_FOLDER... --shots 60
    python -m tests.vision.measure_screens PICTURE_OR_FOLDER... --tables [--spoilt]

The first shows pictures chosen by chance on panels, photographs them, and prints a line for each: the panel,
how much of the photo the moiré is visible in, and whether it is noticed. It is called visible where the dots
change the photo by `SEEN_LEVELS` gray levels in a quarter of its blocks. The second reads every picture, with
--spoilt also enlarged, made smaller, stretched, sharpened, made more colourful, stored worse, and perturbed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from hardware import photo_file
from hardware.arrays import Float32, Picture
from hardware.vision.screen import is_of_a_screen, rainbow_share
from tests.vision.perturbed import mixture
from tests.vision.screened import Panel, Shot, screened, stored

PANELS = (
    Panel(1680, 1050),
    Panel(3840, 2160),
    Panel(1440, 900),
    Panel(2160, 1620),
    Panel(1280, 800),
    Panel(3120, 1440, "diamonds"),
    Panel(1920, 1080),
    Panel(1366, 768),
)
"""Screens of computers and tablets, and one of a phone."""

SENSORS = ((4000, 3000), (3264, 2448), (2592, 1944))
"""The pixels of phones' cameras, across and down."""

SEEN_LEVELS = 2.5
"""The root mean square by which the dots change a block, in gray levels, where a person sees them."""

SEEN_SHARE = 0.25
"""The share of the photo's blocks that must be so changed for the moiré to be called visible."""

BLOCK_PX = 64
"""The side of the blocks."""

EYE_PX, EVEN_PX = 1.0, 30.0
"""What is finer than the first and coarser than the second is taken for no moiré, in px."""

PICTURES = (".jpg", ".jpeg", ".png")
"""The files of a folder that are pictures."""


def main() -> None:
    """Print a line for each picture, and what they come to."""
    arguments = argparse.ArgumentParser(description="How many photos of screens, and of tables, are refused.")
    arguments.add_argument("pictures", nargs="+", type=Path)
    arguments.add_argument("--shots", type=int, default=60, help="photos of screens to take")
    arguments.add_argument("--first", type=int, default=0, help="the seed of the first photo")
    arguments.add_argument("--tables", action="store_true", help="read the pictures as photos of tables")
    arguments.add_argument("--spoilt", action="store_true", help="read spoilt copies as well")
    given = arguments.parse_args()
    files = sorted(file for path in given.pictures for file in _files(path))
    counts: Counter[str] = Counter()
    if given.tables:
        for file in files:
            for kind, picture in _tables(file, spoilt=given.spoilt):
                taken = is_of_a_screen(picture)
                counts[f"{kind}: {'refused' if taken else 'passed'}"] += 1
                if taken:
                    _say({"image": str(file), "kind": kind, "share": rainbow_share(picture)})
    else:
        for seed in range(given.first, given.first + given.shots):
            line = _photographed(files, seed)
            _say(line)
            seen = "visible" if line["visible"] >= SEEN_SHARE else "hardly visible"
            counts[f"{line['dots']}, {seen}: {'noticed' if line['noticed'] else 'passed'}"] += 1
    _say(dict(sorted(counts.items())))


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (each for each in path.rglob("*") if each.suffix.lower() in PICTURES)
    else:
        yield path


def _photographed(files: list[Path], seed: int) -> dict[str, object]:
    """One photo of a screen, everything about it drawn by chance from the seed."""
    random = np.random.default_rng(seed)
    file = files[int(random.integers(len(files)))]
    panel, shot = PANELS[seed % len(PANELS)], _shot(random, seed)
    shown = _read(file)
    taken, even = (_as_read(screened(shown, panel, shot, dots=dots), shot) for dots in (True, False))
    return {
        "seed": seed,
        "image": str(file),
        "panel": [panel.width, panel.height],
        "dots": panel.dots,
        "sensor": [shot.width, shot.height],
        "visible": round(_visible(taken, even), 3),
        "share": round(rainbow_share(taken), 3),
        "noticed": is_of_a_screen(taken),
    }


def _shot(random: np.random.Generator, seed: int) -> Shot:
    width, height = SENSORS[int(random.integers(len(SENSORS)))]
    return Shot(
        width=width,
        height=height,
        fill=random.uniform(0.65, 1.35),
        tilt=random.uniform(0, 22),
        side=random.uniform(0, 360),
        turn=random.uniform(-6, 6),
        blur=random.uniform(0.3, 0.7),
        bend=random.uniform(-0.02, 0.02),
        haze=random.uniform(0, 0.05),
        noise=random.uniform(0.003, 0.012),
        softened=random.choice([0, 0.8, 1.5, 2.2]),
        sharpened=random.uniform(0, 0.8),
        long_side=int(random.choice([4000, 2000, 1600])),
        quality=int(random.integers(80, 96)),
        seed=seed,
    )


def _as_read(photo: Picture, shot: Shot) -> Picture:
    return photo_file.photo(stored(photo, shot.quality))


def _visible(taken: Picture, even: Picture) -> float:
    """The share of the photo's blocks that the dots change visibly."""
    changed: Float32 = taken.astype(np.float32) - even
    changed = np.asarray(cv2.GaussianBlur(changed, (0, 0), EYE_PX), np.float32)
    changed -= cv2.GaussianBlur(changed, (0, 0), EVEN_PX)
    down, across = changed.shape[0] // BLOCK_PX, changed.shape[1] // BLOCK_PX
    blocks = changed[: down * BLOCK_PX, : across * BLOCK_PX].reshape(down, BLOCK_PX, across, BLOCK_PX, 3)
    levels = np.sqrt((blocks**2).mean(axis=(1, 3))).max(axis=-1)
    return float((levels > SEEN_LEVELS).mean())


def _tables(file: Path, *, spoilt: bool) -> Iterator[tuple[str, Picture]]:
    """The picture in a file, and its spoilt copies, each with the name of what was done."""
    picture = _read(file)
    yield "as it is", picture
    if not spoilt:
        return
    yield "larger", _resized(picture, 1.5, 1.5, cv2.INTER_CUBIC)
    yield "smaller", _resized(picture, 0.8, 0.8, cv2.INTER_LINEAR)
    yield "larger, coarsely", _resized(picture, 1.37, 1.37, cv2.INTER_NEAREST)
    yield "stretched", _resized(picture, 1.4, 0.9, cv2.INTER_LINEAR)
    blurred = cv2.GaussianBlur(picture, (0, 0), 1.2)
    yield "sharper", np.asarray(cv2.addWeighted(picture, 2.5, blurred, -1.5, 0), np.uint8)
    gray = picture.mean(axis=2, keepdims=True)
    yield "more colourful", np.clip(gray + 3 * (picture - gray), 0, 255).astype(np.uint8)
    yield "stored worse", photo_file.photo(stored(picture, 40))
    yield "perturbed", mixture(len(file.name) + picture.shape[0])(picture)


def _resized(picture: Picture, across: float, down: float, how: int) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=across, fy=down, interpolation=how), np.uint8)


def _read(file: Path) -> Picture:
    picture = cv2.imread(str(file))
    if picture is None:
        raise SystemExit(f"{file} is no picture.")
    return np.asarray(picture, np.uint8)


def _say(line: dict[str, object] | dict[str, int]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
