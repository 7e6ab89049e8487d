"""Reads single photographs of finished boards as a stranger's, of which nothing was shown, and counts.

    python -m lab.stranger [FOLDER...] [--beds 12] [--seed 91000] [--together 3]

Draws `--beds` beds of each kind from the seed on (`tests.vision.chance_beds`), reads them and the folders,
and prints one table for what was drawn and one for the folders, with 95 % intervals (Wilson).
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.commands.score import Bed, bed_of
from companion.errors import UserError
from companion.games.watching import Kind, Square, Tile
from companion.players.arena import wilson
from companion.service.photos import reading as road
from hardware.vision.board.photos import PhotosReading
from lab.evaluate import Truth, read_truth

KINDS = ("tidy", "careless", "photo")
OUTCOMES = ("exact, nothing asked", "exact, asked", "wrong, asked", "refused", "silently wrong")

Outlines = Counter[tuple[Kind, tuple[Square, ...]]]


@click.command()
@click.argument("folders", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="[FOLDER]...")
@click.option("--beds", default=12, show_default=True, help="The beds to draw of each kind; 0: none.")
@click.option("--seed", default=91000, show_default=True, help="The first bed's seed.")
@click.option("--together", default=1, show_default=True, help="The number of photographs read as one.")
def main(folders: tuple[Path, ...], beds: int, seed: int, together: int) -> None:
    """Print how single photographs of finished boards are read by a stranger's road."""
    if beds:
        with TemporaryDirectory() as out:
            for kind in KINDS:
                draw = ("-m", "tests.vision.chance_beds", out, "--kind", f"stranger-{kind}")
                subprocess.run([sys.executable, *draw, "--beds", str(beds), "--seed", str(seed)], check=True)
            drawn = sorted(Path(out).iterdir())
            _print("drawn", {kind: [bed for bed in drawn if kind in bed.name] for kind in KINDS}, together)
    if folders:
        _print("folders", {folder.name: [folder] for folder in folders}, together)


def _print(title: str, groups: dict[str, list[Path]], together: int) -> None:
    click.echo(f"{title}: photographs | {' | '.join(OUTCOMES)}")
    total: Counter[str] = Counter()
    for name, folders in groups.items():
        counts = Counter(outcome for folder in folders for outcome in outcomes_of(folder, together))
        total += counts
        click.echo(f"  {name}: {_row(counts)}")
    click.echo(f"  all: {_row(total)}")


def _row(counts: Counter[str]) -> str:
    photos = counts.total()
    cells = [str(photos)]
    for outcome in OUTCOMES if photos else ():
        low, high = wilson(counts[outcome] / photos, photos)
        cells.append(f"{counts[outcome]} ({100 * low:.0f} to {100 * high:.0f} %)")
    return " | ".join(cells)


def outcomes_of(folder: Path, together: int = 1) -> Iterator[str]:
    """The outcome of each photograph of a finished board in a folder, or of each so many of one board."""
    bed = bed_of([folder / "scene.json"], None, {})
    truths = [truth for truth in read_truth(folder).values() if not truth.hand]
    truths = [truth for truth in truths if truth.event.startswith("final")]
    for first in range(0, len(truths) - together + 1, together):
        some = truths[first : first + together]
        if all(_outlines(truth.tiles) == _outlines(some[0].tiles) for truth in some):
            yield _outcome(folder, bed, some)


def _outcome(folder: Path, bed: Bed, truths: list[Truth]) -> str:
    try:
        photos = [road.take((folder / truth.image).read_bytes(), bed.layout) for truth in truths]
        read = road.read(photos, bed.layout, None)
    except UserError:
        return "refused"
    return outcome(read, truths[0].tiles)


def outcome(read: PhotosReading, truth: tuple[Tile, ...]) -> str:
    """The outcome by kinds and squares alone: whose the tiles are is always asked."""
    tiles = read.reading.tiles or ()
    have, want = _outlines(tiles), _outlines(truth)
    if have == want:
        return "exact, asked" if read.doubtful or read.reading.why else "exact, nothing asked"
    doubtful = {square for number in read.doubtful for square in tiles[number].cells}
    wrong = (have - want) + (want - have)
    said = read.reading.why not in ("", "not-told-apart") or all(doubtful & set(cells) for _, cells in wrong)
    return "wrong, asked" if said else "silently wrong"


def _outlines(tiles: tuple[Tile, ...]) -> Outlines:
    return Counter((tile.kind, tuple(sorted(tile.cells))) for tile in tiles)


if __name__ == "__main__":
    main()
