"""Takes the picture of each move where the camera saw it: the board from above, or the dice.

Only games in which everything lies open are pictured, and of a frame only the board or the dice: no hand of
cards is ever kept.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from companion.games.registry import AnyGame, hides
from companion.games.watching import HasBoard, Observation, SeesDice, SeesPieces, SeesTiles, Verdict
from companion.play.snapshot import MatchSnapshot
from companion.service.kept_pictures import KeptPictures
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography
from hardware.vision.register.rectify import MARGIN, Rectifier

LONGER_SIDE_PX = 480
"""The longer side of a picture: 26 px a square of a bed."""

QUALITY = 60
"""JPEG quality, of 100: digits and pips can be read, and a full bed takes 20 kB."""

DICE_MARGIN = 1.5
"""The margin around dice, in sides of the largest one."""


class Sight(NamedTuple):
    """A frame (BGR), the board's scene, and where the board lies in the frame, if that is known."""

    frame: Picture
    scene: Scene
    homography: Homography | None


class Place(NamedTuple):
    """Where the match on the table stands: its number, its last entry, its open moves."""

    match: int
    n: int
    moves: int


class MovePictures:
    """Follows a table from frame to frame, and keeps one picture a move in `kept`. Not thread-safe."""

    def __init__(self, kept: KeptPictures) -> None:
        self._kept = kept
        self._at = Place(0, 0, 0)
        self._asked: tuple[Place, Picture] | None = None

    def judged(self, match: MatchSnapshot, seen: Observation, verdict: Verdict, sight: Sight) -> None:
        """Take the picture of what was seen: at once where it was played, later where a person is asked.

        `match` is the match after that.
        """
        if not self._kept.on or not shows_all(match.game):
            return
        dice = dice_in(sight.frame, seen)
        if verdict is Verdict.PLAY:
            self._keep(match, board_in(sight, match.game) if dice is None else dice)
        elif verdict is Verdict.ASK and dice is not None:
            self._asked = _place(match), dice.copy()

    def look(self, match: MatchSnapshot, sight: Sight, *, at_rest: bool) -> None:
        """Take the picture of a move that people made otherwise, once nothing moves over the board."""
        now = _place(match)
        new = now.match == self._at.match and now.moves > self._at.moves
        if not (new and self._kept.on and shows_all(match.game)):
            self._follow(now)
        elif self._asked is not None and self._asked[0].moves < now.moves:
            self._keep(match, self._asked[1])
        elif at_rest:
            self._keep(match, board_in(sight, match.game))

    def _keep(self, match: MatchSnapshot, picture: Picture | None) -> None:
        self._follow(_place(match))
        if picture is not None:
            self._kept.keep(match.record, match.n, _small_jpeg(picture))

    def _follow(self, now: Place) -> None:
        """Go on from where the match stands now; its entries since the last time were written."""
        before, self._at = self._at, now
        if now != before:
            self._kept.count_entries(now.n - before.n if now.match == before.match else 1)
        if self._asked is not None and (self._asked[0].match, self._asked[0].moves) != (now.match, now.moves):
            self._asked = None


def shows_all(game: AnyGame) -> bool:
    """Whether a game has something to see, and nothing that a seat keeps to itself."""
    return isinstance(game, SeesTiles | SeesPieces | SeesDice) and not hides(game)


def board_in(sight: Sight, game: AnyGame) -> Picture | None:
    """The board of a game from above; None if it has none, or while it is not located."""
    frame, scene, homography = sight
    if homography is None or not isinstance(game, HasBoard):
        return None
    scale = max(1, LONGER_SIDE_PX // (max(scene.rows, scene.cols) + 2 * MARGIN))
    return Rectifier(scene, homography, scale)(frame)


def dice_in(frame: Picture, seen: Observation) -> Picture | None:
    """The part of a frame around the dice that were seen; None where there are none."""
    boxes = np.array([die.box for die in seen.dice or () if min(die.box[2:]) > 0])
    if not boxes.size:
        return None
    margin = DICE_MARGIN * boxes[:, 2:].max()
    height, width = frame.shape[:2]
    low = np.clip(boxes[:, :2].min(axis=0) - margin, 0, (width - 1, height - 1)).astype(int)
    high = np.clip((boxes[:, :2] + boxes[:, 2:]).max(axis=0) + margin, low + 1, (width, height)).astype(int)
    return frame[low[1] : high[1], low[0] : high[0]]


def _place(match: MatchSnapshot) -> Place:
    return Place(match.record.id, match.n, len(match.seen(None)))


def _small_jpeg(picture: Picture) -> bytes:
    """A picture of at most `LONGER_SIDE_PX` as JPEG, with nothing beside its pixels."""
    scale = LONGER_SIDE_PX / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(
            cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return data.tobytes()
