"""What every request needs: the table, the camera's watcher, and when to stop."""

from __future__ import annotations

import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import TYPE_CHECKING

import msgspec
from flask import current_app

from companion.journal import JournalError
from companion.match import MatchView
from companion.table import SightingView, Table
from web.eyes import Eyes, EyesState

if TYPE_CHECKING:
    from web.panel_api import Panel

log = logging.getLogger(__name__)


class TableNow(msgspec.Struct, frozen=True):
    """All that a page shows, as one value that belongs together.

    `id` is also the id of the live event that carries it: it changes with every change, and is never
    used again, not even after a restart.
    """

    id: str
    match: MatchView
    sighting: SightingView | None
    eyes: EyesState | None


@dataclass(slots=True)
class House:
    """One app's parts. `seat` in its calls is what the asker may see; None is the table itself."""

    table: Table
    eyes: Eyes | None
    most_streams: int
    panel: Panel | None = None
    stopping: Event = field(default_factory=Event)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    began_s: float = field(default_factory=time.time)
    streams: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    journal_fault: str = ""
    _lock: Lock = field(default_factory=Lock)
    _encoded: dict[str | None, tuple[str, bytes]] = field(default_factory=dict)

    def stop(self) -> None:
        """End every live stream now; no further one begins."""
        self.stopping.set()
        self.table.tell()

    def count(self, what: str) -> None:
        """One more of `what`, for the metrics."""
        with self._lock:
            self.tally[what] += 1

    def fares(self) -> EyesState | None:
        """How the camera fares; None where none watches.

        Whatever fails there is logged and takes no page with it: the game goes on by tapping.
        """
        if self.eyes is None:
            return None
        try:
            return self.eyes.state()
        except Exception:
            log.exception("The camera's state cannot be told.")
            return EyesState("none")

    def now(self, seat: str | None = None) -> TableNow:
        """The table as `seat` may see it."""
        view = self.table.view(seat)
        return TableNow(f"{self.boot}-{view.version}", view.match, view.sighting, self.fares())

    def encoded(self, seat: str | None = None) -> tuple[str, bytes]:
        """Id and JSON of `now(seat)`, made once a change however many phones listen."""
        held = self._encoded.get(seat)
        if held is None or held[0] != f"{self.boot}-{self.table.version}":
            now = self.now(seat)
            held = now.id, msgspec.json.encode(now)
            self._encoded[seat] = held
        return held

    @contextmanager
    def a_stream(self) -> Iterator[bool]:
        """Hold a place among the live streams; False when there is none left."""
        with self._lock:
            free = self.streams < self.most_streams and not self.stopping.is_set()
            self.streams += free
        try:
            yield free
        finally:
            with self._lock:
                self.streams -= free

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Around every change: remembers whether the journal took the last one (`/health` says so)."""
        try:
            yield
        except JournalError as error:
            self.journal_fault = str(error)
            raise
        self.journal_fault = ""


def house() -> House:
    """The parts of the app that serves this request."""
    found: House = current_app.extensions["companion"]
    return found
