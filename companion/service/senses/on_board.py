"""Senses on the board: tiles and pieces. People have the last word about tiles."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.watching import Observation, Piece, SeesPieces, SeesTiles, Tile
from companion.play.match import Match
from companion.service.senses.board import BoardSense, Corners, Steady
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.vision.board.piece_reader import PieceReader
from hardware.vision.board.scene import PictureLine
from hardware.vision.board.tile_reader import TileReader

Places = frozenset[tuple[str | int, ...]]


class TilesSense(BoardSense):
    """Reads the tiles. It does not replay a move that was taken back while its tile still lies there."""

    def __init__(self, reader: TileReader, *, live: bool) -> None:
        super().__init__(reader)
        self.reader = reader
        self._steady = Steady(live=live)
        # A new reader believes in an empty board, even in the middle of a match.
        self._believed: Places = frozenset()
        self._followed = False
        self._taken_back: Places = frozenset()

    def begin(self, match: Match) -> None:
        """Begin another match; the last one's tiles do not count as taken back."""
        if isinstance(match.game, SeesTiles):
            self.reader.turn_order = match.game.turn_order(match.state)
        self._taken_back, self._followed = frozenset(), False

    def learn(self, picture: Picture, note: PictureLine, corners_px: Corners | None) -> None:
        """Learn the board, or a lesson's tiles. Raises `VisionError`."""
        if note.role == "teach":
            self.reader.teach(picture, note.tiles, corners_px)
        else:
            super().learn(picture, note, corners_px)

    def observe(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The steady reading of the tiles, or None."""
        self._follow(match)
        reading = self.read_frame(frame, corners_px)
        seen = _places(reading.tiles or ())
        if not self._steady.counts((reading.unsure, reading.why, seen)):
            return None
        if not reading.unsure and self._taken_back:
            still_there = self._taken_back & seen
            if still_there and seen == self._believed | still_there:
                # Playing it again would undo the undo. The reader must not believe it either: it would ask
                # when the tile is lifted, which the match already knows.
                self.reader.believe(_lying(match))
                return Observation(unsure=True, why="undone")
            self._taken_back = frozenset()
        return reading

    def settle(self, match: Match) -> None:
        """Note the tiles after a played move, which the reader already believes."""
        self._believed, self._followed = _places(_lying(match)), True

    def _follow(self, match: Match) -> None:
        """Make the reader believe tapped changes."""
        lying = _lying(match)
        places = _places(lying)
        if places == self._believed:
            return
        if self._followed:
            self._taken_back = (self._taken_back | (self._believed - places)) - places
        self._believed, self._followed = places, True
        self.reader.believe(lying)


def _lying(match: Match) -> tuple[Tile, ...]:
    return match.game.lying(match.state) if isinstance(match.game, SeesTiles) else ()


class PiecesSense(BoardSense):
    """Follows the pieces. While they stand as before a tapped move, they lag behind the match."""

    def __init__(self, reader: PieceReader, *, live: bool) -> None:
        super().__init__(reader)
        self._reader = reader
        self._steady = Steady(live=live)
        self._stood: Places = frozenset()
        self._behind: Places | None = None

    def begin(self, match: Match) -> None:
        """Begin another match, with its pieces set up."""
        self._stood, self._behind = _places(_standing_pieces(match)), None

    def observe(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The steady reading of the pieces, or None."""
        reading = self.read_frame(frame, corners_px)
        if reading.pieces is None:
            # Under a hand, no piece is visible; this is also a reading of pieces.
            reading = replace(reading, pieces=())
        standing_pieces = _standing_pieces(match)
        self._reader.stand(standing_pieces)
        standing = _places(standing_pieces)
        if not self._steady.counts((reading.unsure, reading.why, reading.pieces)):
            return None
        pieces = reading.pieces or ()
        seen = _places(pieces)
        if standing != self._stood and self._behind is None:
            self._behind = self._stood
        if not reading.unsure and seen != self._behind:
            self._behind = None
        if seen == self._behind:
            return Observation(unsure=True, why="pieces-behind", pieces=pieces)
        return reading

    def settle(self, match: Match) -> None:
        """Note the pieces after a played move."""
        self._stood = _places(_standing_pieces(match))


def _standing_pieces(match: Match) -> tuple[Piece, ...]:
    return match.game.standing_pieces(match.state) if isinstance(match.game, SeesPieces) else ()


def _places(things: Iterable[Tile | Piece]) -> Places:
    return frozenset(thing.place for thing in things)
