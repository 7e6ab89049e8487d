"""The vision loop: takes frames, asks the senses, and passes observations to the table.

It reads the frames of a watched camera in a thread of its own. Pages are answered from a frozen
`CameraStatus`, which the loop replaces after each frame, so they never wait for a reading. Only setting up
the camera (the empty board, a lesson) waits for the reading in progress.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from threading import Event, Lock, Thread
from time import monotonic

import msgspec

from companion.errors import IllegalMove, MendableError, PhotoError, TableError
from companion.games.watching import WHOLE_BOARD, Kind, SeesTiles, Square, Tile, Verdict
from companion.play.table import Table
from companion.service.accuracy import AccuracyTest
from companion.service.accuracy_tests import AccuracyTests
from companion.service.board_motion import BoardMotion
from companion.service.camera_status import CameraStatus, jpeg
from companion.service.debug_frames import DebugFrames
from companion.service.drift import DriftWatch
from companion.service.learnt_tiles import learnt_tile
from companion.service.move_pictures import MovePictures, Sight
from companion.service.senses.match_senses import MatchSenses
from companion.service.setup_check import BoardCheck, check_picture
from hardware.camera.frame import Frame
from hardware.camera.health import READABLE
from hardware.camera.watcher import Watcher
from hardware.vision.board.scene import PictureLine, Scene
from hardware.vision.errors import HomographyError, ReferenceMissingError
from hardware.vision.register.homography import check_corners
from web.accuracy_port import AccuracyNow, Report
from web.camera_port import (
    CameraState,
    EmptyCheck,
    LearntTile,
    Lesson,
    LessonCheck,
    Needs,
    Overlay,
    PictureCheck,
    Point,
    Readings,
)

log = logging.getLogger(__name__)

PACE_S = 5.0
"""The time in seconds over which to average the pictures read per second."""

WAIT_S = 0.5
"""The time to wait for a frame, in seconds, before checking whether to stop."""

SET_UP_S = 5.0
"""Seconds after a check of the set-up in which no move is read: its tiles and hands are no moves."""

FORGETS_S = 1.0
"""Seconds after all was forgotten in which a picture's own note teaches nothing: it was on its way before."""

SET_UP = "set-up.json"
"""The file beside that of what was shown, which keeps the light and the camera's place at the set-up."""

REPORTS = "accuracy.json"
"""The file beside them, which keeps the figures of the accuracy tests."""


