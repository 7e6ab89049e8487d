"""Takes the picture of each move that the camera saw: the board from above, or the dice.

Only open games are pictured, and of a frame only the board or the dice: no hand of cards is ever kept.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import cv2
import numpy as np

from companion import files, paths
from companion.games.registry import AnyGame, hides
from companion.games.watching import HasBoard, Observation, SeesDice, SeesPieces, SeesTiles, Verdict
from companion.play.snapshot import MatchSnapshot
from companion.service.photos.kept import KeptPictures
from hardware import pictures
from hardware.arrays import Picture
from hardware.camera.frame import Frame
from hardware.vision.board.scene import Scene
from hardware.vision.motion import MOTION_LEVELS, REST_S, PatchMotion
from hardware.vision.register.homography import Homography
from hardware.vision.register.rectify import MARGIN, Rectifier

log = logging.getLogger(__name__)

LONGER_SIDE_PX = 480
"""The longer side of a picture: 26 px per square of a bed."""

DICE_MARGIN = 1.5
"""In sides of the largest die."""

EVERY_S = 30.0
"""Seconds between two written pictures: many often fail in a row."""
TEMPORARY = frozenset({"hand", "undone"})

STEP = 4
"""Every so many px are compared, each way."""

PATCHES = (32, 24)
"""Columns and rows of compared patches: a finger changes one of them."""


class Sight(NamedTuple):
    """A frame (BGR), the board's scene, and its place in the frame, if known."""

    frame: Picture
    scene: Scene
    homography: Homography | None


class Place(NamedTuple):
    """A match's number and its count of open moves."""

    match: int
    moves: int


class MovePictures:
    """Follows a table from frame to frame, and keeps one picture per move in `kept`. Not thread-safe."""

    def __init__(self, kept: KeptPictures) -> None:
        self._kept = kept
        self._at = Place(0, 0)
        self._asked: tuple[Place, Picture] | None = None

    def judged(self, match: MatchSnapshot, seen: Observation, verdict: Verdict, sight: Sight) -> None:
        """Take the picture of a move: at once if it was played, later if a person is asked.

        `match` is the match after that.
        """
        if not self._kept.on or not shows_all(match.game):
            return
        dice = dice_in(sight.frame, seen)
        if verdict is Verdict.PLAY:
            self._keep(match, board_in(sight, match.game) if dice is None else dice)
        elif verdict is Verdict.ASK and dice is not None:
            self._asked = _place(match), dice.copy()

    def follow(self, match: MatchSnapshot, sight: Sight, *, at_rest: bool) -> None:
        """Take the picture of a tapped move, once nothing moves over the board."""
        place = _place(match)
        new = place.match == self._at.match and place.moves > self._at.moves
        if not (new and self._kept.on and shows_all(match.game)):
            self._follow(place)
        elif self._asked is not None and self._asked[0].moves < place.moves:
            self._keep(match, self._asked[1])
        elif at_rest:
            self._keep(match, board_in(sight, match.game))

    def _keep(self, match: MatchSnapshot, picture: Picture | None) -> None:
        self._follow(_place(match))
        if picture is not None:
            scale = LONGER_SIDE_PX / max(picture.shape[:2])
            if scale < 1:
                small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                picture = np.asarray(small, np.uint8)
            self._kept.keep(match.record, match.n, pictures.jpeg(picture, pictures.TO_KEEP))

    def _follow(self, place: Place) -> None:
        self._at = place
        if self._asked is not None and self._asked[0] != place:
            self._asked = None


def shows_all(game: AnyGame) -> bool:
    """True for a visible game without secrets."""
    return isinstance(game, SeesTiles | SeesPieces | SeesDice) and not hides(game)


def board_in(sight: Sight, game: AnyGame) -> Picture | None:
    """The board from above, or the whole frame in a game without one; None while the board is not located."""
    frame, scene, homography = sight
    if not isinstance(game, HasBoard):
        return frame
    if homography is None:
        return None
    scale = max(1, LONGER_SIDE_PX // (max(scene.rows, scene.cols) + 2 * MARGIN))
    return Rectifier(scene, homography, scale)(frame)


def dice_in(frame: Picture, seen: Observation) -> Picture | None:
    """The part of a frame around the seen dice, or None."""
    boxes = np.array([die.box for die in seen.dice or () if min(die.box[2:]) > 0])
    if not boxes.size:
        return None
    margin = DICE_MARGIN * boxes[:, 2:].max()
    height, width = frame.shape[:2]
    low = np.clip(boxes[:, :2].min(axis=0) - margin, 0, (width - 1, height - 1)).astype(int)
    high = np.clip((boxes[:, :2] + boxes[:, 2:]).max(axis=0) + margin, low + 1, (width, height)).astype(int)
    return frame[low[1] : high[1], low[0] : high[0]]


def _place(match: MatchSnapshot) -> Place:
    return Place(match.record.id, len(match.seen(None)))


class BoardMotion:
    """Notes motion in a camera's pictures."""

    def __init__(self) -> None:
        self._patches = PatchMotion(PATCHES)
        self._moved_s = -inf

    def follow(self, frame: Frame) -> None:
        """Compare a frame with the one before, except those with a note from their source."""
        if frame.note is not None:
            return
        change = self._patches.change(np.ascontiguousarray(frame.picture[::STEP, ::STEP]))
        if change is not None and change > MOTION_LEVELS:
            self._moved_s = frame.at_s

    def at_rest(self, frame: Frame) -> bool:
        """True if nothing has moved for a while before a frame."""
        return frame.at_s - self._moved_s >= REST_S


class DebugFrames:
    """Keeps the last unreadable picture in `folder`, which may be in memory."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._at_s: float | None = None

    def keep(self, frame: Frame, why: str) -> None:
        """Keep an unreadable frame with `why`: the key of a reason, or an error's sentence."""
        now_s = self._clock()
        if why in TEMPORARY or (self._at_s is not None and now_s - self._at_s < EVERY_S):
            return
        self._at_s = now_s
        jpeg = pictures.jpeg(frame.picture, pictures.TO_READ)
        try:
            files.write(self._folder / paths.FAILING_PICTURE, jpeg)
            files.write_json(self._folder / paths.FAILING_WHY, {"why": why, "picture": frame.name})
        except OSError as error:
            log.warning("A picture that could not be read was not kept: %s", error)
