"""Pages that only look wait for nobody: not for a disk that takes its time, not for a camera that thinks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import games
from companion.games.watching import Observation, Sighting, Tile, Verdict
from companion.play.history import History
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from tests.conftest import OPENING
from tests.running import pages_of
from web import events
from web.app_state import AppState, TableNow

LONG_S = 20.0
"""A test that would wait for ever fails after this; none comes near it."""

LOOKED_AT = (
    "/",
    "/history",
    "/camera",
    "/join",
    "/api/match",
    "/api/table",
    "/api/matches",
    "/api/seats",
    "/health",
    "/metrics",
)
"""What people open, and what their pages ask, without changing anything."""


class SlowDisk:
    """The connection by which a journal writes, on a disk that syncs only when the test says so."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.syncing, self.synced = Event(), Event()

    def execute(self, statement: str, *values: object) -> Any:
        """Run a statement; a commit takes as long as the sync."""
        if statement == "COMMIT":
            self.syncing.set()
            assert self.synced.wait(LONG_S)
        return self.connection.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)


@pytest.fixture
def app_state(app: Flask) -> AppState:
    """The app's parts."""
    state: AppState = app.extensions["companion"]
    return state


@contextmanager
def meanwhile(do: Callable[[], object], begun: Event, go_on: Event) -> Iterator[None]:
    """Let a thread get as far as `begun`; it ends after `go_on`, set at the latest when the block is left."""
    thread = Thread(target=do)
    thread.start()
    try:
        assert begun.wait(LONG_S)
        yield
        assert thread.is_alive(), "it was not waited for"
    finally:
        go_on.set()
        thread.join()


def moves_of(event: bytes) -> int:
    """How many moves a live event tells of."""
    data = event.decode().partition("data: ")[2].strip()
    return msgspec.json.decode(data, type=TableNow).match.moves


class TestSlowDisk:
    """A tap is being written, and the disk does not come back."""

    @pytest.fixture
    def disk(self, journal: Journal, monkeypatch: pytest.MonkeyPatch) -> SlowDisk:
        """A disk whose sync the test ends."""
        slow = SlowDisk(journal._connection)
        monkeypatch.setattr(journal, "_connection", slow)
        return slow

    def test_whoever_only_looks_is_answered_at_once(
        self, app: Flask, client: FlaskClient, disk: SlowDisk
    ) -> None:
        def tap() -> None:
            app.test_client().post("/api/moves", json=OPENING[0])

        with meanwhile(tap, disk.syncing, disk.synced):
            for path in LOOKED_AT:
                assert client.get(path).status_code == 200, path
            assert client.get("/api/match").json["moves"] == 0, "it is shown once it is on the disk"
            assert client.get("/api/matches").json["matches"][0]["moves"] == 0
        assert client.get("/api/match").json["moves"] == 1
        assert client.get("/api/matches").json["matches"][0]["moves"] == 1

    def test_live_events_come_at_once_and_tell_of_the_move_when_it_is_kept(
        self, app_state: AppState, table: Table, disk: SlowDisk
    ) -> None:
        stream = events.lines(events.LiveStream(app_state, ""))
        next(stream)
        with meanwhile(lambda: table.play(OPENING[0], "phone"), disk.syncing, disk.synced):
            assert moves_of(next(stream)) == 0
            table.notify()
            assert moves_of(next(stream)) == 0, "the camera's news is not held up by the disk"
        assert moves_of(next(stream)) == 1

    def test_the_companion_can_be_stopped(self, app_state: AppState, table: Table, disk: SlowDisk) -> None:
        with meanwhile(lambda: table.play(OPENING[0], "phone"), disk.syncing, disk.synced):
            app_state.stop()
        assert table.match.n == 1


class TestSlowCamera:
    """What the camera saw is being thought about, for long."""

    @pytest.fixture
    def thought(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> tuple[Event, Event, list[int]]:
        """When the game begins to think, when it may end, and of how many moves it thought each time."""
        thinking, thought, moves = Event(), Event(), list[int]()
        game = type(table.match.game)
        sighting = game.sighting

        def slowly(self: Any, state: Any, seen: Observation) -> Sighting:
            moves.append(len(state.tiles))
            thinking.set()
            assert thought.wait(LONG_S)
            answer: Sighting = sighting(self, state, seen)
            return answer

        monkeypatch.setattr(game, "sighting", slowly)
        return thinking, thought, moves

    def test_pages_taps_and_live_events_do_not_wait_for_it(
        self,
        client: FlaskClient,
        app_state: AppState,
        table: Table,
        thought: tuple[Event, Event, list[int]],
    ) -> None:
        seen: list[Sighting] = []
        laid = Observation(tiles=(Tile("cat", 1, 0, 5, 3),))
        stream = events.lines(events.LiveStream(app_state, ""))
        next(stream)
        with meanwhile(lambda: seen.append(table.see(laid)), *thought[:2]):
            assert moves_of(next(stream)) == 0
            assert client.get("/").status_code == 200
            assert client.post("/api/moves", json=OPENING[0]).json["match"]["moves"] == 1
            assert client.get("/api/match").json["moves"] == 1
            assert moves_of(next(stream)) == 1
        assert thought[2] == [0, 1], "after the tap it was thought about again"
        assert [each.verdict for each in seen] == [Verdict.NOTHING], "the tile lies there by the tap already"
        assert table.match.n == 1


def test_a_phone_is_shown_no_seat_of_the_match_that_comes_next(
    journal: Journal, whispers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ada sits at the first match, and has no seat at the smaller one that is shown until it is resumed."""
    ada = phone_of("ada")
    table = Table(journal, Match.begin(journal, whispers, {}, 3))
    table.seats.take_seat("south", ada)
    table.begin(whispers, {}, 2)
    state: AppState = pages_of(table, None).extensions["companion"]
    go_on, shown = table.seats.go_on, list[TableNow]()

    def looked_at(match: int, seats: tuple[str, ...], **how: Any) -> None:
        go_on(match, seats, **how)
        shown.append(state.table_now(ada))

    monkeypatch.setattr(table.seats, "go_on", looked_at)
    table.resume(1)
    shown.append(state.table_now(ada))
    assert [(now.match.id, now.seat) for now in shown] == [(2, None), (1, "south")]
    state.stop()


def test_the_list_of_matches_plays_nothing_back_and_asks_for_all_matches_and_all_titles_once(
    client: FlaskClient, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    for slug, game in games().items():
        match = Match.begin(journal, slug, {})
        match.play(next(iter(game.legal_moves(match.state))), "phone")
    asked: list[str] = []
    journal._reader.set_trace_callback(asked.append)

    def never(*_: object) -> History:
        raise AssertionError("a move was played back")

    monkeypatch.setattr(History, "played", never)
    assert len(client.get("/api/matches").json["matches"]) == 1 + len(games())
    assert len(asked) == 2, asked
    page = client.get("/history")
    assert page.status_code == 200
    assert page.text.count("data-resume") == len(games())
