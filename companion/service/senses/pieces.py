"""Watches the pieces on the board, and whether a tapped move has been made there yet."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.watching import Observation, Piece, SeesPieces
from companion.play.match import Match
from companion.service.senses.board import BoardSense
from companion.service.senses.sense import Corners
from companion.service.senses.steady import Steady
from hardware.camera.frame import Frame
from hardware.vision.board.piece_reader import PieceReader

Places = frozenset[tuple[str, int, int]]
"""The `place` of each piece."""


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
        self._stood, self._behind = _standing(match), None

    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The reading of the pieces, once it is steady."""
        reading = self.read(frame, corners_px)
        if reading.pieces is None:
            # Under a hand, no piece is visible; this is also a reading of pieces.
            reading = replace(reading, pieces=())
        standing = _standing(match)
        self._reader.stand(standing)
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
        """After a move that the camera played, the pieces already stand as in the match."""
        self._stood = _standing(match)


def _standing(match: Match) -> Places:
    game = match.game
    return _places(game.standing_pieces(match.state)) if isinstance(game, SeesPieces) else frozenset()


def _places(pieces: Iterable[Piece]) -> Places:
    return frozenset(piece.place for piece in pieces)
