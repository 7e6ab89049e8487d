"""Setting up a camera from a page: empty board, lessons, corners, and a new reading of the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import Lock

import msgspec

from companion.errors import IllegalMove, PhotoError, TableError
from companion.games.watching import WHOLE_BOARD, Kind, SeesTiles
from companion.play.table import Table
from companion.service.camera_status import CameraStatus, Needs, Point
from companion.service.pictures import BoardMotion
from companion.service.senses.match_senses import MatchSenses
from companion.service.setup.checks import (
    BoardCheck,
    EmptyCheck,
    LearntTile,
    LessonCheck,
    PictureCheck,
    check_picture,
    learnt_tile,
)
from companion.service.setup.drift import DriftWatch
from hardware.camera.frame import Frame
from hardware.camera.watcher import Watcher
from hardware.vision.errors import HomographyError, ReferenceMissingError
from hardware.vision.register.homography import check_corners

SET_UP_S = 5.0
"""Seconds without moves after a check of the set-up: its tiles and hands are no moves."""

FORGETS_S = 1.0
"""Seconds after forgetting in which a picture's note teaches nothing: it was on its way before."""


class CameraSetUp:
    """The acts of setting up one camera. Each waits for the reading in progress."""

    def __init__(
        self,
        table: Table,
        watcher: Watcher,
        senses: MatchSenses,
        drift: DriftWatch,
        clock: Callable[[], float],
        status: Callable[[], CameraStatus],
        publish: Callable[[Frame | None, Needs], None],
    ) -> None:
        """`status` returns the newest reading; `publish` replaces it."""
        self._table = table
        self._watcher = watcher
        self._senses = senses
        self._drift = drift
        self._clock = clock
        self._status = status
        self._publish = publish
        self._board_check: BoardCheck | None = None
        self._checked_s = self._forgot_s = -inf
        self.using_senses = Lock()
        """Held while the senses learn or read."""
        self.motion = BoardMotion()
        self.corners_px: tuple[Point, ...] | None = None
        """The board's corners as a person marked them; None: by its markers."""

    def in_progress(self) -> bool:
        """True while the match's readings rest during the set-up."""
        return self._clock() - self._checked_s < SET_UP_S

    def has_just_forgotten(self, at_s: float) -> bool:
        """True if a picture was taken at about the time of forgetting."""
        return at_s - self._forgot_s < FORGETS_S

    def check(self) -> PictureCheck:
        """Judge the newest picture, readable or not: its light and sharpness, the markers, the grid."""
        with self.using_senses:
            newest = self._watcher.latest or self._status().frame
            scene, shown, last = self._senses.scene, self._senses.empty_shown, self._status().homography
        if newest is None:
            raise TableError("no-picture")
        return check_picture(newest.picture, scene, self.corners_px, last, empty_shown=shown)

    def check_empty(self) -> EmptyCheck:
        """Judge the newest picture of the empty board. Meanwhile no move is read."""
        with self._checking() as (frame, board):
            if self._moving(frame):
                return EmptyCheck("moving")
            return board.empty(frame.picture, self.corners_px)

    def check_lesson(self, owner: str, kinds: tuple[Kind, ...]) -> LessonCheck:
        """Judge a lesson's tiles. Meanwhile no move is read.

        Raises `UserError` before the empty board was shown.
        """
        with self._checking() as (frame, board):
            check = board.lesson(frame.picture, self.corners_px, self._senses.view.state(), owner, kinds)
        if self._moving(frame) and not check.hindrance:
            check = msgspec.structs.replace(check, hindrance="moving")
        return check

    @contextmanager
    def _checking(self) -> Iterator[tuple[Frame, BoardCheck]]:
        """The newest frame and its judge. The match's readings rest meanwhile."""
        with self.using_senses:
            self._checked_s = self._clock()
            frame = self._status().frame
            if frame is None:
                raise TableError("no-picture")
            if self._board_check is None or self._board_check.scene != self._senses.scene:
                self._board_check = BoardCheck(self._senses.scene)
            yield frame, self._board_check

    def learnt(self) -> tuple[LearntTile, ...]:
        """Every learnt tile with its picture."""
        with self.using_senses:
            faces = sorted(self._senses.faces.items(), key=lambda named: str(named[0]))
        return tuple(learnt_tile(name, face) for name, face in faces)

    def forget(self) -> None:
        """Forget all that the camera was shown."""
        with self.using_senses:
            self.corners_px, self._forgot_s = None, self._clock()
            self._senses.forget(self._table.match)
            self._drift.forget()
            self._publish(self._status().frame, "empty")
        self._table.notify()

    def turned(self) -> None:
        """Forget the board's former places: the pictures are turned."""
        with self.using_senses:
            self.corners_px = None
            self._drift.forget()

    def remember_empty(self, *, sure: bool = False) -> None:
        """Learn the newest picture as the empty board; `sure`: visible things are printed on it.

        Raises `IllegalMove` where something moves or lies on the board, a hand lies over it or the picture is
        blurred, and `UserError` where the board is not found.
        """
        with self._setting_up() as frame:
            hindrance = self._moving(frame) or self._senses.view.hindrance(frame.picture, self.corners_px)
            if not hindrance and not sure:
                hindrance = BoardCheck(self._senses.scene).empty(frame.picture, self.corners_px).hindrance
            if hindrance:
                raise IllegalMove(self._table.match.game.slug, f"empty-{hindrance}")
            self._senses.see_empty(frame.picture, self.corners_px)
            self._drift.set_up(frame.picture, self._senses.scene)
            self._watcher.lock_controls()

    def read_whole(self) -> bool:
        """Read the whole board again, and ask a person about differences from the match.

        Returns whether there is any difference. Raises `IllegalMove` while something moves, `PhotoError` for
        an unreadable board, or one without moves that lead to it.
        """
        with self._setting_up() as frame:
            match = self._table.match
            rules = match.game
            if not isinstance(rules, SeesTiles):
                raise PhotoError("not-taught")
            if hindrance := self._moving(frame):
                raise IllegalMove(match.game.slug, f"empty-{hindrance}")
            seen = self._senses.read_whole(frame.picture, self.corners_px)
        if not seen.tiles and seen.unsure:
            raise PhotoError("unreadable")
        lying = rules.lying(match.state)
        scene = self._senses.scene
        differs = {tile.squares for tile in seen.tiles or ()} != {
            scene.with_cells(tile).squares for tile in lying
        }
        asks = differs or bool(seen.alternatives)
        whole = msgspec.structs.replace(seen, unsure=asks, why=WHOLE_BOARD)
        if differs and not rules.sighting(match.state, whole).guesses:
            raise PhotoError("no-moves-lead-there")
        self._table.see(whole)
        return asks

    def _moving(self, frame: Frame) -> str:
        return "" if self.motion.at_rest(frame) else "moving"

    def teach(self, owner: str, kinds: tuple[Kind, ...]) -> None:
        """Learn a lesson's tiles from the newest picture. Raises `UserError`."""
        with self._setting_up() as frame:
            self._senses.teach(frame.picture, owner, kinds, self.corners_px)

    def set_corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Set the board's corners in px: the top left first, then clockwise.

        None: find the board by its markers again. Raises `UserError` for corners that do not go once around a
        board.
        """
        if corners_px is not None:
            try:
                check_corners(corners_px)
            except HomographyError as error:
                raise PhotoError("bad-corners") from error
        self.corners_px = corners_px
        self._table.notify()

    @contextmanager
    def _setting_up(self) -> Iterator[Frame]:
        """The frame for a person's act, once the reading in progress is done."""
        with self.using_senses:
            frame = self._status().frame
            if frame is None:
                raise TableError("no-picture")
            try:
                yield frame
            except HomographyError as error:
                raise TableError("no-board-seen") from error
            except ReferenceMissingError as error:
                raise TableError("no-empty-board") from error
            self._publish(frame, self._status().needs)
        self._table.notify()
