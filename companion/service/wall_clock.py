"""Detects a machine's clock set back, which makes the times of kept matches run backwards.

A clock set forward is normal: that happens to each machine without a battery.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread

LOOK_S = 1.0
"""Seconds between two comparisons of the clocks."""
SET_BACK_S = 60.0
"""The smallest reported step back in seconds; the network's corrections are smaller."""
SAID_S = 600.0
"""Seconds of a report, if the clock is not set right before."""


class WallClock:
    """Compares the machine's clock, `wall` in seconds, with one that cannot be set, `clock`."""

    def __init__(
        self,
        on_change: Callable[[], object],
        *,
        wall: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`on_change` is called after each change of `set_back_min()`."""
        self._on_change, self._wall, self._clock = on_change, wall, clock
        self._ahead_s = wall() - clock()
        self._since_s = clock()
        self._stopping = Event()
        self._thread = Thread(target=self._run, name="wall-clock", daemon=True)
        self._set_back_min = 0

    def start(self) -> None:
        """Watch the clock in a thread."""
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(LOOK_S)

    def set_back_min(self) -> int:
        """The minutes by which the clock was set back lately, else 0."""
        return self._set_back_min

    def compare(self) -> None:
        """Compare the clocks."""
        now_s = self._clock()
        back_s = self._ahead_s - (self._wall() - now_s)
        if back_s < SET_BACK_S:
            # The clock goes right, or was set forward: from here on it is compared with this.
            self._ahead_s = max(self._ahead_s, self._wall() - now_s)
            self._since_s = now_s
        elif now_s - self._since_s > SAID_S:
            self._ahead_s, self._since_s, back_s = self._wall() - now_s, now_s, 0.0
        minutes = round(back_s / 60) if back_s >= SET_BACK_S else 0
        if minutes != self._set_back_min:
            self._set_back_min = minutes
            self._on_change()

    def _run(self) -> None:
        while not self._stopping.wait(LOOK_S):
            self.compare()
