"""The base of every sense: it takes frames and returns observations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from companion.games.watching import Observation
from companion.play.match import Match
from hardware.camera.frame import Frame

Corners = Sequence[Sequence[float]]
"""The board's four corners in px of the picture, the top left first, then clockwise."""


class Sense(ABC):
    """Watches the frames for one kind of thing. Not thread-safe."""

    reading: Observation | None = None
    """The reading of the board in the newest frame; None for a sense that does not read the board."""

    @abstractmethod
    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The observation for the table to judge; None while there is nothing to judge.

        `corners_px` replace the board's markers if given. Raises `VisionError` if nothing can be read.
        """

    def settle(self, match: Match) -> None:  # noqa: B027 - a sense of its own kind goes on from nothing
        """Continue from `match`, after the table has judged the last observation."""
