"""The vision loop: takes frames, asks the senses, and passes observations to the table.

It reads a watched camera's frames in a thread of its own. Pages get a frozen `CameraStatus`, replaced after
each frame, so they never wait for a reading. Only setting up the camera (the empty board, a lesson) waits for
the reading in progress.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import msgspec

from companion.errors import TableError, UserError
from companion.games.watching import Verdict
from companion.play.table import Table
from companion.service.accuracy import AccuracyTest, AccuracyTests
from companion.service.camera_status import CameraState, CameraStatus, Lesson, Needs, Overlay, Readings
from companion.service.pictures import DebugFrames, MovePictures, Sight
from companion.service.senses.match_senses import MatchSenses
from companion.service.setup.camera import CameraSetUp
from companion.service.setup.drift import DriftWatch
from hardware import pictures
from hardware.camera.frame import Frame
from hardware.camera.health import READABLE
from hardware.camera.watcher import Watcher
from hardware.vision.board.scene import PictureLine, Scene
from hardware.vision.errors import HomographyError, ReferenceMissingError

log = logging.getLogger(__name__)

PACE_S = 5.0
"""Seconds over which the pictures read per second are averaged."""

WAIT_S = 0.5
"""Seconds to wait for a frame before checking whether to stop."""

SET_UP = "set-up.json"
"""The file, beside the lessons, of the light and the camera's place at the set-up."""

REPORTS = "accuracy.json"
"""The file beside them with the accuracy tests' figures."""


