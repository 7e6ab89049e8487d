"""Who may do what: the table of permissions, line by line, against every route that there is."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import ceil
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.running import pages_of, settings_of
from tests.web.conftest import Browser, ScriptedCamera
from tests.web.seated import be_host, codes, let_in, sit
from tests.whispers.moves import DRAW
from web import app_state as parts
from web import permissions, seats_api
from web.app import EVERY_ROUTE, WHO
from web.openapi import Routes
from web.permissions import HAND_OVER, SIT_WITHOUT_CODE, TABLE

WATCHERS = {
    "GET /": "the table",
    "GET /watch": "the table, from now on without joining",
    "GET /display": "the table on a big screen",
    "GET /offline": "the table as it stands, for a phone to keep",
    "GET /api/match": "the match",
    "GET /api/table": "the table as JSON",
    "GET /api/events": "live events",
    "GET /new": "the games to choose from",
    "GET /score": "how to score a photo, for those who may",
    "GET /rules/<slug>": "a game's rules in short",
    "GET /own/<slug>/<option>": "how a board is drawn, for those who may keep it",
    "GET /own/<slug>/<option>/<name>.toml": "the file of such a board",
    "GET /own/pictures/<name>.jpg": "a picture of a card",
    "GET /history": "kept matches",
    "GET /history/<int:number>": "a kept match, to look at",
    "GET /history/before/<int:number>": "older ones",
    "GET /api/matches": "kept matches as JSON",
    "GET /api/matches/before/<int:number>": "older ones as JSON",
    "GET /api/matches/<int:number>/at/<int:moves>": "a kept match after each open move",
    "GET /api/matches/<int:number>/course": "its course",
    "GET /api/matches/<int:number>/ending": "how it ended",
    "GET /api/matches/<int:number>/review": "what the table's player thinks of it",
    "GET /api/matches/<int:number>/export": "a kept match's open moves as a file",
    "GET /players": "the players and the house's records",
    "GET /player": "one player",
    "GET /years/<int:year>": "a year of the house",
    "GET /api/records": "players and records as JSON",
    "GET /api/records/<int:year>": "a year as JSON",
    "GET /panel": "the panel",
    "GET /api/ask": "an answer in a sentence",
    "GET /api/panel": "the panel as JSON",
    "GET /api/panel/patterns": "its lamps",
    "GET /camera": "the camera's page, without its picture",
    "GET /sheets/<name>.pdf": "a sheet to print",
    "GET /api/camera": "how the camera is",
    "GET /static/<path:filename>": "files of pages",
    "GET /packed/<name>.js": "scripts of pages",
    "GET /packed/<slug>/<language>/<name>.js": "words of pages",
    "GET /games/<slug>/<name>": "files of games",
    "GET /favicon.ico": "the icon",
    "GET /app.webmanifest": "what a home screen takes",
    "GET /service-worker.js": "what keeps a page for a phone without a connection",
    "GET /apple-touch-icon.png": "its icon",
    "GET /api": "five recipes and every route",
    "GET /api/openapi.json": "the API's description",
    "GET /health": "health",
    "GET /metrics": "figures",
    "GET /join": "how to join",
    "GET /seats": "who sits where",
    "GET /join.svg": "its QR code",
    "GET /join/<int:place>.svg": "a seat's QR code, which the route itself keeps from watchers",
    "POST /api/photos": "a score from a photo",
    "GET /api/photos/<int:number>": "a score from a photo",
    "POST /api/photos/<int:number>/pictures": "a score from a photo",
    "GET /api/photos/<int:number>/pictures/<int:photo>": "a score from a photo",
    "POST /api/photos/<int:number>/corners": "a score from a photo",
    "POST /api/photos/<int:number>/options": "a score from a photo",
    "POST /api/photos/<int:number>/remove": "a score from a photo",
    "POST /api/photos/<int:number>/read": "a score from a photo",
    "GET /api/photos/<int:number>/crops/<int:tile>": "a score from a photo",
    "POST /api/photos/<int:number>/board": "a score from a photo",
    "POST /api/photos/<int:number>/keep": "a score from a photo",
    "POST /api/photos/<int:number>/drop": "a score from a photo",
    "GET /api/seats": "who sits where",
    "POST /api/seats/take": "a seat by its code",
    "POST /api/seats/leave": "standing up",
    "POST /api/seats/me": "one's own name, colour and animal",
    "POST /api/seats/pick-up": "the hand at one's seat",
    "POST /api/seats/ask": "asking to be let in",
    "POST /api/seats/host": "the PIN",
    "POST /api/seats/hand-over": "notes of its own, which the route itself looks at",
}
"""What everyone may do, whoever sits."""
PLAYERS = {
    "POST /api/matches/<int:number>/correct",
    "POST /api/matches/<int:number>/rematch",
    "POST /api/moves",
    "POST /api/undo",
    "POST /api/redo",
    "POST /api/sighting",
    "POST /api/players",
    "POST /api/panel/buttons",
    "POST /api/opponent",
    "POST /api/hint",
    "POST /api/hints",
    "POST /api/referee",
    "POST /api/camera/whole",
    "GET /api/camera/picture",
    "GET /api/camera/overlay",
    "GET /api/camera/crop",
    "GET /api/camera/lessons",
    "GET /api/matches/<int:number>/pictures",
    "GET /api/matches/<int:number>/pictures/<int:picture>",
    "POST /api/matches/<int:number>/pictures/remove",
    "POST /api/seats/let-in",
    "POST /api/seats/screen",
    "POST /api/photos/throw",
    "GET /api/matches/<int:number>/photos/<int:photo>",
    "POST /api/matches/<int:number>/photos/remove",
}
"""What a player may do besides, and no watcher."""
HOSTS = {
    "POST /api/seats/throw-out",
    "POST /api/matches",
    "POST /api/matches/<int:number>/resume",
    "POST /api/matches/<int:number>/again",
    "POST /api/matches/<int:number>/title",
    "POST /api/matches/<int:number>/remove",
    "POST /api/matches/<int:number>/bring-back",
    "POST /api/demo/leave",
    "GET /api/demo",
    "POST /api/demo/rehearsal",
    "POST /api/demo/put",
    "POST /api/demo/fault",
    "POST /api/panel/try",
    "GET /settings",
    "POST /api/pictures/remove",
    "GET /api/settings",
    "POST /api/own",
    "POST /api/own/remove",
    "POST /api/own/picture",
    "POST /api/settings",
    "GET /api/broker",
    "POST /api/notices",
    "GET /api/camera/check",
    "GET /api/camera/check/empty",
    "POST /api/camera/check/lesson",
    "GET /api/camera/learnt",
    "POST /api/camera/forget",
    "GET /accuracy",
    "GET /api/accuracy",
    "GET /api/accuracy/reports",
    "GET /api/accuracy/reports.csv",
    "POST /api/accuracy/begin",
    "POST /api/accuracy/answer",
    "POST /api/accuracy/end",
    "POST /api/camera/empty",
    "POST /api/camera/teach",
    "POST /api/camera/corners",
}
"""What the host alone may do."""

BY_PIN = {"POST /api/broker/try"}
"""What only a phone may do that has typed the PIN."""

EVERY = {*WATCHERS, *PLAYERS, *HOSTS, *BY_PIN}

REFUSALS = {"not-at-the-table", "not-the-host", "pin-first"}


@pytest.fixture
def table(journal: Journal, whispers: str) -> Table:
    """Whispers for three."""
    return Table(journal, Match.begin(journal, whispers, {}, 3))


@pytest.fixture
def host(app: Flask) -> FlaskClient:
    """The phone that sat down first."""
    phone = app.test_client()
    assert phone.post("/api/seats/take", json={"seat": "north"}).status_code == 200
    return phone


@pytest.fixture
def player(app: Flask, host: FlaskClient) -> FlaskClient:
    """One that sat down by a code."""
    return sit(app, "east", host)


@pytest.fixture
def guest(app: Flask, host: FlaskClient) -> FlaskClient:
    """One that was let in and has no seat."""
    return let_in(app, host)


@pytest.fixture
def watcher(app: Flask, host: FlaskClient) -> FlaskClient:
    """One that only watches, now that the host sits."""
    return app.test_client()


def routes(app: Flask) -> set[str]:
    """Every route that is served, by method and path."""
    return {
        f"{method} {rule.rule}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def refused(phone: FlaskClient, route: str) -> bool:
    """Whether a phone is refused for what it is; any other answer means that it may."""
    method, _, rule = route.partition(" ")
    path = re.sub(r"<int:\w+>", "1", rule.replace("<int:place>", "0"))
    path = path.replace("<path:filename>", "base.js").replace("<slug>/<name>", "whispers/page.js")
    path = path.replace("<slug>/<language>", "whispers/ko").replace("<name>", "page")
    if path == "/api/events":
        return False  # tried by `test_everyone_listens`: it does not end
    answer = phone.open(path, method=method, json={} if method == "POST" else None)
    page = answer.mimetype == "text/html"
    return answer.status_code == 403 and (page or (answer.json or {}).get("rule") in REFUSALS)


def screen_last(among: set[str]) -> list[str]:
    """Routes as one phone can try them all: a screen does not sit, and who leaves only watches."""
    last = ("POST /api/seats/screen", "POST /api/seats/leave")
    return sorted(among, key=lambda route: (last.index(route) + 1 if route in last else 0, route))


def test_each_route_names_its_line(app: Flask) -> None:
    assert set(WHO) == routes(app)
    assert len(WHO) == sum(len(each.every) for each in EVERY_ROUTE)
    assert {*WHO.values(), SIT_WITHOUT_CODE, HAND_OVER} == set(TABLE)


def test_a_route_that_names_nobody_does_not_start() -> None:
    with pytest.raises(TypeError, match="who"):
        Routes("new").route("GET", "/new", gives="text/plain")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="who"):
        Routes("new").page("/new")  # type: ignore[call-arg]


def test_the_table_is_what_this_test_says(app: Flask) -> None:
    assert routes(app) == EVERY
    assert {route: line.least for route, line in WHO.items()} == {
        **dict.fromkeys(WATCHERS, "watcher"),
        **dict.fromkeys(PLAYERS, "player"),
        **dict.fromkeys(HOSTS | BY_PIN, "host"),
    }
    assert {route for route, line in WHO.items() if line.by_pin} == BY_PIN


def test_a_route_that_nobody_wrote_down_is_answered_to_nobody(app: Flask, client: FlaskClient) -> None:
    app.add_url_rule("/secret", view_func=lambda: "hand")
    assert client.get("/secret").status_code == 403


@pytest.mark.parametrize("route", sorted(WATCHERS))
def test_a_watcher_may(watcher: FlaskClient, route: str) -> None:
    assert not refused(watcher, route)


def test_everyone_listens(watcher: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.events.STREAM_S", 0.01)
    assert '"role":"watcher"' in watcher.get("/api/events").text


@pytest.mark.parametrize("route", sorted(PLAYERS | HOSTS | BY_PIN))
def test_a_watcher_may_not(watcher: FlaskClient, route: str) -> None:
    assert refused(watcher, route)


@pytest.mark.parametrize("who", ["player", "guest"])
def test_who_plays_may_what_players_may_and_no_more(
    request: pytest.FixtureRequest, app: Flask, host: FlaskClient, who: str
) -> None:
    phone: FlaskClient = request.getfixturevalue(who)
    assert {route for route in HOSTS | BY_PIN if not refused(phone, route)} == set()
    assert {route for route in screen_last(PLAYERS | WATCHERS.keys()) if refused(phone, route)} == set()


def test_the_host_may_do_everything(host: FlaskClient) -> None:
    assert {route for route in screen_last(EVERY) if refused(host, route)} == BY_PIN


def test_who_has_typed_the_pin_may_everything(app: Flask, host: FlaskClient) -> None:
    owner = be_host(app, app.test_client())
    assert {route for route in screen_last(EVERY) if refused(owner, route)} == set()


@pytest.mark.parametrize("route", sorted(PLAYERS | HOSTS))
def test_while_nobody_sits_anyone_may(client: FlaskClient, route: str) -> None:
    assert not refused(client, route)


@pytest.mark.parametrize("route", sorted(BY_PIN))
@pytest.mark.parametrize("is_open", [False, True], ids=["nobody sits", "open"])
def test_even_then_the_pin_comes_first(table: Table, route: str, is_open: bool) -> None:
    app = pages_of(table, ScriptedCamera(), settings=settings_of(table, open=is_open))
    app.test_client_class = Browser
    assert refused(app.test_client(), route)
    assert not refused(be_host(app, app.test_client()), route)


@pytest.mark.parametrize("route", sorted(PLAYERS | HOSTS))
def test_at_an_open_table_anyone_may_whoever_sits(table: Table, route: str) -> None:
    app = pages_of(table, ScriptedCamera(), settings=settings_of(table, open=True))
    app.test_client_class = Browser
    app.test_client().post("/api/seats/take", json={"seat": "north"})
    assert not refused(app.test_client(), route)


def test_a_watcher_moves_nothing_and_is_told_how_to_join(watcher: FlaskClient, table: Table) -> None:
    answer = watcher.post("/api/moves", json=DRAW)
    assert (answer.status_code, answer.json["rule"]) == (403, "not-at-the-table")
    assert "ask to be let in" in answer.json["says"]
    assert table.match.n == 0


@pytest.mark.parametrize(
    ("language", "says"), [("en", "Only the host"), ("zh-Hant", "只有主持人"), ("ko", "진행자만")]
)
def test_a_player_is_told_that_only_the_host_begins_matches(
    player: FlaskClient, table: Table, language: str, says: str
) -> None:
    before = table.match.record.id
    answer = player.post("/api/matches", json={"game": "whispers"}, headers={"Accept-Language": language})
    assert (answer.status_code, answer.json["rule"]) == (403, "not-the-host")
    assert says in answer.json["says"]
    assert table.match.record.id == before


class TestLettingIn:
    """A watcher asks, and a host or a player lets it in with a tap."""

    def test_a_phone_that_asks_is_shown_by_its_number(
        self, watcher: FlaskClient, host: FlaskClient, player: FlaskClient, app: Flask
    ) -> None:
        number = watcher.post("/api/seats/ask").json["asks"]
        assert number > 0
        for phone in (host, player):
            assert phone.get("/api/seats").json["asking"] == [number]
            assert phone.get("/api/table").json["asking"] == [number]
        assert app.test_client().get("/api/seats").json["asking"] == []
        assert watcher.post("/api/seats/ask").json["asks"] == number

    def test_who_may_let_a_phone_in_sees_who_asks(
        self, watcher: FlaskClient, host: FlaskClient, app: Flask
    ) -> None:
        mei = {"name": "Mei", "colour": "green", "animal": "owl"}
        number = watcher.post("/api/seats/ask", json={**mei, "name": f"  {mei['name']} "}).json["asks"]
        for path in ("/api/seats", "/api/table"):
            assert host.get(path).json["askers"] == [{"number": number, **mei}]
            assert app.test_client().get(path).json["askers"] == []

    def test_no_animal_but_ours_is_taken(self, watcher: FlaskClient) -> None:
        answer = watcher.post("/api/seats/ask", json={"animal": "dragon"})
        assert (answer.status_code, answer.json["rule"]) == (400, "bad-body")

    @pytest.mark.parametrize("who", ["host", "player", "guest"])
    def test_whoever_plays_lets_it_in(
        self, request: pytest.FixtureRequest, watcher: FlaskClient, who: str
    ) -> None:
        by: FlaskClient = request.getfixturevalue(who)
        number = watcher.post("/api/seats/ask").json["asks"]
        assert by.post("/api/seats/let-in", json={"number": number}).json["asking"] == []
        assert watcher.get("/api/seats").json["role"] == "player"
        assert watcher.post("/api/moves", json=DRAW).status_code == 200

    def test_it_asks_until_it_is_written_down_that_it_is_in(
        self, watcher: FlaskClient, host: FlaskClient, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        number = watcher.post("/api/seats/ask").json["asks"]
        add, seen = table.seats.add_guest, []

        def write(phone: str) -> None:
            seen.append(watcher.get("/api/seats").json["asks"])
            add(phone)

        monkeypatch.setattr(table.seats, "add_guest", write)
        host.post("/api/seats/let-in", json={"number": number})
        assert seen == [number]

    def test_who_is_let_in_while_it_looks_sees_that_it_asks(
        self, watcher: FlaskClient, host: FlaskClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        number = watcher.post("/api/seats/ask").json["asks"]

        def rounded(minutes: float) -> int:
            """What is reckoned once the role is known, for a watcher alone."""
            monkeypatch.undo()
            host.post("/api/seats/let-in", json={"number": number})
            return ceil(minutes)

        monkeypatch.setattr(seats_api, "ceil", rounded)
        seats = watcher.get("/api/seats").json
        assert (seats["role"], seats["asks"]) == ("watcher", number)

    def test_one_who_only_watches_lets_nobody_in(self, app: Flask, watcher: FlaskClient) -> None:
        number = watcher.post("/api/seats/ask").json["asks"]
        for phone in (watcher, app.test_client()):
            assert phone.post("/api/seats/let-in", json={"number": number}).status_code == 403

    def test_a_number_that_nobody_has_is_said(self, host: FlaskClient) -> None:
        answer = host.post("/api/seats/let-in", json={"number": 7})
        assert (answer.status_code, answer.json["rule"]) == (404, "nobody-asks")

    def test_one_address_wakes_the_table_three_times_at_most(self, app: Flask, host: FlaskClient) -> None:
        answers = [app.test_client().post("/api/seats/ask").status_code for _ in range(5)]
        assert answers == [200, 200, 200, 429, 429]
        assert len(host.get("/api/seats").json["asking"]) == 3

    def test_a_guest_takes_a_seat_without_a_code(self, guest: FlaskClient) -> None:
        assert guest.post("/api/seats/take", json={"seat": "south"}).json["seat"] == "south"

    def test_guests_stay_through_a_restart_and_go_when_the_host_removes_them(
        self, table: Table, host: FlaskClient, guest: FlaskClient
    ) -> None:
        assert len(type(table.seats)(table.seats._file.path).phones.guests) == 1
        assert host.get("/api/seats").json["guests"] == 1
        assert host.post("/api/seats/throw-out", json={"guests": True}).json["guests"] == 0
        assert guest.get("/api/seats").json["role"] == "watcher"
        assert host.post("/api/seats/throw-out", json={"guests": True}).status_code == 404


class TestTheHost:
    """Who opens the table, or types the PIN."""

    def test_the_first_that_sits_is_the_host(self, host: FlaskClient, player: FlaskClient) -> None:
        assert host.get("/api/seats").json["role"] == "host"
        assert player.get("/api/seats").json["role"] == "player"

    def test_a_screen_that_was_there_before_anyone_sat_is_a_host(self, app: Flask) -> None:
        screen = app.test_client()
        screen.post("/api/seats/screen")
        first, second = sit(app, "north", screen), sit(app, "east", screen)
        roles = [phone.get("/api/seats").json["role"] for phone in (screen, first, second)]
        assert roles == ["host", "host", "player"]

    def test_the_pin_makes_a_player_the_host_and_leaves_it_its_seat(
        self, app: Flask, player: FlaskClient
    ) -> None:
        be_host(app, player)
        answer = player.get("/api/seats").json
        assert (answer["role"], answer["seat"]) == ("host", "east")

    def test_the_pin_makes_a_watcher_the_host(self, app: Flask, watcher: FlaskClient) -> None:
        be_host(app, watcher)
        assert watcher.get("/api/table").json["role"] == "host"
        assert watcher.get("/api/table").json["seat"] is None

    def test_a_program_types_the_pin_and_is_given_a_secret(self, app: Flask, watcher: FlaskClient) -> None:
        pin = app.extensions["companion"].pin
        secret = watcher.post("/api/seats/host", json={"pin": pin, "program": True}).json["secret"]
        sent = {"Authorization": f"Bearer {secret}"}
        assert app.test_client().post("/api/moves", json=DRAW, headers=sent).status_code == 200
        assert watcher.post("/api/moves", json=DRAW).status_code == 403

    def test_a_wrong_pin_is_refused_and_counted(self, app: Flask, watcher: FlaskClient) -> None:
        pin = app.extensions["companion"].pin
        wrong = "000000" if pin != "000000" else "000001"
        answers = [watcher.post("/api/seats/host", json={"pin": wrong}) for _ in range(11)]
        assert [answer.json["rule"] for answer in answers] == ["wrong-pin"] * 10 + ["too-many-guesses"]
        assert watcher.post("/api/seats/host", json={"pin": pin}).status_code == 429
        assert watcher.get("/api/seats").json["role"] == "watcher"

    def test_only_who_has_typed_the_pin_is_shown_it(
        self, app: Flask, host: FlaskClient, player: FlaskClient, watcher: FlaskClient
    ) -> None:
        pin = app.extensions["companion"].pin
        screen = app.test_client()
        assert host.post("/api/seats/screen").json["role"] == "host"
        for phone in (host, player, watcher, screen):
            assert pin not in phone.get("/api/seats").text + phone.get("/panel").text
        assert be_host(app, player).get("/api/seats").json["pin"] == pin

    def test_who_came_while_nobody_sat_was_shown_no_pin(self, client: FlaskClient) -> None:
        answer = client.get("/api/seats").json
        assert (answer["role"], answer["pin"]) == ("host", "")

    def test_when_the_host_stands_up_the_next_one_is_the_host(
        self, host: FlaskClient, player: FlaskClient
    ) -> None:
        host.post("/api/seats/leave")
        assert player.get("/api/seats").json["role"] == "host"

    def test_who_opens_the_table_again_is_the_host_beside_those_who_typed_the_pin(
        self, app: Flask, host: FlaskClient, guest: FlaskClient
    ) -> None:
        owner = be_host(app, app.test_client())
        host.post("/api/seats/leave")
        next_evening = app.test_client()
        next_evening.post("/api/seats/take", json={"seat": "east"})
        roles = [phone.get("/api/seats").json["role"] for phone in (next_evening, owner, guest, host)]
        assert roles == ["host", "host", "watcher", "watcher"]

    def test_who_typed_the_pin_before_anyone_sat_is_a_host_wherever_it_sits(self, app: Flask) -> None:
        owner = be_host(app, app.test_client())
        first = app.test_client()
        first.post("/api/seats/take", json={"seat": "north"})
        owner.post("/api/seats/take", json={"seat": "east"})
        assert [phone.get("/api/seats").json["role"] for phone in (owner, first)] == ["host", "host"]
        owner.post("/api/seats/take", json={"seat": "south"})
        assert owner.get("/api/seats").json["role"] == "host"


class TestSilence:
    """When all phones of the table are lost, any phone may remove them; before, none may."""

    @pytest.fixture
    def silent(self, app: Flask) -> Callable[[float], None]:
        """Nobody of the table is heard from for some seconds more."""

        def wait(seconds: float) -> None:
            app.extensions["companion"].heard_s -= seconds

        return wait

    def test_five_minutes_after_the_last_was_heard_from(
        self, watcher: FlaskClient, silent: Callable[[float], None]
    ) -> None:
        silent(280)
        assert watcher.post("/api/seats/throw-out", json={"seat": "north"}).status_code == 403
        silent(20)
        assert watcher.post("/api/seats/throw-out", json={"seat": "north"}).status_code == 200

    def test_even_then_a_watcher_only_frees_seats(
        self, watcher: FlaskClient, silent: Callable[[float], None]
    ) -> None:
        silent(301)
        may = {route for route in screen_last(PLAYERS | HOSTS) if not refused(watcher, route)}
        assert may == {"POST /api/seats/throw-out", "POST /api/seats/screen"}

    def test_after_a_restart_a_sleeping_phones_seat_is_kept_five_minutes(
        self, table: Table, host: FlaskClient
    ) -> None:
        app = pages_of(table, None)
        app.test_client_class = Browser
        stranger = app.test_client()
        for seconds, status in ((0, 403), (280, 403), (20, 200)):
            app.extensions["companion"].heard_s -= seconds
            answer = stranger.post("/api/seats/throw-out", json={"seat": "north"})
            assert answer.status_code == status

    @pytest.mark.parametrize(("seconds", "minutes"), [(0, 5), (61, 4), (299, 1), (300, 0)])
    def test_the_page_is_told_how_long(
        self, watcher: FlaskClient, silent: Callable[[float], None], seconds: float, minutes: int
    ) -> None:
        silent(seconds)
        assert watcher.get("/api/seats").json["wait_s"] == 60 * minutes

    def test_the_first_phone_that_sits_is_heard_at_once(
        self, app: Flask, silent: Callable[[float], None]
    ) -> None:
        silent(parts.QUIET_S + 1)
        app.test_client().post("/api/seats/take", json={"seat": "north"})
        stranger = app.test_client().post("/api/seats/throw-out", json={"seat": "north"})
        assert stranger.status_code == 403


def test_the_codes_of_seats_are_kept_from_watchers(watcher: FlaskClient, guest: FlaskClient) -> None:
    assert codes(watcher) == {}
    assert watcher.get("/join/1.svg").status_code == 404
    assert set(codes(guest)) == {"east", "south"}


PAGE = Path(permissions.__file__).parents[1] / "docs" / "seats.md"
SHOWN = re.compile(r"\| \| host \|.*?\n(?!\|)", re.DOTALL)
"""The table on that page."""


def test_the_docs_show_the_table_as_it_is() -> None:
    assert SHOWN.findall(PAGE.read_text("utf-8")) == [permissions.as_markdown()], (
        "python -m tests.web.test_permissions writes it"
    )


if __name__ == "__main__":
    PAGE.write_text(SHOWN.sub(permissions.as_markdown(), PAGE.read_text("utf-8")), "utf-8")
