"""Each way to peek at another's hand: what a seat tells in private shows in nothing that others can ask for.

Two tables are played side by side, all but alike: at one of them north tells its phone things in private.
Whatever others are answered, at any address and by any means, must be the same at both, to the byte.
"""

from __future__ import annotations

import re
import resource
import secrets
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion import machine
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.seats import phone_of
from companion.play.table import Table
from tests.running import pages_of
from tests.web.conftest import Browser, ScriptedCamera
from tests.web.seated import be_host, bearer, codes, let_in, secret_of, sit
from tests.whispers.moves import DRAW, lay, tell
from web import events
from web.app_state import AppState, TableNow

DRAWN = re.compile(
    rb"companion_(start_time_seconds|memory_peak_bytes|disk_free_bytes|temperature_celsius) .*|"
    rb"[0-9a-f]{8}\.[0-9a-f]{6}(?=-\d+)|"
    rb'(?<="code":")\d+|(?<="link":")[\w-]+'
)
"""What differs between any two tables: when they began, their machine, and what was drawn by chance."""

PARTS = {
    "number": "1",
    "place": "0",
    "slug": "whispers",
    "name": "page.js",
    "filename": "base.js",
    "language": "ko",
    "photo": "1",
    "picture": "1",
    "tile": "0",
    "option": "board",
    "year": "2026",
    "moves": "0",
}

OWN_FILES = ("/static/", "/packed/", "/favicon", "/apple-touch-icon", "/service-worker")
"""What the program itself is made of, which everybody may keep."""


class World:
    """A table with the phones of north and east, a guest that was let in, and one that only watches.

    North opened the table; east is a host by the PIN.
    """

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder / "journal.sqlite", clock=lambda: "2026-01-01T00:00:00.000+00:00")
        self.table = Table(self.journal, Match.begin(self.journal, "whispers", {}, 3))
        self.app: Flask = pages_of(self.table, ScriptedCamera())
        self.app.test_client_class = Browser
        self.app_state: AppState = self.app.extensions["companion"]
        self.north = self.app.test_client()
        assert self.north.post("/api/seats/take", json={"seat": "north"}).status_code == 200
        self.east = be_host(self.app, sit(self.app, "east", self.north))
        self.guest = let_in(self.app, self.north)
        self.watcher = self.app.test_client()
        for _ in range(4):
            self.guest.post("/api/moves", json=DRAW)
        assert set(codes(self.east)) == {"south"}

    def in_private(self) -> None:
        """All that north can do in private."""
        assert self.north.post("/api/moves", json=tell("north", 4)).status_code == 200
        assert self.north.post("/api/moves", json={"move": tell("north", 5), "n": 5}).status_code == 200
        assert self.north.post("/api/undo", json={"n": 6}).status_code == 200
        assert self.north.post("/api/redo").status_code == 200
        assert self.north.post("/api/undo").status_code == 200
        assert self.north.post("/api/moves", json=tell("north", 4)).status_code == 409
        assert self.north.post("/api/moves", json=tell("north", 99)).status_code == 400
        assert self.north.get("/api/match").json["board"]["hand"] == [4]

    def phone(self, seat: str) -> str:
        """What the phone at a seat is known by."""
        return phone_of(secret_of(getattr(self, seat)))

    @property
    def others(self) -> tuple[FlaskClient, ...]:
        """Who may not see north's hand."""
        return self.east, self.guest, self.watcher

    def close(self) -> None:
        """End it."""
        self.app_state.stop()
        self.journal.close()


Worlds = Callable[[], World]


@pytest.fixture
def world(tmp_path: Path, whispers: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worlds]:
    """Makes tables that begin with the same codes, so that their answers can be laid side by side."""
    made: list[World] = []
    monkeypatch.setattr(events, "HEARTBEAT_S", 0.001)

    def make() -> World:
        drawn = count(100_000)
        monkeypatch.setattr(secrets, "token_hex", lambda length: f"{next(drawn):0{2 * length}}")
        monkeypatch.setattr(secrets, "token_urlsafe", lambda length: f"{next(drawn):0{length}}")
        monkeypatch.setattr(secrets, "randbelow", lambda below: next(drawn) % below)
        folder = tmp_path / f"world-{len(made)}"
        made.append(World(folder))
        return made[-1]

    yield make
    for each in made:
        each.close()


