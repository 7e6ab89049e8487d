"""A hall: its state follows from the messages that it has heard, and it acts by itself.

A hall keeps nothing of its own. What a person does becomes a message to the broker, and shows once the broker
has sent it back. Of several halls, only the first by its name acts by itself.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import inf
from threading import Condition, RLock
from typing import Any, NamedTuple

import msgspec

from companion.broker.payloads import (
    ONLINE,
    ROOT,
    Call,
    NextGame,
    PublishedHealth,
    PublishedResults,
    PublishedState,
    Referee,
)
from companion.errors import CompanionError
from companion.errors.causes import NOT_JSON
from companion.games.game import Outcome
from companion.hall.evening import Evening, EveningError, checked_plan, seats_of
from companion.hall.payloads import HALL, MOST_PLACE, Member, Pairing, Plan, PublishedRound, Topics
from companion.settings import MOST_NAME

AGAIN_S = 5.0
"""Seconds after which a message without effect is sent again."""

SETTLE_S = 0.5
"""Seconds in which a hall only listens, once it has heard what the broker keeps: some of it may come late."""

GONE_S = 10.0
"""Seconds without a sign of another hall after which it is gone: a killed broker may lose its last will."""


class MatchSeen(NamedTuple):
    """A match of a table: its number there, its players by seat; `outcome` is None while it is played."""

    number: int
    game: str
    players: Mapping[str, str]
    outcome: Outcome | None


@dataclass(slots=True)
class TableSeen:
    """The last messages of a table."""

    name: str
    is_online: bool = False
    state: PublishedState | None = None
    results: PublishedResults | None = None
    health: PublishedHealth | None = None
    matches: tuple[MatchSeen, ...] = ()
    """Its known matches, by number: those that ended lately, and the one that it shows."""
    changes: int = 0

    def receive(self, what: str, payload: bytes) -> bool:
        """Take the message of a topic by its last level; True if it is a table's. May raise `NOT_JSON`."""
        match what:
            case "status":
                self.is_online = payload == ONLINE.encode()
            case "state":
                self.state = msgspec.json.decode(payload, type=PublishedState) if payload else None
                self.changes += 1
                self.matches = self._matches()
            case "results":
                self.results = msgspec.json.decode(payload, type=PublishedResults) if payload else None
                self.matches = self._matches()
            case "health":
                self.health = msgspec.json.decode(payload, type=PublishedHealth) if payload else None
            case _:
                return False
        return True

    def _matches(self) -> tuple[MatchSeen, ...]:
        ended = () if self.results is None else self.results.matches
        seen = {end.match: MatchSeen(end.match, end.game, end.players, end.outcome) for end in ended}
        if self.state is not None:
            shown = self.state.match
            # Of the match that it shows, the state is what people see at the table.
            seen[shown.id] = MatchSeen(shown.id, shown.game, shown.players, shown.outcome)
        return tuple(seen[number] for number in sorted(seen))

    def match_of(self, game: str, names: Collection[str], after: int) -> MatchSeen | None:
        """The first match after number `after` of a game with these players, at any seats; None without one.
        A later one of the same players is a match of their own."""
        sought = sorted(names)
        fitting = (match for match in self.matches if match.number > after and match.game == game)
        return next((match for match in fitting if sorted(match.players.values()) == sought), None)

    def has_ended(self, number: int) -> bool:
        """True once the match of that number is over, or too old for the table to report it."""
        if any(match.number == number and match.outcome is None for match in self.matches):
            return False
        is_told = self.results is not None and number >= self.results.since
        return not is_told or any(match.number == number for match in self.matches)

    @property
    def is_playing(self) -> bool:
        """True while people are in the middle of a match."""
        return self.state is not None and self.state.match.moves > 0 and self.state.match.outcome is None


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which table 2 comes before table 10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in name.replace("-", " ").split()
    )


class Outgoing(NamedTuple):
    """A message to publish."""

    topic: str
    payload: bytes
    retain: bool = True


