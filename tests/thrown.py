"""Dice thrown on the virtual table, watched as a camera watches a real one."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from companion.play.table import Table
from companion.service.vision_loop import VisionLoop
from companion.simulator.sources import open_camera
from companion.simulator.table import VirtualCamera
from hardware.camera.watcher import Watcher

APART_S = 0.1
"""The time between two pictures, in seconds."""


def watched(table: Table, virtual: str, pictures: int, *, more_than: float = inf) -> list[list[int]]:
    """The throws that truly lay there in so many pictures, each sorted; it ends after `more_than`."""
    camera = open_camera(f"virtual?{virtual}&speed=1000", sleep=lambda _: None)
    assert isinstance(camera, VirtualCamera)
    live = VisionLoop(table, Watcher(camera))
    truly: list[list[int]] = []
    lay: tuple[object, ...] = ()
    for number in range(pictures):
        frame = camera.read_frame()
        assert frame is not None
        live.take_frame(replace(frame, at_s=number * APART_S))
        now = camera.table.now
        if now.hand is None and now.dice != lay:
            lay = now.dice
            truly += [sorted(die.value for die in now.dice)] if now.dice else []
        if len(truly) > more_than:
            break
    return truly
