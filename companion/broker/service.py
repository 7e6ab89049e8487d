"""Keeps a table on its broker: its thread connects, publishes, and connects again.

Nothing of MQTT is loaded before a broker is set up. Whatever the broker does, the table plays on: this thread
only reads what the table has kept already.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from threading import Event, RLock, Thread
from typing import Literal

from companion.broker.address import BrokerAddress, BrokerError, broker_address
from companion.broker.cursor import Cursor
from companion.broker.reports import Pages
from companion.errors import UserError
from companion.play.journal import JournalError
from companion.service.running_table import RunningTable

log = logging.getLogger(__name__)

AGAIN_S, LATER_S = 1.0, 60.0
"""Seconds before the next attempt to connect, and before one that needs a person first."""

MENDED_BY_A_PERSON = (
    *("wrong-password", "expired", "other-host", "unknown-signer", "bad-certificates", "banned"),
    *("taken-over", "name-refused", "not-allowed", "not-installed", "other-version"),
)
"""Faults that trying again soon does not mend."""

COUNT_S = 30.0
"""Seconds between two counts of what the broker lacks while it is away."""

SHORT_LIFE_S, MOST_SHORT_LIVES = 5.0, 3
"""That many connections in a row of fewer seconds mean that another table has the same name.

The two throw each other out, and Mosquitto gives no reason.
"""

STOP_S = 2.0
"""Seconds for which `stop` waits for a connection to end."""


class BrokerService:
    """The broker of a running table, as its settings say. Safe from any thread."""

    def __init__(self, running: RunningTable) -> None:
        """Raises `SettingError` for an invalid address."""
        self._running = running
        self._pages: Pages | None = None
        self._lock = RLock()
        self._address: BrokerAddress | None = None
        self._ended = Event()
        self._thread: Thread | None = None
        self._started = False
        self._connected = False
        self._fault: UserError | None = None
        self._cursor: Cursor | None = None
        running.settings.follow(
            self._take, "broker", "broker_user", "broker_password", "broker_table", "broker_root"
        )

    @property
    def state(self) -> Literal["off", "connecting", "connected"]:
        """The state of the connection."""
        if self._address is None:
            return "off"
        return "connected" if self._connected else "connecting"

    @property
    def is_readable(self) -> bool:
        """True where others in the network can read what goes to the broker, the password as well."""
        return self._address is not None and not self._address.tls

    @property
    def fault(self) -> UserError | None:
        """The fault of the last attempt; None without one."""
        return self._fault

    @property
    def topics(self) -> str:
        """The beginning of all of the table's topics; empty without a broker."""
        address = self._address
        return "" if address is None else address.topics.topic("")

    def unsent(self) -> int | None:
        """The number of open entries that the broker had not acknowledged at the last count.

        The broker's own thread counts every `COUNT_S` seconds. 0 without a broker; None before the first
        count, and while the journal cannot be read.
        """
        if self._address is None:
            return 0
        return None if self._cursor is None else self._cursor.counted

    def _take(self, url: str, user: str, password: str, table: str, root: str) -> None:
        """Use this broker. Raises `SettingError` for an invalid address; nothing changes then."""
        with self._lock:
            address = broker_address(url, user=user, password=password, table=table, root=root)
            if address != self._address:
                self._end()
                self._address, self._fault = address, None
                self._begin()

    def start(self, pages: Pages) -> None:
        """Connect from now on, where a broker is set up, and publish what these pages show."""
        with self._lock:
            self._pages, self._started = pages, True
            self._begin()

    def stop(self) -> None:
        """Disconnect from the broker, and stay away."""
        with self._lock:
            self._started = False
            self._end()

    def try_out(self) -> None:
        """Connect once more, beside the present connection, and close that again. Raises `BrokerError`."""
        address = self._address
        if address is None:
            raise BrokerError("none")
        with _mqtt():
            from companion.broker.publisher import try_connection
        try_connection(address)

    def _begin(self) -> None:
        if self._started and self._address is not None:
            self._ended = Event()
            self._thread = Thread(
                target=self._run, args=(self._address, self._ended), name="broker", daemon=True
            )
            self._thread.start()

    def _end(self) -> None:
        self._ended.set()
        # Whoever waits for the table's news wakes, the broker's thread as well.
        self._running.table.notify()
        if self._thread is not None:
            self._thread.join(STOP_S)
            self._thread = None
        self._connected = False

    def _run(self, address: BrokerAddress, ended: Event) -> None:
        """Stay on the broker until `ended` is set."""
        reached, short_lives, counted_s = Event(), 0, -inf

        def connected() -> None:
            log.info("Connected to the broker %s, port %d.", address.host, address.port)
            reached.set()
            if not ended.is_set():
                self._connected, self._fault = True, None

        while not ended.is_set():
            reached.clear()
            begun_s = time.monotonic()
            try:
                self._publish(address, ended, connected)
            except UserError as error:
                short = reached.is_set() and time.monotonic() - begun_s < SHORT_LIFE_S
                short_lives = short_lives + 1 if short else 0
                twin = BrokerError("taken-over", host=address.host)
                self._note(twin if short_lives >= MOST_SHORT_LIVES else error, ended)
            except Exception:
                log.exception("The broker's thread failed; it begins again.")
            if not ended.is_set():
                self._connected = False
            if time.monotonic() - counted_s >= COUNT_S:
                counted_s = time.monotonic()
                self._count(address)
            by_hand = isinstance(self._fault, BrokerError) and self._fault.fault in MENDED_BY_A_PERSON
            ended.wait(LATER_S if by_hand else AGAIN_S)

    def _count(self, address: BrokerAddress) -> None:
        """Count what the broker lacks while it is away; the connection counts for itself."""
        with suppress(JournalError):
            if self._cursor is not None:
                self._cursor.unsent(address.table)

    def _publish(self, address: BrokerAddress, ended: Event, connected: Callable[[], None]) -> None:
        """Publish the table over one connection. Raises `BrokerError`, `JournalError`."""
        with _mqtt():
            from companion.broker.publisher import cursor_of, publish
        assert self._pages is not None, "it runs once it is started"
        if self._cursor is None:
            self._cursor = cursor_of(self._running.table)
        publish(address, self._running, self._pages, self._cursor, ended, connected)

    def _note(self, error: UserError, ended: Event) -> None:
        """Keep a fault for the settings page, and log it once."""
        if not ended.is_set():
            if str(error) != str(self._fault):
                log.warning("%s", error)
            self._fault = error


@contextmanager
def _mqtt() -> Iterator[None]:
    """Import what speaks MQTT. Raises `BrokerError` if it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise BrokerError("not-installed") from error