class VisionLoop:
    """Reads the frames of a watched camera for one table. It is the pages' `CameraPort`."""

    def __init__(
        self,
        table: Table,
        watcher: Watcher,
        scene: Scene | Callable[[], Scene | None] | None = None,
        *,
        source: str = "",
        shown: Path | None = None,
        failing: DebugFrames | None = None,
        cards: Path | None = None,
        pictures: MovePictures | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`scene` is the source's own board (a function if it may change during a match); without one, it is
        the board of the current match.

        `shown` is the file that keeps what the camera was shown across restarts, `cards` the folder of
        `companion teach cards`. `failing` keeps the last picture that was not read, `pictures` one a move.
        """
        self._table = table
        self._watcher = watcher
        self._source = source
        self._failing = failing
        self._pictures = pictures
        self._clock = clock
        self._senses = MatchSenses(
            table.match,
            scene if callable(scene) else lambda: scene,
            live=watcher.camera.live,
            shown=shown,
            cards=cards,
        )
        self._using_senses = Lock()
        self._corners: tuple[Point, ...] | None = None
        self._motion = BoardMotion()
        self._accuracy = AccuracyTests(shown and shown.with_name(REPORTS))
        self._drift = DriftWatch(shown and shown.with_name(SET_UP))
        self._board_check: BoardCheck | None = None
        self._set_up_s = self._forgot_s = -inf
        self._read_at: list[float] = []
        self._readings = Readings()
        self._status = CameraStatus(self._senses.match, self._senses.scene)
        self._publish(None, "")
        self._complained = ""
        self._stopping = Event()
        self._rounds = self._rounds_reported = 0
        self._thread = Thread(target=self._run, name="vision", daemon=True)

    def start(self) -> None:
        """Start watching and reading."""
        self._watcher.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching and reading."""
        self._stopping.set()
        self._watcher.stop()
        if self._thread.is_alive():
            self._thread.join(2)

    def at_work(self) -> bool:
        """Whether pictures were read since the last call, or at least looked for if there were none."""
        reported, self._rounds_reported = self._rounds_reported, self._rounds
        return self._rounds != reported

    # -- the loop -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stopping.is_set():
            frame = self._watcher.next(WAIT_S)
            # If the camera gives pictures, only a picture counts; otherwise looking for one does.
            self._rounds += frame is not None or self._watcher.state.condition not in READABLE
            if frame is None:
                continue
            try:
                self.take(frame)
            except MendableError as error:
                self._complain(str(error))
            except Exception as error:
                # One picture that breaks a reader must not end the game; the next one is read as usual.
                log.exception("a picture could not be read")
                self._keep_failing(frame, repr(error))

    def _complain(self, fault: str) -> None:
        """Log a fault once, however many pictures have it: a long log would make a full disk worse."""
        if fault != self._complained:
            self._complained = fault
            log.error("%s", fault)

    def _keep_failing(self, frame: Frame, why: str) -> None:
        if self._failing is not None:
            self._failing.keep(frame, why)

    def take(self, frame: Frame) -> None:
        """Take one frame: learn from its source's note, or read it."""
        self._motion.look(frame)
        with self._using_senses:
            before, needs = self._status.needs, self._current.needs
            self._senses.follow(self._table.match)
            drifted = self._drift.look(frame.picture, self._senses.scene, frame.at_s)
            try:
                needs = self._learn_or_read(frame)
            finally:
                self._publish(frame, needs)
            self._take_picture(frame)
        if needs != before or drifted:
            self._table.notify()

    def _learn_or_read(self, frame: Frame) -> Needs:
        """Learn from a frame or read it. Returns what the camera still needs."""
        try:
            if frame.note is not None and frame.note.role != "watch":
                if frame.at_s - self._forgot_s >= FORGETS_S:
                    self._learn(frame, frame.note)
            elif self._accuracy.go_on:
                self._accuracy.take(frame, self._corners)
            elif self._clock() - self._set_up_s >= SET_UP_S:
                self._read(frame)
            elif not self._senses.empty_shown:
                return "empty"
        except ReferenceMissingError:
            return "empty"
        except HomographyError as error:
            self._keep_failing(frame, str(error))
            return "markers"
        return "teach" if self._senses.untaught else ""

    def _learn(self, frame: Frame, note: PictureLine) -> None:
        match = self._table.match
        if note.role == "empty" and match.outcome is not None:
            # The source shows the empty board after a match is over, so the next one begins.
            self._table.begin(match.game.slug, match.record.options, match.record.seats)
        self._senses.learn(frame.picture, note, note.corners_px or self._corners)

    def _read(self, frame: Frame) -> None:
        """Ask each sense, and let the table judge its observation."""
        self._keep_pace()
        self._readings.pictures += 1
        match = self._table.match
        corners_px = (frame.note and frame.note.corners_px) or self._corners
        for sense in self._senses:
            observation = sense.look(match, frame, corners_px)
            if sense.reading is not None:
                self._readings.count_stages(sense.reading.ms)
            if sense.reading is not None and sense.reading.unsure:
                self._keep_failing(frame, sense.reading.why)
            if observation is None:
                continue
            if self._table.match is not match:
                return  # another match was begun meanwhile: this frame says nothing about it
            if self._stopping.is_set():
                return  # the journal may be closed already
            verdict = self._table.see(observation).verdict
            self._readings.outcomes[verdict] += 1
            if self._pictures is not None:
                self._pictures.judged(match.snapshot, observation, verdict, self._sight(frame))
            sense.settle(match)

    def _sight(self, frame: Frame) -> Sight:
        return Sight(frame.picture, self._senses.scene, self._senses.homography)

    def _take_picture(self, frame: Frame) -> None:
        """Take the picture of a move that the camera did not make, once the board is at rest."""
        match = self._table.match
        if self._pictures is None or match.record.id != self._senses.match:
            return
        reading = self._senses.reading
        at_rest = self._motion.at_rest(frame) and not (reading and reading.why == "hand")
        self._pictures.look(match.snapshot, self._sight(frame), at_rest=at_rest)

    def _keep_pace(self) -> None:
        now = self._clock()
        self._read_at = [at for at in self._read_at if now - at < PACE_S] + [now]

    def _publish(self, frame: Frame | None, needs: Needs) -> None:
        senses = self._senses
        # While the game's own readings rest, the last one says nothing about the table.
        rests = self._accuracy.go_on or self._clock() - self._set_up_s < SET_UP_S
        self._status = CameraStatus(
            match=senses.match,
            scene=senses.scene,
            owners=senses.owners,
            taught=senses.taught,
            frame=frame,
            homography=senses.homography,
            reading=None if rests else senses.reading,
            tiles=senses.tiles,
            needs=needs,
            drift=self._drift.now,
            fps=round(len(self._read_at) / PACE_S, 1),
        )

    # -- what the pages look at ---------------------------------------------------------------------------

    def state(self) -> CameraState:
        """The camera's current state."""
        return self._current.state(self._watcher.state, self._clock(), self._source)

    @property
    def _current(self) -> CameraStatus:
        """The status; before the first frame of a new match, without what only the last match needed."""
        status = self._status
        if status.match == self._table.snapshot.match.record.id:
            return status
        return msgspec.structs.replace(status, needs="", owners=(), taught={}, reading=None, tiles=())

    def readings(self) -> Readings:
        """What was counted of the readings since the camera began."""
        return self._readings

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None before the first."""
        # Unreadable pictures are shown too, so that people see what is wrong.
        newest = self._watcher.latest or self._status.frame
        return None if newest is None else jpeg(newest.picture)

    def overlay(self) -> Overlay:
        """The grid and the tiles of the newest reading, in px of its picture."""
        return self._status.overlay()

    def crop(self) -> bytes | None:
        """The part of the newest picture that the open sighting asks about, as JPEG.

        It is the whole picture if no part is known, as for dice beside the board.
        """
        sighting = self._table.sighting
        asks = sighting is not None and sighting.verdict is Verdict.ASK
        return self._status.crop() or (self.picture() if asks else None)

    def lessons(self) -> tuple[Lesson, ...]:
        """The tiles to show, as many at once as fit on the board, and where in the picture to lay them."""
        return self._current.lessons()

    # -- setting up from a page ---------------------------------------------------------------------------

    def check(self) -> PictureCheck:
        """Judge the newest picture, readable or not: its light and sharpness, the markers, the grid."""
        with self._using_senses:
            newest = self._watcher.latest or self._status.frame
            scene, shown, last = self._senses.scene, self._senses.empty_shown, self._status.homography
        if newest is None:
            raise TableError("no-picture")
        return check_picture(newest.picture, scene, self._corners, last, empty_shown=shown)

    def check_empty(self) -> EmptyCheck:
        """Judge whether the newest picture shows the empty board. Meanwhile no move is read."""
        with self._checking() as (frame, board):
            if self._moving(frame):
                return EmptyCheck("moving")
            return board.empty(frame.picture, self._corners)

    def check_lesson(self, owner: str, kinds: tuple[Kind, ...]) -> LessonCheck:
        """Judge whether these tiles lie as in their lesson. Meanwhile no move is read.

        Raises `MendableError` before the empty board was shown.
        """
        with self._checking() as (frame, board):
            check = board.lesson(frame.picture, self._corners, self._senses.shown_state(), owner, kinds)
        if self._moving(frame) and not check.hindrance:
            check = msgspec.structs.replace(check, hindrance="moving")
        return check

    @contextmanager
    def _checking(self) -> Iterator[tuple[Frame, BoardCheck]]:
        """The newest frame, and what judges it. The game's own readings rest meanwhile."""
        with self._using_senses:
            self._set_up_s = self._clock()
            frame = self._status.frame
            if frame is None:
                raise TableError("no-picture")
            if self._board_check is None or self._board_check.scene != self._senses.scene:
                self._board_check = BoardCheck(self._senses.scene)
            yield frame, self._board_check

    def learnt(self) -> tuple[LearntTile, ...]:
        """Every tile that was learnt, with its picture."""
        with self._using_senses:
            faces = sorted(self._senses.faces.items(), key=lambda named: str(named[0]))
        return tuple(learnt_tile(name, face) for name, face in faces)

    def forget(self) -> None:
        """Forget the corners, the empty board and the tiles."""
        with self._using_senses:
            self._corners, self._forgot_s = None, self._clock()
            self._senses.forget(self._table.match)
            self._drift.forget()
            self._publish(self._status.frame, "empty")
        self._table.notify()

    def turned(self) -> None:
        """The pictures are turned from now on: where the board lay in them before says nothing any more."""
        with self._using_senses:
            self._corners = None
            self._drift.forget()

    def remember_empty(self, *, sure: bool = False) -> None:
        """Take the newest picture as the empty board; `sure`: what seems to lie there is printed on it.

        Raises `IllegalMove` where something moves, a hand lies over the board, something seems to lie on it
        or the picture is blurred, and `MendableError` where the board is not found in it.
        """
        with self._setting_up() as frame:
            hindrance = self._moving(frame) or self._senses.hindrance(frame.picture, self._corners)
            if not hindrance and not sure:
                hindrance = BoardCheck(self._senses.scene).empty(frame.picture, self._corners).hindrance
            if hindrance:
                raise IllegalMove(self._table.match.game.slug, f"empty-{hindrance}")
            self._senses.see_empty(frame.picture, self._corners)
            self._drift.set_up(frame.picture, self._senses.scene)
            self._watcher.lock_controls()

    def read_whole(self) -> bool:
        """Read the whole board afresh, and ask a person about what the match does not hold.

        Returns whether there is any difference. Raises `IllegalMove` while something moves, `PhotoError` for
        a board that cannot be read, or that no moves lead to.
        """
        with self._setting_up() as frame:
            match = self._table.match
            rules = match.game
            if not isinstance(rules, SeesTiles):
                raise PhotoError("not-taught")
            if hindrance := self._moving(frame):
                raise IllegalMove(match.game.slug, f"empty-{hindrance}")
            seen = self._senses.read_whole(frame.picture, self._corners)
        if not seen.tiles and seen.unsure:
            raise PhotoError("unreadable")
        lying = rules.lying(match.state)
        differs = _squares(self._senses.scene, seen.tiles or ()) != _squares(self._senses.scene, lying)
        asks = differs or bool(seen.alternatives)
        whole = msgspec.structs.replace(seen, unsure=asks, why=WHOLE_BOARD)
        if differs and not rules.sighting(match.state, whole).guesses:
            raise PhotoError("no-moves-lead-there")
        self._table.see(whole)
        return asks

    def _moving(self, frame: Frame) -> str:
        return "" if self._motion.at_rest(frame) else "moving"

    def teach(self, owner: str, kinds: tuple[Kind, ...]) -> None:
        """Learn these tiles from the newest picture, where they lie in their places.

        Raises `MendableError`.
        """
        with self._setting_up() as frame:
            self._senses.teach(frame.picture, owner, kinds, self._corners)

    def corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Set the board's corners that a person marked, in px: the top left first, then clockwise.

        None: find the board by its markers again. Raises `MendableError` if the corners do not go once around
        a board.
        """
        if corners_px is not None:
            try:
                check_corners(corners_px)
            except HomographyError as error:
                raise PhotoError("bad-corners") from error
        self._corners = corners_px
        self._table.notify()

    # -- the guided accuracy test -------------------------------------------------------------------------

    def begin_accuracy(self) -> None:
        """Begin a test with what the camera was shown. Raises `MendableError` before all tiles are known."""
        with self._using_senses:
            senses = self._senses
            kinds = len(senses.scene.shapes)
            if not kinds or any(len(senses.taught.get(owner, ())) < kinds for owner in senses.owners):
                raise TableError("show-all-first")
            began = datetime.now(UTC).isoformat(timespec="seconds")
            test = AccuracyTest(
                senses.scene,
                senses.owners,
                senses.saved_tiles(),
                seed=int(self._clock()),
                began=began,
                source=self._source,
            )
            self._accuracy.begin(test)

    def accuracy(self) -> AccuracyNow:
        """The test as it stands."""
        return self._accuracy.now()

    def answer_accuracy(self, *, right: bool) -> None:
        """Whether the tile lies as it was asked, or the throw was read right."""
        with self._using_senses:
            self._accuracy.answer(right=right)

    def end_accuracy(self) -> None:
        """End the test, over or not."""
        with self._using_senses:
            self._accuracy.end()

    def accuracy_reports(self) -> tuple[Report, ...]:
        """The figures of all tests, the newest first."""
        return self._accuracy.reports()

    def accuracy_csv(self) -> str:
        """The same as a table."""
        return self._accuracy.csv()

    @contextmanager
    def _setting_up(self) -> Iterator[Frame]:
        """The frame that a person refers to, once the reading in progress is done."""
        with self._using_senses:
            frame = self._status.frame
            if frame is None:
                raise TableError("no-picture")
            try:
                yield frame
            except HomographyError as error:
                raise TableError("no-board-seen") from error
            except ReferenceMissingError as error:
                raise TableError("no-empty-board") from error
            self._publish(frame, self._status.needs)
        self._table.notify()


def _squares(scene: Scene, tiles: Iterable[Tile]) -> frozenset[tuple[str, Kind, frozenset[Square]]]:
    """The squares under each tile: two readings of one board have the same."""
    return frozenset((tile.owner, tile.kind, frozenset(scene.cells_of(tile))) for tile in tiles)
