"""The virtual table with a game of pieces: an empty board lies there, and people play by phone."""

from __future__ import annotations

from hardware.camera.sources import open_camera
from hardware.camera.virtual.table import VirtualCamera
from hardware.vision.layout import scene_of
from hardware.vision.pieces import PieceReader


def test_the_kitchens_squares_lie_there_with_their_markers_and_nobody_plays() -> None:
    camera = open_camera("virtual?game=chop-chop", sleep=lambda _: None)
    assert isinstance(camera, VirtualCamera)
    scene = scene_of(camera.scene)
    assert (scene.rows, scene.cols) == (6, 7)
    first, second = camera.read(), camera.read()
    assert first is not None
    assert second is not None
    reader = PieceReader(scene)
    reader.see_empty(first.picture)
    reading = reader.read(second.picture)
    assert (reading.unsure, reading.pieces) == (False, ())
    assert camera.table.now.dice == ()
