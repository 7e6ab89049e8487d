"""Reads the pictures of labelled beds after making them harder to read, and counts how well.

    python -m tests.vision.measure_perturbed FOLDER... [--variants 2] [--games] [--kind shade | --plain]

Each folder is as for `companion evaluate`. The empty bed and the tiles are shown as they are; then each
picture is read as a first one, or with --games the pictures of a folder one after the other, all with one
perturbation. With --kind there is only this kind, with --plain nothing is made harder. Prints a line for
each picture, the counts of each kind of perturbation, and what a said confidence is worth.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

import msgspec

from companion.commands.confidence import Case, board_case, confidence_table, tile_cases
from companion.commands.evaluate import Truth, read_truth
from companion.commands.read_bed import bed_reader, load_picture, take_in
from companion.games.watching import IN_THE_WAY, Observation
from hardware.vision.board.scene import read_picture_lines
from tests.vision.perturbed import KINDS, Perturbation, mixture

MIXTURES = 2
"""The number of mixtures for each of which every kind comes once by itself."""


class Read(msgspec.Struct, frozen=True):
    """What came of one perturbed picture.

    `outcome`: exact, asked, silently wrong, or hand: under one, nothing is to be read. `best`: whether the
    likeliest board is right. `tiles` and `board`: the cases of confidence.
    """

    folder: str
    image: str
    kinds: tuple[str, ...]
    outcome: str
    why: str
    best: bool
    tiles: tuple[Case, ...]
    board: Case


def main() -> None:
    """Print a line for each picture, and what they come to."""
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
        for each in (game if given.games else firsts)(folder, variants, perturb):
            read.append(each)
            plain = {name: getattr(each, name) for name in ("folder", "image", "kinds", "outcome", "why")}
            sys.stdout.write(json.dumps(plain) + "\n")
            sys.stdout.flush()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in read:
        counts["mixture" if len(each.kinds) > 1 else "".join(each.kinds) or "plain"][each.outcome] += 1
    for kind, outcomes in sorted(counts.items()):
        sys.stdout.write(json.dumps({"kind": kind, **outcomes}) + "\n")
    clear = [each for each in read if each.why not in IN_THE_WAY and each.outcome != "hand"]
    table = confidence_table([case for each in clear for case in each.tiles], [each.board for each in clear])
    sys.stdout.write("\n".join(table.lines()) + "\n")


def firsts(folder: Path, variants: int, perturb: Callable[[str, int], Perturbation]) -> Iterator[Read]:
    """What came of each picture read as a first one, after each of some perturbations."""
    truths, reader = read_truth(folder), bed_reader(folder)
    for line in read_picture_lines(folder):
        if line.role != "watch":
            take_in(reader, folder, line)
        elif not truths[line.image].hand:
            for variant in range(variants):
                perturbed = perturb(f"{folder.name}/{line.image}", variant)
                reading = deepcopy(reader).read(perturbed(load_picture(folder / line.image)))
                yield _read(folder, perturbed, reading, truths[line.image])


def game(folder: Path, variants: int, perturb: Callable[[str, int], Perturbation]) -> Iterator[Read]:
    """What came of each picture of a game, read one after the other, with each of some perturbations."""
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
            reading = reader.read(perturbed(load_picture(folder / image)))
            yield _read(folder, perturbed, reading, truths[image])


def chosen(name: str, variant: int) -> Perturbation:
    """The perturbation of a picture, or game, by its name: one of the kinds, in turn, or a mixture."""
    seed = zlib.crc32(f"{name} {variant}".encode())
    kinds = [*KINDS, *[""] * MIXTURES]
    kind = kinds[(zlib.crc32(name.encode()) + 3 * variant) % len(kinds)]
    return Perturbation([kind], seed) if kind else mixture(seed)


def only(kind: str) -> Callable[[str, int], Perturbation]:
    """What gives perturbations of this kind alone, by the name of a picture, or game."""
    return lambda name, variant: Perturbation([kind], zlib.crc32(f"{kind} {name} {variant}".encode()))


def unperturbed(_: str, __: int) -> Perturbation:
    """None: the picture as it is."""
    return Perturbation([], 0)


def _read(folder: Path, perturbed: Perturbation, reading: Observation, truth: Truth) -> Read:
    lies = {(tile.owner, tile.kind, frozenset(tile.cells)) for tile in truth.tiles}
    have = {(tile.owner, tile.kind, frozenset(tile.cells)) for tile in reading.tiles or ()}
    right = lies == have
    outcome = "asked" if reading.unsure else "exact" if right else "silently wrong"
    if truth.hand and outcome != "silently wrong":
        outcome = "hand"
    return Read(
        folder.name,
        truth.image,
        perturbed.kinds,
        outcome,
        reading.why,
        right,
        tuple(tile_cases(folder.name, reading, lies)),
        board_case(folder.name, reading, lies),
    )


if __name__ == "__main__":
    main()
