"""The board in the frames: shown once while it is empty, found again in each frame."""

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
    """What reads a board: `TileReader`, `PieceReader`, or a stand-in."""

    @property
    def homography(self) -> Homography | None:
        """Where the board lay in the last picture in which it was found."""

    def see_empty(self, picture: Picture, corners_px: Corners | None = None) -> None:
        """Take this picture for the empty board."""

    def see_start(
        self, picture: Picture, covered: Iterable[Square], corners_px: Corners | None = None
    ) -> None:
        """Take this picture for the board with something on the squares `covered`."""

    def read(self, picture: Picture, corners_px: Corners | None = None, image: str = "") -> Observation:
        """Read one picture."""

    def save(self) -> bytes:
        """What was shown, to survive a restart."""


class BoardSense(Sense):
    """Finds the board; of itself it reads nothing on it, as beside a game of dice."""

    def __init__(self, board: BoardReader) -> None:
        self.board = board

    def begin(self, match: Match) -> None:
        """Another match begins on the same board."""

    def learn(self, picture: Picture, note: PictureLine, corners_px: Corners | None) -> None:
        """Learn what the frame's source says that the picture shows. Raises `VisionError`."""
        if note.role == "empty":
            self.board.see_empty(picture, corners_px)
        elif note.role == "start":
            self.board.see_start(picture, note.covered, corners_px)

    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """Nothing: the board alone is no news."""
        return None

    def read(self, frame: Frame, corners_px: Corners | None) -> Observation:
        """Read the board in a frame. Raises `VisionError`."""
        self.reading = self.board.read(frame.picture, corners_px, frame.name)
        return self.reading
