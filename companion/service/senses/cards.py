"""Watches the discard pile: reports each card once, when it has come to rest."""

from __future__ import annotations

from pathlib import Path

from companion.games.watching import Observation
from companion.play.match import Match
from companion.service.senses.sense import Corners, Sense
from hardware.camera.frame import Frame
from hardware.vision.cards.taught_cards import TaughtCards


class CardsSense(Sense):
    """Watches for the cards that `companion teach cards` has learned."""

    def __init__(self, taught: Path) -> None:
        """`taught` is the file of the game's cards."""
        self._cards = TaughtCards(taught)

    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The cards that came to rest with this frame; usually None."""
        return self._cards.look(frame.picture, frame.at_s, match.n)
