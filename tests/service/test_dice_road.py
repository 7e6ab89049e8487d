"""Dice thrown on the virtual table become moves of Cat and Mouse: the whole road, nothing stood in for."""

from __future__ import annotations

from dataclasses import replace

from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.vision_loop import VisionLoop
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.watcher import Watcher

THROWS = 8
"""How many throws are watched."""
PICTURES = 400
"""More pictures than these throws take."""
APART_S = 0.1
"""The time between two pictures, in seconds."""


def test_each_throw_is_read_once_and_played(journal: Journal) -> None:
    table = Table.open(journal, "cat-and-mouse")
    camera = open_camera("virtual?game=cat-and-mouse&seed=5&speed=1000", sleep=lambda _: None)
    assert isinstance(camera, VirtualCamera)
    live = VisionLoop(table, Watcher(camera))
    truly: list[list[int]] = []
    lay: tuple[object, ...] = ()
    for number in range(PICTURES):
        frame = camera.read_frame()
        assert frame is not None
        live.take_frame(replace(frame, at_s=number * APART_S))
        now = camera.table.now
        if now.hand is None and now.dice != lay:
            lay = now.dice
            truly += [sorted(die.value for die in now.dice)] if now.dice else []
        if len(truly) > THROWS:
            break
    played = [sorted(move.dice) for move in table.match.moves if hasattr(move, "dice")]
    asked = table.snapshot.view().sighting
    assert len(truly) > THROWS
    assert played == truly[: len(played)]
    assert len(played) >= THROWS or asked is not None
