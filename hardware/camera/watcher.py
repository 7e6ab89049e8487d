"""Runs a camera in a thread of its own, and replaces the camera when it hangs.

watcher = Watcher(open_camera("usb:0"))
watcher.start()
frame = watcher.next(timeout_s=1.0)    # the next frame to read
watcher.latest, watcher.state          # what pages show
watcher.stop()
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from threading import Thread

from hardware.camera.frame import BrokenPicture, Camera, CameraError, Frame, LockableCamera, LockedControls
from hardware.camera.health import CameraState, Condition, Health, Timeouts

log = logging.getLogger(__name__)

MOST_STUCK = 4
"""The most threads that may hang in a driver; at this number none is added until one returns."""
STOP_TIMEOUT_S = 2.0
"""Time allowed for each thread to stop."""


class Watcher:
    """Keeps one camera running, with its newest frame and its state.

    `next` returns the newest frame of a live camera. Any other camera waits until each frame is taken, so
    `next` returns every frame in order. `latest` includes black, white and frozen frames; `next` skips them.

    `on_state` is called with each new state, `on_locked` with the camera's controls once they are locked.
    Both are called from the watcher's own threads.
    """

    def __init__(
        self,
        camera: Camera,
        *,
        timeouts: Timeouts = Timeouts.default,
        clock: Callable[[], float] = time.monotonic,
        on_state: Callable[[CameraState], None] | None = None,
        on_locked: Callable[[LockedControls], None] | None = None,
    ) -> None:
        self.camera = camera
        """The camera in use: the given one, or its replacement on the same source."""
        self._on_locked = on_locked
        self._lock_requested = False
        self._timeouts, self._clock, self._on_state = timeouts, clock, on_state
        self._changed = threading.Condition()
        self._health = Health(clock(), timeouts)
        self._latest: Frame | None = None
        self._waiting: Frame | None = None
        self._worker: _Worker | None = None
        self._given_up: list[_Worker] = []
        self._supervisor: Thread | None = None

    @property
    def state(self) -> CameraState:
        with self._changed:
            return self._health.state

    @property
    def latest(self) -> Frame | None:
        """The newest frame, readable or not; None before the first."""
        with self._changed:
            return self._latest

    def start(self) -> None:
        """Start the threads and return at once."""
        with self._changed:
            self._begin(self.camera)
        self._supervisor = Thread(target=self._supervise, name="camera-supervisor", daemon=True)
        self._supervisor.start()

    def stop(self) -> None:
        """Close the camera. A thread that hangs in a driver is abandoned."""
        with self._changed:
            worker, self._worker = self._worker, None
            self._changed.notify_all()
        for thread in (worker, self._supervisor):
            if thread is not None:
                thread.join(STOP_TIMEOUT_S)

    def next(self, timeout_s: float) -> Frame | None:
        """The next frame to read; None after `timeout_s` seconds without one, or at the source's end."""
        with self._changed:
            ended = self._has_ended()
            self._changed.wait_for(
                lambda: self._waiting is not None or self._worker is None or self._has_ended() > ended,
                timeout_s,
            )
            frame, self._waiting = self._waiting, None
            self._changed.notify_all()
            return frame

    def lock_controls(self) -> None:
        """Ask the camera to lock focus, exposure and white balance, if it can. Returns at once."""
        with self._changed:
            self._lock_requested = True

    def _has_ended(self) -> bool:
        return self._health.state.condition is Condition.ENDED

    def _begin(self, camera: Camera) -> None:
        self.camera = camera
        self._health.opening(self._clock())
        self._worker = _Worker(self, camera)
        self._worker.start()

    def _replace(self) -> None:
        """Start a new worker. The old one ends as soon as its driver returns."""
        self._given_up = [worker for worker in self._given_up if worker.is_alive()]
        if self._worker is None or len(self._given_up) >= MOST_STUCK:
            return
        self._given_up.append(self._worker)
        self._begin(self.camera.replacement())
        self._changed.notify_all()

    def _supervise(self) -> None:
        """Check the timeouts at each tick, and announce each new state."""
        announced = None
        while True:
            with self._changed:
                if self._worker is None:
                    return
                # A camera that waits for its reader, or sets its own pace, is not silent.
                frozen = self._health.state.condition is Condition.FROZEN
                if (self.camera.live or frozen) and self._health.tick(self._clock()):
                    self._replace()
                if announced == self._health.state:
                    self._changed.wait(self._timeouts.tick_s)
                state = self._health.state
            if state != announced:
                announced = state
                log.info("Camera: %s. %s", state.condition, state.says)
                if self._on_state is not None:
                    self._on_state(state)

    # A worker passes itself to these, so that a replaced worker no longer changes anything.

    def _is_current(self, worker: _Worker) -> bool:
        return self._worker is worker

    def _on_open(self, worker: _Worker) -> None:
        with self._changed:
            if self._is_current(worker):
                self._health.opened(self._clock())

    def _take_lock_request(self) -> bool:
        """True if a lock was requested since the last call."""
        with self._changed:
            requested, self._lock_requested = self._lock_requested, False
            return requested

    def _on_frame(self, worker: _Worker, frame: Frame) -> None:
        """Keep a frame. If the camera is not live, first wait until the reader has taken the previous one."""
        with self._changed:
            if not self._is_current(worker):
                return
            readable = self._health.frame_came(frame, self._clock())
            self._latest = frame
            if readable and not worker.camera.live:
                self._changed.wait_for(lambda: self._waiting is None or not self._is_current(worker))
            if readable and self._is_current(worker):
                self._waiting = frame
            self._changed.notify_all()

    def _on_failure(self, worker: _Worker, says: str) -> None:
        with self._changed:
            if self._is_current(worker):
                self._health.failed(says, self._clock())
                self._changed.notify_all()

    def _pause(self, worker: _Worker, retry_s: float) -> None:
        """Wait `retry_s` seconds before the next attempt."""
        with self._changed:
            if self._is_current(worker):
                self._health.paused()
                self._changed.wait_for(lambda: not self._is_current(worker), retry_s)
            if self._is_current(worker):
                self._health.opening(self._clock())

    def _on_end(self, worker: _Worker) -> None:
        with self._changed:
            # The last frame is read before the end is announced.
            self._changed.wait_for(lambda: self._waiting is None or not self._is_current(worker))
            if self._is_current(worker):
                self._health.ended(self._clock())
                self._changed.notify_all()


