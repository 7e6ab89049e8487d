"""Finds the board in frames; it is shown once while it is empty."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Protocol

from msgspec.structs import replace

from companion.games.watching import Observation, Square
from companion.play.match import Match
from companion.service.senses.sense import Corners, Sense
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.vision.board.board_view import BoardView
from hardware.vision.board.scene import PictureLine, Scene
from hardware.vision.register.homography import Homography

BUMPED_SQUARES = 0.3
"""The shift of the board in the picture, in squares, from which on the camera or the board was bumped."""
BUMPED_S = 2.0
"""Time in seconds for which a bump is said, and nothing read: it may not be over."""


class BoardReader(Protocol):
    """A reader of a board: `TileReader`, `PieceReader`, or a stand-in."""

    @property
    def scene(self) -> Scene:
        """The board."""

    @property
    def view(self) -> BoardView:
        """The view that compares pictures with what was shown."""

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
        self._bumped_s = -inf

    def is_bumped(self, at_s: float) -> bool:
        """Whether the camera or the board was moved in the last `BUMPED_S` seconds."""
        return at_s - self._bumped_s < BUMPED_S

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
        before = self.board.homography
        reading = self.board.read(frame.picture, corners_px, frame.name)
        if corners_px is None and _is_elsewhere(self.board.homography, before, self.board.scene):
            self._bumped_s = frame.at_s
        # The pictures of a folder may each be taken from another place.
        if not frame.name and not reading.unsure and self.is_bumped(frame.at_s):
            reading = replace(reading, unsure=True, why="bumped", alternatives=())
        self.reading = reading
        return reading


def _is_elsewhere(now: Homography | None, before: Homography | None, scene: Scene) -> bool:
    """Whether the board lies elsewhere in the picture than before."""
    if now is None or before is None:
        return False
    return now.shifted_from(before, scene) > BUMPED_SQUARES * now.square_px(scene)
