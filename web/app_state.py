"""What every request needs: the table, the camera's watcher, and when to stop.

Pages read the table's snapshot, so nothing here waits for a move that is being written.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, RLock

import msgspec
from flask import current_app

from companion.games.registry import hides
from companion.paths import damaged_in, missing_in
from companion.play.dealt import Dealt
from companion.play.journal import utc_now
from companion.play.look_back import LookBacks
from companion.play.own_files import OwnFiles
from companion.play.records import Records
from companion.play.seats import Animal, Colour, phone_of
from companion.play.snapshot import MatchView
from companion.play.table import PutAside, SightingView, Table, TableSnapshot
from web.broker_port import BrokerPort, RefereeCall
from web.camera_port import CameraPort, CameraState, Readings
from web.demo_port import Demo
from web.door import Asker, Door
from web.guesses import Guesses
from web.invites import Invites, short_code
from web.opponent_port import OpponentNow, OpponentPort
from web.panel_port import Panel
from web.permissions import Line, Role, role_of
from web.photo_port import PhotoPort
from web.pictures_port import PicturesPort
from web.review_port import ReviewPort
from web.settings_port import SettingsPort

log = logging.getLogger(__name__)

QUIET_S = 300.0
"""Seconds of silence of all seated phones, hosts, guests and screens after which any phone may remove them.

Otherwise nobody could, if all of them were lost. A start begins them again.
"""

KEPT_FOR_SEATS = 16
"""Live streams beyond `most_streams` for phones that sit, hosts, guests and screens."""

Strand = tuple[str | None, Role]
"""A seat (None: none) and a role: all phones of both are shown the same."""

MOST_DAMAGED = 3
"""Files put aside that a page names, the newest."""


class Notice(msgspec.Struct, frozen=True):
    """What everybody should know of what is kept: a key `notice.<key>` of the pages' words, and its facts."""

    key: str
    facts: dict[str, str | int] = {}


class TableNow(msgspec.Struct, frozen=True):
    """Everything that a page shows, as one consistent value.

    `id` is also the id of the live event that carries it. It changes with every change that the asker may
    see, and is never reused, not for another seat and not after a restart. `seat` is the seat of the asker's
    phone, None without one. `sitting` are the taken seats. `kept` is false while the journal cannot be
    written, so that nothing counts. `put_aside` is the match that this one replaced, until a move here.
    `role` is the asker's role at the table. `asking` are the numbers of phones that ask to be let in, for
    those who may do that.
    `notices` say what of that which was kept cannot be used. `demo`: virtual people play by themselves, and
    nobody tries the set-up meanwhile. `opponent` is the seat that the table plays. `dealt`: the table deals
    its own cards in this match. `colours` and `animals` are those of the players, by seat. `askers` says who
    holds the phones in `asking`.
    """

    id: str
    match: MatchView
    sighting: SightingView | None
    camera: CameraState | None
    seat: str | None
    sitting: tuple[str, ...]
    kept: bool = True
    put_aside: PutAside | None = None
    role: Role = "host"
    asking: tuple[int, ...] = ()
    notices: tuple[Notice, ...] = ()
    demo: bool = False
    colours: dict[str, Colour] = {}
    animals: dict[str, Animal] = {}
    askers: tuple[Asker, ...] = ()
    opponent: OpponentNow | None = None
    dealt: Dealt | None = None


