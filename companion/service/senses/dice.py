"""Watches dice beside the board: reports each throw once, when it has come to rest."""

from __future__ import annotations

import msgspec

from companion.games.watching import Dice, Observation, SeesDice
from companion.play.match import Match
from companion.service.senses.board import BoardSense
from companion.service.senses.sense import Corners, Sense
from hardware.camera.frame import Frame
from hardware.vision.board.scene import Scene
from hardware.vision.dice import DiceReader
from hardware.vision.dice.beside import beside_the_board
from hardware.vision.dice.table_view import table_view
from hardware.vision.dice.throw_detector import ThrowDetector


class DiceSense(Sense):
    """Watches for throws of the dice that the game throws now, everywhere except on the board."""

    def __init__(self, scene: Scene, board: BoardSense) -> None:
        """`board` finds the board `scene` in the frames."""
        self._scene, self._board = scene, board
        self._detector = ThrowDetector(DiceReader())
        self._expected: Dice | None = None

    def look(self, match: Match, frame: Frame, corners_px: Corners | None) -> Observation | None:
        """The throw that this frame completes; usually None."""
        self._expect(match)
        if self._board.is_bumped(frame.at_s):
            self._detector.camera_moved()
            return None
        if self._board.reading is not None and self._board.reading.why == "blurred":
            return None
        homography = self._board.board.homography
        picture = frame.picture
        view = None
        if homography is not None:
            view = table_view(picture, self._scene, homography)
            picture = beside_the_board(picture, self._scene, homography)
        thrown = self._detector.look(picture, frame.at_s, view)
        return thrown and msgspec.structs.replace(thrown, why="dice" if thrown.unsure else "")

    def _expect(self, match: Match) -> None:
        """Watch for the dice that are thrown now, which may be another side's."""
        dice = match.game.dice_now(match.state) if isinstance(match.game, SeesDice) else None
        if dice is not None and dice != self._expected:
            self._expected = dice
            self._detector.expect(dice.count, dice.faces, others_lie=bool(dice.colour))
