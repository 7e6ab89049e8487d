"""What every request needs: the table, the camera's watcher, and when to stop.

Pages read the table's snapshot, so nothing here waits for a move that is being written.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, RLock

import msgspec
from flask import current_app

from companion.games.registry import hides
from companion.play.snapshot import MatchView
from companion.play.table import PutAside, SightingView, Table, TableSnapshot
from web.camera_port import CameraPort, CameraState
from web.invites import Invites
from web.panel_port import Panel

log = logging.getLogger(__name__)

QUIET_S = 300.0
"""Seconds without any seated phone or screen of the table after which any phone may do what those may.

Otherwise nobody could, if all of them were lost.
"""

COMING_BACK_S = 30.0
"""Seconds that seated phones have to report after a start."""


class TableNow(msgspec.Struct, frozen=True):
    """Everything that a page shows, as one consistent value.

    `id` is also the id of the live event that carries it. It changes with every change that the asker may
    see, and is never reused, not for another seat and not after a restart. `seat` is the seat of the asker's
    phone, None without one. `sitting` are the taken seats. `kept` is false while the journal cannot be
    written, so that nothing counts. `put_aside` is the match that this one replaced, until a move here.
    """

    id: str
    match: MatchView
    sighting: SightingView | None
    camera: CameraState | None
    seat: str | None
    sitting: tuple[str, ...]
    kept: bool = True
    put_aside: PutAside | None = None


@dataclass(slots=True)
class AppState:
    """One app's parts. `phone` is always the asker (`seats.phone_of`), empty for a phone without a seat."""

    table: Table
    camera: CameraPort | None
    most_streams: int
    panel: Panel | None = None
    stopping: Event = field(default_factory=Event)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    began_s: float = field(default_factory=time.time)
    streams: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    invites: Invites = field(default_factory=Invites)
    codes_lock: RLock = field(default_factory=RLock)
    heard_s: float = field(default_factory=lambda: time.monotonic() - QUIET_S + COMING_BACK_S)
    _lock: Lock = field(default_factory=Lock)
    _encoded: dict[str | None, tuple[str, bytes]] = field(default_factory=dict)
    _strands: dict[str | None, str] = field(default_factory=dict)

    def stop(self) -> None:
        """End every live stream now, and allow no new one."""
        self.stopping.set()
        self.table.notify()

    def count(self, what: str) -> None:
        """Count one more of `what` for the metrics."""
        with self._lock:
            self.tally[what] += 1

    def camera_status(self) -> CameraState | None:
        """The state that the camera's watcher reports; None without a camera.

        A failure is logged and breaks no page, because the game can go on by taps.
        """
        if self.camera is None:
            return None
        try:
            return self.camera.state()
        except Exception:
            log.exception("The camera's state cannot be read.")
            return CameraState("none")

    def seat(self, phone: str) -> str | None:
        """The seat of `phone`; None if it has none."""
        return self.table.seating.seat_of(phone)

    def may_hide(self, phone: str) -> bool:
        """Whether requests of `phone` may be its seat's secret, so that no metric may reveal them."""
        return self.seat(phone) is not None and hides(self.table.match.game)

    def hear(self, phone: str) -> None:
        """Note that a phone is there; only a seated phone or a screen of the table counts."""
        if phone and (self.seat(phone) or self.table.seats.is_screen(phone)):
            self.heard_s = time.monotonic()

    def trusts(self, phone: str) -> bool:
        """Whether a phone may remove others and show the codes of free seats (see `seats_api`)."""
        seats = self.table.seats
        if self.seat(phone) or seats.is_screen(phone) or not seats.anyone():
            return True
        return time.monotonic() - self.heard_s > QUIET_S

    def now(self, phone: str = "") -> TableNow:
        """The table as the seat of `phone` may see it."""
        table = self.table.snapshot
        # The seating of the snapshot's match, so that no phone sees a seat that it has at another match.
        seating = self.table.seats.at(table.match.record.id)
        seat = seating.seat_of(phone)
        view = table.view(seat)
        return TableNow(
            id=self._name(table, seat),
            match=view.match,
            sighting=view.sighting,
            camera=self.camera_status(),
            seat=seat,
            sitting=seating.taken,
            kept=not self.table.journal.fault,
            put_aside=table.put_aside,
        )

    def encoded(self, phone: str = "") -> tuple[str, bytes]:
        """The id and JSON of `now(phone)`, made once per change and seat for any number of phones."""
        table = self.table.snapshot
        seat = self.table.seats.at(table.match.record.id).seat_of(phone)
        kept = self._encoded.get(seat)
        if kept is None or kept[0] != self._name(table, seat):
            now = self.now(phone)
            kept = now.id, msgspec.json.encode(now)
            self._encoded[now.seat] = kept
        return kept

    def _name(self, table: TableSnapshot, seat: str | None) -> str:
        """The id of what `seat` sees now. A seat's ids do not reveal how often another's changed."""
        strand = self._strands.setdefault(seat, secrets.token_hex(3))
        return f"{self.boot}.{strand}-{table.version_of(seat)}"

    @contextmanager
    def a_stream(self) -> Iterator[bool]:
        """Reserve one of the live streams; yields False if none is left."""
        with self._lock:
            free = self.streams < self.most_streams and not self.stopping.is_set()
            self.streams += free
        try:
            yield free
        finally:
            with self._lock:
                self.streams -= free


def app_state() -> AppState:
    """The parts of the app that serves this request."""
    state: AppState = current_app.extensions["companion"]
    return state
