"""While the table is open to everybody, every page says so, and nobody can close that line."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from companion.play.table import Table
from tests.running import pages_of, settings_of
from tests.web.conftest import Browser, page_now
from tests.web.seated import be_host
from tests.web.test_seats_page import Phone, app_state_of, phone, server, table
from web.app import WHO
from web.server import Server

__all__ = ["phone", "server", "table"]

PAGES = [
    *(path for method, path in map(str.split, WHO) if method == "GET" and "<" not in path),
    *("/history/1", "/rules/whispers"),
]
LINE = "This table is open: every phone in the network may do everything."


@pytest.fixture
def open_table(table: Table) -> FlaskClient:
    """A phone at a table that was started with `--open`."""
    app = pages_of(table, None, settings=settings_of(table, open=True))
    app.test_client_class = Browser
    return app.test_client()


@pytest.mark.parametrize("path", [path for path in PAGES if path != "/api/events"])
def test_every_page_says_that_the_table_is_open(open_table: FlaskClient, path: str) -> None:
    answer = open_table.get(path)
    if answer.mimetype == "text/html" and answer.status_code != 302:
        assert {"key": "open", "facts": {}} in page_now(answer.text)["notices"]


def test_it_is_said_until_it_ends(open_table: FlaskClient) -> None:
    owner = be_host(open_table.application, open_table)
    owner.post("/api/settings", json={"values": {"open": False}})
    assert owner.get("/api/table").json["notices"] == []


def test_a_stranger_opens_no_table_for_later(open_table: FlaskClient, table: Table) -> None:
    app = pages_of(table, None)
    app.test_client_class = Browser
    stranger = app.test_client()
    assert stranger.post("/api/settings", json={"values": {"open": True}}).json["rule"] == "pin-first"
    app.test_client().post("/api/seats/take", json={"seat": "north"})
    assert stranger.get("/api/seats").json["role"] == "watcher"
    assert settings_of(table).value("open") is False


def test_the_line_comes_at_once_and_cannot_be_closed(phone: Phone, server: Server) -> None:
    pages = [phone("/"), phone("/history"), phone("/display")]
    state = app_state_of(server)
    state.running.settings.change({"open": True})
    state.table.notify()
    for page in pages:
        expect(page.get_by_text(LINE)).to_be_visible()
        expect(page.locator("#notices button")).to_have_count(0)
