"""The demo: virtual people play until a person takes over."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from companion.play.table import Table
from tests.web.conftest import Browser
from web.app import create_app


class TwoAtTheTable:
    """A `Demo` that plays until it is left."""

    def __init__(self) -> None:
        self.plays = True

    def leave(self) -> None:
        self.plays = False


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
