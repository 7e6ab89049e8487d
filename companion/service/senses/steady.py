"""Readings that must agree before they count."""

from __future__ import annotations

from collections.abc import Hashable

READINGS_TO_BE_STEADY = 2
"""The number of a live camera's readings that must agree in a row, because a tile may still be pushed.

Pictures of a folder come once each, and count at once.
"""


class Steady:
    """Counts the equal readings in a row."""

    def __init__(self, *, live: bool) -> None:
        self._needed = READINGS_TO_BE_STEADY if live else 1
        self._last: Hashable = None
        self._count = 0

    def counts(self, said: Hashable) -> bool:
        """Whether a reading with this content counts now."""
        self._count = self._count + 1 if said == self._last else 1
        self._last = said
        return self._count >= self._needed
