"""What a hall knows, and what it does by itself: all of it follows from the messages that it has heard.

A hall keeps nothing of its own. What a person does becomes a message to the broker, and shows once the broker
has sent it back. Of several halls, only the first by its name acts by itself.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Condition, RLock
from typing import Any, NamedTuple

import msgspec

from companion.broker.payloads import ONLINE, ROOT, Call, NextGame, PublishedHealth, PublishedState
from companion.broker.payloads import Topics as TableTopics
from companion.errors import CompanionError
from companion.errors.causes import NOT_JSON
from companion.hall.evening import Evening, EveningError, checked_plan, seats_of
from companion.hall.payloads import HALL, Member, Pairing, Plan, PublishedRound, Topics

AGAIN_S = 5.0
"""Seconds after which a message that has had no effect yet is sent again."""


SETTLE_S = 0.5
"""Seconds after a connection in which a hall only listens: what is kept on the broker comes first."""


GONE_S = 10.0
"""Seconds without a sign of another hall after which it is gone.

A broker that was killed may have lost that hall's last will.
"""


class Outgoing(NamedTuple):
    """A message to publish."""

    topic: str
    payload: bytes
    retain: bool = True


@dataclass(slots=True)
class TableSeen:
    """What a table has published last."""

    name: str
    is_online: bool = False
    state: PublishedState | None = None
    health: PublishedHealth | None = None
    changes: int = 0
    """How often its state has come."""


class Hall:
    """All tables of a broker, and one evening. Safe from any thread.

    `id` tells this hall from others of the same evening.
    """

    def __init__(self, evening: str, hall_id: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.id = hall_id
        self.topics = Topics(evening)
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

    # -- news ---------------------------------------------------------------------------------------------

    def take(self, topic: str, payload: bytes) -> None:
        """Take a message of the broker."""
        with self._news:
            if self._took(topic, payload):
                self._notify()

    def connect(self, *, connected: bool) -> None:
        """Note whether the broker answers. All that it keeps is heard again after a break.

        What it does not keep any more, because it was killed before it wrote that down, it gets from here.
        """
        with self._news:
            self.connected = connected
            self._settled_s = self._clock() + SETTLE_S
            self._unheard = set(self._kept)
            if connected:
                # Who is there says so again; who went meanwhile does not.
                self._heard_s.clear()
                for table in self.tables.values():
                    table.is_online = False
            if not connected:
                self._outbox.clear()
                self._sent.clear()
            self._notify()

    def notify(self) -> None:
        """Wake all who wait for news."""
        with self._news:
            self._notify()

    def _notify(self) -> None:
        self.version += 1
        self._news.notify_all()

    def wait_for_change(self, version: int, timeout_s: float) -> int:
        """Wait until the version is another one, or for `timeout_s` seconds; returns it."""
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
            self._kept[topic] = payload
            return self.evening.take(levels, payload)
        root, name, what, *more = (*topic.split("/"), "", "")
        if root != ROOT or name == HALL or more[:-2] or not name:
            return False
        return self._took_of_table(name, what, payload)

    def _took_of_table(self, name: str, what: str, payload: bytes) -> bool:
        table = self.tables.get(name) or TableSeen(name)
        try:
            if what == "status":
                table.is_online = payload == ONLINE.encode()
            elif what == "state":
                table.state = msgspec.json.decode(payload, type=PublishedState) if payload else None
                table.changes += 1
            elif what == "health":
                table.health = msgspec.json.decode(payload, type=PublishedHealth) if payload else None
            else:
                return False
        except NOT_JSON:
            return False
        self.tables[name] = table
        return True

    # -- what it does by itself ---------------------------------------------------------------------------

    @property
    def halls(self) -> set[str]:
        """The halls of this evening that are there, this one included."""
        since_s = self._clock() - GONE_S
        return {self.id, *(each for each, at_s in self._heard_s.items() if at_s > since_s)}

    @property
    def leads(self) -> bool:
        """Whether this hall is the one that acts by itself."""
        return self._is_settled and min(self.halls) == self.id

    @property
    def _is_settled(self) -> bool:
        return self.connected and self._clock() >= self._settled_s

    @property
    def free_tables(self) -> list[TableSeen]:
        """The tables that are there and have no match of the evening, in the order of their names."""
        busy = {pairing.table for pairing in self.evening.open_pairings}
        free = (each for each in self.tables.values() if each.is_online and each.state is not None)
        return sorted((each for each in free if each.name not in busy), key=lambda each: natural(each.name))

    def work(self) -> list[Outgoing]:
        """What is to be published now: what people did, and what follows from the messages."""
        with self._news:
            if self._is_settled:
                self._outbox += (Outgoing(topic, self._kept[topic]) for topic in sorted(self._unheard))
                self._unheard.clear()
            if self.leads and self.evening.plan is not None:
                for each in (*self._of_results(), *self._of_tables(), *self._of_free_play()):
                    self._send_once(each)
            outbox, self._outbox = self._outbox, []
            return outbox

    def _send_once(self, message: Outgoing) -> None:
        """Send a message, unless the same one went out a moment ago and its effect is only on its way."""
        payload, at_s = self._sent.get(message.topic, (b"", -AGAIN_S))
        if payload != message.payload or self._clock() - at_s >= AGAIN_S:
            self._sent[message.topic] = message.payload, self._clock()
            self._outbox.append(message)

    def _of_results(self) -> Iterator[Outgoing]:
        """The results that tables show, while they still show the match."""
        newest = max(self.evening.rounds, default=0)
        for pairing in self.evening.pairings():
            kept = self.evening.results.get(pairing.id)
            if (kept is not None and kept.by == "referee") or not self.shows(pairing):
                continue
            outcome = self.tables[pairing.table].state.match.outcome  # type: ignore[union-attr]
            result = None if outcome is None else self.evening.result_by_table(pairing, outcome)
            # A result that was taken back counts only while no later round was drawn by it.
            is_newest = pairing.id.startswith(f"{newest}-")
            if result != kept and (result is not None or is_newest):
                payload = b"" if result is None else msgspec.json.encode(result)
                yield Outgoing(self.topics.of("results", pairing.id), payload)

    def _of_tables(self) -> Iterator[Outgoing]:
        """A table for each pairing that has none, and the command to begin for each whose table has not."""
        free = self.free_tables
        for number, of_round in self.evening.rounds.items():
            given: dict[str, Pairing] = {}
            for pairing in of_round.pairings:
                if pairing.id in self.evening.results:
                    continue
                if not pairing.table and free:
                    table = free.pop(0)
                    given[pairing.id] = _on(pairing, table)
                elif self.is_asked(pairing):
                    yield self._begin(of_round, pairing)
            if given:
                pairings = tuple(given.get(each.id, each) for each in of_round.pairings)
                yield self._round(msgspec.structs.replace(of_round, pairings=pairings), number)

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

    def is_asked(self, pairing: Pairing) -> bool:
        """Whether the table of a pairing is there and has not begun its match."""
        table = self.tables.get(pairing.table)
        state = table and table.is_online and table.state
        return bool(state and state.match.id == pairing.after)

    def shows(self, pairing: Pairing) -> bool:
        """Whether the table of a pairing shows its match."""
        state = pairing.table in self.tables and self.tables[pairing.table].state
        if not state or state.match.id <= pairing.after:
            return False
        return state.match.players == self._names(pairing)

    def _names(self, pairing: Pairing) -> dict[str, str]:
        return {seat: self.evening.name(player) for seat, player in seats_of(pairing).items()}

    def _begin(self, of_round: PublishedRound, pairing: Pairing) -> Outgoing:
        names = self._names(pairing)
        command = NextGame(of_round.game, of_round.options, len(names), names, pairing.after)
        topic = TableTopics(pairing.table).of("commands/next")
        return Outgoing(topic, msgspec.json.encode(command), retain=False)

    def _round(self, drawn: PublishedRound, number: int) -> Outgoing:
        return Outgoing(self.topics.of("rounds", str(number)), msgspec.json.encode(drawn))

    # -- what the referee does ----------------------------------------------------------------------------

    def plan(self, plan: Plan) -> None:
        """Plan the evening, or change what is played from the next round on. Raises `CompanionError`."""
        self._publish("plan", checked_plan(plan))

    def add(self, name: str) -> None:
        """A player comes, or comes back. Raises `EveningError`."""
        with self._news:
            members = self.evening.members.values()
            known = next((each for each in members if each.name.casefold() == name.casefold()), None)
            if known is not None and known.here:
                raise EveningError("name-taken", name=name)
            place = 1 + max((each.place for each in members), default=0)
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
            free = next((each for each in self.free_tables if each.name == table), None)
            if free is None:
                raise EveningError("no-such-table", table=table)
            for number, of_round in self.evening.rounds.items():
                if any(each.id == pairing for each in of_round.pairings):
                    pairings = tuple(
                        _on(each, free) if each.id == pairing else each for each in of_round.pairings
                    )
                    return self._publish(
                        f"rounds/{number}", msgspec.structs.replace(of_round, pairings=pairings)
                    )
            raise EveningError("no-such-match", match=pairing)

    def call(self, table: str, *, on: bool) -> None:
        """Call a table to the referee's desk, or call it no more. Raises `EveningError`."""
        if table not in self.tables:
            raise EveningError("no-such-table", table=table)
        topic = TableTopics(table).of("commands/call")
        self._publish_to(Outgoing(topic, msgspec.json.encode(Call(on)), retain=False))

    def _publish(self, topic: str, message: Any) -> None:
        self._publish_to(Outgoing(self.topics.of(topic), msgspec.json.encode(message)))

    def _publish_to(self, message: Outgoing) -> None:
        with self._news:
            if not self.connected:
                raise EveningError("no-broker")
            self._outbox.append(message)
        self.on_outgoing()


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """A key by which table 2 comes before table 10."""
    return tuple(
        (0, int(part), "") if part.isdecimal() else (1, 0, part) for part in name.replace("-", " ").split()
    )


def _on(pairing: Pairing, table: TableSeen) -> Pairing:
    assert table.state is not None
    return msgspec.structs.replace(pairing, table=table.name, after=table.state.match.id)


def _here(member: Member, *, here: bool) -> Member:
    return msgspec.structs.replace(member, here=here)
