"""The virtual bed looks as it always has: readers were tuned on it, and people know it from the docs.

The pictures are kept small, in `pictures/`, and compared with a little room: releases of OpenCV round
differently. Where a look is meant to change, `python -m tests.simulator.test_pictures` keeps the new ones;
look at them before you commit them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.watching import Tile
from companion.simulator.acting import Pace, acted, lessons, thrown
from companion.simulator.draw import Marker, Table
from companion.simulator.hands import Hand
from companion.simulator.sources import virtual_camera
from companion.simulator.table_scene import on_board
from hardware.arrays import Picture
from tests.drawn import draw

KEPT = Path(__file__).parent / "pictures"
SIZE = 160, 120
"""Columns and rows of a kept picture in px."""
ON_AVERAGE, AT_MOST = 0.2, 12.0
"""How far levels (0 to 255) may be from the kept picture's. One tile with a strange coat: 0.3 and 150."""

NAMES = ("cat-1", "cat-2", "dog-1", "dog-2", "dream-bed", "playing", "cat-lays", "dog-lays")


def pictures() -> Iterator[Picture]:
    """In the order of NAMES: each side's tiles, side B with its pillows and toys, a table full of
    things, each side as it lays a tile."""
    bed, dream_bed = (virtual_camera(f"virtual?board={board}").table.scene for board in ("a", "b"))
    for lesson in lessons(bed):
        yield draw(bed, lesson.tiles)
    yield draw(dream_bed)
    cat, dog, carried = (
        on_board(Tile(*name, *place), bed)
        for *name, place in (("cat", 4, (1, 6, 3)), ("dog", 8, (0, 0, 0)), ("dog", 2, (2, 0, 7)))
    )
    yield draw(
        bed,
        (cat, dog),
        thrown([3, 5], bed),
        Hand(9.0, 2.0, "dog", far=True, holds=carried, holds_at=(1.5, 7.0)),
        markers=(Marker("cat", 13, 2), Marker("dog", 4, 1)),
        cup=(0.0, 17.0),
    )
    for tile in (cat, dog):
        way = list(acted(Table(), Table((tile,)), bed, Pace(reach=3)))
        yield draw(bed, hand=way[1].hand)


def small(picture: Picture) -> Picture:
    """The picture as it is kept."""
    return np.asarray(cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def difference(one: Picture, other: Picture) -> tuple[float, float]:
    """How far the levels of two pictures are apart, on average and at most."""
    apart = np.abs(one.astype(float) - other)
    return float(apart.mean()), float(apart.max())


@pytest.fixture(scope="module")
def drawn() -> dict[str, Picture]:
    """The pictures as they are drawn now, small."""
    return dict(zip(NAMES, map(small, pictures()), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_the_bed_looks_as_ever(drawn: dict[str, Picture], name: str) -> None:
    kept = cv2.imread(str(KEPT / f"{name}.png"))
    assert kept is not None
    average, most = difference(drawn[name], np.asarray(kept, np.uint8))
    assert average < ON_AVERAGE
    assert most < AT_MOST


def test_a_strange_coat_would_be_noticed(drawn: dict[str, Picture]) -> None:
    bed = virtual_camera("virtual").table.scene
    lesson = next(lessons(bed))
    strange = (msgspec.structs.replace(lesson.tiles[-1], owner="red"), *lesson.tiles[:-1])
    average, most = difference(small(draw(bed, strange)), drawn["cat-1"])
    assert average > ON_AVERAGE
    assert most > AT_MOST


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for name, picture in zip(NAMES, pictures(), strict=True):
        cv2.imwrite(str(KEPT / f"{name}.png"), small(picture))
