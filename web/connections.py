"""The phones' connections: slow, silent and excess ones are dropped, so that players find room.

Waitress reads all connections in one thread and takes another for a request only once it is complete, so a
slow one costs a socket and no thread. This module adds limits on the time of requests and answers, and
chooses the connection to drop when there are too many.
"""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Callable
from time import monotonic
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge

from companion import MOST_PHOTO_BYTES
from web.streams import Followed, Streams

MOST_BODY_BYTES = 64 * 1024

MOST_PHOTOS_AT_ONCE, MOST_WITH_OTHERS = 2, 4
"""Photos on their way at once, each up to 10 MB of memory; and those for a phone that has none on its way."""

TAKES_A_PHOTO = re.compile(r"/api/photos/\d+/pictures|/api/photos/throw|/api/own/picture")

NO_ROOM = "companion.no-room"
"""A WSGI key; true where too many photos were on their way."""


def takes_a_photo(path: str) -> bool:
    """True for a path that takes a photo."""
    return TAKES_A_PHOTO.fullmatch(path) is not None


def most_bytes(path: str) -> int:
    """The longest body that a request to `path` may have."""
    return MOST_PHOTO_BYTES if takes_a_photo(path) else MOST_BODY_BYTES


# Waitress has no types, so mypy cannot look into the classes that are inherited here.

CONNECTION = "companion.connection"

HEADER_S = 10.0
"""From its first byte or the connection's start."""
BODY_S = 20.0
PHOTO_S = 90.0
"""Enough for 10 MB over a bad wireless network."""
IDLE_S = 60.0
"""Seconds for which a connection without a request stays open."""
STUCK_S = 9.0
"""Seconds without progress after which an unread answer is given up.

Together with the 10 s between two beats, a lost phone is dropped within 20 s.
"""

MOST_CONNECTIONS = 480
"""A process may have 1024 files open."""

SEND_BYTES = 128 * 1024
"""The kernel's buffer of unread bytes: small, so that a phone that reads nothing is noticed."""

LINGER_NO_TIME = struct.pack("ii", 1, 0)
"""The socket option that makes closing drop unsent bytes at once."""

KEEP_BYTES = 1024 * 1024
"""Bytes kept for a slow phone; beyond them its request waits."""


class _Task(WSGITask):  # type: ignore[misc]
    """A request for the app, which finds its connection in the environment."""

    def finish(self) -> None:
        """End the answer, unless a live stream follows."""
        if self.channel.followed is None:
            super().finish()
        else:
            self.close_on_finish, self.channel.chunked = False, self.chunked_response

    def get_environment(self) -> dict[str, Any]:
        environment: dict[str, Any] = super().get_environment()
        return environment | {CONNECTION: self.channel, NO_ROOM: self.request.is_cut_for_room}


class _Limits:
    """The server's limits, with another one for the body, which is held in memory."""

    def __init__(self, limits: Any, body_bytes: int) -> None:
        self.max_request_header_size = limits.max_request_header_size
        self.url_scheme = limits.url_scheme
        # Waitress takes this for the first length that is too long.
        self.max_request_body_size = self.inbuf_overflow = 1 + body_bytes


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Cuts a body at its path's limit. The app then refuses it by its length, in the reader's language.

    Photos are refused while too many are on their way.
    """

    adj: Any
    error: Any
    is_photo = is_cut_for_room = False

    def __init__(self, limits: Any, has_room: Callable[[], bool]) -> None:
        super().__init__(limits)
        self._has_room = has_room

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header, and set the limit of the body."""
        super().parse_header(header_plus)
        if self.body_rcv is None or not takes_a_photo(self.path):
            return
        self.is_cut_for_room = not self._has_room()
        self.is_photo = not self.is_cut_for_room
        self.adj = _Limits(self.adj, 0 if self.is_cut_for_room else most_bytes(self.path))
        self.body_rcv.buf.overflow = self.adj.inbuf_overflow

    def received(self, data: bytes) -> int:
        taken: int = super().received(data)
        if isinstance(self.error, RequestEntityTooLarge):
            self.error, self.expect_continue, self.connection_close = None, False, True
            self.headers |= {"CONTENT_LENGTH": str(self.adj.max_request_body_size), "CONNECTION": "close"}
        return taken


