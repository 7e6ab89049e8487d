"""The base of the senses, which turn frames into observations, and the sense that finds a board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from math import inf

from msgspec.structs import replace

from companion.games.watching import Observation
from companion.play.match import Match
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.vision.board.board_view import BoardReader
from hardware.vision.board.scene import PictureLine, Scene
from hardware.vision.register.homography import Homography

Corners = Sequence[Sequence[float]]
"""The board's four corners in px of the picture, the top left first, then clockwise."""
READINGS_TO_BE_STEADY = 2
"""A live camera's equal readings in a row that count: a tile may still be pushed.

Pictures of a folder come once each, and count at once.
"""
BUMPED_SQUARES = 0.3
"""The shift of the board in the picture, in squares, that counts as a bump."""
BUMPED_S = 2.0
"""Seconds of a bump's report without readings: it may not be over."""


class Sense(ABC):
    """Watches the frames for one kind of thing. Not thread-safe."""

    reading: Observation | None = None
    """The board's reading in the newest frame; None for other senses."""

    @abstractmethod
    def observe(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The observation for the table to judge, or None.

        `corners_px` replace the board's markers if given. Raises `VisionError` if nothing can be read.
        """

    def settle(self, match: Match) -> None:  # noqa: B027 - a sense of its own kind goes on from nothing
        """Continue from `match`, after the table's judgement."""


class Steady:
    """Counts equal readings in a row."""

    def __init__(self, *, live: bool) -> None:
        self._needed = READINGS_TO_BE_STEADY if live else 1
        self._last: Hashable = None
        self._count = 0

    def counts(self, said: Hashable) -> bool:
        """True if a reading with this content counts."""
        self._count = self._count + 1 if said == self._last else 1
        self._last = said
        return self._count >= self._needed


class BoardSense(Sense):
    """Finds the board without reading it, for example for dice beside a board."""

    def __init__(self, board: BoardReader) -> None:
        self.board = board
        self._bumped_s = -inf

    def is_bumped(self, at_s: float) -> bool:
        """True within `BUMPED_S` after the camera or the board was moved."""
        return at_s - self._bumped_s < BUMPED_S

    def begin(self, match: Match) -> None:
        """Begin another match on the same board."""

    def learn(self, picture: Picture, note: PictureLine, corners_px: Corners | None) -> None:
        """Learn from the picture's note. Raises `VisionError`."""
        if note.role == "empty":
            self.board.see_empty(picture, corners_px)
        elif note.role == "start":
            self.board.see_start(picture, note.covered, corners_px)

    def observe(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """None, because the board alone is not news."""
        return None

    def read_frame(self, frame: Frame, corners_px: Corners | None) -> Observation:
        """Read the board in a frame. Raises `VisionError`."""
        before = self.board.homography
        reading = self.board.read_board(frame.picture, corners_px, frame.name)
        if corners_px is None and _is_elsewhere(self.board.homography, before, self.board.scene):
            self._bumped_s = frame.at_s
        # The pictures of a folder may each be taken from another place.
        if not frame.name and not reading.unsure and self.is_bumped(frame.at_s):
            reading = replace(reading, unsure=True, why="bumped", alternatives=())
        self.reading = reading
        return reading


def _is_elsewhere(latest: Homography | None, before: Homography | None, scene: Scene) -> bool:
    if latest is None or before is None:
        return False
    return latest.shifted_from(before, scene) > BUMPED_SQUARES * latest.square_px(scene)
