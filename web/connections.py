"""The connections of phones: slow, silent and excess ones are dropped, so that the players' find room.

Waitress reads all connections in one thread and takes another for a request only once it is complete, so a
slow one costs a socket and no thread. What it lacks are limits on how long a request may take to arrive and
an answer to be read, and a choice of whom to drop when there are too many.
"""

from __future__ import annotations

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

from web.bodies import MOST_PHOTOS_AT_ONCE, NO_ROOM, most_bytes, takes_a_photo
from web.streams import Followed, Streams

# Waitress has no types, so mypy cannot look into the classes that are inherited here.

CONNECTION = "companion.connection"
"""The key of a request's `Connection` in its WSGI environment."""

HEADER_S = 10.0
"""Seconds within which a request's header has to arrive, from its first byte or the connection's start."""
BODY_S = 20.0
"""Seconds within which a whole request has to arrive."""
PHOTO_S = 90.0
"""Seconds within which a whole photo has to arrive: 10 MB over a bad wireless network take that long."""
IDLE_S = 60.0
"""Seconds after which a connection without a request is closed."""
STUCK_S = 9.0
"""Seconds without any progress after which an answer that nobody reads is given up.

With the 10 s between two beats of a live stream it is less than 20 s until a phone that is gone is dropped.
"""

MOST_CONNECTIONS = 480
"""Connections at once; a process may have 1024 files open."""

SEND_BYTES = 128 * 1024
"""The kernel's buffer for what a phone has not read yet: small, so that one that reads nothing is noticed."""

LINGER_NO_TIME = struct.pack("ii", 1, 0)
"""The socket option by which closing drops what is not sent, and no time is spent on sending it."""

KEEP_BYTES = 1024 * 1024
"""What is kept for a phone that reads slowly; then its request waits, until it is read or given up."""


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
    """The server's limits with another one for the body, all of which is held in memory."""

    def __init__(self, limits: Any, body_bytes: int) -> None:
        self.max_request_header_size = limits.max_request_header_size
        self.url_scheme = limits.url_scheme
        # Waitress takes this for the first length that is too long.
        self.max_request_body_size = self.inbuf_overflow = 1 + body_bytes


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Cuts a body at its limit. The app refuses it then by its length, in the reader's language.

    The limit follows from the path. While too many photos are on their way, none is taken.
    """

    adj: Any
    error: Any
    is_photo = is_cut_for_room = False

    def __init__(self, limits: Any, photos: Callable[[], int]) -> None:
        super().__init__(limits)
        self._photos = photos

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header, which says where the body goes and so how long it may be."""
        super().parse_header(header_plus)
        if self.body_rcv is None or not takes_a_photo(self.path):
            return
        self.is_cut_for_room = self._photos() >= MOST_PHOTOS_AT_ONCE
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
    """One connection. `known` is set by the app for a phone of the table: it is the last to be dropped."""

    task_class = _Task

    def __init__(self, *given: Any, **named: Any) -> None:
        self.known = self.served = self.chunked = False
        self.followed: Followed | None = None
        self._on_end: Callable[[], None] = lambda: None
        self.began_s = self.flushed_s = monotonic()
        super().__init__(*given, **named)

    def parser_class(self, limits: Any) -> _Parser:
        """A parser of the next request."""
        return _Parser(limits, lambda: self.server.photos_on_their_way())

    @property
    def carries_a_photo(self) -> bool:
        """Whether a photo is on its way here, or waits to be answered."""
        return any(each.is_photo for each in (self.request, *self.requests) if each is not None)

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
        """After this answer send a live stream. `on_end` is called once, when it has ended.

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
        """Close the socket, and give the place of a live stream back."""
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
        """Whether a request is being answered, or a live stream is sent."""
        return bool(self.requests) or self.followed is not None

    def is_overdue(self, now_s: float) -> bool:
        """Whether its request should have arrived by now, or its answer been read."""
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
        """Close it at once, whatever has not been sent. Called in the server's thread."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NO_TIME)
        self.handle_close()


class Front(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections, and drops those that are overdue or too many. All of it in the server's thread."""

    channel_class = Connection
    streams: Streams
    """Set before the first connection is accepted."""

    def set_socket_options(self, conn: socket.socket) -> None:
        """Give up a phone that is gone as soon as one that does not read."""
        super().set_socket_options(conn)
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(1000 * STUCK_S))
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)

    def handle_accept(self) -> None:
        """Accept a connection. When there are too many, the oldest goes that no phone of the table has."""
        while len(self.active_channels) >= MOST_CONNECTIONS:
            every = self.active_channels.values()
            min(every, key=lambda each: (each.known, each.is_used(), each.creation_time)).drop()
        super().handle_accept()

    def photos_on_their_way(self) -> int:
        """How many connections hold a photo, or a part of one, in memory."""
        return sum(each.carries_a_photo for each in self.active_channels.values())

    def drop_overdue(self) -> None:
        """Drop what should have arrived, or been read, by now."""
        now_s = monotonic()
        for connection in list(self.active_channels.values()):
            if connection.is_overdue(now_s):
                connection.drop()
