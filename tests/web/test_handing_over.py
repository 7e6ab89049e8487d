"""A hand stays with who noted it: another phone at the seat sees it only once it is handed over."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.running import pages_of
from tests.web.conftest import Browser
from tests.web.seated import be_host, sit
from tests.whispers.moves import DRAW, tell


@pytest.fixture
def table(journal: Journal, whispers: str) -> Table:
    """Whispers for three."""
    return Table(journal, Match.begin(journal, whispers, {}, 3))


@pytest.fixture
def host(app: Flask) -> FlaskClient:
    """The phone that sat down first, at south."""
    phone = app.test_client()
    assert phone.post("/api/seats/take", json={"seat": "south"}).status_code == 200
    return phone


@pytest.fixture
def former(app: Flask, host: FlaskClient) -> FlaskClient:
    """A phone that sat down at north, drew, and noted that it holds the 4."""
    phone = sit(app, "north", host)
    phone.post("/api/moves", json=DRAW)
    assert phone.post("/api/moves", json=tell("north", 4)).status_code == 200
    return phone


@pytest.fixture
def newcomer(app: Flask, host: FlaskClient, former: FlaskClient) -> FlaskClient:
    """Another phone that sits at north, since the host removed the former one."""
    host.post("/api/seats/throw-out", json={"seat": "north"})
    return sit(app, "north", host)


def hand(phone: FlaskClient) -> list[int]:
    """The cards that a phone is shown as its own."""
    cards: list[int] = phone.get("/api/match").json["board"]["hand"]
    return cards


def row(phone: FlaskClient, seat: str) -> dict[str, object]:
    """What a phone is told of a seat."""
    rows = phone.get("/api/seats").json["seats"]
    return next(each for each in rows if each["seat"] == seat)


@pytest.mark.parametrize("goes", ["stands up", "is removed"])
def test_who_takes_the_seat_next_does_not_see_the_hand(
    app: Flask, host: FlaskClient, former: FlaskClient, goes: str
) -> None:
    if goes == "is removed":
        host.post("/api/seats/throw-out", json={"seat": "north"})
    else:
        former.post("/api/seats/leave")
    newcomer = sit(app, "north", host)
    assert hand(newcomer) == []
    for path in ("/", "/api/table", "/api/match", "/history"):
        assert '"hand":[4]' not in newcomer.get(path).text
    assert newcomer.get("/api/match").json["can_undo"]
    assert newcomer.post("/api/undo").status_code == 200  # the open draw, no note


def test_the_newcomer_notes_a_hand_of_its_own_and_is_refused_nothing_for_the_other(
    newcomer: FlaskClient,
) -> None:
    assert newcomer.post("/api/moves", json=tell("north", 4)).status_code == 200
    assert hand(newcomer) == [4]
    newcomer.post("/api/undo")
    assert newcomer.post("/api/moves", json=tell("north", 7)).status_code == 200
    assert hand(newcomer) == [7]


def test_how_much_was_noted_is_not_told_either(app: Flask, host: FlaskClient, former: FlaskClient) -> None:
    former.post("/api/undo")
    former.post("/api/redo")
    host.post("/api/seats/throw-out", json={"seat": "north"})
    newcomer = sit(app, "north", host)
    shown = newcomer.get("/api/match").json
    assert (shown["n"], shown["moves"], shown["can_redo"]) == (1, 1, False)


def test_the_seat_says_that_something_is_kept_back(newcomer: FlaskClient, host: FlaskClient) -> None:
    assert row(newcomer, "north")["kept_back"]
    assert not row(newcomer, "north")["hand_over"]
    assert not row(host, "north")["kept_back"]


def test_the_host_hands_it_over(host: FlaskClient, newcomer: FlaskClient) -> None:
    assert row(host, "north")["hand_over"]
    assert host.post("/api/seats/hand-over", json={"seat": "north"}).status_code == 200
    assert hand(newcomer) == [4]
    assert not row(host, "north")["hand_over"]
    assert not row(newcomer, "north")["kept_back"]


def test_the_former_phone_hands_it_over_though_it_only_watches_now(
    former: FlaskClient, newcomer: FlaskClient
) -> None:
    assert former.get("/api/seats").json["role"] == "watcher"
    assert row(former, "north")["hand_over"]
    assert former.post("/api/seats/hand-over", json={"seat": "north"}).status_code == 200
    assert hand(newcomer) == [4]
    assert hand(former) == []


def test_nobody_else_does(app: Flask, host: FlaskClient, newcomer: FlaskClient) -> None:
    east, watcher = sit(app, "east", host), app.test_client()
    for phone in (east, watcher, newcomer):
        assert not row(phone, "north")["hand_over"]
        answer = phone.post("/api/seats/hand-over", json={"seat": "north"})
        assert (answer.status_code, answer.json["rule"]) == (403, "not-yours-to-hand-over")
    assert hand(newcomer) == []


def test_who_removes_all_phones_and_is_then_the_host_sees_no_hand(app: Flask, former: FlaskClient) -> None:
    app.extensions["companion"].heard_s -= 301
    stranger = app.test_client()
    for seat in ("north", "south"):
        assert stranger.post("/api/seats/throw-out", json={"seat": seat}).status_code == 200
    stranger.post("/api/seats/take", json={"seat": "north"})
    assert stranger.get("/api/seats").json["role"] == "host"
    assert stranger.post("/api/seats/hand-over", json={"seat": "north"}).status_code == 403
    assert hand(stranger) == []
    be_host(app, stranger)
    assert stranger.post("/api/seats/hand-over", json={"seat": "north"}).status_code == 200
    assert hand(stranger) == [4]


def test_who_stands_up_and_sits_down_again_has_the_hand_still(
    app: Flask, host: FlaskClient, former: FlaskClient
) -> None:
    former.post("/api/seats/leave")
    assert former.get("/api/table").json["seat"] is None
    codes = {each["seat"]: each["code"] for each in host.get("/api/seats").json["seats"]}
    assert former.post("/api/seats/take", json={"code": codes["north"]}).status_code == 200
    assert hand(former) == [4]


def test_who_comes_back_after_another_has_its_own_hand_again(
    app: Flask, host: FlaskClient, former: FlaskClient, newcomer: FlaskClient
) -> None:
    newcomer.post("/api/seats/leave")
    codes = {each["seat"]: each["code"] for each in host.get("/api/seats").json["seats"]}
    former.post("/api/seats/take", json={"code": codes["north"]})
    assert hand(former) == [4]


def test_a_restart_keeps_it_back_and_lets_it_be_handed_over(
    journal: Journal, table: Table, host: FlaskClient, newcomer: FlaskClient, whispers: str
) -> None:
    app = pages_of(Table.open(journal, whispers), None)
    app.test_client_class = Browser
    phones = []
    for each in (host, newcomer):
        phone, cookie = app.test_client(), each.get_cookie("seat")
        assert cookie is not None
        phone.set_cookie("seat", cookie.value)
        phones.append(phone)
    assert hand(phones[1]) == []
    phones[0].post("/api/seats/hand-over", json={"seat": "north"})
    assert hand(phones[1]) == [4]


def test_what_came_after_an_open_move_that_is_undone_is_not_handed_over(
    host: FlaskClient, newcomer: FlaskClient
) -> None:
    newcomer.post("/api/undo")
    host.post("/api/moves", json=DRAW)
    host.post("/api/undo")
    host.post("/api/seats/hand-over", json={"seat": "north"})
    assert hand(newcomer) == []


def test_a_seat_that_nobody_has_is_handed_nothing(host: FlaskClient, former: FlaskClient) -> None:
    former.post("/api/seats/leave")
    answer = host.post("/api/seats/hand-over", json={"seat": "north"})
    assert (answer.status_code, answer.json["rule"]) == (404, "nobody-sits-there")
    assert host.post("/api/seats/hand-over", json={"seat": "west"}).status_code == 400


def test_where_a_game_hides_nothing_nothing_is_set_aside(app: Flask, host: FlaskClient, table: Table) -> None:
    host.post("/api/matches", json={"game": "cat-and-mouse"})
    host.post("/api/seats/leave")
    before = table.match.n
    app.test_client().post("/api/seats/take", json={"seat": "cat"})
    assert table.match.n == before
