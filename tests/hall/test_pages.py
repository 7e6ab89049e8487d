"""The hall's pages: everybody looks, the referee acts, and nobody else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.registry import games
from companion.hall import view
from companion.hall.app import ACTIONS, PAGES, HallState, create_app
from companion.hall.hall import Hall
from companion.hall.view import HallStream, TableStream
from companion.messages import LANGUAGES
from tests.hall.conftest import StillBroker

Begun = Callable[..., Hall]


@pytest.fixture
def hall(broker: StillBroker, begun: Begun) -> Hall:
    """An evening whose first round is played: Mei has won, two others play."""
    hall = begun("Mei", "Jun", "Hana", "Bo")
    hall.next_round()
    broker.finish("table-1")
    return hall


@pytest.fixture
def app(hall: Hall) -> Iterator[Flask]:
    """Its pages."""
    made = create_app(hall)
    yield made
    made.extensions["companion"].stop()


@pytest.fixture
def of_app(app: Flask) -> HallState:
    """What the app knows."""
    state: HallState = app.extensions["companion"]
    return state


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser of somebody in the hall."""
    return app.test_client()


@pytest.fixture
def referee(app: Flask, of_app: HallState) -> FlaskClient:
    """The browser of the referee."""
    client = app.test_client()
    typed = f"{of_app.pin[:3]} {of_app.pin[3:]}"
    assert client.post("/api/referee", json={"pin": typed}).status_code == 200
    return client


def address(path: str) -> str:
    """A page's address with real names in it."""
    parts = {
        "<name>": "hall.js" if path.startswith("/hall/") else "table-1",
        "<tag>": "ko",
        "<slug>": "cat-and-mouse",
    }
    if path.startswith("/games/"):
        parts["<name>"] = "page_display.js"
    return re.sub(r"<\w+>", lambda part: parts[part[0]], path)


@pytest.mark.parametrize("path", PAGES)
def test_everybody_may_look_at(path: str, client: FlaskClient) -> None:
    answer = client.get(address(path), buffered=True)
    assert answer.status_code in (200, 302)
    framed = "self" if path.startswith("/cards/") else "none"
    assert f"frame-ancestors '{framed}'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", [each for each in ACTIONS if each != "/api/referee"])
def test_only_the_referee_may_do(path: str, client: FlaskClient, hall: Hall) -> None:
    version = hall.version
    answer = client.post(path, json={})
    assert (answer.status_code, answer.json["rule"]) == (403, "not-the-referee")
    assert (hall.version, hall.work()) == (version, [])


@pytest.mark.parametrize("path", ACTIONS)
def test_no_other_site_s_page_may_do(path: str, referee: FlaskClient) -> None:
    answer = referee.post(path, json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, answer.json["rule"]) == (403, "another-site")


def test_a_wrong_pin_is_refused_and_guessing_is_stopped(client: FlaskClient) -> None:
    answers = [client.post("/api/referee", json={"pin": "000000"}) for _ in range(11)]
    assert [answer.json["rule"] for answer in answers] == ["wrong-pin"] * 10 + ["too-many-guesses"]
    assert (answers[-1].status_code, "Retry-After" in answers[-1].headers) == (429, True)


def test_the_hall_describes_itself(client: FlaskClient) -> None:
    paths = client.get("/api/openapi.json").json["paths"]
    assert {path for path in paths if "post" in paths[path]} == set(ACTIONS)
    assert {"/api/hall", "/api/events", "/api/tables/{name}", "/metrics", "/health"} <= set(paths)
    assert "POST /api/rounds" in client.get("/api").text


def described(client: FlaskClient) -> Any:
    """The hall's description of itself."""
    return client.get("/api/openapi.json").json