class Connection(HTTPChannel):  # type: ignore[misc]
    """One connection. The app sets `known` for a phone of the table, which is dropped last."""

    task_class = _Task

    def __init__(self, *given: Any, **named: Any) -> None:
        self.known = self.served = self.chunked = False
        self.followed: Followed | None = None
        self._on_end: Callable[[], None] = lambda: None
        self.began_s = self.flushed_s = monotonic()
        super().__init__(*given, **named)

    def parser_class(self, limits: Any) -> _Parser:
        """Make a parser for the next request."""
        return _Parser(limits, lambda: self.server.has_room_for_a_photo(self.addr[0]))

    @property
    def carries_a_photo(self) -> bool:
        """True while a photo is on its way, or waits for its answer."""
        return any(request.is_photo for request in (self.request, *self.requests) if request is not None)

    def received(self, data: bytes) -> bool:
        """Take some bytes of a request."""
        if self.request is None:
            self.began_s = monotonic()
        taken: bool = super().received(data)
        return taken

    def service(self) -> None:
        """Answer a request. Called in the request's thread."""
        super().service()
        self.served, self.began_s = True, monotonic()
        if self.followed is not None:
            self.server.streams.add(self, self.followed)
            if not self.connected:
                self._end_stream()

    def follow(self, followed: Followed, on_end: Callable[[], None]) -> None:
        """Send a live stream after this answer; call `on_end` once at its end.

        Called by the app, in the request's thread.
        """
        self.followed, self._on_end = followed, on_end

    def push(self, text: bytes) -> None:
        """Send a piece of the live stream. Called in the server's thread."""
        if self.total_outbufs_len > KEEP_BYTES:
            self.drop()  # it comes back, and is sent what is newest
        elif self.connected:
            self._append(b"%X\r\n%s\r\n" % (len(text), text) if self.chunked else text)

    def finish(self) -> None:
        """End the live stream, and close once all is sent. Called in the server's thread."""
        if self.connected:
            self.close_when_flushed = True
            self._append(b"0\r\n\r\n" if self.chunked else b"")

    def _append(self, data: bytes) -> None:
        with self.outbuf_lock:
            if not self.total_outbufs_len:
                self.flushed_s = monotonic()
            self.outbufs[-1].append(data)
            self.total_outbufs_len += len(data)
        self.handle_write()

    def handle_close(self) -> None:
        """Close the socket, and give back a live stream's place."""
        super().handle_close()
        self._end_stream()

    def _end_stream(self) -> None:
        self.server.streams.discard(self)
        with self.outbuf_lock:
            on_end, self._on_end = self._on_end, lambda: None
        on_end()

    def write_soon(self, data: Any) -> int:
        """Send some bytes of an answer. Called in the request's thread."""
        if not self.total_outbufs_len:
            self.flushed_s = monotonic()
        sent: int = super().write_soon(data)
        return sent

    def _flush_some(self, do_close: bool = True) -> bool:  # noqa: FBT001, FBT002
        flushed: bool = super()._flush_some(do_close)
        if flushed:
            self.flushed_s = monotonic()
        return flushed

    def is_used(self) -> bool:
        """True during an answer or a live stream."""
        return bool(self.requests) or self.followed is not None

    def is_overdue(self, now_s: float) -> bool:
        """True once its request should have arrived, or its answer been read."""
        if self.total_outbufs_len:
            return now_s - self.flushed_s > STUCK_S
        if self.is_used():
            return False
        if self.request is not None:
            body_s = PHOTO_S if self.request.is_photo else BODY_S
            return now_s - self.began_s > (body_s if self.request.headers_finished else HEADER_S)
        # Between two requests: the first one is owed, a further one is not.
        return now_s - self.began_s > (IDLE_S if self.served else HEADER_S)

    def drop(self) -> None:
        """Close it at once, with unsent bytes. Called in the server's thread."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NO_TIME)
        self.handle_close()


class Front(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections, and drops overdue and excess ones; runs in the server's thread."""

    channel_class = Connection
    streams: Streams
    """Set before the first connection is accepted."""

    def set_socket_options(self, conn: socket.socket) -> None:
        """Give up a lost phone as soon as one that does not read."""
        super().set_socket_options(conn)
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * STUCK_S))
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)

    def handle_accept(self) -> None:
        """Accept a connection. When there are too many, drop the oldest without a phone of the table."""
        while len(self.active_channels) >= MOST_CONNECTIONS:
            every = self.active_channels.values()
            min(every, key=lambda channel: (channel.known, channel.is_used(), channel.creation_time)).drop()
        super().handle_accept()

    def maintenance(self, now: float) -> None:
        """Drop nothing: Waitress goes by the wall clock, which may be set; `drop_overdue` does not."""

    def has_room_for_a_photo(self, address: str) -> bool:
        """True while few enough connections hold a photo, or a part of one, for one more of this address."""
        sources = [channel.addr[0] for channel in self.active_channels.values() if channel.carries_a_photo]
        return len(sources) < (MOST_PHOTOS_AT_ONCE if address in sources else MOST_WITH_OTHERS)

    def drop_overdue(self) -> None:
        """Drop overdue connections."""
        now_s = monotonic()
        for connection in list(self.active_channels.values()):
            if connection.is_overdue(now_s):
                connection.drop()
