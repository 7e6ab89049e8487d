"""A camera that drifts, gets dark or loses a marker after the set-up: that is said, once it lasts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.service.camera_status import CameraState
from companion.service.setup.drift import EVERY_S, LASTS_S, DriftWatch
from companion.simulator.draw import Table as OnTheTable
from companion.simulator.faults import Fault
from companion.simulator.sources import virtual_camera
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from tests.service.stepped import Evening

TABLE = virtual_camera("virtual").table


def picture(fault: str = "") -> Picture:
    """The empty virtual table, with a fault."""
    TABLE.faults.clear()
    if fault:
        TABLE.faults.add(fault)
    TABLE.rehearse(OnTheTable(), hands=False)
    taken = TABLE.take_picture()
    assert taken is not None
    return taken[0]


def lit(share: float) -> Picture:
    """The empty table in that share of its light."""
    return np.asarray(cv2.convertScaleAbs(picture(), alpha=share), np.uint8)


class Evenings:
    """A watch over pictures that come every five seconds."""

    def __init__(self, file: Path | None = None) -> None:
        self.watch = DriftWatch(file)
        self.at_s = 0.0

    def sees(self, shown: Picture, for_s: float = LASTS_S + EVERY_S) -> tuple[str, int]:
        """The same picture for so long; what is said then."""
        ends_s = self.at_s + for_s
        while self.at_s < ends_s:
            self.watch.compare(shown, TABLE.scene, self.at_s)
            self.at_s += EVERY_S
        return self.watch.drift.what, self.watch.drift.marker


@pytest.fixture
def at() -> Evenings:
    """Just set up."""
    made = Evenings()
    made.watch.set_up(picture(), TABLE.scene)
    return made


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (picture, ("", 0)),
        (lambda: lit(0.75), ("", 0)),
        (lambda: lit(0.45), ("dark", 0)),
        (lambda: lit(2.0), ("bright", 0)),
        (lambda: picture(Fault.BUMPED), ("moved", 0)),
        (lambda: picture(Fault.MARKER_COVERED), ("marker", 0)),
        (lambda: picture(Fault.CUP_ON_MARKER), ("marker", 3)),
        (lambda: picture(Fault.HAND_STAYS), ("", 0)),
    ],
    ids=["nothing", "a cloud", "a lamp off", "the sun", "bumped", "first marker", "last marker", "a hand"],
)
def test_what_has_changed_is_said_once_it_lasts_and_no_longer_when_it_is_mended(
    at: Evenings, change: Callable[[], Picture], said: tuple[str, int]
) -> None:
    shown = change()
    assert at.sees(shown, EVERY_S) == ("", 0)
    assert at.sees(shown) == said
    assert at.sees(picture(), EVERY_S) == ("", 0)


def test_before_the_set_up_nothing_can_have_changed() -> None:
    assert Evenings().sees(lit(0.3)) == ("", 0)


def test_the_set_up_is_remembered_after_a_restart(tmp_path: Path) -> None:
    Evenings(tmp_path / "set-up.json").watch.set_up(picture(), TABLE.scene)
    again = Evenings(tmp_path / "set-up.json")
    assert again.sees(lit(0.4)) == ("dark", 0)
    again.watch.forget()
    assert Evenings(tmp_path / "set-up.json").sees(lit(0.4)) == ("", 0)


def test_pages_are_told_by_the_camera_s_state() -> None:
    evening = Evening("this-bed-is-mine")
    loop = evening.loop

    def take(shown: Picture) -> CameraState:
        evening.now_s += EVERY_S
        loop.take_frame(Frame(shown, evening.now_s))
        return loop.state()

    take(picture())
    loop.set_up.remember_empty()
    for _ in range(5):
        state = take(lit(0.4))
    assert state.drift.what == "dark"
    assert state.drift.since > 0