class HallNews:
    """All tables of a broker, and one evening. Safe from any thread. `id` tells this hall from others."""

    def __init__(
        self,
        evening: str,
        hall_id: str,
        clock: Callable[[], float] = time.monotonic,
        *,
        root: str = ROOT,
    ) -> None:
        self.id = hall_id
        self.topics = Topics(evening, root)
        self.evening = Evening()
        self.tables: dict[str, TableSeen] = {}
        self._heard_s: dict[str, float] = {}
        self.connected = False
        self.version = 1
        self._clock = clock
        self._news = Condition(RLock())
        self._outbox: list[Outgoing] = []
        self._kept: dict[str, bytes] = {}
        self._unheard: set[str] = set()
        self._settled_s = 0.0
        self._sent: dict[str, tuple[bytes, float]] = {}
        self.on_outgoing: Callable[[], None] = lambda: None

    def receive(self, topic: str, payload: bytes) -> None:
        """Take a message of the broker."""
        with self._news:
            if self._took(topic, payload):
                self._notify()

    def connect(self, *, connected: bool) -> None:
        """Note that the broker answers, or no longer does. After a break, all that it keeps is heard again. A
        killed broker may have lost what it kept: it gets that back from here."""
        with self._news:
            self.connected = connected
            self._settled_s = inf
            self._unheard = set(self._kept)
            if connected:
                # Tables that are there say so again.
                self._heard_s.clear()
                for table in self.tables.values():
                    table.is_online = False
            if not connected:
                self._outbox.clear()
                self._sent.clear()
            self._notify()

    def catch_up(self) -> None:
        """Note that all that the broker keeps was heard; before that, this hall does nothing by itself."""
        with self._news:
            self._settled_s = min(self._settled_s, self._clock() + SETTLE_S)

    def locked(self) -> AbstractContextManager[object]:
        """A lock during which nothing comes and nothing changes."""
        return self._news

    def notify(self) -> None:
        """Wake all who wait for news."""
        with self._news:
            self._notify()

    def _notify(self) -> None:
        self.version += 1
        self._news.notify_all()

    def wait_for_change(self, version: int, timeout_s: float) -> int:
        """Wait until the version is not `version`, at most `timeout_s` seconds; returns it."""
        with self._news:
            self._news.wait_for(lambda: self.version != version, timeout_s)
            return self.version

    def _took(self, topic: str, payload: bytes) -> bool:
        levels = self.topics.levels(topic)
        if levels[:1] == ("halls",) and len(levels) == 2:
            before = self.halls
            if payload:
                self._heard_s[levels[1]] = self._clock()
            else:
                self._heard_s.pop(levels[1], None)
            return self.halls != before
        if levels:
            self._unheard.discard(topic)
            if not self.evening.receive(levels, payload):
                return False
            self._kept[topic] = payload
            return True
        root, name, what, *more = (*topic.split("/"), "", "")
        if root != self.topics.root or name == HALL or more[:-2] or not 0 < len(name) <= MOST_NAME:
            return False
        return self._took_of_table(name, what, payload)

    def _took_of_table(self, name: str, what: str, payload: bytes) -> bool:
        table = self.tables.get(name) or TableSeen(name)
        try:
            is_known = table.receive(what, payload)
        except NOT_JSON:
            return False
        if is_known:
            self.tables[name] = table
        return is_known

    @property
    def halls(self) -> set[str]:
        """The halls of this evening that are there, this one included."""
        since_s = self._clock() - GONE_S
        return {self.id, *(hall for hall, at_s in self._heard_s.items() if at_s > since_s)}

    @property
    def leads(self) -> bool:
        """True if this hall is the one that acts by itself."""
        return self._is_settled and min(self.halls) == self.id

    @property
    def _is_settled(self) -> bool:
        return self.connected and self._clock() >= self._settled_s

    @property
    def free_tables(self) -> list[TableSeen]:
        """The tables that are there without a match of the evening, by name; those amid other matches
        last."""
        busy = {pairing.table for pairing in self.evening.open_pairings}
        there = (table for table in self.tables.values() if table.is_online and table.state is not None)
        free = [table for table in there if table.name not in busy]
        return sorted(free, key=lambda table: (table.is_playing, natural(table.name)))

    def is_asked(self, pairing: Pairing) -> bool:
        """True while the table of a pairing is there and has not begun its match."""
        table = self.tables.get(pairing.table)
        state = table and table.is_online and table.state
        return bool(state and state.match.id == pairing.after)

    def match_of(self, pairing: Pairing) -> MatchSeen | None:
        """The match of a pairing at its table; None without one, or if nothing is known of it."""
        table = self.tables.get(pairing.table)
        if table is None:
            return None
        kept = self.evening.results.get(pairing.id)
        number = 0 if kept is None else kept.match
        after = number - 1 if number else pairing.after
        match = table.match_of(self.evening.rounds[pairing.round].game, self._names(pairing).values(), after)
        return None if match is not None and number not in (0, match.number) else match

    def shows(self, pairing: Pairing) -> bool:
        """True while the table of a pairing shows its match."""
        match, table = self.match_of(pairing), self.tables.get(pairing.table)
        return bool(match and table and table.state and table.state.match.id == match.number)

    def _names(self, pairing: Pairing) -> dict[str, str]:
        return {seat: self.evening.name(player) for seat, player in seats_of(pairing).items()}


