"""The pages served from a thread of our own process."""

from __future__ import annotations

import errno
import socket
from threading import Event, Thread

from flask import Flask
from waitress import create_server
from waitress.wasyncore import close_all, loop

from companion.errors import MendableError, cause_of
from web.app_state import AppState

THREADS = 40
"""Each phone's live stream holds one; eight are kept for everything else (`SPARE_THREADS`)."""

SPARE_THREADS = 8

LOOK_S = 1.0
"""How often the server looks for connections to give up while none says anything."""

STOP_S = 3.0
"""How long `stop` waits for requests under way."""


class Server:
    """Serves `app` at `host`:`port` between `start` and `stop`; port 0 takes any that is free.

    The port is taken at once: raises `MendableError` when it cannot be.
    """

    def __init__(self, app: Flask, host: str, port: int, *, threads: int = THREADS) -> None:
        self._house: AppState = app.extensions["companion"]
        self._house.most_streams = max(1, threads - SPARE_THREADS)
        listening = _listen(host, port)
        self.host, self.port = listening.getsockname()[:2]
        self._map: dict[int, object] = {}
        self._waitress = create_server(
            app,
            map=self._map,
            sockets=[listening],
            threads=threads,
            ident=None,
            # A stream is quiet for up to 15 s; a phone that went away is given up after this.
            channel_timeout=60,
            connection_limit=256,
        )
        self._ended = Event()
        self._told = Event()
        self._thread = Thread(target=self._serve, name="web", daemon=True)

    @property
    def serving(self) -> bool:
        """Whether it has been started and not yet stopped."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin to serve; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """End streams, let requests under way end, close the port. Quiet when called twice."""
        self._house.stop()
        self._waitress.task_dispatcher.shutdown(timeout=STOP_S)
        if self.serving:
            self._waitress.trigger.pull_trigger(self._ended.set)
            self._told.set()
            self._thread.join(STOP_S)
        else:
            close_all(self._map)

    def _serve(self) -> None:
        """Until it is ended; then this thread, to whom the sockets belong, closes them."""
        while not self._ended.is_set():
            loop(timeout=LOOK_S, use_poll=True, map=self._map, count=1)
        # The one who ends may still be writing to the pipe that woke us: closed sooner, that would fail.
        self._told.wait(STOP_S)
        close_all(self._map)


def _listen(host: str, port: int) -> socket.socket:
    """A bound socket. Raises `MendableError` with one sentence when there is none to be had."""
    if not 0 <= port <= 65535:
        raise MendableError(f"There is no port {port}; choose one from 1 to 65535 with --port.")
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
        raise MendableError(_why_not(error, host, port)) from error
    return listening


def _why_not(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is in use by another program; stop that one, or choose another with --port."
    if error.errno == errno.EACCES:
        return f"Port {port} may not be opened by this user; choose one above 1023 with --port."
    cause = cause_of(error)
    return f"The pages cannot be served at {host}, port {port} ({cause}); choose others with --host, --port."