def reply(answer: TestResponse) -> tuple[Any, ...]:
    """An answer, all of it."""
    headers = sorted(
        (name, value) for name, value in answer.headers if name not in ("Date", "Content-Length")
    )
    return answer.status_code, headers, DRAWN.sub(b"", answer.data)


def addresses(app: Flask) -> list[str]:
    """Every address that there is, the live stream aside."""
    rules = [rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    filled = {re.sub(r"<(?:\w+:)?(\w+)>", lambda part: PARTS[part[1]], rule) for rule in rules}
    queries = {
        "/api/match?seat=north",
        "/api/table?seat=north",
        "/?seat=north",
        "/api/match/north",
        "/join/2.svg",
    }
    return sorted((filled | queries) - {"/api/events"})


def every_answer(world: World) -> list[Any]:
    """What others are answered at every address, in every language, by every method."""
    answers: list[Any] = []
    for client in world.others:
        for address in addresses(world.app):
            korean = client.get(address, headers={"Accept-Language": "ko"})
            asked = (client.get(address), korean, client.head(address), client.options(address))
            answers.append((address, [reply(answer) for answer in asked]))
    answers += [reply(world.guest.get(path, **bearer(secret_of(world.east)))) for path in ("/api/table", "/")]
    return answers


def the_main_answers(world: World) -> list[Any]:
    """What others are answered where the table is shown."""
    shown = ("/", "/api/table", "/api/matches", "/api/seats", "/metrics")
    return [(path, reply(client.get(path))) for client in world.others for path in shown]


def test_no_address_tells_of_it(world: Worlds) -> None:
    secretive, frank = world(), world()
    secretive.in_private()
    for ours, theirs in zip(every_answer(secretive), every_answer(frank), strict=True):
        assert ours == theirs


def test_no_figure_of_metrics_moves_with_a_private_move(
    world: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a machine whose memory and disk are a page fuller after each look at them."""
    table, pages = world(), count(1 << 20)
    monkeypatch.setattr(resource, "getrusage", lambda _: Mock(ru_maxrss=next(pages)))
    room = lambda _: Mock(f_bavail=(1 << 22) - 1 - next(pages) % 256, f_frsize=4096, f_blocks=1 << 24)  # noqa: E731
    monkeypatch.setattr(machine.os, "statvfs", room)
    monkeypatch.setattr(machine, "temperature_c", lambda: None)
    before = table.watcher.get("/metrics").text
    assert table.north.post("/api/moves", json=tell("north", 4)).status_code == 200
    assert table.watcher.get("/metrics").text == before
    table.guest.post("/api/moves", json=DRAW)
    assert table.watcher.get("/metrics").text != before


def test_only_the_seat_itself_is_told(world: Worlds) -> None:
    secretive, frank = world(), world()
    secretive.in_private()
    for path in ("/", "/api/match", "/api/table", "/history", "/seats"):
        assert reply(secretive.north.get(path)) != reply(frank.north.get(path)), path
    assert '"hand":[4]' in secretive.north.get("/").text
    assert '"hand":[4]' in secretive.guest.get("/", **bearer(secret_of(secretive.north))).text


ASKED: dict[str, list[tuple[str, object]]] = {
    "undo": [("/api/undo", {"n": 4}), ("/api/undo", {"n": 5}), ("/api/undo", {}), ("/api/undo", {"n": 4})],
    "undo and redo": [("/api/undo", {}), ("/api/redo", {}), ("/api/redo", {}), ("/api/redo", {"n": 6})],
    "undo all": [("/api/undo", {})] * 6,
    "the same card": [("/api/moves", lay(4)), ("/api/moves", lay(5)), ("/api/moves", lay(4))],
    "an old page": [("/api/moves", {"move": lay(9), "n": n}) for n in (3, 4, 5, 6)],
    "a private move of another": [("/api/moves", tell("north", card)) for card in (4, 5, 6, 99)],
    "one's own of the same card": [("/api/moves", tell("east", card)) for card in (4, 4, 5)],
    "nonsense": [("/api/moves", {"move": "tell", "seat": "north"}), ("/api/moves", {"move": "peek"})],
    "names": [("/api/players", {"players": {"north": "Mei"}}), ("/api/undo", {})],
    "a sighting": [("/api/sighting", {"id": 1, "guess": 0})],
    "another match": [
        ("/api/matches", {"game": "whispers", "seats": 3}),
        ("/api/undo", {}),
        ("/api/matches/1/resume", {}),
        ("/api/undo", {"n": 4}),
    ],
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("client", ["east", "guest", "watcher"])
def test_nothing_that_others_do_is_answered_differently(
    world: Worlds, client: str, asked: list[tuple[str, object]]
) -> None:
    secretive, frank = world(), world()
    secretive.in_private()
    for path, body in asked:
        answers = [reply(getattr(each, client).post(path, json=body)) for each in (secretive, frank)]
        assert answers[0] == answers[1], (path, body)
        assert the_main_answers(secretive) == the_main_answers(frank)


def test_who_takes_the_seat_next_is_told_nothing_and_tells_nobody(world: Worlds) -> None:
    secretive, frank = world(), world()
    secretive.in_private()
    newcomers = []
    for each in (secretive, frank):
        each.east.post("/api/seats/throw-out", json={"seat": "north"})
        newcomers.append(sit(each.app, "north", each.east))
    for address in addresses(secretive.app):
        ours, theirs = (reply(newcomer.get(address)) for newcomer in newcomers)
        assert ours == theirs, address
    assert the_main_answers(secretive) == the_main_answers(frank)
    for path, body in (
        ("/api/moves", tell("north", 4)),
        ("/api/undo", {}),
        ("/api/undo", {}),
        ("/api/redo", {}),
    ):
        ours, theirs = (reply(newcomer.post(path, json=body)) for newcomer in newcomers)
        assert ours == theirs, path
        assert the_main_answers(secretive) == the_main_answers(frank)


def test_what_is_told_after_an_undo_and_before_a_redo_shows_nowhere(world: Worlds) -> None:
    secretive, frank = world(), world()
    for each in (secretive, frank):
        each.guest.post("/api/moves", json=lay(9))
        each.guest.post("/api/undo")
    assert secretive.north.post("/api/moves", json=tell("north", 4)).status_code == 200
    assert the_main_answers(secretive) == the_main_answers(frank)
    answers = [reply(each.east.post("/api/redo")) for each in (secretive, frank)]
    assert answers[0] == answers[1]
    assert answers[0][0] == 200


class TestStream:
    """The live stream: who is told, and who is woken."""

    @staticmethod
    def begun(world: World, phone: str, last: str = "") -> Iterator[bytes]:
        stream = events.lines(events.LiveStream(world.app_state, last, phone))
        next(stream)
        return stream

    def test_the_seat_itself_is_told_at_once(self, world: Worlds) -> None:
        here = world()
        stream = self.begun(here, here.phone("north"))
        next(stream)
        here.north.post("/api/moves", json=tell("north", 4))
        event = next(stream)
        assert b"event: table" in event
        assert b'"hand":[4]' in event
        assert b'"seat":"north"' in event

    def test_it_waits_for_the_news_of_its_own_seat(
        self, world: Worlds, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = world()
        here.in_private()
        stream = self.begun(here, here.phone("north"))
        next(stream)
        waited: list[tuple[int, str | None]] = []
        monkeypatch.setattr(
            here.table, "wait_for_change", lambda version, _, seat: waited.append((version, seat))
        )
        next(stream)
        assert set(waited) == {(here.table.snapshot.version_of("north"), "north")}

    @pytest.mark.parametrize("seat", ["east", ""])
    def test_others_are_not_even_woken(self, world: Worlds, seat: str) -> None:
        here = world()
        stream = self.begun(here, here.phone(seat) if seat else "")
        first = next(stream)
        here.in_private()
        assert next(stream) == b"event: beat\ndata: {}\n\n"
        here.guest.post("/api/moves", json=DRAW)
        number = [int(re.search(rb"id: \S+-(\d+)", reply)[1]) for reply in (first, next(stream))]  # type: ignore[index]
        assert number[1] == number[0] + 1

    @pytest.mark.parametrize("way", ["header", "address"])
    def test_coming_back_with_the_id_of_another_gives_ones_own_view(
        self, world: Worlds, way: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        here = world()
        here.in_private()
        monkeypatch.setattr(events, "STREAM_S", 0.01)
        taken = here.app_state.table_now(here.phone("north")).id
        named = (
            {"headers": {"Last-Event-ID": taken}} if way == "header" else {"query_string": {"last": taken}}
        )
        for client, seat in ((here.east, "east"), (here.guest, None)):
            text = client.get("/api/events", **named).text  # type: ignore[arg-type]
            body = re.search(r"^data: (\{.+\})$", text, re.MULTILINE)
            assert body
            now = msgspec.json.decode(body[1], type=TableNow)
            assert now.seat == seat
            assert now.match.board["hand"] == []

    def test_what_a_seat_is_told_is_made_once_a_change(self, world: Worlds) -> None:
        here = world()
        for phone in (here.phone("north"), here.phone("east"), ""):
            assert here.app_state.encoded(phone)[1] is here.app_state.encoded(phone)[1]

    def test_an_id_is_never_that_of_another_seat(self, world: Worlds) -> None:
        here = world()
        ids = {here.app_state.table_now(phone).id for phone in (here.phone("north"), here.phone("east"), "")}
        assert len(ids) == 3

    def test_it_ends_when_its_phone_is_thrown_out(self, world: Worlds) -> None:
        here = world()
        stream = self.begun(here, here.phone("north"))
        next(stream)
        here.east.post("/api/seats/throw-out", json={"seat": "north"})
        assert list(stream) == []

    def test_a_thrown_out_phone_that_comes_back_looks_on(self, world: Worlds) -> None:
        here = world()
        here.in_private()
        old = here.phone("north")
        here.east.post("/api/seats/throw-out", json={"seat": "north"})
        event = next(self.begun(here, old))
        assert b'"seat":null' in event
        assert b'"hand":[]' in event

    def test_when_a_match_is_gone_on_with_nobody_is_shown_anothers_hand(self, world: Worlds) -> None:
        here = world()
        here.in_private()
        here.east.post("/api/matches", json={"game": "whispers", "seats": 3})
        here.east.post("/api/seats/throw-out", json={"seat": "north"})
        other = sit(here.app, "north", here.east)
        stream = self.begun(here, phone_of(secret_of(other)))
        next(stream)
        here.east.post("/api/matches/1/resume")
        assert b'"hand":[4]' not in b"".join(stream)


class TestGuessing:
    """No id, no name and no hash opens a seat."""

    @pytest.mark.parametrize(
        "guess",
        [
            pytest.param(lambda _: "north", id="its name"),
            pytest.param(lambda _: "", id="nothing"),
            pytest.param(lambda _: "null", id="null"),
            pytest.param(lambda here: here.phone("north"), id="the hash that is kept"),
            pytest.param(lambda here: secret_of(here.north)[:-1], id="all but the end"),
            pytest.param(lambda here: secret_of(here.north) + "0", id="too much"),
            pytest.param(lambda here: here.app_state.boot, id="the id of this run"),
            pytest.param(lambda here: codes(here.north)["south"], id="a code"),
        ],
    )
    def test_it(self, world: Worlds, guess: Callable[[World], str]) -> None:
        here = world()
        here.in_private()
        secret = guess(here)
        guesser = here.app.test_client()
        guesser.set_cookie("seat", secret)
        for answer in (guesser.get("/api/table"), here.guest.get("/api/table", **bearer(secret))):
            assert answer.json["seat"] is None
            assert answer.json["match"]["board"]["hand"] == []

    def test_two_cookies_are_no_more_than_one(self, world: Worlds) -> None:
        here = world()
        here.in_private()
        reply = here.guest.get("/api/table", headers={"Cookie": f"seat=north; seat={secret_of(here.east)}"})
        assert reply.json["match"]["board"]["hand"] == []

    def test_a_match_from_a_file_shows_no_hand_to_whoever_sits_there(self, world: Worlds) -> None:
        here = world()
        kept = Match.begin(here.journal, "whispers", {}, 3)
        kept.play_all([DRAW, tell("north", 7)], "import")
        here.east.post(f"/api/matches/{kept.record.id}/resume")
        assert here.north.get("/api/table").json["seat"] is None
        assert here.north.get("/api/match").json["board"]["hand"] == []


@pytest.mark.parametrize("client", ["north", "east", "guest", "watcher"])
def test_no_cache_keeps_what_a_seat_was_shown(world: Worlds, client: str) -> None:
    here = world()
    here.in_private()
    for address in addresses(here.app):
        answer = getattr(here, client).get(address)
        own_file = address.startswith(OWN_FILES) and answer.status_code == 200
        assert answer.headers["Cache-Control"] == ("no-cache" if own_file else "no-store"), address
        assert own_file or "ETag" not in answer.headers, address


def test_what_one_tells_in_private_does_not_hinder_the_others(world: Worlds) -> None:
    here = world()
    before = here.east.get("/api/match").json["n"]
    here.in_private()
    assert here.east.post("/api/moves", json={"move": lay(9), "n": before}).status_code == 200
    assert here.north.get("/api/match").json["board"]["hand"] == [4]
