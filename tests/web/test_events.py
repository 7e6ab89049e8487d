"""The live stream."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Thread

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.table import Table
from tests.conftest import OPENING
from web import events
from web.house import House, TableNow


@pytest.fixture
def house(app: Flask) -> House:
    """The app's parts."""
    found: House = app.extensions["companion"]
    return found


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beats that need not be waited for."""
    monkeypatch.setattr(events, "BEAT_S", 0.001)


def fields(event: bytes) -> dict[str, str]:
    """The fields of one event."""
    lines = event.decode().strip().split("\n")
    return dict(line.split(": ", 1) for line in lines)


def begun(house: House, last: str = "") -> Iterator[bytes]:
    """A stream past its first line."""
    stream = events.lines(house, last)
    assert fields(next(stream)) == {"retry": "1000"}
    return stream


def test_a_stream_begins_with_all_that_a_page_shows(house: House) -> None:
    event = fields(next(begun(house)))
    assert event["event"] == "table"
    now = msgspec.json.decode(event["data"], type=TableNow)
    assert now.id == event["id"]
    assert now.match.moves == 0


def test_each_change_is_told_once(house: House, table: Table) -> None:
    stream = begun(house)
    first = fields(next(stream))
    table.play(OPENING[0], "camera")
    second = fields(next(stream))
    assert second["id"] != first["id"]
    assert msgspec.json.decode(second["data"], type=TableNow).match.moves == 1


def test_who_waits_is_woken_by_a_change(house: House, table: Table) -> None:
    stream = begun(house)
    next(stream)
    playing = Thread(target=table.play, args=(OPENING[0], "camera"))
    playing.start()
    assert fields(next(stream))["event"] == "table"
    playing.join()


@pytest.mark.usefixtures("quick")
def test_while_nothing_changes_a_beat_says_that_the_line_holds(house: House) -> None:
    stream = begun(house)
    next(stream)
    assert fields(next(stream)) == {"event": "beat", "data": "{}"}


@pytest.mark.usefixtures("quick")
def test_who_comes_back_having_missed_nothing_is_told_nothing_anew(house: House) -> None:
    last = house.now().id
    assert fields(next(begun(house, last)))["event"] == "beat"


def test_who_comes_back_having_missed_something_is_told(house: House, table: Table) -> None:
    last = house.now().id
    table.play(OPENING[0], "camera")
    assert fields(next(begun(house, last)))["event"] == "table"


def test_an_id_from_before_a_restart_is_never_taken_for_one_of_now(table: Table) -> None:
    before, after = House(table, None, 1), House(table, None, 1)
    assert before.now().id != after.now().id
    assert fields(next(begun(after, before.now().id)))["event"] == "table"


def test_a_stream_ends_when_the_house_stops(house: House) -> None:
    stream = begun(house)
    next(stream)
    house.stop()
    assert list(stream) == []


def test_a_stream_ends_after_its_time(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "STREAM_S", 0.01)
    told = list(begun(house))
    assert fields(told[0])["event"] == "table"


@pytest.mark.parametrize("way", ["header", "address"])
def test_the_last_id_is_read(
    client: FlaskClient, house: House, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "STREAM_S", 0.02)
    last = house.now().id
    if way == "header":
        told = client.get("/api/events", headers={"Last-Event-ID": last})
    else:
        told = client.get(f"/api/events?last={last}")
    assert told.mimetype == "text/event-stream"
    assert "event: beat" in told.text
    assert "event: table" not in told.text


@pytest.mark.usefixtures("quick")
def test_one_phone_too_many_is_told_to_come_later(client: FlaskClient, house: House) -> None:
    house.most_streams = 1
    with house.a_stream() as free:
        assert free
        told = client.get("/api/events")
        assert (told.status_code, told.headers["Retry-After"]) == (503, "5")
        assert told.json["rule"] == "too-many-phones"
        with house.a_stream() as second:
            assert not second
    assert house.streams == 0


def test_all_phones_share_what_was_encoded(house: House) -> None:
    assert house.encoded()[1] is house.encoded()[1]
