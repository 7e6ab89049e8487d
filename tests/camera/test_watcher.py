"""A camera that is kept going: read, given up, replaced."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from threading import Event, Thread
from typing import Any

import pytest

from companion.simulator.sources import virtual_camera
from hardware.camera.folder import FolderCamera
from hardware.camera.frame import Camera, CameraGone, Frame, LockedControls
from hardware.camera.health import CameraState, Condition, Timeouts
from hardware.camera.watcher import MOST_STUCK, Watcher
from tests.camera.conftest import noisy, plain

QUICK = Timeouts(
    silence_s=0.2,
    open_s=0.2,
    start_s=0.2,
    same_s=0.04,
    dark_s=0.02,
    retry_s=0.005,
    longest_retry_s=0.02,
    refresh_s=0.1,
    tick_s=0.005,
)
LONG_S = 30.0
"""So long a test waits before it fails; none comes near it."""


class States:
    """Collects the states that a watcher tells, and waits for one."""

    def __init__(self) -> None:
        self.states: list[CameraState] = []
        self._news = Event()

    def __call__(self, state: CameraState) -> None:
        self.states.append(state)
        self._news.set()

    def wait(self, condition: Condition) -> CameraState:
        """The first state of this condition from now on, the last one announced included."""
        seen = max(0, len(self.states) - 1)
        while True:
            self._news.clear()
            for state in self.states[seen:]:
                if state.condition is condition:
                    return state
            assert self._news.wait(LONG_S), f"never {condition}: {self.states}"


class Scripted:
    """A live camera that does what it is states: gives a frame, raises, or hangs until it is let go."""

    live = True
    scene: dict[str, Any] | None = None

    def __init__(self, script: Callable[[int], Frame | None]) -> None:
        self.script = script
        self.reads = 0
        self.opened = 0
        self.closed = 0
        self.others: list[Scripted] = []

    def open(self) -> None:
        self.opened += 1

    def read_frame(self) -> Frame | None:
        self.reads += 1
        return self.script(self.reads)

    def close(self) -> None:
        self.closed += 1

    def replacement(self) -> Scripted:
        other = Scripted(self.script)
        other.reads = self.reads
        other.others = self.others
        self.others.append(other)
        return other


@pytest.fixture
def states() -> States:
    """The states that were announced."""
    return States()


@pytest.fixture
def watch(states: States) -> Iterator[Callable[[Camera], Watcher]]:
    """Starts a watcher, and stops it when the test is over."""
    watchers = []

    def start(camera: Camera) -> Watcher:
        watchers.append(Watcher(camera, timeouts=QUICK, on_state=states))
        watchers[-1].start()
        return watchers[-1]

    yield start
    for watcher in watchers:
        watcher.stop()


Watch = Callable[[Camera], Watcher]


def steady(number: int) -> Frame:
    """One good frame after the other, a hundred a second."""
    Event().wait(0.01)
    return Frame(noisy(number), number)


def test_a_live_camera_gives_its_newest_frame(watch: Watch) -> None:
    reached = Event()

    def script(number: int) -> Frame:
        if number == 5:
            reached.set()
            Event().wait(0.05)
        return Frame(noisy(number), number)

    watcher = watch(Scripted(script))
    assert reached.wait(LONG_S)
    frame = watcher.next(LONG_S)
    assert frame is not None
    assert frame.at_s >= 4, "the older ones were dropped"


def test_a_folder_is_read_in_order_whole_and_then_ended(
    folder: Callable[..., Path], states: States, watch: Watch
) -> None:
    names = [f"{number}.png" for number in range(7)]
    watcher = watch(FolderCamera(folder(names)))
    got = [frame.name for _ in names if (frame := watcher.next(LONG_S))]
    assert got == names
    assert states.wait(Condition.ENDED)
    assert watcher.next(0.01) is None
    assert watcher.latest is not None
    assert watcher.latest.name == "6.png"


def test_a_broken_picture_does_not_stop_a_folder(
    folder: Callable[..., Path], watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    path = folder(["1.png", "2.png", "3.png"])
    (path / "2.png").write_bytes(b"broken")
    with caplog.at_level(logging.WARNING):
        watcher = watch(FolderCamera(path))
        got = [frame.name for _ in range(2) if (frame := watcher.next(LONG_S))]
    assert got == ["1.png", "3.png"]
    assert "2.png is no picture" in caplog.text


def test_a_camera_that_is_gone_comes_back_by_itself(states: States, watch: Watch) -> None:
    plugged = Event()

    def script(number: int) -> Frame:
        if not plugged.is_set():
            raise CameraGone("Plug it in.")
        return steady(number)

    camera = Scripted(script)
    watcher = watch(camera)
    assert states.wait(Condition.UNPLUGGED).says == "Plug it in."
    plugged.set()
    assert states.wait(Condition.OK)
    assert watcher.next(LONG_S) is not None
    assert camera.closed == camera.opened - 1, "each failed try let go of the device"


def test_whatever_a_driver_throws_is_reported(states: States, watch: Watch) -> None:
    def script(number: int) -> Frame:
        raise ZeroDivisionError("driver")

    watch(Scripted(script))
    assert "ZeroDivisionError('driver')" in states.wait(Condition.UNPLUGGED).says


def test_a_camera_that_does_not_close_is_tried_again_all_the_same(states: States, watch: Watch) -> None:
    class Stubborn(Scripted):
        def close(self) -> None:
            raise OSError("busy")

    def script(number: int) -> Frame:
        if number < 3:
            raise CameraGone("Plug it in.")
        return steady(number)

    watch(Stubborn(script))
    assert states.wait(Condition.OK)


def test_a_camera_that_hangs_is_replaced_by_another(states: States, watch: Watch) -> None:
    released = Event()

    def script(number: int) -> Frame:
        if number == 3:
            released.wait(LONG_S)
        return steady(number)

    camera = Scripted(script)
    watcher = watch(camera)
    try:
        assert states.wait(Condition.UNPLUGGED)
        assert states.wait(Condition.OK)
        assert watcher.camera is not camera
    finally:
        released.set()
    frame = watcher.next(LONG_S)
    assert frame is not None
    assert frame.at_s > 3, "what the camera that hung says in the end is not heard"


def test_not_more_than_a_few_threads_are_left_hanging(states: States, watch: Watch) -> None:
    released = Event()

    def script(number: int) -> Frame | None:
        released.wait(LONG_S)
        return None

    camera = Scripted(script)
    watcher = watch(camera)
    try:
        while len(camera.others) < MOST_STUCK:
            watcher.next(0.02)
        watcher.next(0.1)
        watcher.next(QUICK.start_s * 2)
        assert len(camera.others) == MOST_STUCK
    finally:
        released.set()


def test_a_frozen_camera_is_reported_and_replaced(states: States, watch: Watch) -> None:
    camera = Scripted(
        lambda number: Frame(noisy(min(number, 3)) if number < 40 else noisy(number), steady(number).at_s)
    )
    watch(camera)
    assert states.wait(Condition.FROZEN)
    assert states.wait(Condition.OK)
    assert camera.others, "it was replaced"


def test_what_shows_nothing_is_shown_but_not_given_to_be_read(states: States, watch: Watch) -> None:
    watcher = watch(Scripted(lambda number: Frame(plain(1), steady(number).at_s)))
    assert states.wait(Condition.BLACK)
    assert watcher.next(0.03) is None
    assert watcher.latest is not None


class Holding(Scripted):
    """A camera that can lock its controls."""

    locked: LockedControls | None = None

    def lock_controls(self) -> LockedControls:
        self.locked = LockedControls(exposure_us=9000)
        return self.locked


def test_a_camera_holds_fast_once_it_is_asked_to() -> None:
    kept: list[LockedControls] = []
    camera = Holding(steady)
    watcher = Watcher(camera, timeouts=QUICK, on_locked=kept.append)
    watcher.start()
    assert watcher.next(LONG_S) is not None
    assert camera.locked is None
    watcher.lock_controls()
    for _ in range(5):
        watcher.next(LONG_S)
    watcher.stop()
    assert kept == [LockedControls(exposure_us=9000)]


def test_a_camera_that_cannot_lock_goes_on(states: States, watch: Watch) -> None:
    watcher = watch(Scripted(steady))
    watcher.lock_controls()
    assert watcher.next(LONG_S) is not None
    assert states.wait(Condition.OK)


def test_a_stopped_watcher_lets_go_of_its_camera(states: States, watch: Watch) -> None:
    camera = Scripted(steady)
    watcher = watch(camera)
    assert states.wait(Condition.OK)
    watcher.stop()
    assert camera.closed == 1
    watcher.next(0)
    assert watcher.next(LONG_S) is None, "nothing comes any more, and nobody waits for it"


class TestAReaderWhoWaits:
    """Nobody waits out the whole time: a frame, the end of the source and `stop` each wake who waits."""

    @pytest.fixture
    def source(self) -> Queue[Frame | None]:
        """What the camera gives next; it waits until something is put in, None at its end."""
        return Queue()

    @pytest.fixture
    def watcher(self, watch: Watch, source: Queue[Frame | None]) -> Watcher:
        """Watches a camera that gives what is put in; not being live, it is never replaced."""
        camera = Scripted(lambda number: source.get(timeout=LONG_S))
        camera.live = False
        return watch(camera)

    @pytest.fixture
    def read(self, watcher: Watcher) -> Queue[Frame | None]:
        """What a reader got who has begun to wait, for an hour at most."""
        read: Queue[Frame | None] = Queue()
        reader = Thread(target=lambda: read.put(watcher.next(timeout_s=3600)), daemon=True)
        reader.start()
        reader.join(0.05)
        assert reader.is_alive()
        return read

    def test_has_a_frame_as_soon_as_it_comes(
        self, source: Queue[Frame | None], read: Queue[Frame | None]
    ) -> None:
        source.put(Frame(noisy(1), 1))
        frame = read.get(timeout=LONG_S)
        assert frame is not None
        assert frame.at_s == 1
        source.put(None)

    def test_learns_of_the_end_as_soon_as_it_comes(
        self, source: Queue[Frame | None], read: Queue[Frame | None]
    ) -> None:
        source.put(None)
        assert read.get(timeout=LONG_S) is None

    def test_is_sent_away_when_the_watcher_stops(
        self, watcher: Watcher, source: Queue[Frame | None], read: Queue[Frame | None]
    ) -> None:
        stopping = Thread(target=watcher.stop)
        stopping.start()
        assert read.get(timeout=LONG_S) is None
        source.put(None)
        stopping.join()


@pytest.mark.parametrize("fault", ["unplugged", "frozen", "black", "overexposed"])
def test_the_virtual_cameras_faults_are_noticed_and_mended(fault: str, states: States, watch: Watch) -> None:
    camera = virtual_camera("virtual?speed=20&still=3")
    watcher = watch(camera)
    assert watcher.next(LONG_S) is not None
    assert states.wait(Condition.OK)
    camera.faults.add(fault)
    while watcher.state.condition is Condition.OK:
        watcher.next(0.02)
    assert watcher.state.condition == fault
    camera.faults.clear()
    assert states.wait(Condition.OK)
    assert watcher.next(LONG_S) is not None


def test_the_promised_times_are_kept() -> None:
    usual = Timeouts.default
    for noticed_s in (usual.silence_s, usual.same_s, usual.dark_s):
        assert noticed_s + usual.tick_s < 2
    opening_s = 5
    assert opening_s + usual.longest_retry_s < 10, "a try that just failed, the wait, and the next one"
