"""The server in our own process, over real sockets."""

from __future__ import annotations

import socket
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from types import FrameType

import msgspec
import pytest
from flask import Flask

from companion.errors import UserError
from companion.games.registry import games
from web.server import Server


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    """The pages served at a free port."""
    made = Server(app, "127.0.0.1", 0, threads=16)
    made.start()
    yield made
    made.stop()


PATIENCE_S = 30.0
"""How long an answer may take on a busy machine."""


def address(server: Server, path: str = "/") -> str:
    """Where a path is served."""
    return f"http://{server.host}:{server.port}{path}"


def test_pages_are_served(server: Server) -> None:
    with urllib.request.urlopen(address(server, "/health"), timeout=PATIENCE_S) as answer:
        assert answer.status == 200
        assert "Server" not in answer.headers


class NeverRead(msgspec.Struct):
    """A kind of value that nobody has read yet."""

    number: int


def _looks(act: Callable[[], object]) -> list[str]:
    """The functions of msgspec that look at a type while `act` runs."""
    looked: list[str] = []

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and "msgspec" in frame.f_code.co_filename:
            looked.append(frame.f_code.co_name)

    sys.setprofile(look)
    act()
    sys.setprofile(None)
    return looked


def test_requests_find_each_type_ready(app: Flask) -> None:
    """Two that are the first to read a type together would end the process."""
    games.cache_clear()
    Server(app, "127.0.0.1", 0).stop()
    assert games.cache_info().currsize, "a game that loads later brings types of its own"
    assert _looks(lambda: msgspec.json.decode(b'{"number": 1}', type=NeverRead)) == []


def test_moves_get_through_while_as_many_phones_listen_as_may(server: Server) -> None:
    with ExitStack() as phones:
        for _ in range(6):
            stream = phones.enter_context(
                urllib.request.urlopen(address(server, "/api/events"), timeout=PATIENCE_S)
            )
            assert stream.readline() == b"retry: 1000\n"
        with urllib.request.urlopen(address(server, "/api/match"), timeout=PATIENCE_S) as answer:
            assert answer.status == 200


def test_it_stops_with_phones_connected(server: Server) -> None:
    with urllib.request.urlopen(address(server, "/api/events"), timeout=PATIENCE_S) as stream:
        assert b"event: table\n" in (stream.readline() for _ in range(9))
        server.stop()
        assert b"event: table" not in stream.read()
    with pytest.raises(OSError, match="refused"):
        socket.create_connection((server.host, server.port), timeout=1).close()


def test_it_may_be_stopped_twice_and_before_it_began(app: Flask) -> None:
    made = Server(app, "127.0.0.1", 0, threads=9)
    made.stop()
    made.stop()


def test_a_port_in_use_is_said_in_one_sentence(app: Flask, server: Server) -> None:
    with pytest.raises(UserError, match=r"^Port \d+ is in use by another program; .* --port\.$"):
        Server(app, "127.0.0.1", server.port)


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [
        pytest.param("127.0.0.1", 70000, "no port 70000", id="no such port"),
        pytest.param("no.such.host.invalid", 0, "no.such.host.invalid", id="no such host"),
        pytest.param("203.0.113.1", 0, "203.0.113.1", id="the address of another machine"),
    ],
)
def test_what_cannot_be_served_is_said(app: Flask, host: str, port: int, says: str) -> None:
    with pytest.raises(UserError, match=says):
        Server(app, host, port)


def test_a_port_that_only_root_may_open_is_said(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket.socket, "bind", forbidden)
    with pytest.raises(UserError, match="Port 80 may not be opened"):
        Server(app, "127.0.0.1", 80)
