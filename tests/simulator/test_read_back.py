"""The reader at the virtual table: a whole game, and the same out of focus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games.watching import Tile
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.frame import Frame
from hardware.vision.board.tile_reader import TileReader
from tests.vision.drawn import turns

QUICK = "empty=1&teach=1&reach=2&still=1&end=1&speed=1000"


def _camera(board: str) -> VirtualCamera:
    # The game that `make run` shows. Of ten (seeds 1 to 5) one asks about its last tiles, b of 4.
    camera = open_camera(f"virtual?board={board}&seed=1&{QUICK}", sleep=lambda _: None)
    assert isinstance(camera, VirtualCamera)
    camera.open()
    return camera


def _one_game(camera: VirtualCamera, reader: TileReader) -> Iterator[Frame]:
    """Shows the reader what it must know, and yields the pictures to be read until the game's end."""
    started = False
    while (frame := camera.read_frame()) is not None:
        note = frame.note
        assert note is not None
        if note.role == "watch":
            started = True
            yield frame
        elif started:
            return
        elif note.role == "empty":
            reader.see_empty(frame.picture)
        else:
            reader.teach(frame.picture, note.tiles)


def _lying(tiles: tuple[Tile, ...] | tuple[Tile, ...]) -> set[tuple[str, int, frozenset[object]]]:
    return {(tile.owner, tile.kind, frozenset(tile.cells)) for tile in tiles}


@pytest.mark.slow
@pytest.mark.parametrize("board", ["a", "b"])
def test_a_game_is_read_to_its_end_without_a_question(board: str) -> None:
    camera = _camera(board)
    reader = TileReader(camera.table.scene, turns(camera.table.scene))
    markers = tiles = 0
    for frame in _one_game(camera, reader):
        truth = camera.table.now
        reading = reader.read_board(frame.picture)
        if truth.hand is None:
            assert (reading.unsure, reading.why) == (False, "")
        if not reading.unsure:
            assert _lying(reading.tiles) == _lying(truth.tiles)
        markers, tiles = len(truth.markers), len(truth.tiles)
    assert markers > 0
    assert tiles > 8


def test_out_of_focus_it_waits_and_goes_on_when_sharp() -> None:
    camera = _camera("a")
    reader = TileReader(camera.table.scene, turns(camera.table.scene))
    sharp = blurred = 0
    for frame in _one_game(camera, reader):
        reading, truth = reader.read_board(frame.picture), camera.table.now
        if "blurred" in camera.faults:
            assert (reading.unsure, reading.why) == (True, "blurred")
            blurred += 1
        elif truth.hand is None:
            assert not reading.unsure
            assert _lying(reading.tiles) == _lying(truth.tiles)
            sharp += 1
        camera.faults.clear() if "blurred" in camera.faults else camera.faults.add("blurred")
        if min(sharp, blurred) >= 3:
            break
    assert min(sharp, blurred) >= 3


def test_pictures_that_are_turned_in_the_middle_of_a_game_are_read_as_before() -> None:
    camera = _camera("a")
    reader = TileReader(camera.table.scene, turns(camera.table.scene))
    read = set()
    for frame in _one_game(camera, reader):
        reading, truth = reader.read_board(frame.picture), camera.table.now
        height, width = frame.picture.shape[:2]
        assert (height > width) == (camera.table.degrees in (90, 270))
        if truth.hand is None:
            assert not reading.unsure
            assert _lying(reading.tiles) == _lying(truth.tiles)
            read.add(camera.table.degrees)
            camera.table.degrees = (camera.table.degrees + 90) % 360
        if len(read) == 4:
            break
    assert read == {0, 90, 180, 270}
