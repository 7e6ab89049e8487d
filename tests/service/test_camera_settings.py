"""The camera's locked controls outlive a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.service import camera_settings
from companion.simulator.sources import open_camera
from hardware.camera.frame import LockedControls
from hardware.camera.process import LockableProcessCamera

LOCKED = LockedControls(12000, 2.0, (1.8, 1.5), 3.25)


@pytest.fixture
def camera() -> LockableProcessCamera:
    """A closed camera."""
    return LockableProcessCamera("The camera", "tests.camera.cameras:Steady")


def test_locked_controls_outlive_a_restart(home: Path, camera: LockableProcessCamera) -> None:
    camera_settings.keep(LOCKED)
    camera_settings.restore(camera)
    assert camera.locked == LOCKED


def test_without_a_file_the_camera_adjusts_itself(home: Path, camera: LockableProcessCamera) -> None:
    camera_settings.restore(camera)
    assert camera.locked is None


def test_rubbish_is_left_aside(
    home: Path, camera: LockableProcessCamera, caplog: pytest.LogCaptureFixture
) -> None:
    home.mkdir()
    camera_settings.file().write_text("rubbish")
    camera_settings.restore(camera)
    assert camera.locked is None
    assert "was damaged; it is kept as" in caplog.text


def test_a_camera_that_cannot_lock_is_left_alone(home: Path) -> None:
    camera_settings.keep(LOCKED)
    camera_settings.restore(open_camera("usb:0"))


def test_a_disk_that_takes_no_writes_is_logged(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    home.parent.mkdir(exist_ok=True)
    home.touch()
    camera_settings.keep(LOCKED)
    assert "cannot be kept" in caplog.text


def test_a_camera_that_locks_nothing_leaves_the_file_as_it_is(
    home: Path, camera: LockableProcessCamera
) -> None:
    camera_settings.keep(LOCKED)
    camera_settings.keep(LockedControls())
    camera_settings.restore(camera)
    assert camera.locked == LOCKED
