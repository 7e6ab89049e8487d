"""The live stream."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from threading import Thread

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.play.table import Table
from tests.conftest import OPENING
from tests.running import pages_of, state_of
from web import events
from web.app_state import AppState, TableNow
from web.streams import Places


@pytest.fixture
def app_state(app: Flask) -> AppState:
    """The app's parts."""
    matches: AppState = app.extensions["companion"]
    return matches


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beats that need not be waited for."""
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.001)


def fields(event: bytes) -> dict[str, str]:
    """The fields of one event."""
    lines = event.decode().strip().split("\n")
    return dict(line.split(": ", 1) for line in lines)


def begun(app_state: AppState, last: str = "") -> Iterator[bytes]:
    """A stream past its first line."""
    stream = events.lines(events.LiveStream(app_state, last))
    assert fields(next(stream)) == {"retry": "1000"}
    return stream


def test_a_stream_begins_with_all_that_a_page_shows(app_state: AppState) -> None:
    event = fields(next(begun(app_state)))
    assert event["event"] == "table"
    now = msgspec.json.decode(event["data"], type=TableNow)
    assert now.id == event["id"]
    assert now.match.moves == 0


def test_each_change_is_told_once(app_state: AppState, table: Table) -> None:
    stream = begun(app_state)
    first = fields(next(stream))
    table.play(OPENING[0], "camera")
    second = fields(next(stream))
    assert second["id"] != first["id"]
    assert msgspec.json.decode(second["data"], type=TableNow).match.moves == 1


def test_of_changes_that_come_faster_than_they_are_sent_the_newest_is_sent_and_none_after_a_newer(
    app_state: AppState, table: Table
) -> None:
    """A phone is shown how the table stands, which says all; what was in between may be left out."""
    followed = events.LiveStream(app_state, "")
    sent = [followed.text()]
    changes = cycle((lambda: table.play(OPENING[0], "phone"), lambda: table.undo("phone")))
    for faster in (1, 3, 2):
        for _ in range(faster):
            next(changes)()
        sent += [followed.text(), followed.text()]
    events_sent = [fields(event) for event in sent if event]
    versions = [int(event["id"].rpartition("-")[2]) for event in events_sent]
    assert versions == [1, 2, 5, 7], "one event after each burst, with the state at its end"
    newest = msgspec.json.decode(events_sent[-1]["data"], type=TableNow)
    assert newest.match.n == table.snapshot.match.n == 6


def test_who_waits_is_woken_by_a_change(app_state: AppState, table: Table) -> None:
    stream = begun(app_state)
    next(stream)
    playing = Thread(target=table.play, args=(OPENING[0], "camera"))
    playing.start()
    assert fields(next(stream))["event"] == "table"
    playing.join()


@pytest.mark.usefixtures("quick")
def test_while_nothing_changes_a_beat_says_that_the_line_holds(app_state: AppState) -> None:
    stream = begun(app_state)
    next(stream)
    assert fields(next(stream)) == {"event": "beat", "data": "{}"}


@pytest.mark.usefixtures("quick")
def test_who_comes_back_having_missed_nothing_is_told_nothing_anew(app_state: AppState) -> None:
    last = app_state.table_now().id
    assert fields(next(begun(app_state, last)))["event"] == "beat"


def test_who_comes_back_having_missed_something_is_told(app_state: AppState, table: Table) -> None:
    last = app_state.table_now().id
    table.play(OPENING[0], "camera")
    assert fields(next(begun(app_state, last)))["event"] == "table"


def test_an_id_from_before_a_restart_is_never_taken_for_one_of_now(table: Table) -> None:
    before, after = state_of(pages_of(table)), state_of(pages_of(table))
    assert before.table_now().id != after.table_now().id
    assert fields(next(begun(after, before.table_now().id)))["event"] == "table"


def test_a_stream_ends_when_the_house_stops(app_state: AppState) -> None:
    stream = begun(app_state)
    next(stream)
    app_state.stop()
    assert list(stream) == []


def test_a_stream_ends_after_its_time(app_state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "STREAM_S", 0.01)
    answer = list(begun(app_state))
    assert fields(answer[0])["event"] == "table"


@pytest.mark.parametrize("way", ["header", "address"])
def test_the_last_id_is_read(
    client: FlaskClient, app_state: AppState, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "STREAM_S", 0.02)
    last = app_state.table_now().id
    if way == "header":
        answer = client.get("/api/events", headers={"Last-Event-ID": last})
    else:
        answer = client.get(f"/api/events?last={last}")
    assert answer.mimetype == "text/event-stream"
    assert "event: beat" in answer.text
    assert "event: table" not in answer.text


@pytest.mark.usefixtures("quick")
def test_one_phone_too_many_is_told_to_come_later(client: FlaskClient, app_state: AppState) -> None:
    app_state.places = Places(1)
    with app_state.places.taking(known=False) as free:
        assert free
        answer = client.get("/api/events")
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.json["rule"] == "too-many-phones"
        with app_state.places.taking(known=False) as second:
            assert not second
    assert app_state.places.taken == 0


def test_all_phones_share_what_was_encoded(app_state: AppState) -> None:
    assert app_state.encoded()[1] is app_state.encoded()[1]
