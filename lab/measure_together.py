"""Reads the photographs of each labelled bed one by one, in pairs and in threes, and counts the outcomes.

    python -m lab.measure_together FOLDER... [--together 1,2,3] [--unshown]

Each folder has photographs of one finished bed (`role` watch) and a truth file. Each photograph is compared
with the bed and the tiles once, and used in every pair and every three.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from unittest import mock

from companion.commands.read_bed import bed_reader, load_picture, take_in
from companion.games.watching import Tile
from hardware.arrays import Picture
from hardware.vision.board import photos
from hardware.vision.board.board_view import BoardView, Corners
from hardware.vision.board.corners import BoardCorners, find_corners
from hardware.vision.board.photos import PhotoEvidence
from hardware.vision.board.scene import Scene, read_picture_lines
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import VisionError
from lab.evaluate import read_truth


def main() -> None:
    """Print a line for each number of photographs that are read together."""
    arguments = argparse.ArgumentParser(description="How well photographs of one finished bed are read.")
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--together", default="1,2,3", help="how many photographs, 1,2,3 if not given")
    arguments.add_argument("--unshown", action="store_true", help="as if nobody had shown the tiles")
    given = arguments.parse_args()
    counts: dict[int, Counter[str]] = {int(count): Counter() for count in given.together.split(",")}
    for folder in given.folders:
        for count, outcomes in counts.items():
            outcomes.update(outcomes_of(folder, count, shown=not given.unshown))
    for count, outcomes in counts.items():
        sys.stdout.write(json.dumps({"together": count, "boards": outcomes.total(), **outcomes}) + "\n")


def outcomes_of(folder: Path, count: int, *, shown: bool) -> list[str]:
    """Outcomes of each choice of `count` photographs: exact, asked, no board or silently wrong."""
    reader = bed_reader(folder)
    seen: list[tuple[str, Picture]] = []
    for line in read_picture_lines(folder):
        if line.role == "watch":
            seen.append((line.image, load_picture(folder / line.image)))
        else:
            take_in(reader, folder, line)
    truth = read_truth(folder)
    with _compared_once(reader):
        return [
            _outcome([picture for _, picture in some], reader, truth[some[0][0]].tiles, shown=shown)
            for some in combinations(seen, count)
        ]


def _outcome(pictures: Sequence[Picture], reader: TileReader, truth: Sequence[Tile], *, shown: bool) -> str:
    try:
        read = photos.read_photos(pictures, reader.scene, shown=reader if shown else None)
    except VisionError:
        return "no board"
    if read.reading.why:
        return "asked" if read.reading.tiles else "no board"
    # Without the tiles shown, nobody can know a tile's owner, and a doubtful kind is not silent.
    true = {(tile.owner if shown else "", tile.kind, frozenset(tile.cells)) for tile in truth}
    read_as = [tile.squares for tile in read.reading.tiles or ()]
    sure = {tile for number, tile in enumerate(read_as) if shown or number not in read.doubtful}
    same_squares = {cells for *_, cells in read_as} == {cells for *_, cells in true}
    return "exact" if same_squares and sure <= true else "silently wrong"


def _compared_once(reader: TileReader) -> Any:
    """Find each picture's corners once, and compare it once with what the reader was shown."""
    corners: dict[int, BoardCorners] = {}

    def corners_once(picture: Picture, layout: Scene) -> BoardCorners:
        if id(picture) not in corners:
            corners[id(picture)] = find_corners(picture, layout)
        return corners[id(picture)]

    @cache
    def evidence_of(number: int) -> PhotoEvidence:
        picture, corners = given[number]
        return PhotoEvidence(reader, TileReader.restore(reader.scene, reader.save()).view, picture, corners)

    given: dict[int, tuple[Picture, Corners | None]] = {}

    def compared_once(
        shown: TileReader, view: BoardView, picture: Picture, corners: Corners | None
    ) -> PhotoEvidence:
        given.setdefault(id(picture), (picture, corners))
        return evidence_of(id(picture))

    return mock.patch.multiple(photos, find_corners=corners_once, PhotoEvidence=compared_once)


if __name__ == "__main__":
    main()
