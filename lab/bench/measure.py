"""Measures how fast a stage is, against its floor or its limit."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

import msgspec

BATCH_MS = 2.0
"""The minimum time of one sample, so that the clock's resolution does not matter."""

SAMPLES = 25
"""The number of samples; on a busy machine, their median varied by less than a tenth from run to run."""


class Measure(msgspec.Struct, frozen=True):
    """The time of a stage in ms: the median and the best of the samples.

    `floor_ms` is the minimum that the same work could take, `limit_ms` the maximum that it may take.
    """

    name: str
    value_ms: float
    best_ms: float
    floor_ms: float | None = None
    limit_ms: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The ratio to the floor, or without a floor, to the limit."""
        against = self.floor_ms or self.limit_ms
        return None if against is None else self.value_ms / against

    @property
    def kept(self) -> bool:
        """True if it keeps to its limit or has none."""
        return self.limit_ms is None or self.value_ms <= self.limit_ms

    def line(self) -> str:
        """The measure as text: name, median, best, and ratio to floor or limit."""
        against = ""
        if self.floor_ms is not None:
            against = f"{self.ratio:.2f} × its floor of {self.floor_ms:.3f} ms"
        if self.limit_ms is not None:
            mark = "keeps to" if self.kept else "OVER"
            against = ", ".join(filter(None, (against, f"{mark} its limit of {self.limit_ms:g} ms")))
        timing = f"{self.name:<42}{self.value_ms:9.3f} ms (best {self.best_ms:.3f})"
        return "  ".join(filter(None, (timing, against, self.note)))


def measure(
    name: str,
    do: Callable[[], object],
    *,
    floor_ms: float | None = None,
    limit_ms: float | None = None,
    note: str = "",
    samples: int = SAMPLES,
) -> Measure:
    """Time `do`: once to warm up, then in samples of at least `BATCH_MS`."""
    once_ms = _ms(do, 1)
    times = max(1, round(BATCH_MS / max(once_ms, 1e-6))) if once_ms < BATCH_MS else 1
    taken = sorted(_ms(do, times) for _ in range(samples))
    return Measure(name, median(taken), taken[0], floor_ms, limit_ms, note)


def _ms(do: Callable[[], object], times: int) -> float:
    begun = perf_counter()
    for _ in range(times):
        do()
    return (perf_counter() - begun) / times * 1000
