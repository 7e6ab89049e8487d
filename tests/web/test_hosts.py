"""By which names the table may be asked: any other name may be another site's, led here."""

from __future__ import annotations

import socket

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.play.table import Table
from tests.conftest import OPENING
from tests.running import pages_of
from tests.web.conftest import Browser
from web import security as hosts

OURS = [
    "192.168.1.20",
    "10.0.0.7:8000",
    "[fe80::1]:8000",
    "[::1]",
    "localhost",
    "LOCALHOST:8000",
    "table.local.",
]
FOREIGN = [
    "evil.example",
    "evil.example:8000",
    "local",
    "local.evil.example",
    "192.168.1.20.evil.example",
    "localhost.evil.example",
    "user@192.168.1.20",
    "192.168.1.20, evil.example",
    "[evil.example]",
    "300.1.1.1",
    "table.local:port",
    "table.local/evil.example",
]
EVERY_KIND = [
    "/",
    "/join",
    "/seats",
    "/join.svg",
    "/api/table",
    "/api/camera/picture",
    "/static/base.js",
    "/health",
    "/none",
]


@pytest.mark.parametrize("host", OURS)
def test_a_table_is_asked_by_its_address_or_a_name_of_the_home_network(
    client: FlaskClient, host: str
) -> None:
    assert client.get("/api/match", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_no_other_name_reads_or_changes_anything(client: FlaskClient, table: Table, host: str) -> None:
    answer = client.get("/api/match", headers={"Host": host})
    assert (answer.status_code, answer.json["rule"]) == (421, "foreign-host")
    assert client.post("/api/moves", json=OPENING[0], headers={"Host": host}).status_code == 421
    assert table.match.n == 0


@pytest.mark.parametrize("path", EVERY_KIND)
def test_at_every_address_it_is_one_plain_sentence(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert answer.mimetype in ("text/plain", "application/json")
    assert "--name evil.example" in answer.text
    assert answer.text.count(".\n") <= 1


@pytest.mark.parametrize(
    ("language", "says"), [("en", "not called"), ("zh-Hant", "這張桌子"), ("ko", "이 테이블")]
)
def test_it_is_said_in_the_readers_language(client: FlaskClient, language: str, says: str) -> None:
    answer = client.get("/", headers={"Host": "evil.example", "Accept-Language": language})
    assert says in answer.text


def test_no_qr_code_is_made_from_a_foreign_name(client: FlaskClient) -> None:
    for path in ("/join", "/seats", "/join.svg", "/join/0.svg"):
        assert client.get(path, headers={"Host": "evil.example"}).status_code == 421


def test_the_machines_own_name_is_answered(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen.lan")
    for host in ("kitchen", "kitchen.lan:8000", "KITCHEN.LAN"):
        assert client.get("/api/match", headers={"Host": host}).status_code == 200
    assert client.get("/api/match", headers={"Host": "kitchen.evil.example"}).status_code == 421


def test_a_machine_without_a_name_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "")
    assert hosts.own_names() == frozenset()


def test_names_that_the_owner_added_are_answered(table: Table) -> None:
    app: Flask = pages_of(table, None, names=("Table.example.org",))
    app.test_client_class = Browser
    asked = app.test_client().get("/seats", headers={"Host": "table.example.org"})
    assert asked.status_code == 200
    assert "http://table.example.org/" in asked.text
    assert app.test_client().get("/", headers={"Host": "www.table.example.org"}).status_code == 421