def test_each_route_of_the_hall_has_a_name_a_tag_and_its_refusals(client: FlaskClient) -> None:
    paths = described(client)["paths"]
    operations = [operation for of in paths.values() for operation in of.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    assert all(len(operation["tags"]) == 1 and operation["summary"] for operation in operations)
    for path in ACTIONS:
        refused = {"400", "403", "429"} if path == "/api/referee" else {"400", "403", "409", "503"}
        assert paths[path]["post"]["responses"].keys() == {"200", *refused}
    assert "Retry-After" in paths["/api/referee"]["post"]["responses"]["429"]["headers"]
    assert "404" in paths["/api/tables/{name}"]["get"]["responses"]


@pytest.mark.parametrize(
    ("ask", "status", "rule"),
    [
        pytest.param(("GET", "/api/tables/attic"), 404, "http-404", id="no such table"),
        pytest.param(("GET", "/api/nothing"), 404, "http-404", id="no such address"),
        pytest.param(("POST", "/api/hall"), 405, "http-405", id="another method"),
        pytest.param(("GET", "http://evil.example/api/hall"), 421, "foreign-host", id="a foreign name"),
    ],
)
def test_the_hall_refuses_as_a_table_does(
    ask: tuple[str, str], status: int, rule: str, client: FlaskClient
) -> None:
    method, path = ask
    answer = client.open(path, method=method)
    assert (answer.status_code, answer.json["rule"]) == (status, rule)
    assert answer.json["says"]


def test_a_person_reads_a_sentence_where_the_hall_has_no_page(client: FlaskClient) -> None:
    answer = client.get("/nothing?lang=ko")
    assert (answer.status_code, answer.mimetype) == (404, "text/plain")
    assert answer.text == "이 주소에는 아무것도 없습니다.\n"


def test_while_the_broker_is_away_nothing_is_kept(referee: FlaskClient, hall: Hall) -> None:
    hall.connect(connected=False)
    answer = referee.post("/api/players", json={"name": "Ada"})
    assert (answer.status_code, answer.json["rule"]) == (503, "no-broker")


def test_a_cookie_of_other_letters_is_no_referee_s(client: FlaskClient) -> None:
    assert client.get("/", headers={"Cookie": "referee=\xe9"}).status_code == 200


def test_a_foreign_name_is_refused(client: FlaskClient) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        pytest.param("/api/players", {"name": ""}, "name", id="an empty name"),
        pytest.param("/api/players", {"name": "\u202e\u2066\0"}, "name", id="a name of hidden signs"),
        pytest.param("/api/players", {"name": "Mei"}, "Mei plays already", id="a name that is taken"),
        pytest.param("/api/players/leave", {"player": "nobody"}, "no such player", id="no such player"),
        pytest.param("/api/rounds", {}, "1 match has no result yet", id="a round that is not over"),
        pytest.param(
            "/api/plan", {"name": "x", "kind": "swiss", "game": "chess"}, "no game", id="no such game"
        ),
        pytest.param(
            "/api/plan", {"name": "x", "kind": "cup", "game": "cat-and-mouse"}, "kind", id="a wrong kind"
        ),
        pytest.param(
            "/api/plan",
            {"name": "x", "kind": "swiss", "game": "cat-and-mouse", "options": {"hens": 1}},
            "“hens”",
            id="no such option",
        ),
        pytest.param("/api/results", {"pairing": "9-9", "ranks": {}}, "no match 9-9", id="no such match"),
        pytest.param("/api/tables/move", {"pairing": "1-1", "table": "x"}, "not free", id="no such table"),
    ],
)
def test_what_cannot_be_done_is_said(path: str, body: object, says: str, referee: FlaskClient) -> None:
    answer = referee.post(path, json=body)
    not_fitting = ("name", "kind", "no game", "“hens”", "no such player", "no match 9-9")
    assert answer.status_code == (400 if says in not_fitting else 409)
    assert says in answer.json["says"]


def test_a_name_is_kept_without_hidden_signs(referee: FlaskClient, hall: Hall, broker: StillBroker) -> None:
    cup = {"name": "\u202eCup\0", "kind": "swiss", "game": "cat-and-mouse"}
    assert referee.post("/api/plan", json=cup).status_code == 200
    assert referee.post("/api/players", json={"name": "\u2066A\u202eda"}).status_code == 200
    broker.settle()
    evening = referee.get("/api/hall").json
    assert evening["plan"]["name"] == "Cup"
    assert "Ada" in [player["name"] for player in evening["standings"]]


def test_the_referee_leads_the_evening_to_its_winner(
    referee: FlaskClient, hall: Hall, broker: StillBroker
) -> None:
    def do(path: str, **body: object) -> None:
        assert referee.post(path, json=body).status_code == 200
        broker.settle()

    do("/api/plan", name="Autumn cup", kind="swiss", game="cat-and-mouse", rounds=2)
    do("/api/players", name="Late")
    broker.finish("table-2")
    do("/api/rounds")
    for pairing in hall.evening.open_pairings:
        first, second = pairing.players
        do("/api/results", pairing=pairing.id, ranks={first: 1, second: 2})
    now = referee.get("/api/hall").json
    assert now["over"]
    assert now["winners"] == [each["name"] for each in now["standings"] if each["place"] == 1]


def test_a_player_s_name_cannot_become_part_of_the_page(referee: FlaskClient, broker: StillBroker) -> None:
    referee.post("/api/players", json={"name": "</script><script>alert(1)"})
    broker.settle()
    assert "<script>alert" not in referee.get("/").text