@dataclass(slots=True)
class AppState:
    """One app's parts. `phone` is always the asker (`seats.phone_of`), empty for a phone without a seat."""

    table: Table
    camera: CameraPort | None
    most_streams: int
    panel: Panel | None = None
    names: frozenset[str] = frozenset()
    """Names by which phones may ask for this table, in lower case, in addition to those that it has
    anyway."""
    kitchen: bool = False
    """Whether everyone may do everything for good, as at a kitchen table (`--open`)."""
    set_back_min: Callable[[], int] = lambda: 0
    """By how many minutes the machine's clock was set back lately; 0: it was not."""
    demo: Demo | None = None
    """The table at which virtual people play; None for any other."""
    settings: SettingsPort | None = None
    """The settings of the table; None where they cannot be changed."""
    sheet: Callable[[str, str], bytes | None] | None = None
    """Gives the PDF of a sheet to print, by its name and language; None for a name that no sheet has."""
    table_name: str = ""
    """The table's name on its pages; empty: the name by which a phone asked for it."""
    language: str = ""
    """The language of phones that have chosen none; empty: that of the phone."""
    photos: PhotoPort | None = None
    """What reads photos of boards and dice; None where nothing does."""
    pictures: PicturesPort | None = None
    """The pictures of moves; None where none are kept."""
    opponent: OpponentPort | None = None
    """The table as an opponent; None where it plays no seat."""
    reviews: ReviewPort | None = None
    """What the table's player thinks of finished matches; None where it thinks nothing."""
    unsent: Callable[[], int | None] = lambda: 0
    """How many entries of the journal the broker had not confirmed at the last count.

    0 without a broker, None where they could not be counted."""
    broker: BrokerPort | None = None
    """The broker on which this table is published; None for a table that can have none."""
    message: str = ""
    """A line that somebody outside shows on every page; empty for none."""
    called: bool = False
    """Whether the table is called."""
    referee: RefereeCall = ""
    """Whether people at this table call the referee, and whether the referee has answered."""
    host_secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """The secret by which this program's own parts ask as the host. It never leaves the process."""
    pin: str = field(default_factory=short_code)
    """Who types it is a host. It is drawn at each start."""
    stopping: Event = field(default_factory=Event)
    boot: str = field(default_factory=lambda: secrets.token_hex(4))
    began_s: float = field(default_factory=time.time)
    streams: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    guesses: Guesses = field(default_factory=Guesses)
    own: OwnFiles = field(init=False)
    """Boards that were drawn at this table."""
    invites: Invites = field(init=False)
    look_backs: LookBacks = field(init=False)
    records: Records = field(init=False)
    door: Door = field(default_factory=Door)
    codes_lock: RLock = field(default_factory=RLock)
    heard_s: float = field(default_factory=time.monotonic)
    _lock: Lock = field(default_factory=Lock)
    _encoded: dict[Strand, tuple[str, bytes]] = field(default_factory=dict)
    _strands: dict[Strand, str] = field(default_factory=dict)
    _own_phone: str = field(init=False)
    _said_at: str = ""
    _called_at: str = ""
    _referee_at: str = ""

    def __post_init__(self) -> None:
        self._own_phone = phone_of(self.host_secret)
        self.invites = Invites(self.guesses)
        self.own = OwnFiles.beside(self.table.journal.path)
        self.look_backs = LookBacks(self.table.journal)
        self.records = Records(self.table.journal)

    def say_everywhere(self, message: str) -> None:
        """Show a line on every page; an empty one takes it away."""
        self.message, self._said_at = message, utc_now()
        self.table.notify()

    def call(self, *, on: bool) -> None:
        """Call the table, or end the call."""
        self.called, self._called_at = on, utc_now()
        self.table.notify()

    def call_referee(self, call: RefereeCall) -> None:
        """Call the referee, note that the referee comes, or end the call."""
        self.referee, self._referee_at = call, utc_now()
        self.table.notify()

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

    def readings(self) -> Readings:
        """What was counted of the camera's readings; nothing without a camera."""
        return Readings() if self.camera is None else self.camera.readings()

    def seat(self, phone: str) -> str | None:
        """The seat of `phone`; None if it has none."""
        return self.table.seating.seat_of(phone)

    def may_hide(self, phone: str) -> bool:
        """Whether requests of `phone` may be its seat's secret, so that no metric may reveal them."""
        return self.seat(phone) is not None and hides(self.table.match.game)

    def hear(self, phone: str) -> None:
        """A phone is there: one of the table's own counts."""
        if self.table.seats.knows(phone):
            self.heard_s = time.monotonic()

    def wait_s(self) -> float:
        """Seconds until any phone may remove phones, unless one of the table's own is heard from before."""
        return max(0.0, self.heard_s + QUIET_S - time.monotonic())

    def role(self, phone: str) -> Role:
        """What a phone is at the table."""
        if phone and phone == self._own_phone:
            return "host"
        return role_of(self.table, phone, kitchen=self.kitchen)

    def may(self, phone: str, line: Line) -> bool:
        """Whether a phone may do what a line of `permissions` is about."""
        return line.permits(self.role(phone), silent=self.wait_s() <= 0)

    def pin_for(self, phone: str) -> str:
        """The PIN, for a host and for a screen; else empty.

        Not for one that is the host only because nobody sits: it would stay so all evening.
        """
        seats = self.table.seats
        return self.pin if seats.is_host(phone) or seats.is_screen(phone) else ""

    def now(self, phone: str = "") -> TableNow:
        """The table as the seat of `phone` may see it."""
        table = self.table.snapshot
        # The seating of the snapshot's match, so that no phone sees a seat that it has at another match.
        seating = self.table.seats.at(table.match.record.id)
        seat, role = seating.seat_of(phone), self.role(phone)
        view, players = table.view(seat), self.table.seats.players()
        match, dealt = view.match, table.dealt
        if dealt is not None:
            match = msgspec.structs.replace(match, can_undo=False, can_redo=False)
        return TableNow(
            id=self._name(table, (seat, role)),
            match=match,
            sighting=view.sighting,
            camera=self.camera_status(),
            seat=seat,
            sitting=(*seating.taken, *(() if dealt is None else dealt.players)),
            kept=not self.table.journal.fault,
            put_aside=table.put_aside,
            role=role,
            asking=self.door.numbers() if role != "watcher" else (),
            notices=tuple(self._notices()),
            demo=self.demo is not None and self.demo.plays and not self.demo.rehearses,
            colours={seat: each.colour for seat, each in players.items() if each.colour},
            animals={seat: each.animal for seat, each in players.items() if each.animal},
            askers=self.door.askers() if role != "watcher" else (),
            opponent=None if self.opponent is None else self.opponent.now(),
            dealt=dealt,
        )

    def _notices(self) -> Iterator[Notice]:
        """What has changed at the table, what of that which was kept cannot be used, a clock set back, what
        somebody outside has to say."""
        # With its time, because a page never shows again what a person has closed there.
        if self.called:
            yield Notice("called", {"at": self._called_at})
        if self.referee:
            yield Notice(f"referee-{self.referee}", {"at": self._referee_at})
        if self.message:
            yield Notice("message", {"text": self.message, "at": self._said_at})
        camera = self.camera_status()
        if camera is not None and camera.drift.what:
            drift = camera.drift
            yield Notice(f"camera-{drift.what}", {"marker": drift.marker, "since": drift.since})
        if minutes := self.set_back_min():
            yield Notice("clock", {"minutes": minutes})
        if self.table.snapshot.match.cut:
            yield Notice("match", {"match": self.table.snapshot.match.record.id})
        if self.table.unopened is not None:
            yield Notice("match", {"match": self.table.unopened})
        folder = self.table.journal.path.parent
        for name in missing_in(folder)[:1]:
            yield Notice("gone", {"file": name})
        for name in damaged_in(folder)[:MOST_DAMAGED]:
            yield Notice("file", {"file": name})

    def encoded(self, phone: str = "") -> tuple[str, bytes]:
        """Id and JSON of `now(phone)`, made once a change for each seat and role."""
        table = self.table.snapshot
        strand = self.table.seats.at(table.match.record.id).seat_of(phone), self.role(phone)
        kept = self._encoded.get(strand)
        if kept is None or kept[0] != self._name(table, strand):
            now = self.now(phone)
            kept = now.id, msgspec.json.encode(now)
            self._encoded[now.seat, now.role] = kept
        return kept

    def _name(self, table: TableSnapshot, strand: Strand) -> str:
        """Of what a seat and role are shown now. No seat's names tell how often another's have changed."""
        drawn = self._strands.setdefault(strand, secrets.token_hex(3))
        return f"{self.boot}.{drawn}-{table.version_of(strand[0])}"

    def begin_strands(self, seat: str) -> None:
        """Give what a seat is shown from now on new ids: its private changes are counted from the start."""
        for strand in [each for each in list(self._strands) if each[0] == seat]:
            self._strands.pop(strand, None)

    def has_place(self, phone: str) -> bool:
        """Whether one more live stream may begin; the table's own phones have further places."""
        more = KEPT_FOR_SEATS if self.table.seats.knows(phone) else 0
        return self.streams < self.most_streams + more and not self.stopping.is_set()

    def take_place(self, phone: str = "") -> bool:
        """Reserve one of the live streams; False if none is left."""
        with self._lock:
            free = self.has_place(phone)
            self.streams += free
        return free

    def leave_place(self) -> None:
        """Give back the place of a live stream."""
        with self._lock:
            self.streams -= 1

    @contextmanager
    def a_stream(self, phone: str = "") -> Iterator[bool]:
        """Reserve one of the live streams for a while; yields False if none is left."""
        free = self.take_place(phone)
        try:
            yield free
        finally:
            if free:
                self.leave_place()


def app_state() -> AppState:
    """The parts of the app that serves this request."""
    state: AppState = current_app.extensions["companion"]
    return state