class Hall(HallNews):
    """A hall at work: what it does by itself, and what the referee does."""

    def work(self) -> list[Outgoing]:
        """The messages to publish now: for what people did, and for what the messages ask."""
        with self._news:
            if self._is_settled:
                self._outbox += (Outgoing(topic, self._kept[topic]) for topic in sorted(self._unheard))
                self._unheard.clear()
            if self.leads and self.evening.plan is not None:
                for message in (*self._of_results(), *self._of_tables(), *self._of_free_play()):
                    self._send_once(message)
            outbox, self._outbox = self._outbox, []
            return outbox

    def _send_once(self, message: Outgoing) -> None:
        """Send a message, unless the same one went out a moment ago and its effect is only on its way."""
        payload, at_s = self._sent.get(message.topic, (b"", -AGAIN_S))
        if payload != message.payload or self._clock() - at_s >= AGAIN_S:
            self._sent[message.topic] = message.payload, self._clock()
            self._outbox.append(message)

    def _of_results(self) -> Iterator[Outgoing]:
        """The results of matches that have ended at their tables, and of those whose end was taken back."""
        newest = max(self.evening.rounds, default=0)
        for pairing in self.evening.pairings():
            kept = self.evening.results.get(pairing.id)
            table = self.tables.get(pairing.table)
            if table is None or (kept is not None and kept.by == "referee"):
                continue
            match = self.match_of(pairing)
            if match is not None and match.outcome is not None and not match.outcome.stopped:
                result = self.evening.result_by_table(pairing, match.outcome, match.players, match.number)
                if result != kept:
                    yield Outgoing(self.topics.topic("results", pairing.id), msgspec.json.encode(result))
            # A result that was taken back counts only while no later round was drawn by it.
            elif kept is not None and pairing.round == newest and not table.has_ended(kept.match):
                yield Outgoing(self.topics.topic("results", pairing.id), b"")

    def _of_tables(self) -> Iterator[Outgoing]:
        """A table for each pairing without one, and the command to begin for each that has not begun."""
        free = self.free_tables
        for number, of_round in self.evening.rounds.items():
            open_pairings = [meets for meets in of_round.pairings if meets.id not in self.evening.results]
            homeless = [pairing for pairing in open_pairings if not pairing.table]
            by_hand = {pairing.id: self._begun_by_hand(of_round, pairing) for pairing in homeless}
            given = {pairing: moved for pairing, moved in by_hand.items() if moved is not None}
            taken = {moved.table for moved in given.values()}
            free = [table for table in free if table.name not in taken]
            for pairing in homeless:
                if pairing.id not in given and free:
                    given[pairing.id] = _on(pairing, free.pop(0))
            for pairing in open_pairings:
                if self.is_asked(pairing):
                    yield self._begin(of_round, pairing)
            if given:
                pairings = tuple(given.get(pairing.id, pairing) for pairing in of_round.pairings)
                yield self._round(msgspec.structs.replace(of_round, pairings=pairings), number)

    def _begun_by_hand(self, of_round: PublishedRound, pairing: Pairing) -> Pairing | None:
        """A pairing at a table of its round where its players began by themselves: no hall was there."""
        for other in of_round.pairings:
            table = self.tables.get(other.table)
            match = table and table.match_of(of_round.game, self._names(pairing).values(), other.after)
            if match:
                return msgspec.structs.replace(pairing, table=other.table, after=match.number - 1)
        return None

    def _of_free_play(self) -> Iterator[Outgoing]:
        """A match for each free table, out of those who wait."""
        plan, evening = self.evening.plan, self.evening
        waits = any(not pairing.table for pairing in evening.open_pairings)
        if plan is None or plan.kind != "free" or waits or not self.free_tables:
            return
        try:
            drawn = evening.next_round(len(self.free_tables))
        except CompanionError:
            return
        yield self._round(drawn, drawn.number)

    def _begin(self, of_round: PublishedRound, pairing: Pairing) -> Outgoing:
        names = self._names(pairing)
        command = NextGame(of_round.game, of_round.options, len(names), names, pairing.after)
        topic = self.topics.of_table(pairing.table).topic("commands/next")
        return Outgoing(topic, msgspec.json.encode(command), retain=False)

    def _round(self, drawn: PublishedRound, number: int) -> Outgoing:
        return Outgoing(self.topics.topic("rounds", str(number)), msgspec.json.encode(drawn))

    def plan(self, plan: Plan) -> None:
        """Plan the evening, or change what is played from the next round on. Raises `CompanionError`."""
        self._publish("plan", checked_plan(plan))

    def add(self, name: str) -> None:
        """A player comes, or comes back. Raises `EveningError`."""
        with self._news:
            members = self.evening.members.values()
            known = next((member for member in members if member.name.casefold() == name.casefold()), None)
            if known is not None and known.here:
                raise EveningError("name-taken", name=name)
            place = min(MOST_PLACE, 1 + max((member.place for member in members), default=0))
            member = Member(secrets.token_hex(4), name, place) if known is None else _here(known, here=True)
            self._publish(f"players/{member.id}", member)

    def leave(self, player: str) -> None:
        """A player goes home. Raises `EveningError`."""
        with self._news:
            if player not in self.evening.members:
                raise EveningError("no-such-player")
            self._publish(f"players/{player}", _here(self.evening.members[player], here=False))

    def next_round(self) -> None:
        """Draw the next round. Raises `EveningError`."""
        with self._news:
            drawn = self.evening.next_round(len(self.free_tables))
            self._publish(f"rounds/{drawn.number}", drawn)

    def correct(self, pairing: str, ranks: dict[str, int]) -> None:
        """Write a result: each player's rank. Raises `EveningError`."""
        with self._news:
            self._publish(f"results/{pairing}", self.evening.result_by_referee(pairing, ranks))

    def move(self, pairing: str, table: str) -> None:
        """Let a pairing play at another table that is free. Raises `EveningError`."""
        with self._news:
            free = next((seen for seen in self.free_tables if seen.name == table), None)
            if free is None:
                raise EveningError("no-such-table", table=table)
            for number, of_round in self.evening.rounds.items():
                if any(known.id == pairing for known in of_round.pairings):
                    pairings = tuple(
                        _on(known, free) if known.id == pairing else known for known in of_round.pairings
                    )
                    return self._publish(
                        f"rounds/{number}", msgspec.structs.replace(of_round, pairings=pairings)
                    )
            raise EveningError("no-such-match", match=pairing)

    def call(self, table: str, *, on: bool) -> None:
        """Call a table to the referee's desk, or end that call. Raises `EveningError`."""
        self._command(table, "call", Call(on))

    def answer_call(self, table: str, *, comes: bool) -> None:
        """Tell a table that calls the referee that help comes, or end its call. Raises `EveningError`."""
        self._command(table, "referee", Referee(comes))

    def _command(self, table: str, name: str, command: Any) -> None:
        if table not in self.tables:
            raise EveningError("no-such-table", table=table)
        topic = self.topics.of_table(table).topic(f"commands/{name}")
        self._publish_to(Outgoing(topic, msgspec.json.encode(command), retain=False))

    def _publish(self, topic: str, message: Any) -> None:
        self._publish_to(Outgoing(self.topics.topic(topic), msgspec.json.encode(message)))

    def _publish_to(self, message: Outgoing) -> None:
        with self._news:
            if not self.connected:
                raise EveningError("no-broker")
            self._outbox.append(message)
        self.on_outgoing()


def _on(pairing: Pairing, table: TableSeen) -> Pairing:
    assert table.state is not None
    return msgspec.structs.replace(pairing, table=table.name, after=table.state.match.id)


def _here(member: Member, *, here: bool) -> Member:
    return msgspec.structs.replace(member, here=here)
