"""A machine's clock that is set back is said, and for how long."""

from __future__ import annotations

import pytest

from companion.play.journal import Journal
from companion.play.table import Table
from companion.service.wall_clock import WallClock
from tests.conftest import BED
from tests.running import pages_of


class Clocks:
    """A clock that can be set, and one that cannot."""

    def __init__(self) -> None:
        self.now_s, self.set_s, self.changes = 500.0, 1_800_000_000.0, 0
        self.watched = WallClock(self.changed, wall=lambda: self.set_s + self.now_s, clock=lambda: self.now_s)

    def changed(self) -> None:
        self.changes += 1

    def after(self, seconds: float, *, set_by: float = 0.0) -> int:
        """The minutes that are said once the clock was set and these seconds have gone by."""
        self.set_s += set_by
        self.now_s += seconds
        self.watched.compare()
        return self.watched.set_back_min()


@pytest.fixture
def clocks() -> Clocks:
    return Clocks()


def test_an_hour_back_is_said_until_the_clock_is_set_right(clocks: Clocks) -> None:
    assert clocks.after(1) == 0
    assert clocks.after(1, set_by=-3600) == 60
    assert clocks.after(300) == 60
    assert clocks.changes == 1
    assert clocks.after(1, set_by=3600) == 0
    assert clocks.changes == 2, "the pages were woken both times"


def test_it_is_said_for_ten_minutes_at_most(clocks: Clocks) -> None:
    assert clocks.after(1, set_by=-3600) == 60
    assert clocks.after(601) == 0
    assert clocks.after(1, set_by=-7200) == 120, "the next time it is said again"


@pytest.mark.parametrize("seconds", [-59.0, 2.0, 86_400.0])
def test_small_corrections_and_steps_forward_are_no_fault(clocks: Clocks, seconds: float) -> None:
    assert clocks.after(1, set_by=seconds) == 0


def test_a_step_back_from_a_time_that_was_set_forward_is_said(clocks: Clocks) -> None:
    assert clocks.after(1, set_by=86_400) == 0
    assert clocks.after(1, set_by=-600) == 10


def test_every_page_says_it(journal: Journal, clocks: Clocks) -> None:
    table = Table.open(journal, BED)
    app = pages_of(table, None, clock=clocks.watched)
    page = app.test_client()
    assert page.get("/api/table").get_json()["notices"] == []
    clocks.after(1, set_by=-3600)
    table.notify()
    assert page.get("/api/table").get_json()["notices"] == [{"key": "clock", "facts": {"minutes": 60}}]
