"""Slow, half-open and excess connections leave room for the players; uploads are cut as they come."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPResponse

import pytest
from flask import Flask

from companion import MOST_PHOTO_BYTES
from companion.play.table import Table
from tests.web.seated import secret_of
from web import connections
from web import server as served
from web.app_state import AppState
from web.connections import MOST_BODY_BYTES, MOST_PHOTOS_AT_ONCE
from web.server import Server
from web.streams import Places

PATIENCE_S = 20.0
"""How long a test waits for what should come in tenths of a second."""

Connect = Callable[..., socket.socket]


@pytest.fixture
def server(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The pages, served by a server that often looks for what is overdue."""
    for limit in ("HEADER_S", "BODY_S", "STUCK_S"):
        monkeypatch.setattr(connections, limit, PATIENCE_S)
    monkeypatch.setattr(served, "LOOK_S", 0.05)
    made = Server(app, "127.0.0.1", 0, threads=16)
    made.start()
    yield made
    made.stop()


def shorten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server's limits be short from now on."""
    monkeypatch.setattr(connections, "HEADER_S", 0.3)
    monkeypatch.setattr(connections, "BODY_S", 0.6)
    monkeypatch.setattr(connections, "STUCK_S", 0.5)


@pytest.fixture
def connect(server: Server) -> Iterator[Connect]:
    """Opens a connection and sends some bytes."""
    with ExitStack() as opened:

        def to_server(
            sent: bytes = b"", *, receive_bytes: int = 0, address: str = "127.0.0.1"
        ) -> socket.socket:
            phone = opened.enter_context(socket.socket())
            phone.bind((address, 0))
            if receive_bytes:
                phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
            phone.settimeout(PATIENCE_S)
            phone.connect((server.host, server.port))
            phone.sendall(sent)
            return phone

        yield to_server


def is_dropped(phone: socket.socket) -> bool:
    """Whether the server ends a connection; this waits for it."""
    try:
        return phone.recv(1) == b""
    except ConnectionError:
        return True


def answer(phone: socket.socket) -> bytes:
    """One whole answer."""
    response = HTTPResponse(phone)
    response.begin()
    return response.read()


def status(server: Server, path: str = "/api/match", secret: str = "") -> int:
    """What a phone is answered."""
    phone = HTTPConnection(server.host, server.port, timeout=PATIENCE_S)
    phone.request("GET", path, headers={"Cookie": f"seat={secret}"} if secret else {})
    answered = phone.getresponse().status
    phone.close()
    return answered


def wait_until(true: Callable[[], bool]) -> None:
    """Wait for something that the server does in its own time."""
    ends = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.02)


