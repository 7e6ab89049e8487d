"""Seats over HTTP: sitting down, giving up, throwing out; and who may do so."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.running import pages_of
from tests.web.conftest import Browser
from tests.web.seated import be_host, bearer, codes, codes_of, secret_of, sit
from tests.whispers.moves import DRAW, tell
from web import app_state as parts
from web.app_state import AppState


@pytest.fixture
def table(journal: Journal, whispers: str) -> Table:
    """Whispers for three."""
    return Table(journal, Match.begin(journal, whispers, {}, 3))


@pytest.fixture
def screen(app: Flask) -> FlaskClient:
    """A tablet in the middle of the table, which shows the codes."""
    tablet = app.test_client()
    assert tablet.post("/api/seats/screen").json["screen"]
    return tablet


@pytest.fixture
def north(app: Flask, screen: FlaskClient) -> FlaskClient:
    """The phone that sits at north."""
    return sit(app, "north", screen)


def seat_of(phone: FlaskClient) -> str | None:
    """Where a phone is told that it sits."""
    answer: str | None = phone.get("/api/table").json["seat"]
    return answer


def quiet(app: Flask) -> None:
    """Nobody who sits was heard of for a long time."""
    home: AppState = app.extensions["companion"]
    home.heard_s -= parts.QUIET_S + 1


def test_a_phone_that_only_looks_is_heard(app: Flask, north: FlaskClient) -> None:
    quiet(app)
    home: AppState = app.extensions["companion"]
    assert home.wait_s() == 0
    north.get("/api/match")
    assert home.wait_s() > 0


class TestSittingDown:
    """By a code, once."""

    def test_a_phone_sits_where_its_code_says(self, north: FlaskClient, client: FlaskClient) -> None:
        assert seat_of(north) == "north"
        assert seat_of(client) is None
        assert client.get("/api/table").json["sitting"] == ["north"]
        rows = north.get("/api/seats").json["seats"]
        assert [(row["seat"], row["taken"], row["mine"]) for row in rows] == [
            ("north", True, True),
            ("east", False, False),
            ("south", False, False),
        ]

    def test_its_secret_is_read_by_no_script_and_sent_by_no_other_site(
        self, app: Flask, screen: FlaskClient
    ) -> None:
        answer = app.test_client().post("/api/seats/take", json={"code": codes(screen)["east"]})
        assert answer.json == {"seat": "east", "secret": ""}
        cookie = answer.headers["Set-Cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie

    def test_a_program_is_given_it_and_no_cookie(self, app: Flask, screen: FlaskClient) -> None:
        program = app.test_client()
        answer = program.post("/api/seats/take", json={"code": codes(screen)["east"], "program": True})
        assert "Set-Cookie" not in answer.headers
        secret = answer.json["secret"]
        assert len(secret) >= 43
        assert program.get("/api/table", **bearer(secret)).json["seat"] == "east"
        assert program.get("/api/table").json["seat"] is None

    def test_a_header_counts_more_than_a_cookie(self, app: Flask, north: FlaskClient) -> None:
        east = secret_of(sit(app, "east", north))
        assert north.get("/api/table", **bearer(east)).json["seat"] == "east"
        assert north.get("/api/table", **bearer("guess")).json["seat"] is None

    def test_a_code_is_used_once(self, app: Flask, screen: FlaskClient) -> None:
        code = codes(screen)["north"]
        assert app.test_client().post("/api/seats/take", json={"code": code}).status_code == 200
        second = app.test_client().post("/api/seats/take", json={"code": code})
        assert (second.status_code, second.json["rule"]) == (404, "no-such-code")
        assert second.json["says"]

    def test_a_seat_that_is_taken_has_no_code(self, north: FlaskClient, screen: FlaskClient) -> None:
        for phone in (north, screen):
            assert set(codes(phone)) == {"east", "south"}
            assert phone.get("/join/0.svg").status_code == 404
            assert phone.get("/join/1.svg").mimetype == "image/svg+xml"

    def test_who_sits_elsewhere_gives_that_seat_up(self, north: FlaskClient, screen: FlaskClient) -> None:
        former = secret_of(north)
        north.post("/api/seats/take", json={"code": codes(screen)["south"]})
        assert seat_of(north) == "south"
        assert north.get("/api/table").json["sitting"] == ["south"]
        assert north.get("/api/table", **bearer(former)).json["seat"] is None

    def test_the_long_code_does_as_well(self, app: Flask, screen: FlaskClient) -> None:
        link = screen.get("/api/seats").json["seats"][1]["link"]
        phone = app.test_client()
        assert phone.post("/api/seats/take", json={"code": link}).json["seat"] == "east"

    def test_guesses_are_counted(self, app: Flask, screen: FlaskClient) -> None:
        right = codes(screen)["east"]
        guesser = app.test_client()
        guesses = [f"{n:06}" for n in range(12) if f"{n:06}" not in codes(screen).values()][:10]
        for code in guesses:
            assert guesser.post("/api/seats/take", json={"code": code}).status_code == 404
        answer = guesser.post("/api/seats/take", json={"code": right})
        assert (answer.status_code, answer.json["rule"]) == (429, "too-many-guesses")
        assert 0 < int(answer.headers["Retry-After"]) <= 60
        assert answer.headers["Retry-After"] in answer.json["says"]
        assert seat_of(guesser) is None

    @pytest.mark.parametrize(
        ("language", "says"),
        [("en", "doesn't match a free seat"), ("zh-Hant", "沒有空座位"), ("ko", "빈자리가 없습니다")],
    )
    def test_a_wrong_code_is_said_in_the_askers_language(
        self, client: FlaskClient, language: str, says: str
    ) -> None:
        client.set_cookie("language", language)
        assert says in client.post("/api/seats/take", json={"code": "x"}).json["says"]


class TestLeaving:
    """Giving a seat up, and throwing a lost phone out."""

    def test_a_seat_that_is_given_up_is_free_with_a_new_code(
        self, app: Flask, north: FlaskClient, screen: FlaskClient
    ) -> None:
        secret = secret_of(north)
        code = codes(screen)["east"]
        sit(app, "east", screen).post("/api/seats/leave")
        assert codes(screen)["east"] != code
        assert app.test_client().post("/api/seats/take", json={"code": code}).status_code == 404
        answer = north.post("/api/seats/leave")
        assert answer.json["seat"] is None
        assert north.get_cookie("seat") is None
        assert north.get("/api/table", **bearer(secret)).json["seat"] is None
        assert seat_of(sit(app, "north", screen)) == "north"

    def test_a_lost_phone_is_thrown_out_and_the_seat_taken_anew(
        self, app: Flask, north: FlaskClient, screen: FlaskClient
    ) -> None:
        answer = screen.post("/api/seats/throw-out", json={"seat": "north"})
        assert answer.status_code == 200
        assert not answer.json["seats"][0]["taken"]
        assert seat_of(north) is None
        again = sit(app, "north", screen)
        assert seat_of(again) == "north"
        assert seat_of(north) is None

    def test_another_host_may_throw_out(self, app: Flask, north: FlaskClient) -> None:
        east = be_host(app, sit(app, "east", north))
        assert east.post("/api/seats/throw-out", json={"seat": "north"}).status_code == 200
        assert (seat_of(north), seat_of(east)) == (None, "east")

    def test_an_empty_or_unknown_seat_is_said(self, north: FlaskClient) -> None:
        answer = north.post("/api/seats/throw-out", json={"seat": "south"})
        assert (answer.status_code, answer.json["rule"]) == (404, "nobody-sits-there")
        answer = north.post("/api/seats/throw-out", json={"seat": "west"})
        assert (answer.status_code, answer.json["rule"]) == (400, "no-such-seat")

    def test_every_phone_is_told(self, north: FlaskClient, screen: FlaskClient, client: FlaskClient) -> None:
        before = client.get("/api/table").json
        screen.post("/api/seats/throw-out", json={"seat": "north"})
        after = client.get("/api/table").json
        assert (before["sitting"], after["sitting"]) == (["north"], [])
        assert before["id"] != after["id"]


class TestWhoMay:
    """Codes are shown, and phones thrown out, by those at the table."""

    def test_while_nobody_sits_anyone_may_sit_down_or_show_the_codes(self, app: Flask) -> None:
        first = app.test_client()
        assert codes(first) == {}
        assert set(codes_of(first.post("/api/seats/screen").json)) == {"north", "east", "south"}
        assert first.post("/api/seats/take", json={"seat": "east"}).json["seat"] == "east"
        assert set(codes(first)) == {"north", "south"}

    def test_whoever_shows_the_codes_may_sit_down_last(self, app: Flask, screen: FlaskClient) -> None:
        for seat in ("north", "east"):
            sit(app, seat, screen)
        assert screen.post("/api/seats/take", json={"seat": "south"}).json["seat"] == "south"

    def test_a_seat_that_is_taken_is_so_for_those_who_need_no_code(
        self, north: FlaskClient, screen: FlaskClient
    ) -> None:
        for seat, refused in (("north", (404, "seat-not-free")), ("west", (400, "no-such-seat"))):
            answer = screen.post("/api/seats/take", json={"seat": seat})
            assert (answer.status_code, answer.json["rule"]) == refused
        assert seat_of(north) == "north"

    def test_who_only_looks_on_is_shown_none(self, north: FlaskClient, client: FlaskClient) -> None:
        answer = client.get("/api/seats")
        assert not answer.json["trusted"]
        assert codes(client) == {}
        assert all(row["link"] == "" for row in answer.json["seats"])
        assert client.get("/join/1.svg").status_code == 404
        assert client.get("/join/99.svg").status_code == 404

    @pytest.mark.parametrize(
        ("path", "rule"),
        [("screen", "not-at-the-table"), ("throw-out", "not-the-host"), ("take", "not-at-the-table")],
    )
    def test_who_only_looks_on_may_do_nothing(
        self, north: FlaskClient, client: FlaskClient, path: str, rule: str
    ) -> None:
        seat = "east" if path == "take" else "north"
        answer = client.post(f"/api/seats/{path}", json={"seat": seat})
        assert (answer.status_code, answer.json["rule"]) == (403, rule)
        assert client.get("/api/table").json["sitting"] == ["north"]

    def test_another_site_may_do_nothing(self, north: FlaskClient) -> None:
        for path in ("take", "leave", "screen", "throw-out"):
            answer = north.post(f"/api/seats/{path}", json={}, headers={"Sec-Fetch-Site": "cross-site"})
            assert answer.json["rule"] == "another-site"
        assert seat_of(north) == "north"

    def test_when_all_who_sit_are_silent_anyone_may(
        self, app: Flask, north: FlaskClient, client: FlaskClient
    ) -> None:
        quiet(app)
        assert client.post("/api/seats/throw-out", json={"seat": "north"}).status_code == 200

    def test_one_who_sits_and_is_heard_of_ends_that(
        self, app: Flask, north: FlaskClient, client: FlaskClient
    ) -> None:
        quiet(app)
        north.get("/health")
        assert client.post("/api/seats/throw-out", json={"seat": "north"}).status_code == 403

    def test_after_a_start_those_who_sit_have_time_to_come_back(
        self, table: Table, north: FlaskClient
    ) -> None:
        fresh = pages_of(table, None).test_client()
        assert fresh.post("/api/seats/throw-out", json={"seat": "north"}).status_code == 403

    def test_a_screen_sits_nowhere_and_may_stop_being_one(
        self, screen: FlaskClient, north: FlaskClient
    ) -> None:
        assert seat_of(screen) is None
        assert screen.post("/api/seats/screen").json["trusted"]
        assert not screen.post("/api/seats/leave").json["screen"]
        assert codes(screen) == {}

    def test_who_sits_and_becomes_a_screen_stands(self, north: FlaskClient) -> None:
        assert north.post("/api/seats/screen").json["screen"]
        assert seat_of(north) is None


class TestMatches:
    """Seats belong to a match."""

    def test_a_restart_changes_nothing(self, journal: Journal, north: FlaskClient, whispers: str) -> None:
        again = pages_of(Table.open(journal, whispers), None)
        again.test_client_class = Browser
        answer = again.test_client().get("/api/table", **bearer(secret_of(north)))
        assert answer.json["seat"] == "north"

    def test_at_a_new_match_each_sits_in_the_same_place(self, app: Flask, north: FlaskClient) -> None:
        east = sit(app, "east", north)
        north.post("/api/matches", json={"game": "cat-and-mouse"})
        assert (seat_of(north), seat_of(east)) == ("cat", "mouse")

    def test_a_code_of_the_old_match_opens_nothing(self, app: Flask, north: FlaskClient) -> None:
        old = codes(north)["east"]
        north.post("/api/matches", json={"game": "whispers", "seats": 3})
        assert app.test_client().post("/api/seats/take", json={"code": old}).status_code == 404

    def test_an_old_hand_is_not_shown_to_who_sits_there_now(
        self, app: Flask, north: FlaskClient, table: Table, screen: FlaskClient
    ) -> None:
        north.post("/api/moves", json=DRAW)
        north.post("/api/moves", json=tell("north", 4))
        old = table.match.record.id
        north.post("/api/matches", json={"game": "whispers", "seats": 3})
        screen.post("/api/seats/throw-out", json={"seat": "north"})
        other = sit(app, "north", screen)
        other.post(f"/api/matches/{old}/resume")
        assert seat_of(other) is None
        assert other.get("/api/match").json["board"]["hand"] == []

    def test_a_full_disk_lets_nobody_sit_and_says_so(
        self, app: Flask, screen: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_room(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", no_room)
        answer = app.test_client().post("/api/seats/take", json={"code": codes(screen)["north"]})
        assert answer.status_code == 503
        assert "free some space" in answer.json["says"]
        assert set(codes(screen)) == {"north", "east", "south"}

    def test_on_a_full_disk_who_leaves_stays_and_is_told_so(
        self, north: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_room(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", no_room)
        answer = north.post("/api/seats/leave")
        assert answer.status_code == 503
        assert "free some space" in answer.json["says"]
        assert seat_of(north) == "north"


def test_secrets_are_drawn_and_kept_as_hashes(north: FlaskClient, journal: Journal) -> None:
    assert secret_of(north) not in journal.path.with_suffix(".seats.json").read_text()
    assert secret_of(north).encode() not in journal.path.read_bytes()
