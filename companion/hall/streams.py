"""The live streams of a hall: what a browser is sent at each change."""

from __future__ import annotations

import secrets
import zlib
from math import inf
from time import monotonic
from typing import Protocol

import msgspec

from companion.hall.hall import Hall
from companion.hall.tables import TableSeen
from companion.hall.view import shown
from web.app_state import TableNow
from web.events import HEARTBEAT_S

PLENTY_BYTES, BYTES_A_SECOND = 100_000, 2_000_000
"""The size of an event from which on a browser is sent no more than this many bytes a second.

One that falls behind would be dropped, and come back for all of it. A page of some 400 tables is that large.
"""


class News:
    """Wakes the server's streams, as a table does, and says what a table's own pages would be sent."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._boot = secrets.token_hex(4)
        self._encoded = 0, b""

    @property
    def snapshot(self) -> int:
        """What is different after each change."""
        return self._hall.version

    def wait_for_news(self, seen: int, timeout_s: float) -> int:
        """Wait for a change, or for `timeout_s` seconds; returns the snapshot."""
        return self._hall.wait_for_change(seen, timeout_s)

    def notify(self) -> None:
        """Wake all who wait."""
        self._hall.notify()

    def hall_shown(self) -> bytes:
        """What every browser is sent of the hall, made once a change."""
        version = self._hall.version
        if self._encoded[0] != version:
            self._encoded = version, msgspec.json.encode(shown(self._hall))
        return self._encoded[1]

    def table_now(self, table: TableSeen) -> TableNow:
        """What a spectator's page of that table is sent."""
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


class OfApp(Protocol):
    """What a stream asks of its app."""

    hall: Hall
    table: News
    stopped: bool


class HallStream:
    """What a browser is sent of the hall. One thread at a time uses it."""

    def __init__(self, app: OfApp) -> None:
        self._app = app
        self._last = ""
        self._sent_s = -inf
        self._again_s = -inf

    def is_over(self) -> bool:
        """Whether nothing more is to be sent."""
        return self._app.stopped

    def text(self, *, beat: bool = True) -> bytes:
        """The event that is due now, a beat only with `beat`; empty if none is."""
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
    """What a browser is sent of one table."""

    _kind = b"table"

    def __init__(self, app: OfApp, table: str, last: str) -> None:
        super().__init__(app)
        self._table, self._last = table, last

    def _name(self) -> str:
        table = self._app.hall.tables.get(self._table)
        return "" if table is None or table.state is None else self._app.table.table_now(table).id

    def _body(self) -> bytes:
        return msgspec.json.encode(self._app.table.table_now(self._app.hall.tables[self._table]))
