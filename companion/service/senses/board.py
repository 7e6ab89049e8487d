"""Finds the board in frames; it is shown once while it is empty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from companion.games.watching import Observation, Square
from companion.play.match import Match
from companion.service.senses.sense import Corners, Sense
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.vision.board.scene import PictureLine
from hardware.vision.register.homography import Homography


class BoardReader(Protocol):
    """A reader of a board: `TileReader`, `PieceReader`, or a stand-in."""

    @property
    def homography(self) -> Homography | None:
        """The board's homography in the last picture where it was located."""

    def hindrance(self, picture: Picture, corners_px: Corners | None = None) -> str:
        """What speaks against this picture as that of the empty board: `blurred`, `hand`, or nothing."""

    def see_empty(self, picture: Picture, corners_px: Corners | None = None) -> None:
        """Take this picture as the empty board."""

    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Take this picture as the board with something on the squares `covered`."""

    def read(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        """Read one picture."""

    def save(self) -> bytes:
        """What was shown, as bytes that survive a restart."""


class BoardSense(Sense):
    """Finds the board without reading anything on it, as for a game of dice beside a board."""

    def __init__(self, board: BoardReader) -> None:
        self.board = board

    def begin(self, match: Match) -> None:
        """Begin another match on the same board."""

    def learn(self, picture: Picture, note: PictureLine, corners_px: Corners | None) -> None:
        """Learn what the picture shows, as its source says. Raises `VisionError`."""
        if note.role == "empty":
            self.board.see_empty(picture, corners_px)
        elif note.role == "start":
            self.board.see_start(picture, note.covered, corners_px)

    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """None, because the board alone is not news."""
        return None

    def read(self, frame: Frame, corners_px: Corners | None) -> Observation:
        """Read the board in a frame. Raises `VisionError`."""
        self.reading = self.board.read(frame.picture, corners_px, frame.name)
        return self.reading
