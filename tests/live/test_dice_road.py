"""Dice thrown on the virtual table become moves of Cat and Mouse: the whole road, nothing stood in for."""

from __future__ import annotations

from dataclasses import replace

from companion.journal import Journal
from companion.live import Live
from companion.table import Table
from hardware.camera.sources import open_camera
from hardware.camera.virtual.table import VirtualCamera
from hardware.camera.watch import Watcher

THROWS = 8
PICTURES = 400
"""More than so many throws take."""
APART_S = 0.1


def test_each_throw_is_read_once_and_played(journal: Journal) -> None:
    table = Table.open(journal, "cat-and-mouse")
    camera = open_camera("virtual?game=cat-and-mouse&seed=5&speed=1000", sleep=lambda _: None)
    assert isinstance(camera, VirtualCamera)
    live = Live(table, Watcher(camera))
    truly: list[list[int]] = []
    lay: tuple[object, ...] = ()
    for number in range(PICTURES):
        frame = camera.read()
        assert frame is not None
        live.take(replace(frame, at_s=number * APART_S))
        now = camera.table.now
        if now.hand is None and now.dice != lay:
            lay = now.dice
            truly += [sorted(die.value for die in now.dice)] if now.dice else []
        if len(truly) > THROWS:
            break
    played = [sorted(move.dice) for move in table.match.moves if hasattr(move, "dice")]
    asked = table.view().sighting
    assert len(truly) > THROWS
    assert played == truly[: len(played)]
    assert len(played) >= THROWS or asked is not None
