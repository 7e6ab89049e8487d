"""What one table publishes over one connection: its entries, its state, its health, its answers.

Everything here happens in the broker's own thread. The table is only read: its snapshot, and the journal.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from companion.broker.connection import MOST_UNACKNOWLEDGED, Connection, Heard
from companion.broker.cursor import Cursor, Outgoing, Position, read_match
from companion.broker.faults import BrokerError
from companion.broker.payloads import (
    ONLINE,
    PICTURE_TYPE,
    Answer,
    PublishedHealth,
    PublishedResults,
    PublishedState,
    Topics,
)
from companion.play.entries import MatchRecord
from companion.play.table import Table

log = logging.getLogger(__name__)

HEALTH_S = 30.0
"""Seconds between two messages about the machine's health."""

CURSOR_S = 300.0
"""Seconds between two writes of the cursor: each write wears an SD card. It is written at the end, too."""

ANSWER_EXPIRES_S = 60
"""Seconds after which a broker throws away an answer that nobody has heard."""


class Sources(NamedTuple):
    """What a publisher asks: the state of the table, the picture of it, the ends of its matches, its health,
    the answer to a command, and the table's language.

    The health takes the number of entries that the broker lacks, the answer the command's name and payload.
    """

    state: Callable[[], PublishedState]
    picture: Callable[[PublishedState], bytes]
    results: Callable[[], PublishedResults]
    health: Callable[[int], PublishedHealth]
    answer: Callable[[str, bytes], Answer]
    language: Callable[[], str]


