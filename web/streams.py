"""Sends the live streams of all phones from one thread, so that a stream costs a socket and no thread.

The thread here makes the text of each event. The server's own thread, which alone writes to sockets, sends
it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import RLock
from time import monotonic
from typing import Protocol

from companion.play.news_thread import NewsThread
from companion.play.table import Table, TableSnapshot

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""The interval in seconds at which beats are sent, and streams ended whose time is over."""


class Followed(Protocol):
    """What one phone is sent."""

    def is_over(self) -> bool:
        """Whether nothing more is to be sent."""

    def text(self, *, beat: bool) -> bytes:
        """What is due now, a sign of life only with `beat`; empty if nothing is."""


class Listener(Protocol):
    """The connection of a phone. Its methods are called in the server's thread."""

    def push(self, text: bytes) -> None:
        """Send this as soon as the phone takes it."""

    def finish(self) -> None:
        """Close the connection once all is sent."""


class Streams:
    """The live streams. `in_server_thread` runs a function in the thread that owns the sockets."""

    def __init__(self, table: Table, in_server_thread: Callable[[Callable[[], None]], None]) -> None:
        self._in_server_thread = in_server_thread
        self._followed: dict[Listener, Followed] = {}
        self._lock = RLock()
        self._beat_s = monotonic()
        self._thread = NewsThread(table, self._look, name="streams")

    def start(self) -> None:
        """Send what changes from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Send no more; what every stream sends must be over already."""
        self._thread.stop(LOOK_S)
        with self._lock:
            self._send(list(self._followed), beat=False)

    def add(self, listener: Listener, followed: Followed) -> None:
        """Send this phone what is due now, and what comes."""
        with self._lock:
            self._followed[listener] = followed
            self._send([listener], beat=True)

    def discard(self, listener: Listener) -> None:
        """Send nothing more to a phone whose connection is closed."""
        # Without the lock: the server's thread calls this while it keeps others from handing it more.
        self._followed.pop(listener, None)

    def _look(self, _: TableSnapshot) -> float:
        """Send what is due; the seconds until the next beat."""
        # Beats keep their own time: one that came with the news of another seat would tell of it.
        beat = monotonic() >= self._beat_s
        self._beat_s += LOOK_S * beat
        try:
            with self._lock:
                self._send(list(self._followed), beat=beat)
        except Exception:
            # One change that cannot be shown must not end the streams; the next one is shown as usual.
            log.exception("The live streams could not be sent.")
        return max(0.0, self._beat_s - monotonic())

    def _send(self, listeners: list[Listener], *, beat: bool) -> None:
        """Hand over what is due to the server's thread, in the order in which it was made."""
        due: list[tuple[Listener, bytes]] = []
        over: list[Listener] = []
        for listener in listeners:
            followed = self._followed.get(listener)
            if followed is None:
                continue
            if followed.is_over():
                self.discard(listener)
                over.append(listener)
            elif text := followed.text(beat=beat):
                due.append((listener, text))
        if due or over:
            self._in_server_thread(lambda: _deliver(due, over))


def _deliver(due: list[tuple[Listener, bytes]], over: list[Listener]) -> None:
    for listener, text in due:
        listener.push(text)
    for listener in over:
        listener.finish()