class Texts(HTMLParser):
    """The language of a page, and whether its form for the PIN is there."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.language, self.ids = "", set[str]()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.language = given.get("lang") or self.language if tag == "html" else self.language
        self.ids.add(given.get("id") or "")


@pytest.mark.parametrize("tag", LANGUAGES)
def test_the_page_is_in_the_reader_s_language(tag: str, client: FlaskClient) -> None:
    assert Texts(client.get(f"/?lang={tag}").text).language == tag


def test_the_referee_s_tools_are_for_the_referee(client: FlaskClient, referee: FlaskClient) -> None:
    assert "pin" in Texts(client.get("/").text).ids
    assert {"next", "add", "planned"} <= Texts(referee.get("/").text).ids


@pytest.mark.parametrize("tag", LANGUAGES)
def test_each_word_that_the_page_says_is_there(tag: str, client: FlaskClient) -> None:
    script = client.get(f"/words/{tag}.js").text
    words = json.loads(script.removeprefix("globalThis.words = ").rstrip(";\n"))
    source = client.get("/hall/hall.js", buffered=True).text
    said = set(re.findall(r'"((?:page|state|table|kind)\.[\w-]+)"', source))
    assert said
    assert said <= words.keys()
    assert {f"game.{slug}" for slug in games()} <= words.keys()
    assert words["seat.cat-and-mouse.cat"]


def test_the_big_screen_turns_through_the_boards_and_ends_with_the_standings(client: FlaskClient) -> None:
    after, seen = "", []
    for _ in range(3):
        there = client.get(f"/big?after={after}").location.partition("?")[0]
        seen.append(there)
        after = there.rpartition("/")[2]
    assert seen == ["/boards/table-1", "/boards/table-2", "/standings"]


@pytest.mark.parametrize("page", ["boards", "cards"])
def test_a_table_that_is_not_there_has_no_board(page: str, client: FlaskClient) -> None:
    assert client.get(f"/{page}/attic").status_code == 404


def test_only_the_hall_s_own_page_may_show_a_card_in_a_frame(client: FlaskClient) -> None:
    assert "frame-src 'self'" in client.get("/").headers["Content-Security-Policy"]
    assert client.get("/cards/table-1").headers["X-Frame-Options"] == "SAMEORIGIN"
    for path in ("/boards/table-1", "/standings"):
        answer = client.get(path)
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-src" not in answer.headers["Content-Security-Policy"]


def test_a_stream_sends_each_change_once(of_app: HallState, hall: Hall) -> None:
    stream = HallStream(of_app)
    assert stream.text().startswith(b"event: hall\n")
    assert stream.text() == b""
    hall.notify()
    assert stream.text().startswith(b"event: hall\n")
    assert not stream.is_over()
    of_app.stop()
    assert stream.is_over()


def test_a_page_of_very_many_tables_is_sent_no_faster_than_a_browser_reads(
    of_app: HallState, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = [100.0]
    monkeypatch.setattr(view, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(view, "PLENTY_BYTES", 1)
    stream = HallStream(of_app)
    first = stream.text()
    hall.notify()
    assert stream.text() == b"", "the next one waits"
    hall.notify()
    now_s[0] += len(first) / view.BYTES_A_SECOND
    assert json.loads(stream.text().decode().partition("data: ")[2])["version"] == hall.version, "the newest"


def test_a_board_s_stream_sends_what_changes_at_its_table_alone(
    of_app: HallState, hall: Hall, broker: StillBroker
) -> None:
    stream = TableStream(of_app, "table-2", "")
    event = stream.text().decode()
    assert json.loads(event.partition("data: ")[2])["match"]["game"] == "cat-and-mouse"
    broker.show(broker.tables["table-1"])
    assert stream.text() == b""
    broker.tables["table-2"].advance()
    broker.show(broker.tables["table-2"])
    assert json.loads(stream.text().decode().partition("data: ")[2])["match"]["moves"] == 1


def test_the_hall_has_figures_and_says_whether_the_broker_answers(client: FlaskClient, hall: Hall) -> None:
    figures = client.get("/metrics").text
    assert "table_companion_hall_tables 2.0\n" in figures
    assert "table_companion_hall_open_matches 1.0\n" in figures
    assert client.get("/health").json == {"ok": True, "says": ""}
    hall.connect(connected=False)
    sick = client.get("/health")
    assert (sick.status_code, sick.json["ok"], sick.json["rule"]) == (503, False, "no-broker")
    assert "The broker does not answer" in sick.json["says"]
    refused = described(client)["paths"]["/health"]["get"]["responses"]["503"]["content"]["application/json"]
    fields = described(client)["components"]["schemas"][refused["schema"]["$ref"].rpartition("/")[2]]
    assert sick.json.keys() >= {*fields["required"]}
