"""What every sense is: frames in, observations out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from companion.games.watching import Observation
from companion.play.match import Match
from hardware.camera.frame import Frame

Corners = Sequence[Sequence[float]]
"""The board's four corners in px of the picture, top left first, clockwise."""


class Sense(ABC):
    """Watches the frames for one kind of thing. It is used from one thread at a time."""

    reading: Observation | None = None
    """What was read of the board in the newest frame; None for a sense that does not read the board."""

    @abstractmethod
    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """What the table should judge now; None while there is nothing to judge.

        `corners_px` stand for the board's markers where they are given. Raises `VisionError` where nothing
        can be read.
        """

    def settle(self, match: Match) -> None:  # noqa: B027 - a sense of its own kind goes on from nothing
        """Go on from `match`, as it stands after the table has judged the last observation."""
