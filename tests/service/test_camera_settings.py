"""What the camera holds fast outlives a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.service import camera_settings
from companion.simulator.sources import open_camera
from hardware.camera.frame import Hold
from hardware.camera.process import HoldingProcessCamera

HOLD = Hold(12000, 2.0, (1.8, 1.5), 3.25)


@pytest.fixture
def camera() -> HoldingProcessCamera:
    """A camera that has not begun."""
    return HoldingProcessCamera("The camera", "tests.camera.cameras:Steady")


def test_what_was_held_is_held_again(home: Path, camera: HoldingProcessCamera) -> None:
    camera_settings.keep(HOLD)
    camera_settings.hand_back(camera)
    assert camera.held == HOLD


def test_where_nothing_was_held_the_camera_finds_it_by_itself(
    home: Path, camera: HoldingProcessCamera
) -> None:
    camera_settings.hand_back(camera)
    assert camera.held is None


def test_rubbish_is_left_aside(
    home: Path, camera: HoldingProcessCamera, caplog: pytest.LogCaptureFixture
) -> None:
    home.mkdir()
    camera_settings.file().write_text("rubbish")
    camera_settings.hand_back(camera)
    assert camera.held is None
    assert "left aside" in caplog.text


def test_a_camera_that_cannot_hold_is_left_alone(home: Path) -> None:
    camera_settings.keep(HOLD)
    camera_settings.hand_back(open_camera("usb:0"))


def test_a_disk_that_takes_no_writes_is_logged(home: Path, caplog: pytest.LogCaptureFixture) -> None:
    home.parent.mkdir(exist_ok=True)
    home.touch()
    camera_settings.keep(HOLD)
    assert "was not kept" in caplog.text


def test_a_camera_that_holds_nothing_leaves_what_another_held(
    home: Path, camera: HoldingProcessCamera
) -> None:
    camera_settings.keep(HOLD)
    camera_settings.keep(Hold())
    camera_settings.hand_back(camera)
    assert camera.held == HOLD
