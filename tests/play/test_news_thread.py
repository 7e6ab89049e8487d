"""A thread that looks at a table whenever something has changed there."""

from __future__ import annotations

from queue import SimpleQueue
from threading import Event

import pytest

from companion.play.journal import Journal
from companion.play.table import NewsThread, Table, TableSnapshot, new_table
from tests.conftest import BED

PATIENCE_S = 20.0
LONG_S = 600.0
OFTEN = 3


@pytest.fixture
def table(journal: Journal) -> Table:
    """A table at which a match begins."""
    return new_table(journal, BED, {})


def test_it_looks_at_once_at_each_change_and_no_more_once_it_is_stopped(table: Table) -> None:
    looks: SimpleQueue[TableSnapshot] = SimpleQueue()

    def look(snapshot: TableSnapshot) -> float:
        looks.put(snapshot)
        return LONG_S

    thread = NewsThread(table, look, name="looks")
    thread.start()
    assert looks.get(timeout=PATIENCE_S) is table.snapshot
    table.notify()
    assert looks.get(timeout=PATIENCE_S) is table.snapshot
    thread.stop(PATIENCE_S)
    while not looks.empty():
        looks.get()
    table.notify()
    assert looks.empty()


def test_without_news_it_looks_again_after_the_seconds_that_its_look_returns(table: Table) -> None:
    looked_often = Event()
    looks: list[TableSnapshot] = []

    def look(snapshot: TableSnapshot) -> float:
        looks.append(snapshot)
        if len(looks) < OFTEN:
            return 0.0
        looked_often.set()
        return LONG_S

    thread = NewsThread(table, look, name="looks")
    thread.start()
    assert looked_often.wait(PATIENCE_S)
    thread.stop(PATIENCE_S)


def test_a_pause_ends_when_it_is_stopped(table: Table) -> None:
    thread = NewsThread(table, lambda _: LONG_S, name="looks")
    assert thread.pause(0)
    thread.stop(PATIENCE_S)
    assert not thread.pause(LONG_S)
    assert thread.stopping
