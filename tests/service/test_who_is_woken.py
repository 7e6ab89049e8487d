"""Who is woken, and when: each thing that pages show wakes those who wait for it, once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any, NamedTuple

import pytest

from companion.errors import MoveError
from companion.games.watching import Alternative, Observation, Tile
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from companion.service.camera_switch import watched
from companion.service.vision_loop import VisionLoop
from companion.simulator.sources import virtual_camera
from hardware.camera.frame import Frame
from hardware.vision.errors import HomographyError, ReferenceMissingError
from tests.conftest import BED, OPENING, lay
from tests.service import scripted
from tests.service.scripted import PICTURE, ScriptedTiles, StillWatcher

PATIENCE_S = 20.0
"""Whoever is not woken within this has been forgotten."""

CAT_1 = Tile("cat", 1, 0, 5, 3, tuple((row, 3) for row in range(5, 10)), 0.99)
ELSEWHERE = Tile("cat", 1, 0, 5, 4, tuple((row, 4) for row in range(5, 10)), 0.99)
DOG_1 = Tile("dog", 1, 0, 0, 0, tuple((row, 0) for row in range(5)), 0.99)
ASKED = Observation(
    unsure=True,
    why="not-told-apart",
    tiles=(),
    alternatives=(Alternative((CAT_1,), 0.6), Alternative((ELSEWHERE,), 0.3)),
)
CORNERS = ((100.0, 50.0), (340.0, 50.0), (340.0, 370.0), (100.0, 370.0))


class At(NamedTuple):
    """A table, and the loop that watches it."""

    table: Table
    loop: VisionLoop

    def reads(self, says: Observation | Exception) -> None:
        ScriptedTiles.says = says
        self.loop.take_frame(Frame(PICTURE, 0.0))


@pytest.fixture
def at(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> At:
    """A match with one move, whose board was read once as it is."""
    scripted.put_in(monkeypatch)
    table = Table.open(journal, BED)
    table.play(OPENING[0], "phone")
    watcher: Any = StillWatcher()
    made = At(table, VisionLoop(table, watcher))
    made.reads(Observation(tiles=(CAT_1,)))
    return made


@contextmanager
def woken(table: Table, seat: str | None = None) -> Iterator[None]:
    """Somebody who waits for news of the table is woken by what is done meanwhile, by one new version."""
    version = table.snapshot.version_of(seat)
    waits = Thread(target=table.wait_for_change, args=(version, 2 * PATIENCE_S, seat), daemon=True)
    waits.start()
    time.sleep(0.02)
    yield
    waits.join(PATIENCE_S)
    assert not waits.is_alive(), "whoever waited was not woken"
    assert table.snapshot.version_of(seat) == version + 1


@contextmanager
def not_woken(table: Table) -> Iterator[None]:
    """Nobody is woken by what is done meanwhile."""
    version = table.snapshot.version
    yield
    assert table.snapshot.version == version


def ask(at: At) -> None:
    at.table.undo("phone")
    at.table.see(ASKED)
    assert at.table.snapshot.sighting is not None


def answer(at: At) -> None:
    assert at.table.snapshot.sighting is not None
    at.table.answer(at.table.snapshot.sighting.id, 0, "phone")


def nothing(at: At) -> None: ...


Step = Callable[[At], object]

WAYS: dict[str, tuple[Step, Step]] = {
    "a-move-is-played": (nothing, lambda at: at.table.play(OPENING[1], "phone")),
    "the-camera-plays-a-move": (lambda at: at.table.undo("phone"), lambda at: at.table.see(see(CAT_1))),
    "the-camera-asks": (lambda at: at.table.undo("phone"), lambda at: at.table.see(ASKED)),
    "the-camera-has-nothing-to-ask-any-more": (ask, lambda at: at.table.see(see())),
    "a-question-is-answered": (ask, answer),
    "a-move-is-undone": (nothing, lambda at: at.table.undo("phone")),
    "a-move-is-redone": (lambda at: at.table.undo("phone"), lambda at: at.table.redo("phone")),
    "players-are-named": (nothing, lambda at: at.table.name_players({"cat": "Ada"}, "phone")),
    "a-match-is-begun": (nothing, lambda at: at.table.begin(BED, {})),
    "a-match-is-resumed": (
        lambda at: at.table.begin(BED, {}),
        lambda at: at.table.resume(at.table.journal.matches()[-1].id),
    ),
    "the-empty-board-is-shown": (nothing, lambda at: at.loop.set_up.remember_empty()),
    "tiles-are-taught": (nothing, lambda at: at.loop.set_up.teach("cat", (1, 2))),
    "corners-are-tapped": (nothing, lambda at: at.loop.set_up.set_corners(CORNERS)),
    "the-board-must-be-shown": (nothing, lambda at: at.reads(ReferenceMissingError("Show it first."))),
    "the-markers-are-hidden": (nothing, lambda at: at.reads(HomographyError("No marker is seen."))),
    "the-markers-are-back": (
        lambda at: at.reads(HomographyError("No marker is seen.")),
        lambda at: at.reads(see(CAT_1)),
    ),
    "a-tile-is-read": (nothing, lambda at: at.reads(see(CAT_1, DOG_1))),
    "a-hand-is-seen": (nothing, lambda at: at.reads(Observation(unsure=True, why="hand", tiles=()))),
}


def see(*tiles: Tile) -> Observation:
    return Observation(tiles=tiles)


@pytest.mark.parametrize("way", WAYS)
def test_whoever_waits_is_woken_once_when(at: At, way: str) -> None:
    before, happens = WAYS[way]
    before(at)
    with woken(at.table):
        happens(at)


def test_a_private_move_wakes_its_own_seat_and_nobody_else(journal: Journal, whispers: str) -> None:
    table = new_table(journal, whispers, {})
    table.play({"move": "draw"}, "phone")
    with woken(table, "north"), not_woken(table):
        table.play({"move": "tell", "seat": "north", "card": 1}, "phone", seat="north")


def test_nobody_is_woken_by_a_reading_that_shows_nothing_new(at: At) -> None:
    with not_woken(at.table):
        at.reads(see(CAT_1))


def test_a_question_that_stays_the_same_wakes_nobody_again(at: At) -> None:
    ask(at)
    with not_woken(at.table):
        at.table.see(ASKED)


def test_a_move_that_is_refused_wakes_nobody(at: At) -> None:
    with not_woken(at.table), pytest.raises(MoveError):
        at.table.play(lay("dog", 1, 5, 3), "phone")


def test_a_camera_that_changes_wakes_whoever_waits(at: At) -> None:
    watcher = watched(virtual_camera("virtual?teach=0"), at.table)
    version = at.table.snapshot.version
    watcher.start()
    try:
        assert at.table.wait_for_change(version, PATIENCE_S) > version
    finally:
        watcher.stop()
