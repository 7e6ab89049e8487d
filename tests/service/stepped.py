"""An evening at the virtual table, picture by picture on a clock of its own: nothing waits, nothing races."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.play.journal import Journal
from companion.play.table import new_table
from companion.service import camera_status
from companion.service.vision_loop import VisionLoop
from companion.service.wall_clock import WallClock
from companion.simulator.draw import Table as OnTheTable
from companion.simulator.sources import virtual_camera
from hardware.camera.frame import CameraGone, Frame
from hardware.camera.health import CameraState, Health

TICK_S = 0.1
"""How often the clock moves on, in seconds."""


class SteppedWatcher:
    """Does what `Watcher` does, without threads: `step` takes the picture that is due, if one is."""

    def __init__(self, camera: Any, clock: Callable[[], float]) -> None:
        self.camera = camera
        self.latest: Frame | None = None
        self._clock = clock
        self._health = Health(clock())
        self._due_s = clock()

    @property
    def state(self) -> CameraState:
        return self._health.state

    def step(self) -> Frame | None:
        """The picture that is due, if it is worth reading."""
        now = self._clock()
        frame, worth = None, False
        if now >= self._due_s:
            try:
                frame = self.camera.read_frame()
            except CameraGone as error:
                self._health.failed(str(error), now)
            self._due_s = now + self.camera.interval_s
        if frame is not None:
            self.latest = frame
            worth = self._health.frame_came(frame, now)
        self._health.tick(now)
        return frame if worth else None

    def start(self) -> None:
        """Nothing: `step` does it."""

    def stop(self) -> None:
        """Nothing runs."""

    def lock_controls(self) -> None:
        """A drawing has none."""


class Evening:
    """A table, the camera over it, and what the pages are shown."""

    def __init__(self, game: str, *, teach: int = 1, **options: Any) -> None:
        self.now_s = 1000.0
        self.began_s = 1_800_000_000.0
        self.wall_clock = WallClock(lambda: None, wall=self.wall, clock=self.clock)
        quick = f"empty=1&teach={teach}&reach=1&still=1&end=1"
        self.camera = virtual_camera(
            f"virtual?game={game}&{quick}", options=options, clock=self.clock, sleep=lambda _: None
        )
        self.table = new_table(Journal(Path(":memory:"), clock=self.stamp), game, options)
        self.watcher = SteppedWatcher(self.camera, self.clock)
        watcher: Any = self.watcher
        self.loop = VisionLoop(self.table, watcher, lambda: self.camera.table.scene, clock=self.clock)

    def wall(self) -> float:
        """The machine's clock, in seconds since 1970."""
        return self.began_s + self.now_s

    def stamp(self) -> str:
        """The time that the journal writes."""
        return datetime.fromtimestamp(self.wall(), UTC).isoformat(timespec="milliseconds")

    def clock(self) -> float:
        """The evening's own time, in seconds."""
        return self.now_s

    def step(self) -> camera_status.CameraState:
        """A tenth of a second goes by; what the pages show of the camera then."""
        frame = self.watcher.step()
        if frame is not None:
            self.loop.take_frame(frame)
        self.wall_clock.compare()
        self.now_s += TICK_S
        return self.loop.state()

    def until(self, done: Callable[[], object], within_s: float) -> float:
        """Let time go by until `done`; how long that took in seconds."""
        began = self.now_s
        while not done():
            assert self.now_s - began < within_s, (self.loop.state(), self.table.snapshot.view().sighting)
            self.step()
        return self.now_s - began

    def stay(self, table: OnTheTable) -> None:
        """From now on just this is on the table."""
        self.camera.table.show(table)
