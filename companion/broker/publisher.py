"""The life of one connection: opened, the table published over it until it ends, closed.

Everything here happens in the broker's own thread. The table is only read: its snapshot, and the journal.
This module loads MQTT, so it is loaded only once a broker is set up.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Event, Thread

import msgspec

from companion.broker.address import BrokerAddress, BrokerError
from companion.broker.commands import Commands
from companion.broker.connection import ANSWER_S, MOST_UNACKNOWLEDGED, Connection, Heard, drained
from companion.broker.cursor import Cursor, Outgoing, Position, read_match
from companion.broker.home_assistant import discovery
from companion.broker.payloads import (
    OFFLINE,
    ONLINE,
    PublishedLamps,
    PublishedResults,
    PublishedState,
    Topics,
)
from companion.broker.reports import Pages, health_of, lamps_of, results_of, state_of
from companion.play.schema import MatchRecord
from companion.play.table import Table
from companion.service.running_table import RunningTable

log = logging.getLogger(__name__)

ROUND_S = 1.0
"""Seconds of one round without news."""

CURSOR_SUFFIX = ".broker.json"
"""The end of the name of the cursor's file, beside the journal."""

HEALTH_S = 30.0
"""Seconds between two messages about the machine's health."""

CURSOR_S = 300.0
"""Seconds between two writes of the cursor: each write wears an SD card. It is written at the end, too."""

ANSWER_EXPIRES_S = 60
"""Seconds after which a broker drops an unheard answer."""


