"""Runs a camera in a thread that can be given up and begun anew, while everything else goes on.

watcher = Watcher(open_camera("usb:0"))
watcher.start()
frame = watcher.next(timeout_s=1.0)    # to be read
watcher.latest, watcher.state          # to be shown
watcher.stop()
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from threading import Condition as Bell
from threading import Thread

from hardware.camera.frame import BrokenPicture, Camera, CameraError, Frame, Hold, HoldsFast
from hardware.camera.health import CameraState, Condition, Health, Patience

log = logging.getLogger(__name__)

MOST_STUCK = 4
"""So many threads may hang in a driver at once; then no other is begun until one comes back."""
STOP_TIMEOUT_S = 2.0


class Watcher:
    """Keeps one camera going, holds its newest frame and knows its state.

    Of a live camera `next` gives the newest frame, of others every frame in order: those wait until a
    frame is taken. Frames from which nothing can be read (black, white, frozen) are shown and not given.
    `on_state` is called with each new state, `on_locked` with the camera's settings once they are locked,
    both from a thread of the watcher's own.
    """

    def __init__(
        self,
        camera: Camera,
        *,
        patience: Patience = Patience.usual,
        clock: Callable[[], float] = time.monotonic,
        on_state: Callable[[CameraState], None] | None = None,
        on_locked: Callable[[Hold], None] | None = None,
    ) -> None:
        self.camera = camera
        """The camera that is running now; another one on the same source after it was begun anew."""
        self._on_locked = on_locked
        self._hold_asked = False
        self._patience, self._clock, self._on_state = patience, clock, on_state
        self._bell = Bell()
        self._health = Health(clock(), patience)
        self._latest: Frame | None = None
        self._waiting: Frame | None = None
        self._worker: _Worker | None = None
        self._given_up: list[_Worker] = []
        self._supervisor: Thread | None = None

    @property
    def state(self) -> CameraState:
        """What the camera is like now."""
        with self._bell:
            return self._health.state

    @property
    def latest(self) -> Frame | None:
        """The newest frame, whether or not anything can be read from it; None before the first."""
        with self._bell:
            return self._latest

    def start(self) -> None:
        """Begin; returns at once."""
        with self._bell:
            self._begin(self.camera)
        self._supervisor = Thread(target=self._supervise, name="camera-supervisor", daemon=True)
        self._supervisor.start()

    def stop(self) -> None:
        """Let go of the camera; a thread that hangs in a driver is left behind."""
        with self._bell:
            worker, self._worker = self._worker, None
            self._bell.notify_all()
        for thread in (worker, self._supervisor):
            if thread is not None:
                thread.join(STOP_TIMEOUT_S)

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame to read; None when none came within `timeout_s`, or the source has just ended."""
        with self._bell:
            ended = self._has_ended()
            self._bell.wait_for(
                lambda: self._waiting is not None or self._worker is None or self._has_ended() > ended,
                timeout_s,
            )
            frame, self._waiting = self._waiting, None
            self._bell.notify_all()
            return frame

    def hold(self) -> None:
        """Let the camera hold focus, exposure and white balance as they are now, if it is one that can."""
        with self._bell:
            self._hold_asked = True

    def restart(self) -> None:
        """Give the camera up and begin it anew."""
        with self._bell:
            self._replace()

    def _has_ended(self) -> bool:
        return self._health.state.condition is Condition.ENDED

    def _begin(self, camera: Camera) -> None:
        self.camera = camera
        self._health.begun(self._clock())
        self._worker = _Worker(self, camera)
        self._worker.start()

    def _replace(self) -> None:
        """Put a new worker in the place of the one there is, which ends by itself as soon as it can."""
        self._given_up = [each for each in self._given_up if each.is_alive()]
        if self._worker is None or len(self._given_up) >= MOST_STUCK:
            return
        self._given_up.append(self._worker)
        self._begin(self.camera.anew())
        self._bell.notify_all()

    def _supervise(self) -> None:
        """Look every now and then whether the camera is to be given up, and tell of each new state."""
        reported = None
        while True:
            with self._bell:
                if self._worker is None:
                    return
                # A camera that waits for its reader, or keeps its own pace, is not silent.
                frozen = self._health.state.condition is Condition.FROZEN
                if (self.camera.live or frozen) and self._health.tick(self._clock()):
                    self._replace()
                if reported == self._health.state:
                    self._bell.wait(self._patience.tick_s)
                state = self._health.state
            if state != reported:
                reported = state
                log.info("Camera: %s. %s", state.condition, state.says)
                if self._on_state is not None:
                    self._on_state(state)

    # What a worker calls, with itself, so that one that was given up changes nothing any more.

    def _goes_on(self, worker: _Worker) -> bool:
        return self._worker is worker

    def _is_open(self, worker: _Worker) -> None:
        with self._bell:
            if self._goes_on(worker):
                self._health.opened(self._clock())

    def _is_to_hold(self) -> bool:
        """Whether it was asked for since this was asked last."""
        with self._bell:
            asked, self._hold_asked = self._hold_asked, False
            return asked

    def _came(self, worker: _Worker, frame: Frame) -> None:
        """A frame came: hold it, and for a camera that is not live wait until it is taken."""
        with self._bell:
            if not self._goes_on(worker):
                return
            readable = self._health.saw(frame, self._clock())
            self._latest = frame
            if readable and not worker.camera.live:
                self._bell.wait_for(lambda: self._waiting is None or not self._goes_on(worker))
            if readable and self._goes_on(worker):
                self._waiting = frame
            self._bell.notify_all()

    def _failed(self, worker: _Worker, says: str) -> None:
        with self._bell:
            if self._goes_on(worker):
                self._health.failed(says, self._clock())
                self._bell.notify_all()

    def _rest(self, worker: _Worker, retry_s: float) -> None:
        """Wait until it is time to try again."""
        with self._bell:
            if self._goes_on(worker):
                self._health.rests()
                self._bell.wait_for(lambda: not self._goes_on(worker), retry_s)
            if self._goes_on(worker):
                self._health.begun(self._clock())

    def _ended(self, worker: _Worker) -> None:
        with self._bell:
            # The last frame is read before the end is told.
            self._bell.wait_for(lambda: self._waiting is None or not self._goes_on(worker))
            if self._goes_on(worker):
                self._health.ended(self._clock())
                self._bell.notify_all()


