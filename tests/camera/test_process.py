"""A camera in a process of its own, which can be killed and replaced."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from hardware.camera.frame import CameraError, CameraGone, LockableCamera, LockedControls
from hardware.camera.health import Condition
from hardware.camera.process import CLOSE_S, LockableProcessCamera, ProcessCamera
from hardware.camera.watcher import STOP_TIMEOUT_S, Watcher
from tests.camera.conftest import noisy

NOTICED_WITHIN_S = 2.0
MENDED_WITHIN_S = 10.0
PATIENCE_S = 20.0
HANGS_S = 60.0
"""As long as `tests.camera.cameras` hangs."""
MAKER = "tests.camera.cameras:Steady"


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[LockableProcessCamera]:
    """A camera in a process, not yet open."""
    made = LockableProcessCamera("The camera", MAKER, {"folder": str(tmp_path)})
    yield made
    made.close()


@pytest.fixture
def fault(tmp_path: Path) -> Callable[[str], None]:
    """Switches a fault of the camera on; an empty one: off."""

    def switch(name: str) -> None:
        part = tmp_path / "part"
        part.write_text(name)
        part.replace(tmp_path / "fault")

    return switch


def test_its_pictures_come_over_whole(camera: ProcessCamera) -> None:
    camera.open()
    first, second = camera.read_frame(), camera.read_frame()
    assert np.array_equal(first.picture, noisy(1))
    assert np.array_equal(second.picture, noisy(2)), "and the first one was not written over"
    assert np.array_equal(first.picture, noisy(1))
    assert (first.at_s, first.small) == (1, None)
    assert camera.pid not in (None, os.getpid())


def test_a_picture_that_stays_the_same_is_not_sent_again(
    camera: ProcessCamera, fault: Callable[[str], None]
) -> None:
    fault("still")
    camera.open()
    first, second = camera.read_frame(), camera.read_frame()
    assert first.picture is second.picture
    assert first.small is not None
    assert second.small is not None
    assert np.array_equal(second.small, noisy(2)[..., 0])
    assert not np.array_equal(first.small, second.small)


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        pytest.param("unplugged", CameraGone, "Plug it in", id="its-own-sentence"),
        pytest.param("wrong", CameraError, "never work", id="not-worth-another-try"),
        pytest.param("broken", CameraGone, "ZeroDivisionError", id="whatever-a-driver-throws"),
        pytest.param("dies", CameraGone, "The camera gives no picture", id="the-process-dies"),
        pytest.param("hangs", CameraGone, "The camera gives no picture", id="it-hangs"),
        pytest.param("hangs for good", CameraGone, "The camera gives no picture", id="it-hangs-stubbornly"),
        pytest.param("ended", CameraGone, "no more pictures", id="it-ends"),
    ],
)
def test_what_goes_wrong_is_reported_in_time(
    camera: ProcessCamera, fault: Callable[[str], None], name: str, error: type, says: str
) -> None:
    camera.open()
    camera.read_frame()
    process = camera.pid
    fault(name)
    began = time.monotonic()
    with pytest.raises(error, match=says):
        camera.read_frame()
    camera.close()
    assert time.monotonic() - began < HANGS_S / 2
    assert process is not None
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_camera_that_is_not_open_says_so(camera: ProcessCamera) -> None:
    with pytest.raises(CameraGone, match="not open"):
        camera.read_frame()


def test_a_maker_that_is_none_is_reported() -> None:
    camera = ProcessCamera("The camera", "tests.camera.cameras:Nothing")
    with pytest.raises(CameraGone, match="AttributeError"):
        camera.open()
    camera.close()


def test_the_first_picture_may_take_its_time(camera: ProcessCamera, fault: Callable[[str], None]) -> None:
    fault("finds the light")
    camera.open()
    assert np.array_equal(camera.read_frame().picture, noisy(1))


def test_a_camera_that_holds_nothing_is_not_asked_to(tmp_path: Path) -> None:
    assert not isinstance(ProcessCamera("The camera", MAKER, {"folder": str(tmp_path)}), LockableCamera)


def test_its_replacement_keeps_the_locked_controls(camera: LockableProcessCamera) -> None:
    camera.open()
    assert camera.lock_controls() == LockedControls(exposure_us=80)
    assert abs(camera.read_frame().picture.mean() - 80) < 2
    again = camera.replacement()
    camera.close()
    again.open()
    assert abs(again.read_frame().picture.mean() - 80) < 2
    again.close()


def test_it_is_closed_before_a_watcher_gives_up_waiting() -> None:
    assert CLOSE_S < STOP_TIMEOUT_S


def waits(watcher: Watcher, condition: Condition) -> float:
    """How long until the watcher's camera is in this condition, in seconds."""
    began = time.monotonic()
    while watcher.state.condition is not condition:
        watcher.next(0.02)
        assert time.monotonic() - began < PATIENCE_S, watcher.state
    return time.monotonic() - began


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("unplugged", Condition.UNPLUGGED),
        ("hangs", Condition.UNPLUGGED),
        ("hangs for good", Condition.UNPLUGGED),
        ("dies", Condition.UNPLUGGED),
        ("frozen", Condition.FROZEN),
        ("black", Condition.BLACK),
    ],
)
def test_a_fault_is_noticed_within_2_s_and_mended_within_10_s_of_its_end(
    camera: ProcessCamera, fault: Callable[[str], None], name: str, condition: Condition
) -> None:
    watcher = Watcher(camera)
    watcher.start()
    try:
        waits(watcher, Condition.OK)
        fault(name)
        assert waits(watcher, condition) < NOTICED_WITHIN_S
        time.sleep(3 if name != "dies" else 0)
        fault("")
        assert waits(watcher, Condition.OK) < MENDED_WITHIN_S
        assert watcher.next(PATIENCE_S) is not None
    finally:
        watcher.stop()


def test_a_process_that_is_killed_from_outside_is_replaced(camera: ProcessCamera) -> None:
    watcher = Watcher(camera)
    watcher.start()
    try:
        waits(watcher, Condition.OK)
        assert camera.pid is not None
        os.kill(camera.pid, signal.SIGKILL)
        waits(watcher, Condition.UNPLUGGED)
        assert waits(watcher, Condition.OK) < MENDED_WITHIN_S
    finally:
        watcher.stop()
