"""Times the stages of a reading."""

from __future__ import annotations

import time


class Stopwatch:
    """A stopwatch: `lap(stage)` adds the time since the last lap to a stage."""

    def __init__(self) -> None:
        self.ms: dict[str, float] = {}
        self._at = time.perf_counter()

    def lap(self, stage: str) -> None:
        """Add the milliseconds since the last lap to a stage."""
        now = time.perf_counter()
        self.ms[stage] = round(self.ms.get(stage, 0.0) + (now - self._at) * 1000, 3)
        self._at = now
