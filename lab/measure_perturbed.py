"""Reads the pictures of labelled beds after making them harder to read, and counts the outcomes.

    python -m lab.measure_perturbed FOLDER... [--variants 2] [--games] [--kind shade | --plain]

Each folder is as for `companion evaluate`. The empty bed and the tiles are shown as they are; then each
picture is read as a first one, or with --games the pictures of a folder one after the other, all with one
perturbation. Prints a line for each picture, the counts of each kind of perturbation, and the table of
confidence. The pictures look as if by another camera, lamp or hand, the same for the same seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.commands.read_bed import bed_reader, take_in
from companion.games.watching import IN_THE_WAY, Observation
from hardware.arrays import Float32, Float64, Picture, float32
from hardware.camera.folder import read_picture
from hardware.vision.board.scene import read_picture_lines
from lab.confidence import Case, board_case, confidence_table, tile_cases
from lab.evaluate import Truth, read_truth

MIXTURES = 2
"""Mixtures for every picture of each single kind."""
MIXED = 3
"""The most kinds in a mixture."""


class Read(msgspec.Struct, frozen=True):
    """The outcome of one perturbed picture.

    `outcome`: exact, asked, silently wrong, or hand. `tiles` and `board`: the cases of confidence.
    """

    folder: str
    image: str
    kinds: tuple[str, ...]
    outcome: str
    why: str
    tiles: tuple[Case, ...]
    board: Case


def main() -> None:
    """Print a line for each picture, and their sums."""
    arguments = argparse.ArgumentParser(description="How well perturbed pictures of beds are read.")
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--variants", type=int, default=2, help="perturbations of each picture, or game")
    arguments.add_argument("--games", action="store_true", help="read each folder picture after picture")
    arguments.add_argument("--plain", action="store_true", help="read the pictures as they are")
    arguments.add_argument("--kind", choices=list(KINDS), help="the only kind of perturbation")
    given = arguments.parse_args()
    read: list[Read] = []
    perturb = unperturbed if given.plain else only(given.kind) if given.kind else chosen
    for folder in given.folders:
        variants = 1 if given.plain else given.variants
        for reading in (game if given.games else firsts)(folder, variants, perturb):
            read.append(reading)
            plain = {name: getattr(reading, name) for name in ("folder", "image", "kinds", "outcome", "why")}
            sys.stdout.write(json.dumps(plain) + "\n")
            sys.stdout.flush()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for case in read:
        counts["mixture" if len(case.kinds) > 1 else "".join(case.kinds) or "plain"][case.outcome] += 1
    for kind, outcomes in sorted(counts.items()):
        sys.stdout.write(json.dumps({"kind": kind, **outcomes}) + "\n")
    clear = [case for case in read if case.why not in IN_THE_WAY and case.outcome != "hand"]
    table = confidence_table([tile for case in clear for tile in case.tiles], [case.board for case in clear])
    sys.stdout.write("\n".join(table.lines()) + "\n")


def firsts(folder: Path, variants: int, perturb: Callable[[str, int], Perturbation]) -> Iterator[Read]:
    """Outcomes of pictures read as a first one, after each of some perturbations."""
    truths, reader = read_truth(folder), bed_reader(folder)
    for line in read_picture_lines(folder):
        if line.role != "watch":
            take_in(reader, folder, line)
        elif not truths[line.image].hand:
            for variant in range(variants):
                perturbed = perturb(f"{folder.name}/{line.image}", variant)
                reading = deepcopy(reader).read_board(perturbed(read_picture(folder / line.image)))
                yield _read(folder, perturbed, reading, truths[line.image])


def game(folder: Path, variants: int, perturb: Callable[[str, int], Perturbation]) -> Iterator[Read]:
    """Outcomes of the pictures of a game, read one after the other, with each of some perturbations."""
    truths, shown = read_truth(folder), bed_reader(folder)
    watched = []
    for line in read_picture_lines(folder):
        if line.role == "watch":
            watched.append(line.image)
        else:
            take_in(shown, folder, line)
    for variant in range(variants):
        reader, perturbed = deepcopy(shown), perturb(folder.name, variant)
        for image in watched:
            reading = reader.read_board(perturbed(read_picture(folder / image)))
            yield _read(folder, perturbed, reading, truths[image])


def chosen(name: str, variant: int) -> Perturbation:
    """The perturbation of a picture, or game, by its name: each kind in turn, or a mixture."""
    seed = zlib.crc32(f"{name} {variant}".encode())
    kinds = [*KINDS, *[""] * MIXTURES]
    kind = kinds[(zlib.crc32(name.encode()) + 3 * variant) % len(kinds)]
    return Perturbation([kind], seed) if kind else mixture(seed)


def only(kind: str) -> Callable[[str, int], Perturbation]:
    """Make perturbations of this kind alone, by the name of a picture, or game."""
    return lambda name, variant: Perturbation([kind], zlib.crc32(f"{kind} {name} {variant}".encode()))


def unperturbed(_: str, __: int) -> Perturbation:
    """No perturbation: the picture as it is."""
    return Perturbation([], 0)


def _read(folder: Path, perturbed: Perturbation, reading: Observation, truth: Truth) -> Read:
    lies = {tile.squares for tile in truth.tiles}
    tiles, board = tuple(tile_cases(folder.name, reading, lies)), board_case(folder.name, reading, lies)
    outcome = "asked" if reading.unsure else "exact" if board.right else "silently wrong"
    if truth.hand and outcome != "silently wrong":
        outcome = "hand"
    return Read(folder.name, truth.image, perturbed.kinds, outcome, reading.why, tiles, board)


class Perturbation:
    """One or more ways to spoil pictures, with settings drawn from a seed.

    All pictures get the same settings, as from one camera; each gets its own noise.
    """

    def __init__(self, kinds: Sequence[str], seed: int) -> None:
        random = np.random.default_rng(seed)
        self.kinds = tuple(sorted(kinds, key=list(KINDS).index))
        self._strengths = {kind: random.uniform(-1, 1, 4) for kind in KINDS}
        self._noise = random

    def __call__(self, picture: Picture) -> Picture:
        """The perturbed picture, BGR, of the same shape."""
        seen = picture.astype(np.float32)
        for kind in self.kinds:
            seen = KINDS[kind](seen, self._strengths[kind], self._noise)
        return _as_picture(seen)


def mixture(seed: int) -> Perturbation:
    """Two or three kinds by chance."""
    random = np.random.default_rng(seed)
    kinds = random.choice(list(KINDS), random.integers(2, MIXED + 1), replace=False)
    return Perturbation([str(kind) for kind in kinds], seed)


def _warp(seen: Float32, by: Float64, _: np.random.Generator) -> Float32:
    """The camera moved by up to 3 % of the picture at each corner, and turned by up to 3 degrees."""
    height, width = seen.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float32)
    tilt = np.array([(by[0], by[1]), (-by[0], by[2]), (by[0], -by[1]), (-by[0], -by[2])], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(corners, corners + 0.03 * width * tilt)
    turn = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), 3 * by[3], 0.97), (0, 0, 1)])
    cubic, edges, size = cv2.INTER_CUBIC, cv2.BORDER_REPLICATE, (width, height)
    return float32(cv2.warpPerspective(seen, turn @ matrix, size, flags=cubic, borderMode=edges))


def _gradient(seen: Float32, by: Float64, _: np.random.Generator) -> Float32:
    """A lamp on one side: the other side of the picture has 55 to 85 % of its light."""
    height, width = seen.shape[:2]
    down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    ramp = np.cos(np.pi * by[0]) * (across - 0.5) + np.sin(np.pi * by[0]) * (down - 0.5)
    ramp = (ramp - ramp.min()) / (ramp.max() - ramp.min())
    return float32(seen * (1 - (0.3 + 0.15 * by[1]) * ramp)[..., None])


def _light(seen: Float32, by: Float64, _: np.random.Generator) -> Float32:
    """Gamma 0.75 to 1.33, and blue and red up to 10 % off."""
    gains = np.array([1 + 0.1 * by[1], 1, 1 + 0.1 * by[2]])
    return float32(255 * (np.clip(seen, 0, 255) / 255) ** (1.33 ** by[0]) * gains)


def _shade(seen: Float32, by: Float64, _: np.random.Generator) -> Float32:
    """A person's soft shadow over one side of the picture, with 60 to 85 % of the light."""
    height, width = seen.shape[:2]
    down, across = np.mgrid[0:height, 0:width]
    side = np.cos(np.pi * by[0]) * (across - width / 2) + np.sin(np.pi * by[0]) * (down - height / 2)
    edge = 1 / (1 + np.exp(-(side - 0.2 * width * by[1]) / (0.008 * width * (2 + by[2]))))
    return float32(seen * (1 - (0.275 + 0.125 * by[3]) * edge)[..., None])


