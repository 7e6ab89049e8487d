"""Keeps a table on its broker: connects, publishes, and connects again, in a thread of its own.

Nothing of MQTT is loaded before a broker is set up. Whatever the broker does, the table plays on: this thread
only reads what the table has kept already.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import inf
from threading import Event, RLock, Thread
from typing import Literal

from flask import Flask

from companion.broker.address import BrokerAddress, broker_address
from companion.broker.cursor import Cursor
from companion.broker.faults import BrokerError
from companion.broker.payloads import Topics
from companion.errors import MendableError
from companion.play.reading import JournalError
from companion.settings import Value

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
"""Seconds of a connection's life that are few, and how many such lives in a row mean that another table has
the same name: the two throw each other out. Mosquitto gives no reason then."""

STOP_S = 2.0
"""Seconds for which `stop` waits for a connection to end."""

SETTINGS = ("broker", "broker_user", "broker_password", "broker_table")
"""The settings of the table that are about its broker."""


class BrokerService:
    """The broker of the table behind `app`: none at first. Safe from any thread."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock = RLock()
        self._given: dict[str, str] = dict.fromkeys(SETTINGS, "")
        self._address: BrokerAddress | None = None
        self._ended = Event()
        self._thread: Thread | None = None
        self._running = False
        self._connected = False
        self._fault: MendableError | None = None
        self._cursor: Cursor | None = None

    @property
    def state(self) -> Literal["off", "connecting", "connected"]:
        """How the table stands with its broker."""
        if self._address is None:
            return "off"
        return "connected" if self._connected else "connecting"

    @property
    def fault(self) -> MendableError | None:
        """What was wrong at the last attempt; None without a fault."""
        return self._fault

    @property
    def topics(self) -> str:
        """What all of the table's topics begin with; empty without a broker."""
        address = self._address
        return "" if address is None else Topics(address.table).of("")

    def unsent(self) -> int | None:
        """How many open entries of the journal the broker had not acknowledged at the last count.

        The broker's own thread counts them every `COUNT_S` seconds. 0 without a broker; None before the
        first count, and while the journal cannot be read.
        """
        if self._address is None:
            return 0
        return None if self._cursor is None else self._cursor.counted

    def taker(self, name: str) -> Callable[[Value], None]:
        """What takes a change of the setting `name`, and uses the broker that is set up then.

        It raises `SettingError`, and nothing changes, for an address that is none.
        """

        def take(value: Value) -> None:
            with self._lock:
                given = {**self._given, name: str(value or "")}
                address = _address(given)
                self._given = given
                if address != self._address:
                    self._end()
                    self._address, self._fault = address, None
                    self._begin()

        return take

    def start(self) -> None:
        """Connect from now on, where a broker is set up."""
        with self._lock:
            self._running = True
            self._begin()

    def stop(self) -> None:
        """Say goodbye to the broker and connect no more."""
        with self._lock:
            self._running = False
            self._end()

    def try_out(self) -> None:
        """Connect once more, beside what is connected, and end that again. Raises `BrokerError`."""
        address = self._address
        if address is None:
            raise BrokerError("none")
        with _mqtt():
            from companion.broker.session import try_connection
        try_connection(address)

    def _begin(self) -> None:
        if self._running and self._address is not None:
            self._ended = Event()
            self._thread = Thread(
                target=self._run, args=(self._address, self._ended), name="broker", daemon=True
            )
            self._thread.start()

    def _end(self) -> None:
        self._ended.set()
        # Whoever waits for the table's news wakes, the broker's thread as well.
        self._app.extensions["companion"].table.notify()
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
            except MendableError as error:
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
            ended.wait(LATER_S if self._needs_a_person() else AGAIN_S)

    def _count(self, address: BrokerAddress) -> None:
        """Count what the broker lacks while it is away; the connection counts for itself."""
        with suppress(JournalError):
            if self._cursor is not None:
                self._cursor.unsent(address.table)

    def _publish(self, address: BrokerAddress, ended: Event, connected: Callable[[], None]) -> None:
        """Publish the table over one connection. Raises `BrokerError`, `JournalError`."""
        with _mqtt():
            from companion.broker.session import cursor_of, publish
        table = self._app.extensions["companion"].table
        if self._cursor is None:
            self._cursor = cursor_of(table)
        publish(address, self._app, self._cursor, ended, connected)

    def _needs_a_person(self) -> bool:
        return isinstance(self._fault, BrokerError) and self._fault.fault in MENDED_BY_A_PERSON

    def _note(self, error: MendableError, ended: Event) -> None:
        """Keep a fault for the settings page, and log it once."""
        if not ended.is_set():
            if str(error) != str(self._fault):
                log.warning("%s", error)
            self._fault = error


@contextmanager
def _mqtt() -> Iterator[None]:
    """Load what speaks MQTT. Raises `BrokerError` where it is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise BrokerError("not-installed") from error


def _address(given: Mapping[str, str]) -> BrokerAddress | None:
    """The broker that the settings name; None where they name none. Raises `SettingError`."""
    return broker_address(
        given["broker"],
        user=given["broker_user"],
        password=given["broker_password"],
        table=given["broker_table"],
    )
