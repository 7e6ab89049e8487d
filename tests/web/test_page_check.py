"""Whether a page can be served is tried as a phone would try it."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from flask import Flask

from web import server as page_check
from web.server import PageCheck, Server

PATIENCE_S = 20.0


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    """The pages."""
    made = Server(app, "0.0.0.0", 0, threads=9)
    made.start()
    yield made
    made.stop()


def result(check: PageCheck) -> bool:
    """What the check says of the page that it asked for last, once it has come or has not."""
    check._thread.join(PATIENCE_S)
    return check.came()


def test_a_page_that_is_served_comes_each_time(server: Server) -> None:
    check = PageCheck(server.host, server.port)
    assert [result(check) for _ in range(3)] == [True] * 3


def test_a_page_that_fails_does_not(app: Flask, server: Server) -> None:
    app.view_functions["pages.dashboard"] = lambda: ("", 500)
    assert not result(PageCheck(server.host, server.port))


def test_nobody_who_serves_is_said(server: Server) -> None:
    check = PageCheck(server.host, server.port)
    assert result(check)
    server.stop()
    assert [result(check), result(check)][-1] is False


def test_a_server_that_accepts_and_never_answers_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_check, "WAIT_S", PATIENCE_S)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        check = PageCheck(*silent.getsockname())
        assert not check.came()
        assert check._thread.is_alive(), "it still waits for the page"
    assert not result(check)


@pytest.mark.parametrize(
    ("host", "reached"),
    [("0.0.0.0", "127.0.0.1"), ("::", "::1"), ("192.0.2.7", "192.0.2.7"), ("table.local", "table.local")],
)
def test_where_it_asks(host: str, reached: str) -> None:
    assert page_check._reached_at(host) == reached
