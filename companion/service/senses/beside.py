"""Senses beside the board: throws of dice and cards on the discard pile, once at rest."""

from __future__ import annotations

import logging
from pathlib import Path

from companion.games.watching import Dice, Observation, SeesDice
from companion.play.match import Match
from companion.service.senses.board import BoardSense, Corners, Sense
from hardware.camera.frame import Frame
from hardware.vision.board.scene import Scene
from hardware.vision.cards import book
from hardware.vision.cards.discard_watcher import DiscardWatcher
from hardware.vision.cards.reader import CardReader
from hardware.vision.dice import DiceReader
from hardware.vision.dice.table_view import ground_for_dice
from hardware.vision.dice.throw_detector import ThrowDetector
from hardware.vision.errors import SavedStateError

log = logging.getLogger(__name__)


class DiceSense(Sense):
    """Watches for throws of the game's current dice, everywhere except on the board."""

    def __init__(self, scene: Scene, board: BoardSense) -> None:
        """`board` finds the board `scene` in the frames."""
        self._scene, self._board = scene, board
        self._detector = ThrowDetector(DiceReader())
        self._expected: Dice | None = None

    def observe(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The throw that this frame completes; usually None."""
        # The dice of this turn may be another side's.
        dice = match.game.dice_now(match.state) if isinstance(match.game, SeesDice) else None
        if dice is not None and dice != self._expected:
            self._expected = dice
            self._detector.expect(dice.count, dice.faces, others_lie=bool(dice.colour))
        if self._board.is_bumped(frame.at_s):
            self._detector.camera_moved()
            return None
        if self._board.reading is not None and self._board.reading.why == "blurred":
            return None
        picture, view = ground_for_dice(frame.picture, self._scene, self._board.board.homography)
        return self._detector.detect_throw(picture, frame.at_s, view)


class CardsSense(Sense):
    """Watches the discard spot for the cards learned by `companion teach cards`.

    A newly taught card is known in the next picture.
    """

    def __init__(self, taught: Path) -> None:
        """`taught` is the file of the game's cards; without it, nothing is seen."""
        self._file = taught
        self._changed: int | None = None
        self._watcher: DiscardWatcher | None = None
        self._asked_at: int | None = None

    def observe(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The cards that came to rest with this frame; usually None.

        A change in the number of moves answers open questions.
        """
        self._follow_file()
        if self._watcher is None:
            return None
        if self._asked_at not in (None, match.n):
            self._watcher.answered()
            self._asked_at = None
        laid = self._watcher.detect_cards(frame.picture, frame.at_s)
        if laid is not None:
            self._asked_at = match.n if laid.unsure else None
        return laid

    def _follow_file(self) -> None:
        try:
            changed = self._file.stat().st_mtime_ns
        except OSError:
            changed = None
        if changed == self._changed:
            return
        self._changed, self._watcher = changed, None
        try:
            cards = book.load(self._file).cards
        except SavedStateError as error:
            log.warning("%s", error)
            return
        if cards:
            self._watcher = DiscardWatcher(CardReader(cards))