def _coarse(seen: Float32, _: Float64, __: np.random.Generator) -> Float32:
    height, width = seen.shape[:2]
    small = cv2.resize(seen, (3 * width // 4, 3 * height // 4), interpolation=cv2.INTER_AREA)
    return float32(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC))


def _blur(seen: Float32, by: Float64, _: np.random.Generator) -> Float32:
    return float32(cv2.GaussianBlur(seen, (0, 0), 0.8 + 0.3 * by[0]))


def _noise(seen: Float32, by: Float64, random: np.random.Generator) -> Float32:
    """One and a half to twice the picture's noise, at least 4 gray levels."""
    plain = seen[..., 1] - cv2.GaussianBlur(seen[..., 1], (0, 0), 1.5)
    usual = max(float(np.median(np.abs(plain))) / 0.6745, 3.0)
    more = usual * np.sqrt((1.75 + 0.25 * by[0]) ** 2 - 1)
    return float32(seen + random.normal(0, more, seen.shape))


def _jpeg(seen: Float32, by: Float64, _: np.random.Generator) -> Float32:
    quality = round(67.5 + 7.5 * float(by[0]))
    written = cv2.imencode(".jpg", _as_picture(seen), [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), dtype=np.float32)


def _as_picture(seen: Float32) -> Picture:
    return np.clip(np.rint(seen), 0, 255).astype(np.uint8)


KINDS: dict[str, Callable[[Float32, Float64, np.random.Generator], Float32]] = {
    "warp": _warp,
    "gradient": _gradient,
    "shade": _shade,
    "light": _light,
    "coarse": _coarse,
    "blur": _blur,
    "noise": _noise,
    "jpeg": _jpeg,
}
"""The kinds of perturbation, in the order in which light, lens, chip and file make them."""


if __name__ == "__main__":
    main()
