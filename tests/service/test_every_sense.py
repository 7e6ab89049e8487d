"""A game that the camera reads with several senses at once loses none of what it sees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from companion.games import registry, watching
from companion.games.watching import Die, Observation, Piece, Verdict
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from companion.service.vision_loop import VisionLoop
from hardware.camera.frame import Frame
from tests.service import scripted
from tests.service.everything import GAME, EverythingState, Lay, bar
from tests.service.scripted import PICTURE, ScriptedDice, ScriptedPieces, ScriptedTiles, StillWatcher


@pytest.fixture
def table(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A match of that game."""
    monkeypatch.setitem(registry.games(), GAME.slug, GAME)
    return new_table(journal, GAME.slug, {})


@pytest.fixture
def loop(table: Table, monkeypatch: pytest.MonkeyPatch) -> VisionLoop:
    """The loop over that match: no tile lies there, and the pawn stands where it began."""
    scripted.put_in(monkeypatch)
    ScriptedTiles.says, ScriptedPieces.says = Observation(tiles=()), pawn(0, 0)
    return over(table)


def over(table: Table, *, live: bool = False) -> VisionLoop:
    watcher: Any = StillWatcher(live=live)
    return VisionLoop(table, watcher)


def pawn(row: int, col: int, *, why: str = "") -> Observation:
    return Observation(bool(why), why, pieces=(Piece("pawn", row, col, 0.98),))


def state(table: Table) -> EverythingState:
    now = table.match.state
    assert isinstance(now, EverythingState)
    return now


def test_the_game_is_seen_with_three_senses() -> None:
    assert watching.sees(GAME) == ("tiles", "pieces", "dice")


def test_tiles_pieces_and_dice_of_one_frame_are_all_played(table: Table, loop: VisionLoop) -> None:
    ScriptedTiles.says, ScriptedPieces.says = Observation(tiles=(bar("red", 1, 0),)), pawn(2, 3)
    ScriptedDice.throws = [Observation(dice=(Die(4),))]
    loop.take_frame(Frame(PICTURE, 0.0))
    assert state(table).tiles == (Lay("red", 1, 0),)
    assert state(table).pawn == (2, 3)
    assert (loop.readings().pictures, loop.readings().outcomes) == (1, {Verdict.PLAY: 3})
    assert state(table).thrown == (4,)


def test_a_question_about_tiles_stays_while_pieces_are_read_for_certain(
    table: Table, loop: VisionLoop
) -> None:
    ScriptedTiles.says = Observation(unsure=True, why="not-told-apart", tiles=(bar("red", 1, 0),))
    for _ in range(2):
        loop.take_frame(Frame(PICTURE, 0.0))
    asked = table.snapshot.sighting
    assert asked is not None
    assert (asked.verdict, asked.why) == (Verdict.ASK, "not-told-apart")
    assert (loop.state().unsure, loop.state().why) == (True, "not-told-apart")
    ScriptedTiles.says = Observation(tiles=())
    loop.take_frame(Frame(PICTURE, 0.0))
    assert table.snapshot.sighting is None


def test_a_question_about_pieces_stays_while_tiles_are_read_for_certain(
    table: Table, loop: VisionLoop
) -> None:
    ScriptedPieces.says = pawn(0, 1, why="between-squares")
    for _ in range(2):
        loop.take_frame(Frame(PICTURE, 0.0))
    asked = table.snapshot.sighting
    assert asked is not None
    assert asked.why == "between-squares"
    assert (loop.state().unsure, loop.state().why) == (True, "between-squares")
    ScriptedPieces.says = Observation(unsure=True, why="hand")
    loop.take_frame(Frame(PICTURE, 0.0))
    waits = table.snapshot.sighting
    assert waits is not None
    assert (waits.verdict, waits.why) == (Verdict.WAIT, "hand")
    ScriptedPieces.says = pawn(0, 0)
    loop.take_frame(Frame(PICTURE, 0.0))
    assert table.snapshot.sighting is None


def test_a_live_camera_must_read_each_of_them_twice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.put_in(monkeypatch)
    loop = over(table, live=True)
    ScriptedTiles.says, ScriptedPieces.says = Observation(tiles=(bar("red", 1, 0),)), pawn(2, 3)
    loop.take_frame(Frame(PICTURE, 0.0))
    assert (state(table).tiles, state(table).pawn) == ((), (0, 0))
    # Tiles that change meanwhile do not make the pieces less steady.
    ScriptedTiles.says = Observation(tiles=(bar("red", 2, 0),))
    loop.take_frame(Frame(PICTURE, 0.0))
    assert (state(table).tiles, state(table).pawn) == ((), (2, 3))
    loop.take_frame(Frame(PICTURE, 0.0))
    assert state(table).tiles == (Lay("red", 2, 0),)


def test_a_lesson_teaches_the_tiles_and_an_empty_board_is_shown_to_all(
    table: Table, loop: VisionLoop
) -> None:
    loop.take_frame(Frame(PICTURE, 0.0))
    loop.set_up.remember_empty()
    loop.set_up.teach("red", ("bar",))
    assert ScriptedTiles.made[-1].shown == ["empty", "teach red-bar"]
    assert ScriptedPieces.made[-1].shown == ["empty"]
    assert {lesson.owner for lesson in loop.lessons()} == {"red", "green"}


def test_what_was_shown_is_kept_for_each_reader(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    scripted.put_in(monkeypatch)
    watcher: Any = StillWatcher()
    shown = tmp_path / "camera.npz"
    first = VisionLoop(table, watcher, shown=shown)
    first.take_frame(Frame(PICTURE, 0.0))
    first.set_up.remember_empty()
    first.set_up.teach("red", ("bar",))
    VisionLoop(table, watcher, shown=shown)
    assert ScriptedTiles.made[-1].shown == ["empty,teach red-bar"]
    assert ScriptedPieces.made[-1].shown == ["empty"]


def test_pieces_are_read_on_a_board_that_has_tiles_too(table: Table) -> None:
    """With the readers themselves, on a picture of nothing but noise."""
    loop = over(table)
    noise = np.random.default_rng(1).integers(118, 138, (480, 640, 3), np.uint8)
    loop.set_up.set_corners(((100.0, 50.0), (500.0, 50.0), (500.0, 370.0), (100.0, 370.0)))
    loop.take_frame(Frame(noise, 0.0))
    assert loop.state().needs == "empty"
    loop.set_up.remember_empty()
    loop.take_frame(Frame(noise, 0.1))
    assert loop.state().needs == "teach"
    assert table.match.n == 0
