"""Budgets by the clock, which the players themselves do not know."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from companion.games.choosing import Budget

KEPT = 0.04
"""The share of the time that is kept for what follows the last look at the clock: the reason, the answer."""


def seconds(limit_s: float, nodes: int | None = None, clock: Callable[[], float] = perf_counter) -> Budget:
    """A budget of time from now on, and of nodes if there is a number of them.

    It is over before the time is up: see `KEPT` and `_Deadline`.
    """
    return Budget(nodes, _Deadline(clock, clock() + limit_s * (1 - KEPT)))


class _Deadline:
    """Says whether another piece of work, as long as the longest so far between two looks, would end too
    late.

    On a slow or busy machine pieces take long, so it stops earlier there.
    """

    def __init__(self, clock: Callable[[], float], end: float) -> None:
        self._clock, self._end = clock, end
        self._last: float | None = None
        self._longest = 0.0

    def __call__(self) -> bool:
        now = self._clock()
        if self._last is not None:
            self._longest = max(self._longest, now - self._last)
        self._last = now
        return now + self._longest >= self._end