HEAD = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\n"


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET / HT", id="half a line"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: localhost\r\n", id="half a header"),
        pytest.param(HEAD + b"Content-Length: 100\r\n\r\n{", id="half a body"),
        pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", id="half of the chunks"),
    ],
)
def test_a_request_that_does_not_arrive_is_given_up(
    connect: Connect, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = connect(sent)
    shorten(monkeypatch)
    assert is_dropped(phone)


@pytest.mark.parametrize(
    "begun",
    [
        pytest.param(b"GET / HTTP/1.1\r\nX: ", id="a header"),
        pytest.param(HEAD + b"Content-Length: 60000\r\n\r\n", id="a body"),
    ],
)
def test_one_that_drips_is_given_up_as_well(
    connect: Connect, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = connect(begun)
    shorten(monkeypatch)
    began = time.monotonic()
    with pytest.raises(ConnectionError):
        while time.monotonic() < began + PATIENCE_S:
            phone.sendall(b"x")
            time.sleep(0.02)


def test_a_connection_that_was_answered_may_rest(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = connect(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer(phone)
    unanswered = connect()
    shorten(monkeypatch)
    assert is_dropped(unanswered), "it is younger"
    monkeypatch.setattr(connections, "HEADER_S", PATIENCE_S)
    phone.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert answer(phone)


def test_while_300_are_slow_the_players_are_answered(
    server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = [connect(b"GET / HTTP/1.1\r\n") for _ in range(150)]
    silent = [connect() for _ in range(150)]
    assert [status(server) for _ in range(5)] == [200] * 5
    shorten(monkeypatch)
    assert all(is_dropped(phone) for phone in (*slow, *silent))


def test_when_there_are_too_many_the_oldest_goes_that_is_no_phone_of_the_table(
    app: Flask, server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 20)
    player = app.test_client()
    player.post("/api/seats/take", json={"seat": "cat"})
    cookie = {"Cookie": f"seat={secret_of(player)}"}
    mine = HTTPConnection(server.host, server.port, timeout=PATIENCE_S)
    mine.request("GET", "/health", headers=cookie)
    assert mine.getresponse().read()
    was_open = mine.sock
    crowd = [connect(b"GET / HTTP/1.1\r\n") for _ in range(40)]
    assert all(is_dropped(phone) for phone in crowd[:20])
    mine.request("GET", "/health", headers=cookie)
    assert mine.getresponse().status == 200
    assert mine.sock is was_open
    mine.close()


@pytest.mark.parametrize("way", ["a length", "chunks", "a length, asking first"])
def test_a_body_that_is_too_long_is_refused_before_it_has_come(connect: Connect, way: str) -> None:
    head = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nAccept-Language: ko\r\n"
    if way == "chunks":
        head += b"Transfer-Encoding: chunked\r\n\r\n"
        sent = b"".join(b"1000\r\n%s\r\n" % (b" " * 4096) for _ in range(1 + MOST_BODY_BYTES // 4096))
    else:
        asking = b"Expect: 100-continue\r\n" if "asking" in way else b""
        head += asking + b"Content-Length: 418000000\r\n\r\n"
        sent = b""
    refused = connect(head + sent).makefile("rb").read()
    assert refused.startswith(b"HTTP/1.1 413 ")
    refusal = json.loads(refused.partition(b"\r\n\r\n")[2])
    assert refusal["rule"] == "http-413"
    assert "너무 큽니다" in refusal["says"]


def test_a_body_as_long_as_allowed_is_taken(server: Server) -> None:
    phone = HTTPConnection(server.host, server.port, timeout=PATIENCE_S)
    phone.request("POST", "/api/players", b'{"players": {"cat": "Mei"}}'.ljust(MOST_BODY_BYTES))
    assert phone.getresponse().status == 200
    phone.close()


def test_nothing_of_an_upload_is_written_to_the_disk(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file(*_: object, **__: object) -> None:
        raise AssertionError("a temporary file")

    monkeypatch.setattr("waitress.buffers.TempfileBasedBuffer.newfile", no_file)
    phone = connect(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
    with suppress(ConnectionError):
        for _ in range(2000):
            phone.sendall(b"4000\r\n%s\r\n" % (b" " * 16384))
        raise AssertionError("32 MB were taken")


PHOTO = b"POST /api/photos/1/pictures HTTP/1.1\r\nHost: localhost\r\n"


def test_a_photo_may_be_longer_and_is_held_in_memory_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_file(*_: object, **__: object) -> None:
        raise AssertionError("a temporary file")

    monkeypatch.setattr("waitress.buffers.TempfileBasedBuffer.newfile", no_file)
    phone = HTTPConnection(server.host, server.port, timeout=PATIENCE_S)
    phone.request("POST", "/api/photos/1/pictures", bytes(MOST_PHOTO_BYTES))
    # This table reads no photos: it says so once the photo has come.
    assert phone.getresponse().status == 404
    phone.close()


def test_a_photo_that_is_too_long_is_refused_before_it_has_come(connect: Connect) -> None:
    refused = connect(PHOTO + b"Content-Length: 418000000\r\n\r\n").makefile("rb").read()
    assert refused.startswith(b"HTTP/1.1 413 ")
    assert json.loads(refused.partition(b"\r\n\r\n")[2])["rule"] == "too-large"


def test_of_too_many_photos_at_once_the_last_is_told_to_wait(connect: Connect) -> None:
    head = PHOTO + b"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
    begun = [connect(head) for _ in range(MOST_PHOTOS_AT_ONCE)]
    assert all(phone.recv(100).startswith(b"HTTP/1.1 100 ") for phone in begun)
    refused = connect(PHOTO + b"Content-Length: 1000\r\n\r\n").makefile("rb").read()
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert json.loads(refused.partition(b"\r\n\r\n")[2])["rule"] == "busy"
    for phone in begun:
        phone.sendall(bytes(1000))
        assert answer(phone)
    assert answer(connect(PHOTO + b"Content-Length: 1\r\n\r\nx"))


def test_one_phone_s_flood_of_photos_leaves_room_for_another_s(connect: Connect) -> None:
    head = PHOTO + b"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
    flood = [connect(head) for _ in range(MOST_PHOTOS_AT_ONCE)]
    assert all(phone.recv(100).startswith(b"HTTP/1.1 100 ") for phone in flood)
    assert connect(PHOTO + b"Content-Length: 1\r\n\r\nx").makefile("rb").read(12) == b"HTTP/1.1 503"
    assert connect(head, address="127.0.0.2").recv(100).startswith(b"HTTP/1.1 100 ")


def test_a_stream_that_nobody_reads_is_dropped(
    app: Flask, server: Server, table: Table, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(monkeypatch)
    state: AppState = app.extensions["companion"]
    connect(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n", receive_bytes=4096)
    wait_until(lambda: state.places.taken == 1)

    def is_gone() -> bool:
        table.notify()
        return state.places.taken == 0

    wait_until(is_gone)


def test_a_clock_that_is_set_forward_ends_no_stream(app: Flask, server: Server, connect: Connect) -> None:
    state: AppState = app.extensions["companion"]
    connect(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    wait_until(lambda: state.places.taken == 1)
    front = server._waitress
    front.maintenance(time.time() + 24 * 3600)
    assert not any(channel.will_close for channel in front.active_channels.values())


def test_a_stream_that_is_read_goes_on(
    server: Server, table: Table, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = connect(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n").makefile("rb")
    shorten(monkeypatch)
    ends = time.monotonic() + 3 * connections.STUCK_S
    while time.monotonic() < ends:
        table.notify()
        assert b"event: table\n" in iter(phone.readline, b""), "the stream has ended"


def test_places_among_the_streams_are_kept_for_seats(app: Flask, server: Server, connect: Connect) -> None:
    state: AppState = app.extensions["companion"]
    state.places = Places(6)
    player = app.test_client()
    player.post("/api/seats/take", json={"seat": "cat"})
    secret = secret_of(player)
    ask = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n"
    watching = [connect(ask + b"\r\n") for _ in range(6)]
    wait_until(lambda: state.places.taken == 6)
    assert status(server, "/api/events") == 503
    mine = connect(ask + f"Cookie: seat={secret}\r\n\r\n".encode())
    assert b"200 OK" in mine.recv(65536)
    assert len(watching) == 6