class Publisher:
    """Publishes `table` over an open connection, and answers commands, as often as `work` is called."""

    def __init__(
        self,
        connection: Connection,
        topics: Topics,
        table: Table,
        cursor: Cursor,
        sources: Sources,
        *,
        discovery: Callable[[], tuple[tuple[str, bytes], ...]] = tuple,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`discovery` gives the messages, with their topics, by which a home finds the table.

        The broker may refuse those, and answers: they are not part of what the table must publish.
        """
        self.connection = connection
        self._topics, self._table, self._cursor, self._sources = topics, table, cursor, sources
        self._discovery, self._clock = discovery, clock
        self._unread: dict[int, MatchRecord] = {}
        self._waiting: deque[Outgoing] = deque()
        self._on_their_way: dict[int, Outgoing] = {}
        self._read: dict[int, Position] = {}
        self._at_liberty: set[int] = set()
        self._version = 0
        self._state: PublishedState | None = None
        self._results: PublishedResults | None = None
        self._picture = b""
        self._described: tuple[tuple[str, bytes], ...] = ()
        self._health_s = self._cursor_s = clock()
        self._catches_up = False

    def begin(self) -> None:
        """Say that the table is there, and begin to publish what the broker lacks. Raises `JournalError`."""
        self._publish_discovery()
        self.connection.subscribe(self._topics.commands)
        self.connection.publish(self._topics.status, ONLINE, retain=True, content_type="text/plain")
        self._publish_health()
        self._catches_up = bool(self._cursor.counted)
        self._look_for_unread()

    def work(self) -> None:
        """Take what came, and publish what is new. Raises `BrokerError` and `JournalError`."""
        self._take_acknowledged()
        for heard in self._take_heard():
            self._answer(heard)
        version = self._table.version
        if version != self._version:
            record = self._table.snapshot.match.record
            self._unread[record.id] = record
        self._send_waiting()
        if version != self._version:
            self._version = version
            self._publish_state()
        now_s = self._clock()
        caught_up = self._catches_up and not (self._unread or self._waiting or self._on_their_way)
        if caught_up or now_s - self._health_s >= HEALTH_S:
            self._health_s, self._catches_up = now_s, False
            self._publish_health()
            self._publish_discovery()
            # Another match may have grown as well: one that was scored from a photo, or imported.
            self._look_for_unread()
            self._publish_results()
        if now_s - self._cursor_s >= CURSOR_S:
            self._cursor_s = now_s
            self._cursor.write()

    def _publish_discovery(self) -> None:
        """Describe the table to a home, again once its name or its language is another one."""
        described = self._discovery()
        if described != self._described:
            self._described = described
            for topic, payload in described:
                self._at_liberty.add(self.connection.publish(topic, payload, retain=True))

    def _publish_state(self) -> None:
        """Publish the state, if more than its time has changed."""
        state = self._sources.state()
        if _ending(state) != _ending(self._state):
            # First, so that nobody who sees the next match lacks how the one before it ended.
            self._publish_results()
        if self._state is None or msgspec.structs.replace(state, at=self._state.at) != self._state:
            self._state = state
            self.connection.publish(self._topics.state, msgspec.json.encode(state), retain=True)
            self._publish_picture(state)

    def _publish_picture(self, state: PublishedState) -> None:
        """Publish the picture, if it looks different now. The broker may refuse it, as what a home needs."""
        picture = self._sources.picture(state)
        if picture != self._picture:
            self._picture = picture
            number = self.connection.publish(
                self._topics.picture, picture, retain=True, content_type=PICTURE_TYPE
            )
            self._at_liberty.add(number)

    def _publish_results(self) -> None:
        results = self._sources.results()
        if results != self._results:
            self._results = results
            self.connection.publish(self._topics.results, msgspec.json.encode(results), retain=True)

    def _publish_health(self) -> None:
        health = msgspec.json.encode(self._sources.health(self._cursor.unsent(self._topics.table)))
        self.connection.publish(self._topics.health, health, retain=True)

    def _look_for_unread(self) -> None:
        """Note the matches that have grown. Each is read once there is room, so that a long outage fills no
        memory."""
        self._unread |= {record.id: record for record in self._cursor.behind()}

    def _send_waiting(self) -> None:
        while len(self._on_their_way) < MOST_UNACKNOWLEDGED:
            while not self._waiting and self._unread:
                self._read_match(self._unread.pop(next(iter(self._unread))))
            if not self._waiting:
                return
            outgoing = self._waiting.popleft()
            payload = msgspec.json.encode(outgoing.message)
            self._on_their_way[self.connection.publish(self._topics.moves, payload)] = outgoing

    def _read_match(self, record: MatchRecord) -> None:
        """Take up what a match holds beyond what was read of it for this connection."""
        after = self._read.get(record.id) or self._cursor.reached(record)
        match = self._table.snapshot.match
        playing = match if record.id == match.record.id and not match.cut else None
        language = self._sources.language()
        reading = read_match(
            self._cursor.journal, self._topics.table, record, after, playing=playing, language=language
        )
        self._waiting.extend(reading.outgoing)
        self._read[record.id] = reading.end
        if not any(each.match == record.id for each in (*self._waiting, *self._on_their_way.values())):
            self._cursor.reach(record.id, reading.end)

    def _take_acknowledged(self) -> None:
        """Move the cursor over what the broker has taken: brokers acknowledge in the order of sending."""
        if set(self.connection.refused) - self._at_liberty:
            raise BrokerError("not-allowed", topic=self._topics.of("#"))
        self.connection.refused.clear()
        for number in self.connection.acknowledged:
            self._at_liberty.discard(number)
            outgoing = self._on_their_way.pop(number, None)
            if outgoing is not None:
                self._cursor.reach(outgoing.match, outgoing.position)
        self.connection.acknowledged.clear()

    def _take_heard(self) -> list[Heard]:
        heard = list(self.connection.heard)
        self.connection.heard.clear()
        return heard

    def _answer(self, heard: Heard) -> None:
        """Do what a command asks, and answer where it wants the answer."""
        answer = self._sources.answer(heard.topic.rpartition("/")[2], heard.payload)
        log.info("Command %s from the broker: %s", answer.command, answer.says or "done")
        number = self.connection.publish(
            heard.answer_to or self._topics.answers,
            msgspec.json.encode(answer),
            expires_s=ANSWER_EXPIRES_S,
            correlation=heard.correlation,
        )
        self._at_liberty.add(number)


def _ending(state: PublishedState | None) -> object:
    """What the ends of matches are published again for: another match, its end, other names."""
    return state and (state.match.id, state.match.outcome, state.match.players)
