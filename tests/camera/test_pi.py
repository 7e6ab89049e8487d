"""The Pi's camera, against a stand-in that keeps picamera2's rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hardware.camera import pi
from hardware.camera.frame import CameraError, CameraGone
from hardware.camera.pi import PiCamera


class FakePicamera2:
    """Refuses what picamera2 refuses: to start unconfigured, to give pictures before it was started."""

    fails = ""

    def __init__(self, port: int) -> None:
        if self.fails == "no camera":
            raise IndexError("list index out of range")
        self.port = port
        self.config: dict[str, Any] | None = None
        self.started = False
        self.closed = False

    def create_video_configuration(self, main: dict[str, Any], buffer_count: int) -> dict[str, Any]:
        return {"main": main, "buffer_count": buffer_count}

    def configure(self, config: dict[str, Any]) -> None:
        if self.fails == "busy":
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.config = config

    def start(self) -> None:
        assert self.config is not None
        self.started = True

    def capture_array(self, name: str, wait: float | None = None) -> np.ndarray:
        assert self.started and self.config is not None
        assert (name, wait) == ("main", pi.FRAME_TIMEOUT_S)
        if self.fails == "cable":
            raise TimeoutError
        width, height = self.config["main"]["size"]
        padding = 1 if self.config["main"]["format"] == "XRGB8888" else 0
        return np.full((height, width, 3 + padding), 90, np.uint8)

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        assert not self.started
        self.closed = True


@pytest.fixture
def camera() -> PiCamera:
    """The camera on the second port."""
    return PiCamera("1", make=FakePicamera2, clock=lambda: 4.0)


def test_it_gives_pictures_of_1280_by_960(camera: PiCamera) -> None:
    camera.open()
    frame = camera.read()
    assert (frame.picture.shape, frame.at_s, frame.name, frame.note) == ((960, 1280, 3), 4.0, "", None)
    assert camera.live


def test_closed_twice_it_lets_go_once(camera: PiCamera) -> None:
    camera.open()
    made = camera._camera
    camera.close()
    camera.close()
    assert made.closed
    with pytest.raises(CameraGone, match="not open"):
        camera.read()


@pytest.mark.parametrize(("fails", "says"), [("no camera", "ribbon cable"), ("busy", "resource busy")])
def test_a_camera_that_does_not_begin(
    camera: PiCamera, fails: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakePicamera2, "fails", fails)
    with pytest.raises(CameraGone, match=says):
        camera.open()
    camera.close()


def test_a_cable_that_came_off_is_told_in_time(camera: PiCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    camera.open()
    monkeypatch.setattr(FakePicamera2, "fails", "cable")
    with pytest.raises(CameraGone, match="gives no picture"):
        camera.read()
    assert pi.FRAME_TIMEOUT_S < 2


def test_begun_anew_it_is_on_the_same_port(camera: PiCamera) -> None:
    again = camera.anew()
    assert (again is camera, again.port) == (False, "1")


def test_a_port_that_no_pi_has() -> None:
    with pytest.raises(CameraError, match="picamera:0 or picamera:1"):
        PiCamera("7", make=FakePicamera2)
