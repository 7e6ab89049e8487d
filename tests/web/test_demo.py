"""The demo: virtual people play until a person takes over."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.errors import MendableError
from companion.games.watching import Kind
from companion.play.table import Table
from tests.web.conftest import Browser, ScriptedCamera
from web.accuracy_port import Task
from web.app import create_app
from web.demo_port import Put


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
            raise MendableError(f"There is no fault {name!r}.")
        self.faults = {name} if on else set()


@pytest.fixture
def client(table: Table) -> FlaskClient:
    """A browser at a demo."""
    made = create_app(table, None, demo=TwoAtTheTable())
    made.test_client_class = Browser
    return made.test_client()


def test_a_demo_is_called_one_until_the_people_leave(client: FlaskClient) -> None:
    assert client.get("/api/table").json["demo"]
    assert "Demo: the table plays by itself" in client.get("/history").text
    assert not client.post("/api/demo/leave", json={}).json["demo"]
    assert "Demo" not in client.get("/history").text


def test_a_phone_that_only_watches_cannot_end_it(client: FlaskClient) -> None:
    assert client.post("/api/seats/take", json={"seat": "cat"}).status_code == 200
    watcher = client.application.test_client()
    assert watcher.post("/api/demo/leave", json={}).status_code == 403
    assert "Demo: the table plays by itself" in watcher.get("/history").text
    assert "Play it yourself" not in watcher.get("/history").text


def test_any_other_table_is_no_demo(blind: FlaskClient) -> None:
    assert not blind.get("/api/table").json["demo"]
    assert not blind.post("/api/demo/leave", json={}).json["demo"]


def test_the_set_up_can_be_tried_on_it_by_a_camera_that_knows_nothing(
    table: Table, camera: ScriptedCamera
) -> None:
    demo = TwoAtTheTable()
    made = create_app(table, camera, demo=demo)
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
