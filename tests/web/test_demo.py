"""The demo: virtual people play until a person takes over."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.errors import UserError
from companion.games.watching import Kind
from companion.play.table import Table
from companion.service.accuracy import Task
from companion.simulator.demo import SOURCE, Put
from tests.conftest import BED, OPENING
from tests.running import pages_of
from tests.web.conftest import Browser, ScriptedCamera


class TwoAtTheTable:
    """A `Demo` that plays until it is left."""

    def __init__(self) -> None:
        self.plays = True
        self.faults: set[str] = set()
        self.laid: object = None

    def leave(self) -> None:
        self.plays = False

    rehearses = False

    def begin_rehearsal(self) -> None:
        self.rehearses = True

    def end_rehearsal(self) -> None:
        self.rehearses = False

    def put(self, what: Put, owner: str, kinds: tuple[Kind, ...]) -> None:
        self.laid = what, owner, kinds

    def follow(self, task: Task | None) -> None: ...

    def fault_names(self) -> dict[str, bool]:
        return {"blurred": "blurred" in self.faults}

    def set_fault(self, name: str, *, on: bool) -> None:
        if name != "blurred":
            raise UserError(f"There is no fault {name!r}.")
        self.faults = {name} if on else set()


@pytest.fixture
def client(table: Table) -> FlaskClient:
    """A browser at a demo."""
    made = pages_of(table, None, demo=TwoAtTheTable())
    made.test_client_class = Browser
    return made.test_client()


def test_a_demo_is_called_one_until_the_people_leave(client: FlaskClient) -> None:
    assert client.get("/api/table").json["demo"]
    assert "Demo: the computer plays by itself" in client.get("/").text
    assert not client.post("/api/demo/leave", json={}).json["demo"]
    assert "Demo" not in client.get("/").text


def test_a_phone_that_only_watches_cannot_end_it(client: FlaskClient) -> None:
    watcher = client.application.test_client()
    client.application.extensions["companion"].table.seats.take_seat("cat", "another phone")
    assert watcher.post("/api/demo/leave", json={}).status_code == 403
    assert "Demo: the computer plays by itself" in watcher.get("/watch", follow_redirects=True).text
    assert "Start your own game" not in watcher.get("/watch", follow_redirects=True).text


def test_nobody_sits_at_a_seat_of_the_virtual_people_or_gives_it_a_name(
    client: FlaskClient, table: Table
) -> None:
    for path, body in (
        ("/api/seats/take", {"seat": "cat", "name": "Mei"}),
        ("/api/players", {"players": {"cat": "Mei"}}),
    ):
        refused = client.post(path, json=body)
        assert (refused.status_code, refused.json["rule"]) == (409, "demo-plays")
        assert "Start your own game" in refused.json["says"]
    assert table.match.view().players == {}
    client.post("/api/demo/leave", json={})
    assert client.post("/api/seats/take", json={"seat": "cat", "name": "Mei"}).status_code == 200


def test_the_match_of_the_virtual_people_counts_for_nobody(client: FlaskClient, table: Table) -> None:
    table.play(OPENING[0], SOURCE)
    left = client.post("/api/demo/leave", json={}).json["match"]
    assert left["outcome"]["reason"] == "stopped"
    table.begin(BED, {})
    table.play(OPENING[0], "phone")
    assert client.post("/api/demo/leave", json={}).json["match"]["outcome"] is None, "people play this one"


@pytest.mark.parametrize("begin", ["/api/matches", "/api/matches/1/again", "/api/matches/1/resume"])
def test_a_match_that_a_person_begins_ends_the_demo(client: FlaskClient, begin: str) -> None:
    body = {"game": BED} if begin == "/api/matches" else {}
    assert not client.post(begin, json=body).json["demo"]


def test_any_other_table_is_no_demo(blind: FlaskClient) -> None:
    assert not blind.get("/api/table").json["demo"]
    assert not blind.post("/api/demo/leave", json={}).json["demo"]


def test_the_set_up_can_be_tried_on_it_by_a_camera_that_knows_nothing(
    table: Table, camera: ScriptedCamera
) -> None:
    demo = TwoAtTheTable()
    made = pages_of(table, camera, demo=demo)
    client = made.test_client()
    assert client.post("/api/demo/rehearsal", json={"on": True}).json["rehearses"]
    assert not client.get("/api/table").json["demo"], "the table does not play by itself meanwhile"
    assert camera.asked == [("forget",)]
    client.post("/api/demo/put", json={"what": "lesson", "owner": "cat", "digits": [1, 2]})
    assert demo.laid == ("lesson", "cat", (1, 2))
    assert client.post("/api/demo/fault", json={"name": "blurred", "on": True}).json["faults"] == {
        "blurred": True
    }
    assert client.post("/api/demo/fault", json={"name": "haunted", "on": True}).status_code == 409
    assert not client.post("/api/demo/rehearsal", json={"on": False}).json["rehearses"]
    assert client.get("/api/table").json["demo"]
    assert camera.asked == [("forget",)], "what was learnt stays"


def test_a_real_table_has_nothing_to_try_on(blind: FlaskClient) -> None:
    assert blind.get("/api/demo").status_code == 404
