"""Watches the tiles on the board; people have the last word about them."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.watching import Kind, Observation, SeesTiles, Tile
from companion.play.match import Match
from companion.service.senses.board import BoardSense
from companion.service.senses.sense import Corners
from companion.service.senses.steady import Steady
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.vision.board.scene import PictureLine
from hardware.vision.board.tile_reader import TileReader

Places = frozenset[tuple[str, Kind, int, int, int]]
"""The `place` of each tile."""


class TilesSense(BoardSense):
    """Reads the tiles. It does not replay a move that a person took back while the tile still lies there."""

    def __init__(self, reader: TileReader, *, live: bool) -> None:
        super().__init__(reader)
        self.reader = reader
        self._steady = Steady(live=live)
        # A new reader believes in an empty board, even in the middle of a match.
        self._believed: Places = frozenset()
        self._followed = False
        self._taken_back: Places = frozenset()

    def begin(self, match: Match) -> None:
        """Begin another match; tiles left from the last one do not count as taken back."""
        if isinstance(match.game, SeesTiles):
            self.reader.turn_order = match.game.turn_order(match.state)
        self._taken_back, self._followed = frozenset(), False

    def learn(self, picture: Picture, note: PictureLine, corners_px: Corners | None) -> None:
        """Learn the board, or from a lesson the tiles on it. Raises `VisionError`."""
        if note.role == "teach":
            self.reader.teach(picture, note.tiles, corners_px)
        else:
            super().learn(picture, note, corners_px)

    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The reading of the tiles, once it is steady."""
        self._follow(match)
        reading = self.read(frame, corners_px)
        seen = _places(reading.tiles or ())
        if not self._steady.counts((reading.unsure, reading.why, seen)):
            return None
        if not reading.unsure and self._taken_back:
            still_there = self._taken_back & seen
            if still_there and seen == self._believed | still_there:
                # Playing it again would undo the undo. Nor may the reader believe it: it would ask when the
                # tile is lifted, which the match has long been told of.
                self.reader.believe(_lying(match))
                return Observation(unsure=True, why="undone")
            self._taken_back = frozenset()
        return reading

    def settle(self, match: Match) -> None:
        """After a move that the camera played, the reader already believes the tiles."""
        self._believed, self._followed = _places(_lying(match)), True

    def _follow(self, match: Match) -> None:
        """Let the reader believe what people have changed by taps since the last frame."""
        lying = _lying(match)
        now = _places(lying)
        if now == self._believed:
            return
        if self._followed:
            self._taken_back = (self._taken_back | (self._believed - now)) - now
        self._believed, self._followed = now, True
        self.reader.believe(lying)


def _lying(match: Match) -> tuple[Tile, ...]:
    return match.game.lying(match.state) if isinstance(match.game, SeesTiles) else ()


def _places(tiles: Iterable[Tile]) -> Places:
    return frozenset(tile.place for tile in tiles)
