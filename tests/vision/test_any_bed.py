"""Any legal bed, drawn with noise: it is read right, or a person is asked."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.watching import Observation, Tile
from hardware.vision.board.tile_reader import TileReader
from tests.vision.drawn import SCENE, Careless, grid_corners_px, lying, picture, taught_reader, turns

CORNERS = grid_corners_px()
"""Set by hand, so that no markers are searched for: that takes most of the time."""
SHIFT = st.floats(-1 / 8, 1 / 8)
"""How far a tile lies off its squares, each way, in squares."""
TURN_DEG = st.floats(-3, 3)
"""How far it is turned."""


@cache
def saved() -> bytes:
    """What a reader saves that was shown the empty bed and every tile."""
    return taught_reader().save()


@st.composite
def beds(draw: st.DrawFn) -> tuple[Tile, ...]:
    """Tiles on a bed, the owners in turn, none over another."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    left = {owner: list(range(1, 10)) for owner in ("cat", "dog")}
    taken: set[tuple[int, int]] = set()
    tiles: list[Tile] = []
    for number in range(draw(st.integers(0, 7))):
        owner = ("cat", "dog")[number % 2]
        kind = left[owner].pop(int(random.integers(len(left[owner]))))
        places = SCENE.placements[kind]
        for at in random.permutation(len(places.masks)):
            tile = places.tile(owner, int(at), SCENE.cols)
            if not taken & set(tile.cells):
                tiles.append(tile)
                taken |= set(tile.cells)
                break
    return tuple(tiles)


@st.composite
def careless_beds(draw: st.DrawFn) -> tuple[Careless, ...]:
    """A bed whose tiles lie a little off their squares, and a little turned."""
    return tuple((tile, (draw(SHIFT), draw(SHIFT)), draw(TURN_DEG)) for tile in draw(beds()))


def reader_of(believed: tuple[Tile, ...]) -> TileReader:
    """A reader that knows every coat and believes these tiles."""
    reader = TileReader.restore(SCENE, saved(), turns())
    reader.believe(believed)
    return reader


def is_right(reading: Observation, tiles: tuple[Tile, ...]) -> bool:
    """Whether a reading tells of just these tiles, or asks."""
    return reading.unsure or lying(reading.tiles or ()) == lying(tiles)


DRAWN = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@DRAWN
@given(beds(), st.integers(0, 1000), st.floats(0.75, 1.2))
def test_any_legal_bed_is_read_right_or_asked_about(tiles: tuple[Tile, ...], noise: int, gain: float) -> None:
    reading = reader_of(tiles[:-1]).read_board(picture(tiles, noise=noise, gain=gain), CORNERS)
    assert is_right(reading, tiles)


@pytest.mark.slow
@DRAWN
@given(careless_beds(), st.integers(0, 1000))
def test_tiles_laid_carelessly_are_read_right_or_asked_about(bed: tuple[Careless, ...], noise: int) -> None:
    tiles = tuple(tile for tile, _, _ in bed)
    reading = reader_of(tiles[:-1]).read_board(picture(careless=bed, noise=noise), CORNERS)
    assert is_right(reading, tiles)


@pytest.mark.slow
@DRAWN
@given(careless_beds(), st.integers(0, 1000))
def test_a_whole_bed_from_one_picture_is_read_right_or_asked_about(
    bed: tuple[Careless, ...], noise: int
) -> None:
    reader = TileReader.restore(SCENE, saved(), turns())
    reading = reader.read_board(picture(careless=bed, noise=noise), CORNERS)
    assert is_right(reading, tuple(tile for tile, _, _ in bed))


@pytest.mark.slow
def test_of_beds_in_turn_most_are_read_without_asking() -> None:
    asked = []
    for seed in range(6):
        random = np.random.default_rng(seed)
        kinds = [int(kind) for kind in random.permutation(np.arange(1, 10))[:2]]
        first = SCENE.placements[kinds[0]].tile("cat", int(random.integers(20)), SCENE.cols)
        second = next(
            tile
            for at in random.permutation(len(SCENE.placements[kinds[1]].masks))
            if not set(first.cells)
            & set((tile := SCENE.placements[kinds[1]].tile("dog", int(at), SCENE.cols)).cells)
        )
        reading = reader_of((first,)).read_board(picture((first, second), noise=seed), CORNERS)
        assert is_right(reading, (first, second))
        asked.append(reading.unsure)
    assert sum(asked) <= 1


@pytest.mark.parametrize("kind", range(1, 10))
def test_a_tile_alone_is_read_for_itself(kind: int) -> None:
    tile = SCENE.placements[kind].tile("cat", 40, SCENE.cols)
    reading = reader_of(()).read_board(picture((tile,), noise=kind), CORNERS)
    assert (reading.unsure, lying(reading.tiles or ())) == (False, lying((tile,)))
