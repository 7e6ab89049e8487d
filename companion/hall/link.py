"""The hall's connection to the broker, in its own thread: opened again whenever it is lost."""

from __future__ import annotations

import logging
import time
from math import inf
from threading import Event, Thread

from companion.broker.address import BrokerAddress, BrokerError
from companion.broker.connection import Connection, drained
from companion.broker.payloads import ONLINE
from companion.hall.hall import Hall

log = logging.getLogger(__name__)

HEARS = ("status", "results", "state", "health")
"""The topics of every table that a hall hears; those of its evening come to them."""

ROUND_S = 1.0
"""Seconds of one round without news."""

SIGN_S = 3.0
"""Seconds between two signs of life for the other halls."""

AGAIN_S = (0.2, 0.5, 1.0)
"""Seconds to wait before the first attempts to connect again; then the last of them."""


class Link:
    """Keeps a hall and a broker in touch from `start` to `stop`."""

    def __init__(self, hall: Hall, broker: BrokerAddress) -> None:
        self._hall, self._broker = hall, broker
        self._stopping = Event()
        self._connection: Connection | None = None
        self.fault = ""
        """The broker's fault, in one sentence; empty while it answers."""
        self._thread = Thread(target=self._run, name="broker", daemon=True)
        hall.on_outgoing = self._wake

    def start(self) -> None:
        """Connect, and stay connected."""
        self._thread.start()

    def stop(self) -> None:
        """Leave the evening to the other halls."""
        self._stopping.set()
        self._wake()
        # A second stop does nothing.
        self._thread.join(2 * ROUND_S)

    def _wake(self) -> None:
        connection = self._connection
        if connection is not None:
            connection.wake()

    def _run(self) -> None:
        attempts = 0
        while not self._stopping.is_set():
            try:
                self._work()
            except BrokerError as error:
                attempts = 0 if self._hall.connected else attempts + 1
                self._complain(error)
            except Exception:
                # A fault of its own must not end the hall: it connects again, and hears all again.
                log.exception("The hall's connection ends by a fault of its own.")
                attempts += 1
            finally:
                self._connection = None
                self._hall.connect(connected=False)
            self._stopping.wait(AGAIN_S[min(attempts, len(AGAIN_S) - 1)])

    def _complain(self, error: BrokerError) -> None:
        """Log a fault once, however long it lasts."""
        if str(error) != self.fault:
            self.fault = str(error)
            log.warning("%s", error)

    def _work(self) -> None:
        """Hear and publish over one connection until it ends. Raises `BrokerError`."""
        topic = self._hall.topics.topic("halls", self._hall.id)
        # An empty payload takes the message of this hall off the broker once it is gone.
        client_id = f"table-companion-hall-{self._hall.id}"
        connection = Connection(self._broker, client_id, will=(topic, ""), takes_retained=True)
        try:
            connection.open()
            self.fault = ""
            tables = map(self._hall.topics.of_table("+").topic, HEARS)
            for pattern in (*tables, self._hall.topics.topic("#")):
                connection.subscribe(pattern)
            self._connection = connection
            self._hall.connect(connected=True)
            sign_s = -inf
            while not self._stopping.is_set():
                if time.monotonic() - sign_s >= SIGN_S:
                    sign_s = time.monotonic()
                    connection.publish(topic, ONLINE, retain=True, content_type="text/plain")
                for message in self._hall.work():
                    connection.publish(message.topic, message.payload, retain=message.retain)
                connection.work(ROUND_S)
                self._hear(connection, topic)
            connection.publish(topic, b"", retain=True)
            connection.work(ROUND_S)
        finally:
            connection.close()

    def _hear(self, connection: Connection, own_topic: str) -> None:
        """Take what came. This hall's own sign comes after all that was kept: it was sent last."""
        for heard in drained(connection.heard):
            try:
                self._hall.receive(heard.topic, heard.payload)
            except Exception:
                log.exception("A message on %.200s breaks the hall; the others count.", heard.topic)
            if heard.topic == own_topic and not heard.is_kept:
                self._hall.catch_up()
        connection.acknowledged.clear()
        if connection.refused:
            raise BrokerError("not-allowed", topic=self._hall.topics.topic("#"))
