"""A camera's faults, from the virtual table to what the pages show, in the time that is promised."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.vision_loop import VisionLoop
from companion.simulator.sources import virtual_camera
from hardware.camera.watcher import Watcher
from tests.conftest import BED, OPENING

SHOWN_WITHIN_S = 2.0
"""A page shows a fault within this."""
MENDED_WITHIN_S = 10.0
"""A page shows that the fault has ended within this."""
PATIENCE_S = 60.0
"""A page that shows nothing within this never will."""


class Evening:
    """A table that the virtual camera watches, with a page that listens."""

    def __init__(self, journal: Journal) -> None:
        self.table = Table.open(journal, BED)
        self.camera = virtual_camera("virtual?teach=0")
        self.loop = VisionLoop(self.table, Watcher(self.camera, on_state=lambda _: self.table.notify()))

    def until(self, kind: str) -> float:
        """How long until a page that the table wakes shows this of the camera, in seconds."""
        began = time.monotonic()
        while (state := self.loop.state()).kind != kind:
            assert time.monotonic() - began < PATIENCE_S, state
            self.table.wait_for_change(self.table.snapshot.version, 0.1)
        return time.monotonic() - began


@pytest.fixture
def evening(journal: Journal) -> Iterator[Evening]:
    """Watched since a moment, and well."""
    made = Evening(journal)
    made.loop.start()
    made.until("ok")
    yield made
    made.loop.stop()


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["unplugged", "frozen", "black", "overexposed"])
def test_a_fault_is_shown_within_2_s_and_mended_within_10_s_of_its_end(evening: Evening, fault: str) -> None:
    version = evening.table.snapshot.version
    evening.camera.faults.add(fault)
    assert evening.until(fault) < SHOWN_WITHIN_S
    assert evening.table.snapshot.version > version, "the pages were woken"
    time.sleep(1)
    evening.camera.faults.clear()
    assert evening.until("ok") < MENDED_WITHIN_S


@pytest.mark.slow
def test_while_the_camera_is_gone_play_goes_on(evening: Evening) -> None:
    evening.camera.faults.add("unplugged")
    evening.until("unplugged")
    evening.table.play(OPENING[0], "phone")
    assert evening.table.match.n == 1
