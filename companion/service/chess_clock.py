"""The thinking time of each seat in a match, kept beside the journal across restarts.

A monotonic clock measures it, because a Pi without a battery learns the time of day only from the network.
"""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion import files, paths

log = logging.getLogger(__name__)

MOST_KEPT = 20
"""The number of newest matches whose clocks are kept."""


class Spent(msgspec.Struct, frozen=True):
    """The saved clocks of one match."""

    spent_s: dict[str, float] = {}
    """Seconds by seat."""
    paused: bool = False
    """Whether the match was paused."""


class ChessClock:
    """The seats' clocks of one match. Every time is in seconds on one monotonic clock."""

    def __init__(self, kept: Spent = Spent()) -> None:  # noqa: B008 - a frozen value
        self.paused = kept.paused
        self._spent_s = dict(kept.spent_s)
        self._running: frozenset[str] = frozenset()
        self._since_s = 0.0

    @property
    def running(self) -> frozenset[str]:
        """The seats whose clocks run now."""
        return self._running

    def run(self, seats: frozenset[str], now_s: float) -> bool:
        """Run the clocks of these seats and stop all others. Returns whether that is a change."""
        if seats == self._running:
            return False
        self._spent_s = {seat: self.spent_s(seat, now_s) for seat in {*self._spent_s, *self._running}}
        self._running, self._since_s = seats, now_s
        return True

    def spent_s(self, seat: str, now_s: float) -> float:
        """The thinking time of a seat up to `now_s`, in seconds."""
        running_s = now_s - self._since_s if seat in self._running else 0.0
        return self._spent_s.get(seat, 0.0) + running_s

    def kept(self, now_s: float) -> Spent:
        """The clocks up to `now_s`, as a value to save."""
        seats = {*self._spent_s, *self._running}
        return Spent({seat: round(self.spent_s(seat, now_s), 1) for seat in sorted(seats)}, self.paused)


class ClockFile:
    """The clocks of the newest matches, in one small file.

    A file that cannot be read is replaced; nothing raises.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed = False

    def read(self, match: int) -> Spent:
        """The clocks of a match; new ones if none are kept."""
        return self._all().get(match, Spent())

    def write(self, match: int, kept: Spent) -> None:
        """Keep the clocks of a match."""
        every = self._all() | {match: kept}
        newest = {number: every[number] for number in sorted(every)[-MOST_KEPT:]} | {match: kept}
        try:
            files.write_sealed(self._path, newest)
        except OSError as error:
            if not self._failed:
                log.warning("The clocks cannot be kept in %s (%s); play goes on.", self._path, error)
            self._failed = True
        else:
            self._failed = False

    def _all(self) -> dict[int, Spent]:
        try:
            return paths.read_kept(self._path, dict[int, Spent]) or {}
        except OSError as error:
            log.warning("The clocks of former matches are left aside (%s: %s).", self._path, error)
            return {}
