"""Sends all live streams from one thread, so that a stream costs a socket and no thread.

This thread makes the text of each event. The server's own thread, which alone writes to sockets, sends it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, RLock
from time import monotonic
from typing import Protocol

from companion.play.table import NewsThread, Table, TableSnapshot

log = logging.getLogger(__name__)

LOOK_S = 1.0
"""Seconds between beats, and between looks for finished streams."""

KEPT_FOR_SEATS = 16
"""Additional live streams for phones that sit, hosts, guests and screens."""


class Places:
    """Counts the places of live streams."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self.taken = 0
        self.stopping = Event()

    def are_free(self, *, known: bool) -> bool:
        """True for a free place; the table's own phones have more."""
        more = KEPT_FOR_SEATS if known else 0
        return self.taken < self._most + more and not self.stopping.is_set()

    def take_place(self, *, known: bool) -> bool:
        """Take a place; False without a free one."""
        with self._lock:
            free = self.are_free(known=known)
            self.taken += free
        return free

    def leave(self) -> None:
        """Give a place back."""
        with self._lock:
            self.taken -= 1

    @contextmanager
    def taking(self, *, known: bool) -> Iterator[bool]:
        """Take a place for a while; yields False without a free one."""
        free = self.take_place(known=known)
        try:
            yield free
        finally:
            if free:
                self.leave()


class Followed(Protocol):
    """The stream of one phone."""

    def is_over(self) -> bool:
        """True at the end of the stream."""

    def text(self, *, beat: bool) -> bytes:
        """The due text, a sign of life only with `beat`; empty without one."""


class Listener(Protocol):
    """A phone's connection. Its methods are called in the server's thread."""

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
        """Send changes from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Stop sending; every stream must be over already."""
        self._thread.stop(LOOK_S)
        with self._lock:
            self._send(list(self._followed), beat=False)

    def add(self, listener: Listener, followed: Followed) -> None:
        """Send this phone the due event, and later ones."""
        with self._lock:
            self._followed[listener] = followed
            self._send([listener], beat=True)

    def discard(self, listener: Listener) -> None:
        """Stop sending to a closed connection."""
        # Without the lock: the server's thread calls this while it keeps others from handing it more.
        self._followed.pop(listener, None)

    def _look(self, _: TableSnapshot) -> float:
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
        """Pass due events to the server's thread, in order."""
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
