"""The hall as browsers get it, once and at each change: every table, the evening, who waits."""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Collection, Mapping
from math import inf
from threading import Lock
from time import monotonic

import msgspec

from companion.hall.hall import Hall, TableSeen, natural
from companion.hall.pairing import WIN
from companion.hall.payloads import Pairing, Plan
from companion.service.announcements import RefereeCall
from web.app_state import TableNow
from web.events import HEARTBEAT_S
from web.joining import Guesses, short_code

PLENTY_BYTES, BYTES_A_SECOND = 100_000, 2_000_000
"""Events of this size, as of 400 tables, go to a browser at this rate at most: one that fell behind would be
dropped, and come back for all of it."""


class SeatShown(msgspec.Struct, frozen=True):
    """A seat of a table: its player (empty where nobody is named), points if the game has them."""

    seat: str
    player: str
    points: int | None
    is_turn: bool
    won: bool


class TableShown(msgspec.Struct, frozen=True):
    """A table. `title` is its name for people, `newest` its newest move in notation.

    `changes` counts what it has shown. `pairing` is its match of the evening, empty for any other.
    `camera_ok` is false where a camera gives no pictures. `referee`: its people call the referee, or know
    that the referee comes. `version` is the program's that runs there.
    """

    name: str
    title: str
    is_online: bool
    is_free: bool
    game: str = ""
    match: int = 0
    moves: int = 0
    over: bool = False
    paused: bool = False
    asks: bool = False
    called: bool = False
    referee: RefereeCall = ""
    camera_ok: bool = True
    newest: str = ""
    changes: int = 0
    seats: tuple[SeatShown, ...] = ()
    pairing: str = ""
    version: str = ""


class PlayerShown(msgspec.Struct, frozen=True):
    """A player of a pairing; `score` is a share of a win, None without a result."""

    id: str
    name: str
    score: float | None


class PairingShown(msgspec.Struct, frozen=True):
    """A match of the evening. `state`: it waits for a table, is about to begin, is in play, or is over.
    `lost`: its table shows another match, and no result came."""

    id: str
    table: str
    players: tuple[PlayerShown, ...]
    state: str
    by: str = ""


class RoundShown(msgspec.Struct, frozen=True):
    """A round of the evening."""

    number: int
    pairings: tuple[PairingShown, ...]
    byes: tuple[str, ...]


class StandingShown(msgspec.Struct, frozen=True):
    """A row of the standings; scores are counted in wins."""

    place: int
    id: str
    name: str
    score: float
    opponents: float
    played: int
    wins: int
    here: bool


class HallShown(msgspec.Struct, frozen=True):
    """All that a hall's page shows. `rounds` come the newest first, `waiting` are names, the longest first,
    `winners` are those in the first place once the evening is over."""

    version: int
    evening: str
    connected: bool
    halls: int
    plan: Plan | None
    over: bool
    tables: tuple[TableShown, ...]
    rounds: tuple[RoundShown, ...]
    standings: tuple[StandingShown, ...]
    waiting: tuple[str, ...]
    winners: tuple[str, ...]


def shown(hall: Hall) -> HallShown:
    """The page's content now."""
    with hall.locked():
        return _shown(hall)


def _shown(hall: Hall) -> HallShown:
    evening = hall.evening
    standings = tuple(
        StandingShown(
            place=rank.place,
            id=rank.player,
            name=rank.name,
            score=rank.score / WIN,
            opponents=rank.opponents / WIN,
            played=rank.played,
            wins=rank.wins,
            here=rank.here,
        )
        for rank in evening.standings()
    )
    numbers = sorted(evening.rounds, reverse=True)
    over = evening.is_over
    free = {table.name for table in hall.free_tables}
    pairings = {pairing.table: pairing.id for pairing in evening.open_pairings}
    return HallShown(
        version=hall.version,
        evening=hall.topics.evening,
        connected=hall.connected,
        halls=len(hall.halls),
        plan=evening.plan,
        over=over,
        tables=tuple(_table(table, free, pairings) for table in tables_in_order(hall)),
        rounds=tuple(_round(hall, number) for number in numbers),
        standings=standings,
        waiting=tuple(map(evening.name, evening.waiting)) if evening.plan else (),
        winners=tuple(rank.name for rank in standings if over and rank.place == 1),
    )


def tables_in_order(hall: Hall) -> list[TableSeen]:
    """The tables by their names, table 2 before table 10."""
    with hall.locked():
        return sorted(hall.tables.values(), key=lambda table: natural(table.name))


def _table(table: TableSeen, free: Collection[str], pairings: Mapping[str, str]) -> TableShown:
    state, health = table.state, table.health
    if state is None:
        return TableShown(table.name, table.name, table.is_online, is_free=False)
    match = state.match
    outcome = match.outcome
    points = (outcome and outcome.points) or state.points
    return TableShown(
        name=table.name,
        title=state.name or table.name,
        is_online=table.is_online,
        is_free=table.name in free,
        game=match.game,
        match=match.id,
        moves=match.moves,
        over=outcome is not None,
        paused=state.paused,
        asks=state.asks,
        called=state.called,
        referee=state.referee,
        camera_ok=health is None or health.camera == "none" or health.camera_ok,
        newest=match.last[-1] if match.last else "",
        changes=table.changes,
        seats=tuple(
            SeatShown(
                seat,
                match.players.get(seat, ""),
                points.get(seat),
                match.turn == seat,
                outcome is not None and seat in outcome.winners,
            )
            for seat in match.seats
        ),
        pairing=pairings.get(table.name, ""),
        version="" if health is None else health.version,
    )


