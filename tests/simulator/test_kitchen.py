"""The virtual table with a game of pieces: the kitchen of Chop! Chop! is drawn, and read as it was drawn."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games import registry
from companion.games.chop_chop.sighting import HUES
from companion.simulator.acting import Pace, acted, thrown
from companion.simulator.draw import Light, Table, painter
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from companion.simulator.table_scene import Thing
from hardware.vision.board.piece_reader import PieceReader
from hardware.vision.board.scene import scene_of

CHOP = registry.game("chop-chop")
START = CHOP.start(CHOP.options({}), 2)
GROUND = tuple(Thing(each.kind, each.row, each.col) for each in CHOP.ground(START))
MICE = tuple(Thing(each.kind, each.row, each.col) for each in CHOP.standing_pieces(START))
CAT = Thing("cat", 2, 3)


@pytest.fixture
def camera() -> VirtualCamera:
    """A camera over the kitchen."""
    camera = open_camera("virtual?game=chop-chop", sleep=lambda _: None)
    assert isinstance(camera, VirtualCamera)
    return camera


def read(camera: VirtualCamera, reader: PieceReader, table: Table) -> set[tuple[str, int, int]]:
    """The pieces that are read on a table, surely."""
    camera.table.show(table)
    frame = camera.read_frame()
    assert frame is not None
    reading = reader.read_board(frame.picture)
    assert not reading.unsure, reading.why
    return {(piece.kind, piece.row, piece.col) for piece in reading.pieces}


def squares(pieces: tuple[Thing, ...]) -> set[tuple[str, float, float]]:
    """Pieces by kind and square."""
    return {(piece.kind, piece.row, piece.col) for piece in pieces}


def test_what_is_drawn_is_read_on_every_square(camera: VirtualCamera) -> None:
    reader = PieceReader(scene_of(camera.scene), HUES)
    camera.table.show(Table(ground=GROUND))
    frame = camera.read_frame()
    assert frame is not None
    reader.see_empty(frame.picture)
    assert read(camera, reader, Table(ground=GROUND)) == set()
    for row in range(6):
        for col in range(7):
            pieces = (Thing("cat", row, col), Thing("mouse", (row + 3) % 6, (col + 3) % 7))
            assert read(camera, reader, Table(ground=GROUND, pieces=pieces)) == squares(pieces)


def test_it_is_read_also_where_slabs_were_turned_over(camera: VirtualCamera) -> None:
    reader = PieceReader(scene_of(camera.scene), HUES)
    camera.table.show(Table(ground=GROUND))
    frame = camera.read_frame()
    assert frame is not None
    reader.see_empty(frame.picture)
    bared = tuple(thing for thing in GROUND if (thing.row, thing.col) not in ((1, 1), (4, 5)))
    ground = (*bared, Thing("cheese", 4, 5))
    pieces = (CAT, *MICE)
    for _ in range(2):
        camera.table.show(Table(ground=ground, pieces=pieces))
        frame = camera.read_frame()
        assert frame is not None
        reader.read_board(frame.picture)
    assert read(camera, reader, Table(ground=ground, pieces=pieces)) == squares(pieces)


def test_a_caught_mouse_is_taken_off_before_the_cat_comes(camera: VirtualCamera) -> None:
    scene = camera.table.scene
    before = Table(ground=GROUND, pieces=(Thing("cat", 1, 3), *MICE))
    after = Table(ground=GROUND, pieces=(Thing("cat", 0, 3), *MICE[1:]))
    way = list(acted(before, after, scene, Pace(reach=2)))
    assert all(table.hand is not None for table in way)
    alive = [sum(piece.kind == "mouse" for piece in table.pieces) for table in way]
    assert alive == sorted(alive, reverse=True)
    assert way[-1].pieces == after.pieces


def test_a_hand_takes_a_slab_away(camera: VirtualCamera) -> None:
    after = Table(ground=GROUND[:-1])
    way = list(acted(Table(ground=GROUND), after, camera.table.scene, Pace(reach=2)))
    assert [table.ground == after.ground for table in way] == [False, False, True, True]
    assert all(table.hand is not None for table in way)


def test_a_die_thrown_anew_lies_elsewhere_and_that_of_the_others_stays(camera: VirtualCamera) -> None:
    scene, lying = camera.table.scene, thrown([2], camera.table.scene, colour="grey")
    both = thrown([3], scene, colour="blue", lying=lying)
    assert [(die.value, die.colour) for die in both] == [(2, "grey"), (3, "blue")]
    assert both[0] == lying[0]
    assert np.hypot(both[0].x - both[1].x, both[0].y - both[1].y) > 2 * both[0].size
    again = thrown([2], scene, colour="grey", lying=both)
    assert again[0] == both[1]
    assert np.hypot(again[1].x - lying[0].x, again[1].y - lying[0].y) > 0.5


def test_what_was_drawn_before_does_not_show(camera: VirtualCamera) -> None:
    paint = painter(camera.table.scene, camera.table.view).paint
    first = paint(Table(ground=GROUND, pieces=MICE), Light())
    paint(Table(ground=GROUND[:-3], pieces=(CAT,)), Light())
    assert np.array_equal(paint(Table(ground=GROUND, pieces=MICE), Light()), first)