class _Worker(Thread):
    """The thread that uses one camera. It ends once another worker has replaced it."""

    def __init__(self, watcher: Watcher, camera: Camera) -> None:
        super().__init__(name="camera", daemon=True)
        self.watcher, self.camera = watcher, camera
        self.seen = 0

    def run(self) -> None:
        """Open and read until the source ends; after a failure, pause and try again."""
        failures = 0
        while self.watcher._is_current(self):
            before = self.seen
            try:
                self._read_on()
                return
            # A driver's error must not end this thread: it is reported, and the camera is tried again.
            except Exception as error:
                failures = 0 if self.seen > before else failures + 1
                says = str(error) if isinstance(error, CameraError) else f"The camera failed: {error!r}."
                self.watcher._on_failure(self, says)
            finally:
                self._close()
            self.watcher._pause(self, self._retry_s(failures))

    def _read_on(self) -> None:
        """Open the camera and pass its frames on until it ends or is replaced."""
        self.camera.open()
        self.watcher._on_open(self)
        for frame in self._frames():
            self.seen += 1
            self.watcher._on_frame(self, frame)
            if isinstance(self.camera, LockableCamera) and self.watcher._take_lock_request():
                locked = self.camera.lock_controls()
                if self.watcher._on_locked is not None:
                    self.watcher._on_locked(locked)
        self.watcher._on_end(self)

    def _frames(self) -> Iterator[Frame]:
        """The camera's frames until it ends, without broken pictures."""
        while self.watcher._is_current(self):
            try:
                frame = self.camera.read_frame()
            except BrokenPicture as error:
                log.warning("%s", error)
                continue
            if frame is None:
                return
            yield frame

    def _retry_s(self, failures: int) -> float:
        timeouts = self.watcher._timeouts
        pause_s: float = timeouts.retry_s * 2 ** min(failures, 10)
        return min(timeouts.longest_retry_s, pause_s)

    def _close(self) -> None:
        try:
            self.camera.close()
        except Exception as error:
            log.warning("The camera did not close: %r.", error)