class Publisher:
    """Publishes a table over an open connection, and answers commands, as often as `work` is called."""

    def __init__(
        self,
        connection: Connection,
        topics: Topics,
        running: RunningTable,
        pages: Pages,
        cursor: Cursor,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.connection = connection
        self._topics, self._running, self._pages, self._cursor = topics, running, pages, cursor
        self._table, self._commands, self._clock = running.table, Commands(running, pages), clock
        self._unread: dict[int, MatchRecord] = {}
        self._waiting: deque[Outgoing] = deque()
        self._on_their_way: dict[int, Outgoing] = {}
        self._read: dict[int, Position] = {}
        self._at_liberty: set[int] = set()
        """The numbers of messages that the broker may refuse: answers, and those for discovery."""
        self._version = 0
        self._state: PublishedState | None = None
        self._sent: dict[str, PublishedLamps | PublishedResults] = {}
        self._described: tuple[tuple[str, bytes], ...] = ()
        self._health_s = self._cursor_s = clock()
        self._catches_up = False

    def begin(self) -> None:
        """Say that the table is there, and begin to publish what the broker lacks. Raises `JournalError`."""
        self._publish_discovery()
        self.connection.subscribe(self._topics.topic("commands/+"))
        self.connection.publish(self._topics.topic("status"), ONLINE, retain=True, content_type="text/plain")
        self._publish_health()
        self._catches_up = bool(self._cursor.counted)
        self._look_for_unread()

    def work(self) -> None:
        """Handle what came, and publish what is new. Raises `BrokerError` and `JournalError`."""
        self._take_acknowledged()
        for heard in drained(self.connection.heard):
            self._answer(heard)
        version = self._table.snapshot.version
        if version != self._version:
            record = self._table.snapshot.match.record
            self._unread[record.id] = record
        self._send_waiting()
        if version != self._version:
            self._version = version
            self._publish_state()
            self._publish_lamps()
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
        """Describe the table to a home, again whenever its name, language, seats or address change."""
        match = self._table.snapshot.match
        described = discovery(self._running.settings, self._topics, match, self._pages.address())
        if described != self._described:
            self._described = described
            for topic, payload in described:
                self._at_liberty.add(self.connection.publish(topic, payload, retain=True))

    def _publish_state(self) -> None:
        """Publish the state, if more than its time has changed."""
        state = state_of(self._running, self._pages, self._topics.table)
        if _ending(state) != _ending(self._state):
            # First, so that whoever sees the next match knows how the one before it ended.
            self._publish_results()
            self._publish_discovery()
        if self._state is None or msgspec.structs.replace(state, at=self._state.at) != self._state:
            self._state = state
            self.connection.publish(self._topics.topic("state"), msgspec.json.encode(state), retain=True)

    def _publish_lamps(self) -> None:
        lamps = lamps_of(self._running, self._topics.table)
        if lamps != self._sent.get("lamps"):
            self._sent["lamps"] = lamps
            number = self.connection.publish(
                self._topics.topic("lamps"), msgspec.json.encode(lamps), retain=True
            )
            # A broker whose list of rights is older may not know the topic.
            self._at_liberty.add(number)

    def _publish_results(self) -> None:
        results = results_of(self._table.journal, self._topics.table)
        if results != self._sent.get("results"):
            self._sent["results"] = results
            self.connection.publish(self._topics.topic("results"), msgspec.json.encode(results), retain=True)

    def _publish_health(self) -> None:
        unsent = self._cursor.unsent(self._topics.table)
        health = health_of(self._running, self._pages, self._topics.table, unsent)
        self.connection.publish(self._topics.topic("health"), msgspec.json.encode(health), retain=True)

    def _look_for_unread(self) -> None:
        """Note the matches that have grown; each is read once there is room: long outages fill no memory."""
        self._unread |= {record.id: record for record in self._cursor.behind()}

    def _send_waiting(self) -> None:
        while len(self._on_their_way) < MOST_UNACKNOWLEDGED:
            while not self._waiting and self._unread:
                self._read_match(self._unread.pop(next(iter(self._unread))))
            if not self._waiting:
                return
            outgoing = self._waiting.popleft()
            payload = msgspec.json.encode(outgoing.message)
            self._on_their_way[self.connection.publish(self._topics.topic("moves"), payload)] = outgoing

    def _read_match(self, record: MatchRecord) -> None:
        """Take up what a match holds beyond what was read of it for this connection."""
        after = self._read.get(record.id) or self._cursor.reached(record)
        match = self._table.snapshot.match
        playing = match if record.id == match.record.id and not match.cut else None
        language = self._running.settings.text("language") or "en"
        reading = read_match(
            self._cursor.journal, self._topics.table, record, after, playing=playing, language=language
        )
        self._waiting.extend(reading.outgoing)
        self._read[record.id] = reading.end
        if not any(sent.match == record.id for sent in (*self._waiting, *self._on_their_way.values())):
            self._cursor.reach(record.id, reading.end)

    def _take_acknowledged(self) -> None:
        """Move the cursor over what the broker has taken: brokers acknowledge in the order of sending."""
        for number in drained(self.connection.refused):
            if number not in self._at_liberty:
                raise BrokerError("not-allowed", topic=self._topics.topic("#"))
        for number in drained(self.connection.acknowledged):
            self._at_liberty.discard(number)
            outgoing = self._on_their_way.pop(number, None)
            if outgoing is not None:
                self._cursor.reach(outgoing.match, outgoing.position)

    def _answer(self, heard: Heard) -> None:
        """Carry out a command, and answer where it wants the answer."""
        answer = self._commands.answer(heard.topic.rpartition("/")[2], heard.payload)
        log.info("Command %s from the broker: %s", answer.command, answer.says or "done")
        number = self.connection.publish(
            heard.answer_to or self._topics.topic("answers"),
            msgspec.json.encode(answer),
            expires_s=ANSWER_EXPIRES_S,
            correlation=heard.correlation,
        )
        self._at_liberty.add(number)


def _ending(state: PublishedState | None) -> object:
    """The facts whose change makes the ends of matches be published again."""
    return state and (state.match.id, state.match.outcome, state.match.players)


def client_id(address: BrokerAddress) -> str:
    """The name by which the broker knows this table's connection."""
    return f"table-companion-{address.table}"


def try_connection(address: BrokerAddress) -> None:
    """Connect once under a test name, and publish an `online` that is not retained. Raises `BrokerError`."""
    connection = Connection(address, f"{client_id(address)}-test")
    topics = address.topics
    try:
        connection.open()
        connection.publish(topics.topic("status"), ONLINE, content_type="text/plain")
        until_s = time.monotonic() + ANSWER_S
        while not connection.acknowledged and not connection.refused:
            if time.monotonic() >= until_s:
                raise BrokerError("silent", host=address.host, port=address.port)
            connection.work(ROUND_S)
        if connection.refused:
            raise BrokerError("not-allowed", topic=topics.topic("#"))
    finally:
        connection.close()


def cursor_of(table: Table) -> Cursor:
    """The cursor over a table's journal. The first broker gets the matches from the present one on."""
    path = table.journal.path.with_suffix(CURSOR_SUFFIX)
    cursor = Cursor(path, table.journal, table.snapshot.match.record.id)
    cursor.write()
    return cursor


def publish(
    address: BrokerAddress,
    running: RunningTable,
    pages: Pages,
    cursor: Cursor,
    ended: Event,
    on_connected: Callable[[], None],
) -> None:
    """Publish the table over one connection until `ended` is set. Raises `BrokerError`, `JournalError`."""
    table, topics = running.table, address.topics
    connection = Connection(address, client_id(address), will=(topics.topic("status"), OFFLINE))
    gone = Event()
    try:
        connection.open()
        on_connected()
        publisher = Publisher(connection, topics, running, pages, cursor)
        Thread(target=_wake, args=(table, connection, ended, gone), name="broker-news", daemon=True).start()
        publisher.begin()
        while not ended.is_set():
            publisher.work()
            connection.work(ROUND_S)
    finally:
        gone.set()
        connection.close()
        cursor.write()


def _wake(table: Table, connection: Connection, ended: Event, gone: Event) -> None:
    """Wake the connection's thread whenever something open changes at the table."""
    version = table.snapshot.version
    while not ended.is_set() and not gone.is_set():
        newest = table.wait_for_change(version, ROUND_S)
        if newest != version and not gone.is_set():
            version = newest
            connection.wake()