class _Worker(Thread):
    """The thread that talks to one camera, and ends once another has taken its place."""

    def __init__(self, watcher: Watcher, camera: Camera) -> None:
        super().__init__(name="camera", daemon=True)
        self.watcher, self.camera = watcher, camera
        self.seen = 0

    def run(self) -> None:
        """Open and read, again after a while when it fails, until the source ends."""
        failures = 0
        while self.watcher._goes_on(self):
            before = self.seen
            try:
                self._read_on()
                return
            # Whatever a driver throws must not end the watching: it is told, and tried again.
            except Exception as error:
                failures = 0 if self.seen > before else failures + 1
                says = str(error) if isinstance(error, CameraError) else f"The camera failed: {error!r}."
                self.watcher._failed(self, says)
            finally:
                self._close()
            self.watcher._rest(self, self._retry_s(failures))

    def _read_on(self) -> None:
        """Open the camera and hand on its frames until it ends, or another takes its place."""
        self.camera.open()
        self.watcher._is_open(self)
        for frame in self._frames():
            self.seen += 1
            self.watcher._came(self, frame)
            if isinstance(self.camera, HoldsFast) and self.watcher._is_to_hold():
                settings = self.camera.hold()
                if self.watcher._on_locked is not None:
                    self.watcher._on_locked(settings)
        self.watcher._ended(self)

    def _frames(self) -> Iterator[Frame]:
        """The camera's frames until it ends, without pictures that are broken."""
        while self.watcher._goes_on(self):
            try:
                frame = self.camera.read()
            except BrokenPicture as error:
                log.warning("%s", error)
                continue
            if frame is None:
                return
            yield frame

    def _retry_s(self, failures: int) -> float:
        patience = self.watcher._patience
        waits_s: float = patience.retry_s * 2 ** min(failures, 10)
        return min(patience.longest_retry_s, waits_s)

    def _close(self) -> None:
        try:
            self.camera.close()
        except Exception as error:
            log.warning("The camera did not close: %r.", error)
