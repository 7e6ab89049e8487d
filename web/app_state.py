"""The state behind the pages: the running table, and the web's own parts.

Pages read the table's snapshot, so nothing here waits for a move that is being written.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TypeVar

import msgspec
from flask import abort, current_app

from companion.broker.service import BrokerService
from companion.games.registry import hides
from companion.play.dealt import Dealt
from companion.play.look_back import LookBacks
from companion.play.own_files import OwnFiles
from companion.play.records import Records
from companion.play.seats import Animal, Colour, phone_of
from companion.play.snapshot import MatchView
from companion.play.table import PutAside, SightingView, Table, TableSnapshot
from companion.players.table_players import OpponentNow
from companion.service.announcements import Notice
from companion.service.camera_status import CameraState
from companion.service.running_table import RunningTable
from web.joining import Guesses, Invites, JoinRequest, JoinRequests, short_code
from web.permissions import Line, Role, role_of
from web.streams import Places

QUIET_S = 300.0
"""Seconds of silence from all of the table's own phones before any phone may remove them.

Otherwise a table whose phones are all lost stays locked. A start begins the seconds again.
"""

T = TypeVar("T")

StreamKey = tuple[str | None, Role, str]
"""A seat (or None), a role, and the seat of a hand face down: all phones of these are shown the same."""


class TableNow(msgspec.Struct, frozen=True):
    """Everything that a page shows, as one consistent value.

    `id` is also the id of the live event that carries it. It changes with every change that the asker may
    see, and is never reused, not for another seat and not after a restart. `seat` is the seat of the asker's
    phone, None without one. `sitting` are the taken seats. `kept` is false while the journal cannot be
    written, so that nothing counts. `rematch` are the seats that want the
    finished match again. `put_aside` is the match that this one replaced, until a move here.
    `role` is the asker's role at the table. `asking` are the numbers of phones that ask to be let in, for
    those who may do that, and `askers` are their holders. `notices` name kept data that cannot be used.
    `demo`: virtual people play by themselves, and nobody tries the set-up meanwhile. `opponent` is the seat
    that the table plays. `dealt`: the table deals its own cards in this match. `colours` and `animals` are
    the players', by seat. `face_down` are the taken seats whose phones have not picked up the hand that the
    table dealt there; `own_face_down` is the asker's, which sees and plays as one without a seat. `timed`: a
    clock counts down (`/api/panel`).
    """

    id: str
    match: MatchView
    sighting: SightingView | None
    camera: CameraState | None
    seat: str | None
    sitting: tuple[str, ...]
    kept: bool = True
    put_aside: PutAside | None = None
    rematch: tuple[str, ...] = ()
    role: Role = "host"
    asking: tuple[int, ...] = ()
    notices: tuple[Notice, ...] = ()
    demo: bool = False
    colours: dict[str, Colour] = {}
    animals: dict[str, Animal] = {}
    askers: tuple[JoinRequest, ...] = ()
    opponent: OpponentNow | None = None
    dealt: Dealt | None = None
    face_down: tuple[str, ...] = ()
    own_face_down: str = ""
    timed: bool = False


@dataclass(slots=True)
class AppState:
    """One app's parts. `phone` is always the asker (`seats.phone_of`), empty for a phone without a seat.

    `names` are further names of this table, in lower case. `host_secret`, by which this program's own parts
    ask as the host, never leaves the process. The `pin` makes a phone a host. `boot` tells this start from
    others.
    """

    running: RunningTable
    places: Places
    broker: BrokerService | None = None
    names: frozenset[str] = frozenset()
    host_secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    pin: str = field(default_factory=short_code)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    began_s: float = field(default_factory=time.time)
    tally: Counter[str] = field(default_factory=Counter)
    guesses: Guesses = field(default_factory=Guesses)
    own: OwnFiles = field(init=False)
    invites: Invites = field(init=False)
    look_backs: LookBacks = field(init=False)
    records: Records = field(init=False)
    join_requests: JoinRequests = field(default_factory=JoinRequests)
    codes_lock: RLock = field(default_factory=RLock)
    heard_s: float = field(default_factory=time.monotonic)
    _lock: Lock = field(default_factory=Lock)
    _encoded: dict[StreamKey, tuple[str, bytes]] = field(default_factory=dict)
    _stream_names: dict[StreamKey, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        journal = self.table.journal
        self.invites = Invites(self.guesses)
        self.own = OwnFiles.beside(journal.path)
        self.look_backs = LookBacks(journal)
        self.records = Records(journal)

    @property
    def table(self) -> Table:
        """The table behind the pages."""
        return self.running.table

    @property
    def language(self) -> str:
        """The language of phones that have chosen none; empty for each phone's own."""
        return self.running.settings.text("language")

    def stop(self) -> None:
        """End every live stream, and allow no new one."""
        self.places.stopping.set()
        self.table.notify()

    def count(self, what: str) -> None:
        """Count `what` for the metrics."""
        with self._lock:
            self.tally[what] += 1

    def seat(self, phone: str) -> str | None:
        """The seat with which `phone` sees and plays, or None."""
        return self._seats(self.table.snapshot, phone)[0]

    def _seats(self, table: TableSnapshot, phone: str) -> tuple[str | None, str]:
        """The seat of a phone, or the one at which a dealt hand lies face down before it.

        The seating is that of the snapshot's match, so that no phone sees a seat that it has at another.
        """
        place = self.table.seats.at(table.match.record.id).place_of(phone)
        if place is None:
            return None, ""
        return (None, place.seat) if table.dealt is not None and place.is_face_down else (place.seat, "")

    def may_hide(self, phone: str) -> bool:
        """True where requests of `phone` may be its seat's secret, so that no metric may count them."""
        return self.seat(phone) is not None and hides(self.table.match.game)

    def touch(self, phone: str) -> None:
        """Note a sign of life from one of the table's own phones."""
        if self.table.seats.knows(phone):
            self.heard_s = time.monotonic()

    def wait_s(self) -> float:
        """Seconds until any phone may remove phones, if the table's own stay silent."""
        return max(0.0, self.heard_s + QUIET_S - time.monotonic())

    def role(self, phone: str) -> Role:
        """The role of a phone at the table."""
        if phone and phone == phone_of(self.host_secret):
            return "host"
        return role_of(self.table, phone, kitchen=bool(self.running.settings.value("open")))

    def may(self, phone: str, line: Line) -> bool:
        """True where a phone may do what a line of `permissions` describes."""
        by_pin = self.table.seats.phones.has_typed_pin(phone)
        return line.permits(self.role(phone), silent=self.wait_s() <= 0, by_pin=by_pin)

    def pin_for(self, phone: str) -> str:
        """The PIN, for a phone that has typed one; else empty.

        Any phone may be the host, by sitting down first: it would read the PIN and type it.
        """
        return self.pin if self.table.seats.phones.has_typed_pin(phone) else ""

    def table_now(self, phone: str = "") -> TableNow:
        """The table as the seat of `phone` may see it."""
        running, table = self.running, self.table.snapshot
        seating = self.table.seats.at(table.match.record.id)
        (seat, face_down), role = self._seats(table, phone), self.role(phone)
        view, players = table.view(seat), self.table.seats.players()
        match, dealt = view.match, table.dealt
        if dealt is not None:
            match = msgspec.structs.replace(match, can_undo=False, can_redo=False)
            if dealt.waits and running.opponent is not None:
                dealt = msgspec.structs.replace(dealt, waited=running.opponent.waited_s(table.match))
        return TableNow(
            id=self._name(table, (seat, role, face_down)),
            match=match,
            sighting=view.sighting,
            camera=running.camera_state(),
            seat=seat,
            sitting=(*seating.taken, *(() if dealt is None else dealt.players)),
            kept=not self.table.journal.fault,
            put_aside=table.put_aside,
            rematch=table.rematch,
            role=role,
            asking=self.join_requests.numbers() if role != "watcher" else (),
            notices=tuple(running.notices()),
            demo=running.demo is not None and running.demo.plays and not running.demo.rehearses,
            colours={seat: player.colour for seat, player in players.items() if player.colour},
            animals={seat: player.animal for seat, player in players.items() if player.animal},
            askers=self.join_requests.shown() if role != "watcher" else (),
            opponent=None if running.opponent is None else running.opponent.status(),
            dealt=dealt,
            face_down=()
            if dealt is None
            else tuple(place.seat for place in seating.places if place.is_face_down),
            own_face_down=face_down,
            timed=running.panel is not None and running.panel.counts_down,
        )

    def encoded(self, phone: str = "") -> tuple[str, bytes]:
        """Id and JSON of `now(phone)`, made once a change for each seat and role, unless it tells a time."""
        table = self.table.snapshot
        seat, face_down = self._seats(table, phone)
        stream_key = seat, self.role(phone), face_down
        kept = self._encoded.get(stream_key)
        times = table.dealt is not None and table.dealt.waits
        if times or kept is None or kept[0] != self._name(table, stream_key):
            shown = self.table_now(phone)
            kept = shown.id, msgspec.json.encode(shown)
            self._encoded[shown.seat, shown.role, shown.own_face_down] = kept
        return kept

    def _name(self, table: TableSnapshot, stream_key: StreamKey) -> str:
        """The id of a seat and role's current view. It reveals no other seat's private changes."""
        drawn = self._stream_names.setdefault(stream_key, secrets.token_hex(3))
        return f"{self.boot}.{drawn}-{table.version_of(stream_key[0])}"

    def renew_stream_keys(self, seat: str) -> None:
        """Give a seat's views new ids: its private changes are counted from the start."""
        for stream_key in [key for key in list(self._stream_names) if key[0] == seat]:
            self._stream_names.pop(stream_key, None)


def app_state() -> AppState:
    """The parts of the serving app."""
    state: AppState = current_app.extensions["companion"]
    return state


def running() -> RunningTable:
    """The table and its services."""
    return app_state().running


def or_404(value: T | None) -> T:
    """The value; 404 for None."""
    return abort(404) if value is None else value