def _round(hall: Hall, number: int) -> RoundShown:
    of_round = hall.evening.rounds[number]
    return RoundShown(
        number,
        tuple(_pairing(hall, pairing) for pairing in of_round.pairings),
        tuple(map(hall.evening.name, of_round.byes)),
    )


def _pairing(hall: Hall, pairing: Pairing) -> PairingShown:
    evening = hall.evening
    result = evening.results.get(pairing.id)
    players = tuple(
        PlayerShown(id_, evening.name(id_), None if result is None else result.scores.get(id_, 0) / WIN)
        for id_ in pairing.players
    )
    if result is not None:
        return PairingShown(pairing.id, pairing.table, players, "over", result.by)
    return PairingShown(pairing.id, pairing.table, players, _state(hall, pairing))


def _state(hall: Hall, pairing: Pairing) -> str:
    """The state of a match without a result: a key `state.<state>` of the words."""
    table = hall.tables.get(pairing.table)
    if not pairing.table:
        return "waits"
    if table is None or not table.is_online:
        return "offline"
    if hall.shows(pairing):
        return "in-play"
    return "begins" if hall.is_asked(pairing) else "other"


class News:
    """Wakes the server's streams, as a table does, and gives what a table's own pages would be sent."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._boot = secrets.token_hex(4)
        self._encoded = 0, b""

    @property
    def snapshot(self) -> int:
        """A number that differs after each change."""
        return self._hall.version

    def wait_for_news(self, seen: int, timeout_s: float) -> int:
        """Wait for a change, or for `timeout_s` seconds; returns the snapshot."""
        return self._hall.wait_for_change(seen, timeout_s)

    def notify(self) -> None:
        """Wake all who wait."""
        self._hall.notify()

    def hall_shown(self) -> bytes:
        """The hall as every browser gets it, made once a change."""
        version = self._hall.version
        if self._encoded[0] != version:
            self._encoded = version, msgspec.json.encode(shown(self._hall))
        return self._encoded[1]

    def table_now(self, table: TableSeen) -> TableNow:
        """The table as a spectator's page gets it."""
        assert table.state is not None
        of_table = zlib.crc32(table.name.encode())
        return TableNow(
            id=f"{self._boot}.{of_table:x}-{table.changes}",
            match=table.state.match,
            sighting=None,
            camera=None,
            seat=None,
            sitting=table.state.seated,
            role="watcher",
        )


class HallState:
    """One hall's app: what the server and every request need."""

    def __init__(self, hall: Hall, names: frozenset[str] = frozenset()) -> None:
        self.hall, self.names = hall, names
        self.table = News(hall)
        """Wakes the live streams; the server knows it by this name."""
        self.pin = short_code()
        self.secret = secrets.token_urlsafe(16)
        self.guesses = Guesses()
        self.lock = Lock()
        self.language = ""
        self.stopped = False
        self.streams = 0

    def stop(self) -> None:
        """End every live stream now."""
        self.stopped = True
        self.hall.notify()


class HallStream:
    """The live stream of the hall to one browser. One thread at a time uses it."""

    def __init__(self, app: HallState) -> None:
        self._app = app
        self._last = ""
        self._sent_s = -inf
        self._again_s = -inf

    def is_over(self) -> bool:
        """True once nothing more is to be sent."""
        return self._app.stopped

    def text(self, *, beat: bool = True) -> bytes:
        """The event that is due now, a beat only with `beat`; empty if nothing is due."""
        name = self._name()
        if name and name != self._last and monotonic() >= self._again_s:
            self._last, self._sent_s = name, monotonic()
            body = self._body()
            if len(body) >= PLENTY_BYTES:
                self._again_s = self._sent_s + len(body) / BYTES_A_SECOND
            return b"event: %s\nid: %s\ndata: %s\n\n" % (self._kind, name.encode(), body)
        if beat and monotonic() - self._sent_s >= HEARTBEAT_S:
            self._sent_s = monotonic()
            return b"event: beat\ndata: {}\n\n"
        return b""

    _kind = b"hall"

    def _name(self) -> str:
        return str(self._app.hall.version)

    def _body(self) -> bytes:
        return self._app.table.hall_shown()


class TableStream(HallStream):
    """The live stream of one table to one browser."""

    _kind = b"table"

    def __init__(self, app: HallState, table: str, last: str) -> None:
        super().__init__(app)
        self._table, self._last = table, last

    def _name(self) -> str:
        table = self._app.hall.tables.get(self._table)
        return "" if table is None or table.state is None else self._app.table.table_now(table).id

    def _body(self) -> bytes:
        return msgspec.json.encode(self._app.table.table_now(self._app.hall.tables[self._table]))
