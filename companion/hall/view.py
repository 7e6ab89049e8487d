"""What the hall's page is sent: every table, the evening, who waits."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from companion.hall.evening import Evening
from companion.hall.hall import Hall
from companion.hall.pairing import WIN
from companion.hall.payloads import Pairing, Plan
from companion.hall.tables import TableSeen, natural
from web.broker_port import RefereeCall


class SeatShown(msgspec.Struct, frozen=True):
    """A seat of a table: its player (empty where nobody is named), points if the game has them."""

    seat: str
    player: str
    points: int | None
    is_turn: bool
    won: bool


class TableShown(msgspec.Struct, frozen=True):
    """A table. `title` is its name for people, `newest` its newest move as it is noted; `changes` counts what
    it has shown.

    `pairing` is its match of the evening, empty for any other. `camera_ok` is false where a camera gives no
    pictures. `referee`: its people call the referee, or know that the referee comes.
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


class PlayerShown(msgspec.Struct, frozen=True):
    """A player of a pairing; `score` is a share of a win, None without a result."""

    id: str
    name: str
    score: float | None


class PairingShown(msgspec.Struct, frozen=True):
    """A match of the evening. `state`: it waits for a table, is about to begin, is played, or is over.

    `lost`: its table shows another match by now, and no result came.
    """

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
    """All that a hall's page shows. `rounds` come the newest first, `waiting` are names, the longest first.

    `winners` are those in the first place once the evening is over.
    """

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
    """What the page shows now."""
    with hall.locked():
        return _shown(hall)


def _shown(hall: Hall) -> HallShown:
    evening = hall.evening
    standings = tuple(
        StandingShown(
            place=each.place,
            id=each.player,
            name=each.name,
            score=each.score / WIN,
            opponents=each.opponents / WIN,
            played=each.played,
            wins=each.wins,
            here=each.here,
        )
        for each in evening.standings()
    )
    numbers = sorted(evening.rounds, reverse=True)
    over = evening.is_over
    free = {each.name for each in hall.free_tables}
    pairings = {each.table: each.id for each in evening.open_pairings}
    return HallShown(
        version=hall.version,
        evening=hall.topics.evening,
        connected=hall.connected,
        halls=len(hall.halls),
        plan=evening.plan,
        over=over,
        tables=tuple(_table(each, free, pairings) for each in tables_in_order(hall)),
        rounds=tuple(_round(hall, number) for number in numbers),
        standings=standings,
        waiting=tuple(map(evening.name, evening.waiting)) if evening.plan else (),
        winners=tuple(each.name for each in standings if over and each.place == 1),
    )


def tables_in_order(hall: Hall) -> list[TableSeen]:
    """The tables by their names, table 2 before table 10."""
    with hall.locked():
        return sorted(hall.tables.values(), key=lambda each: natural(each.name))


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
    )


def _round(hall: Hall, number: int) -> RoundShown:
    of_round = hall.evening.rounds[number]
    return RoundShown(
        number,
        tuple(_pairing(hall, each) for each in of_round.pairings),
        tuple(map(hall.evening.name, of_round.byes)),
    )


def _pairing(hall: Hall, pairing: Pairing) -> PairingShown:
    evening: Evening = hall.evening
    result = evening.results.get(pairing.id)
    players = tuple(
        PlayerShown(each, evening.name(each), None if result is None else result.scores.get(each, 0) / WIN)
        for each in pairing.players
    )
    if result is not None:
        return PairingShown(pairing.id, pairing.table, players, "over", result.by)
    return PairingShown(pairing.id, pairing.table, players, _state(hall, pairing))


def _state(hall: Hall, pairing: Pairing) -> str:
    """What a match without a result is doing: a key `state.<state>` of the words."""
    table = hall.tables.get(pairing.table)
    if not pairing.table:
        return "waits"
    if table is None or not table.is_online:
        return "offline"
    if hall.shows(pairing):
        return "played"
    return "begins" if hall.is_asked(pairing) else "other"