class VisionLoop:
    """Reads a watched camera's frames for one table."""

    def __init__(
        self,
        table: Table,
        watcher: Watcher,
        scene: Scene | Callable[[], Scene | None] | None = None,
        *,
        source: str = "",
        shown: Path | None = None,
        debug_frames: DebugFrames | None = None,
        cards: Path | None = None,
        pictures: MovePictures | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`scene` is the source's board, or a function if it may change; default: the match's.

        `shown` is the file that keeps the camera's lessons across restarts, `cards` the folder of `companion
        teach cards`. `debug_frames` keeps the last unread picture, `pictures` one of each move.
        """
        self._table = table
        self._watcher = watcher
        self._source = source
        self._debug_frames = debug_frames
        self._pictures = pictures
        self._clock = clock
        self._senses = MatchSenses(
            table.match,
            scene if callable(scene) else lambda: scene,
            live=watcher.camera.live,
            shown=shown,
            cards=cards,
        )
        self._drift = DriftWatch(shown and shown.with_name(SET_UP))
        self.set_up = CameraSetUp(
            table, watcher, self._senses, self._drift, clock, lambda: self._status, self._publish
        )
        self.accuracy = AccuracyTests(shown and shown.with_name(REPORTS), self.set_up.using_senses)
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
        """True if pictures were read, or at least awaited, since the last call."""
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
                self.take_frame(frame)
            except UserError as error:
                if str(error) != self._complained:  # once: a long log would make a full disk worse
                    self._complained = str(error)
                    log.error("%s", error)
            except Exception as error:
                # One picture that breaks a reader must not end the game; the next one is read as usual.
                log.exception("a picture could not be read")
                self._keep_unread(frame, repr(error))

    def _keep_unread(self, frame: Frame, why: str) -> None:
        if self._debug_frames is not None:
            self._debug_frames.keep(frame, why)

    def take_frame(self, frame: Frame) -> None:
        """Learn from a frame's note, or read the frame."""
        self.set_up.motion.follow(frame)
        with self.set_up.using_senses:
            before, needs = self._status.needs, self._current.needs
            self._senses.follow(self._table.match)
            drifted = self._drift.compare(frame.picture, self._senses.scene, frame.at_s)
            try:
                needs = self._learn_or_read(frame)
            finally:
                self._publish(frame, needs)
            self._take_picture(frame)
        if needs != before or drifted:
            self._table.notify()

    def _learn_or_read(self, frame: Frame) -> Needs:
        """Learn from a frame or read it. Returns the camera's next need."""
        try:
            if frame.note is not None and frame.note.role != "watch":
                if not self.set_up.has_just_forgotten(frame.at_s):
                    self._learn(frame, frame.note)
            elif self.accuracy.go_on:
                self.accuracy.read_frame(frame, self.set_up.corners_px)
            elif not self.set_up.in_progress():
                self._read(frame)
            elif not self._senses.empty_shown:
                return "empty"
        except ReferenceMissingError:
            return "empty"
        except HomographyError as error:
            self._keep_unread(frame, str(error))
            return "markers"
        return "teach" if self._senses.untaught else ""

    def _learn(self, frame: Frame, note: PictureLine) -> None:
        match = self._table.match
        if note.role == "empty" and match.outcome is not None:
            # The source shows the empty board after a match is over, so the next one begins.
            self._table.begin(match.game.slug, match.record.options, match.record.seats)
        self._senses.learn(frame.picture, note, note.corners_px or self.set_up.corners_px)

    def _read(self, frame: Frame) -> None:
        now_s = self._clock()
        self._read_at = [read_s for read_s in self._read_at if now_s - read_s < PACE_S] + [now_s]
        self._readings.pictures += 1
        match = self._table.match
        corners_px = (frame.note and frame.note.corners_px) or self.set_up.corners_px
        for sense in self._senses:
            observation = sense.observe(match, frame, corners_px)
            if sense.reading is not None:
                self._readings.count_stages(sense.reading.ms)
            if sense.reading is not None and sense.reading.unsure:
                self._keep_unread(frame, sense.reading.why)
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
        return Sight(frame.picture, self._senses.scene, self._senses.view.homography)

    def _take_picture(self, frame: Frame) -> None:
        """Take the picture of a tapped move, once the board is at rest."""
        match = self._table.match
        if self._pictures is None or match.record.id != self._senses.match:
            return
        reading = self._senses.reading
        at_rest = self.set_up.motion.at_rest(frame) and not (reading and reading.why == "hand")
        self._pictures.follow(match.snapshot, self._sight(frame), at_rest=at_rest)

    def _publish(self, frame: Frame | None, needs: Needs) -> None:
        senses = self._senses
        # While the game's own readings rest, the last one says nothing about the table.
        rests = self.accuracy.go_on or self.set_up.in_progress()
        self._status = CameraStatus(
            match=senses.match,
            scene=senses.scene,
            owners=senses.owners,
            taught=senses.taught,
            frame=frame,
            homography=senses.view.homography,
            reading=None if rests else senses.reading,
            tiles=senses.tiles,
            needs=needs,
            drift=self._drift.drift,
            fps=round(len(self._read_at) / PACE_S, 1),
        )

    # -- what the pages look at ---------------------------------------------------------------------------

    def state(self) -> CameraState:
        """The camera's current state."""
        return self._current.state(self._watcher.state, self._clock(), self._source)

    @property
    def _current(self) -> CameraStatus:
        """The status; before the first frame of a new match, without the last match's needs."""
        status = self._status
        if status.match == self._table.snapshot.match.record.id:
            return status
        return msgspec.structs.replace(status, needs="", owners=(), taught={}, reading=None, tiles=())

    def readings(self) -> Readings:
        """The counts of readings since the camera began."""
        return self._readings

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None before the first."""
        # Unreadable pictures are shown too, so that people see what is wrong.
        newest = self._watcher.latest or self._status.frame
        return None if newest is None else pictures.jpeg(newest.picture)

    def overlay(self) -> Overlay:
        """The grid and the tiles of the newest reading, in px of its picture."""
        return self._status.overlay()

    def crop(self) -> bytes | None:
        """The part of the newest picture that the open sighting asks about, as JPEG.

        It is the whole picture if no part is known, for example for dice beside the board.
        """
        sighting = self._table.snapshot.sighting
        asks = sighting is not None and sighting.verdict is Verdict.ASK
        return self._status.crop() or (self.picture() if asks else None)

    def lessons(self) -> tuple[Lesson, ...]:
        """The tiles to show, grouped as they fit on the board, with their outlines in the picture."""
        return self._current.lessons()

    def begin_accuracy(self) -> None:
        """Begin a test with the camera's lessons. Raises `UserError` before all tiles are known."""
        with self.set_up.using_senses:
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
            self.accuracy.begin(test)
