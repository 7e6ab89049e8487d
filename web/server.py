"""Serves the pages from a thread of this process."""

from __future__ import annotations

import errno
import socket
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from threading import Event, Thread

import msgspec
from flask import Flask
from waitress.adjustments import Adjustments
from waitress.wasyncore import close_all, loop

from companion.errors import UserError
from companion.errors.causes import cause_of
from companion.games.registry import games
from web.app_state import AppState
from web.connections import KEEP_BYTES, MOST_BODY_BYTES, MOST_CONNECTIONS, Front
from web.streams import Streams

THREADS = 12

MOST_HEADER_BYTES = 32 * 1024

TRUSTED_PROXY = "127.0.0.1"
"""The proxy, on this machine, that is believed about addresses and https."""

LOOK_S = 1.0

STOP_S = 3.0
"""Seconds for requests in progress at `stop`."""


class Server:
    """Serves `app` on `host`:`port` from `start` to `stop`. Port 0 is any free one.

    The constructor binds the port. It raises `UserError` where that fails. `threads` answer the requests.
    """

    def __init__(self, app: Flask, host: str, port: int, *, threads: int = THREADS) -> None:
        _prepare_types()
        self._state: AppState = app.extensions["companion"]
        listening = _listen(host, port)
        self.host, self.port = listening.getsockname()[:2]
        self._map: dict[int, object] = {}
        limits = Adjustments(
            sockets=[listening],
            threads=threads,
            ident=None,
            trusted_proxy=TRUSTED_PROXY,
            trusted_proxy_headers={"x-forwarded-for", "x-forwarded-proto"},
            clear_untrusted_proxy_headers=True,
            connection_limit=2 * MOST_CONNECTIONS,
            max_request_header_size=MOST_HEADER_BYTES,
            # Waitress takes this for the first length that is too long.
            max_request_body_size=1 + MOST_BODY_BYTES,
            # A connection that breaks off is no fault of ours: a page of it for each would fill the log.
            log_socket_errors=False,
            outbuf_high_watermark=KEEP_BYTES,
            # Above what is kept: nothing that a phone does not read is written to the disk.
            outbuf_overflow=16 * KEEP_BYTES,
        )
        sockinfo = (listening.family, listening.type, listening.proto, listening.getsockname())
        self._waitress = Front(
            app, map=self._map, _sock=listening, adj=limits, sockinfo=sockinfo, bind_socket=False
        )
        self._streams = self._waitress.streams = Streams(
            self._state.table, self._waitress.trigger.pull_trigger
        )
        self._ended = Event()
        self._end_signalled = Event()
        self._thread = Thread(target=self._serve, name="web", daemon=True)

    @property
    def serving(self) -> bool:
        """True while the server is running."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start serving and return at once."""
        self._thread.start()
        self._streams.start()

    def stop(self) -> None:
        """End the streams, finish requests in progress and close the port. A second call does nothing."""
        self._state.stop()
        self._streams.stop()
        self._waitress.task_dispatcher.shutdown(timeout=STOP_S)
        if self.serving:
            self._waitress.trigger.pull_trigger(self._ended.set)
            self._end_signalled.set()
            self._thread.join(STOP_S)
        else:
            close_all(self._map)

    def _serve(self) -> None:
        """Serve until `stop`. This thread owns the sockets and closes them."""
        look_s = time.monotonic()
        while not self._ended.is_set():
            loop(timeout=LOOK_S, use_poll=True, map=self._map, count=1)
            if time.monotonic() >= look_s:
                look_s = time.monotonic() + LOOK_S
                self._waitress.drop_overdue()
        # `stop` may still be writing to the pipe that woke this thread; closing it earlier would fail there.
        self._end_signalled.wait(STOP_S)
        close_all(self._map)


def _prepare_types() -> None:
    """Let msgspec look at each type, those of every game too, before requests read values of it.

    It looks at a type when it is first read. Two threads that do so together would end the process: one takes
    what the other has half done.
    """
    games()
    types = [msgspec.Struct]
    for kind in types:
        types += kind.__subclasses__()
        with suppress(TypeError, NameError):  # a type of Python's own things, which is never read
            msgspec.json.Decoder(kind)


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises `UserError` where the port cannot be bound."""
    if not 0 <= port <= 65535:
        raise UserError(f"There is no port {port}; choose one from 1 to 65535 with --port.")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
        except BaseException:
            listening.close()
            raise
    except OSError as error:
        raise UserError(_why_not(error, host, port)) from error
    return listening


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program; stop that one, or choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} may not be opened by this user; choose one above 1023 with --port."
    cause = cause_of(error)
    return f"The pages cannot be served at {host}, port {port} ({cause}); choose others with --host, --port."


WAIT_S = 5.0


class PageCheck:
    """Checks that the server at `host`:`port` answers, with one page for each call."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = _reached_at(host), port
        self._came = Event()
        self._thread = self._ask()

    def came(self) -> bool:
        """True if the last call's page has come; asks for the next one without waiting."""
        if self._thread.is_alive():
            return False
        came = self._came.is_set()
        self._thread = self._ask()
        return came

    def _ask(self) -> Thread:
        self._came.clear()
        thread = Thread(target=self._fetch, name="page-check", daemon=True)
        thread.start()
        return thread

    def _fetch(self) -> None:
        connection = HTTPConnection(self._host, self._port, timeout=WAIT_S)
        try:
            connection.request("GET", "/", headers={"Host": "localhost"})
            answer = connection.getresponse()
            if answer.read() and answer.status == 200:
                self._came.set()
        except (OSError, HTTPException):
            return  # it did not come
        finally:
            connection.close()


def _reached_at(host: str) -> str:
    """The address of a server at `host` for this machine."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return ("127.0.0.1" if address.version == 4 else "::1") if address.is_unspecified else host
