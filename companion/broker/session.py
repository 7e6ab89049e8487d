"""One connection's life: opened, the table published over it until it ends, closed.

This module loads MQTT, so it is loaded only once a broker is set up.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Event, Thread

from flask import Flask

from companion.broker.address import BrokerAddress
from companion.broker.commands import Commands
from companion.broker.connection import ANSWER_S, Connection
from companion.broker.cursor import Cursor
from companion.broker.faults import BrokerError
from companion.broker.home_assistant import discovery
from companion.broker.payloads import OFFLINE, ONLINE, Topics
from companion.broker.picture import picture_of
from companion.broker.publisher import Publisher, Sources
from companion.broker.reports import health_of, results_of, state_of
from companion.play.table import Table
from web.app_state import AppState

ROUND_S = 1.0
"""Seconds of one round without news."""

CURSOR_SUFFIX = ".broker.json"
"""The end of the name of the cursor's file, beside the journal."""


def client_id(address: BrokerAddress) -> str:
    """The name by which the broker knows this table's connection."""
    return f"table-companion-{address.table}"


def try_connection(address: BrokerAddress) -> None:
    """Connect once, under another name than the table's own, and publish. Raises `BrokerError`.

    The broker does not keep what is published: a table that says it is there.
    """
    connection = Connection(address, f"{client_id(address)}-test")
    topics = Topics(address.table)
    try:
        connection.open()
        connection.publish(topics.status, ONLINE, content_type="text/plain")
        until_s = time.monotonic() + ANSWER_S
        while not connection.acknowledged and not connection.refused:
            if time.monotonic() >= until_s:
                raise BrokerError("silent", host=address.host, port=address.port)
            connection.work(ROUND_S)
        if connection.refused:
            raise BrokerError("not-allowed", topic=topics.of("#"))
    finally:
        connection.close()


def cursor_of(table: Table) -> Cursor:
    """The cursor over a table's journal. The first broker gets the matches from the present one on."""
    path = table.journal.path.with_suffix(CURSOR_SUFFIX)
    cursor = Cursor(path, table.journal, table.snapshot.match.record.id)
    cursor.write()
    return cursor


def publish(
    address: BrokerAddress, app: Flask, cursor: Cursor, ended: Event, on_connected: Callable[[], None]
) -> None:
    """Publish the table over one connection until `ended` is set. Raises `BrokerError`, `JournalError`."""
    state: AppState = app.extensions["companion"]
    topics = Topics(address.table)
    connection = Connection(address, client_id(address), will=(topics.status, OFFLINE))
    gone = Event()
    try:
        connection.open()
        on_connected()

        def language() -> str:
            return state.language or "en"

        sources = Sources(
            partial(state_of, state, address.table),
            lambda published: picture_of(published, language()),
            partial(results_of, state, address.table),
            partial(health_of, state, address.table),
            Commands(app).answer,
            language,
        )
        publisher = Publisher(
            connection, topics, state.table, cursor, sources, discovery=partial(discovery, state, topics)
        )
        Thread(
            target=_wake, args=(state.table, connection, ended, gone), name="broker-news", daemon=True
        ).start()
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
    version = table.version
    while not ended.is_set() and not gone.is_set():
        now = table.wait_for_change(version, ROUND_S)
        if now != version and not gone.is_set():
            version = now
            connection.wake()
