"""A thread that looks at a table whenever something has changed there."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from companion.play.table import Table, TableSnapshot


class NewsThread:
    """Calls `look` with the table's snapshot when it starts, and whenever there is a new one.

    `look` returns the seconds after which it is called again even without news. It handles its own errors:
    one that it lets through ends the thread.
    """

    def __init__(self, table: Table, look: Callable[[TableSnapshot], float], *, name: str) -> None:
        self._table, self._look = table, look
        self._stopping = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @property
    def stopping(self) -> bool:
        """Whether `stop` was called."""
        return self._stopping.is_set()

    def start(self) -> None:
        """Look at the table from now on."""
        self._thread.start()

    def stop(self, within_s: float) -> None:
        """Look no more; wait at most `within_s` seconds for a look that has begun."""
        self._stopping.set()
        self._table.notify()
        if self._thread.is_alive():
            self._thread.join(within_s)

    def pause(self, pause_s: float) -> bool:
        """Wait for `pause_s` seconds, or until `stop` is called. Returns whether the thread goes on."""
        return not self._stopping.wait(pause_s)

    def _run(self) -> None:
        snapshot, wait_s = self._table.snapshot, 0.0
        while not self._stopping.is_set():
            snapshot = self._table.wait_for_news(snapshot, wait_s)
            wait_s = self._look(snapshot)
