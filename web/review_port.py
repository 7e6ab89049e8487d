"""The reviews of finished matches, as far as pages may ask: plain values only, no processes."""

from __future__ import annotations

from typing import Protocol

from companion.games.registry import AnyGame
from companion.opponents.review import Review
from companion.play.look_back import LookBack


class ReviewPort(Protocol):
    """The reviews of finished matches."""

    def judges(self, game: AnyGame) -> bool:
        """Whether the finished matches of a game are reviewed."""

    def of(self, match: LookBack) -> Review | None:
        """The review of a match; None while it is being made. Raises `LookupError` if there is none."""
