"""The Pi's camera, against a stand-in that keeps picamera2's rules (tests/real tries the real one)."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from hardware.camera import pi
from hardware.camera.frame import CameraError, CameraGone, LockableCamera, LockedControls
from hardware.camera.pi import PiCamera
from tests.camera.conftest import Clock

NOW = {"ExposureTime": 12000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5), "LensPosition": 3.2}
"""What picamera2 reports of one frame."""
AF_MODE = {"Manual": 0, "Auto": 1, "Continuous": 2}
"""libcamera's AfMode by name: src/libcamera/control_ids_core.yaml, `- AfMode:`, the values of its enum."""
MODULE_3 = {
    *("FrameDurationLimits", "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains"),
    *("AfMode", "LensPosition"),
}


class Request:
    """What one moment gave; it must be released."""

    def __init__(self, camera: FakePicamera2) -> None:
        self.camera = camera
        self.released = False

    def make_array(self, name: str) -> np.ndarray:
        assert not self.released
        stream = self.camera.camera_configuration()[name]
        width, height = stream["size"]
        self.camera.taken.append(name)
        if name == "main":
            if stream["format"] == "NV12":
                return np.full((height * 3 // 2, width), self.camera.level, np.uint8)
            return np.full((height, width, 3), self.camera.level, np.uint8)
        # Levels, then colours; rows are padded as the hardware likes it.
        levels = np.full((height * 3 // 2, width + 64), self.camera.level, np.uint8)
        levels[: self.camera.moved_rows, :width] = 255 - self.camera.level
        return levels

    def get_metadata(self) -> dict[str, Any]:
        return dict(self.camera.metadata)

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.open_requests -= 1


class FakePicamera2:
    """Refuses what picamera2 refuses: to start unconfigured, to give pictures before it was started, controls
    that the sensor does not have, more requests than there are buffers."""

    fails = ""
    formats = ("RGB888", "YUV420")
    controls_known = MODULE_3

    def __init__(self, port: int) -> None:
        if self.fails == "no camera":
            raise IndexError("list index out of range")
        self.port = port
        self.config: dict[str, Any] | None = None
        self.camera_controls = dict.fromkeys(self.controls_known)
        self.set: dict[str, Any] = {}
        self.started = False
        self.closed = False
        self.level, self.moved_rows = 120, 0
        self.metadata: dict[str, Any] = dict(NOW)
        self.taken: list[str] = []
        self.open_requests = 0

    def create_video_configuration(
        self, main: dict[str, Any], lores: dict[str, Any], buffer_count: int
    ) -> dict[str, Any]:
        return {
            "main": main | {"format": self.formats[0]},
            "lores": lores | {"format": self.formats[1]},
            "buffer_count": buffer_count,
        }

    def configure(self, config: dict[str, Any]) -> None:
        if self.fails == "busy":
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self.config = config

    def camera_configuration(self) -> dict[str, Any]:
        assert self.config is not None
        return self.config

    def set_controls(self, controls: dict[str, Any]) -> None:
        assert self.config is not None
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.set |= controls

    def start(self) -> None:
        assert self.config is not None
        self.started = True

    def capture_request(self, wait: float | None = None) -> Request:
        assert self.started and self.config is not None
        assert wait == pi.FRAME_TIMEOUT_S
        if self.fails == "cable":
            raise TimeoutError
        self.open_requests += 1
        assert self.open_requests < self.config["buffer_count"]
        return Request(self)

    def stop(self) -> None:
        self.started = False

    def close(self) -> None:
        assert not self.started
        self.closed = True


@pytest.fixture
def camera(clock: Clock) -> PiCamera:
    """The camera on the second port, open."""
    made = PiCamera("1", make=FakePicamera2, clock=clock)
    made.open()
    return made


def fake(camera: PiCamera) -> FakePicamera2:
    """The stand-in behind it."""
    assert isinstance(camera._camera, FakePicamera2)
    return camera._camera


def read(camera: PiCamera, clock: Clock, count: int) -> list[str]:
    """Read so many pictures, ten a second; which streams were taken for them."""
    fake(camera).taken.clear()
    for _ in range(count):
        camera.read_frame()
        clock.now_s += 0.1
    return fake(camera).taken


def test_it_gives_pictures_of_1280_by_960_and_small_ones(camera: PiCamera) -> None:
    frame = camera.read_frame()
    assert (frame.picture.shape, frame.at_s, frame.name, frame.note) == ((960, 1280, 3), 100.0, "", None)
    assert frame.small is not None
    assert frame.small.shape == (480, 640)
    assert camera.live


def test_a_stream_that_comes_as_yuv_is_turned_into_colours(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(FakePicamera2, "formats", ("NV12", "NV12"))
    camera = PiCamera(make=FakePicamera2, clock=clock)
    camera.open()
    picture = camera.read_frame().picture
    grey = np.full((2, 2), 120, np.uint8)
    want = cv2.cvtColor(np.vstack([grey, grey[:1]]), cv2.COLOR_YUV2BGR_NV12)[0, 0]
    assert picture.shape == (960, 1280, 3)
    assert picture[0, 0].tolist() == want.tolist()


def test_while_nothing_moves_the_big_picture_is_left_alone(camera: PiCamera, clock: Clock) -> None:
    read(camera, clock, 31)
    before = camera.read_frame().picture
    taken = read(camera, clock, 30)
    assert taken.count("lores") == 30
    assert taken.count("main") in (2, 3), "once a second"
    assert before is not camera.read_frame().picture


def test_what_moves_makes_every_picture_a_fresh_one(camera: PiCamera, clock: Clock) -> None:
    read(camera, clock, 40)
    fake(camera).moved_rows = 16
    taken = read(camera, clock, 20)
    assert taken.count("main") == 20


def test_closed_twice_it_lets_go_once(camera: PiCamera) -> None:
    made = fake(camera)
    camera.close()
    camera.close()
    assert made.closed
    with pytest.raises(CameraGone, match="not open"):
        camera.read_frame()


@pytest.mark.parametrize(("fails", "says"), [("no camera", "ribbon cable"), ("busy", "resource busy")])
def test_a_camera_that_does_not_begin(fails: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakePicamera2, "fails", fails)
    camera = PiCamera(make=FakePicamera2)
    with pytest.raises(CameraGone, match=says):
        camera.open()
    camera.close()


def test_a_cable_that_came_off_is_reported_in_time(camera: PiCamera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FakePicamera2, "fails", "cable")
    with pytest.raises(CameraGone, match="gives no picture"):
        camera.read_frame()
    assert pi.FRAME_TIMEOUT_S < 2


def test_every_request_is_given_back(camera: PiCamera, clock: Clock) -> None:
    read(camera, clock, 20)
    assert fake(camera).open_requests == 0


def test_its_replacement_is_on_the_same_port_with_the_same_controls(camera: PiCamera) -> None:
    camera.read_frame()
    locked = camera.lock_controls()
    again = camera.replacement()
    assert (again is camera, again.port, again.locked) == (False, "1", locked)


def test_a_port_that_no_pi_has() -> None:
    with pytest.raises(CameraError, match="picamera:0 or picamera:1"):
        PiCamera("7", make=FakePicamera2)


def test_without_picamera2_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pi, "available", lambda: False)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        pi.check_installed()


def test_until_the_empty_bed_is_shown_it_adjusts_itself(camera: PiCamera) -> None:
    assert isinstance(camera, LockableCamera)
    assert fake(camera).set == {"FrameDurationLimits": (100_000, 100_000), "AfMode": AF_MODE["Continuous"]}


def test_then_it_locks_what_the_newest_frame_had(camera: PiCamera) -> None:
    camera.read_frame()
    fake(camera).metadata["ExposureTime"] = 1
    assert camera.lock_controls() == LockedControls(12000, 2.0, (1.8, 1.5), 3.2)
    controls = fake(camera).set
    assert {name: controls[name] for name in ("AeEnable", "AwbEnable", "AfMode")} == {
        "AeEnable": False,
        "AwbEnable": False,
        "AfMode": AF_MODE["Manual"],
    }
    assert (controls["ExposureTime"], controls["ColourGains"], controls["LensPosition"]) == (
        12000,
        (1.8, 1.5),
        3.2,
    )
    camera.read_frame()
    assert camera.lock_controls().exposure_us == 12000, "asked again it changes nothing"


def test_controls_locked_before_are_set_at_the_start(clock: Clock) -> None:
    camera = PiCamera(make=FakePicamera2, clock=clock)
    camera.locked = LockedControls(5000, 1.0, (2.0, 1.0), 4.0)
    camera.open()
    assert (fake(camera).set["ExposureTime"], fake(camera).set["LensPosition"]) == (5000, 4.0)


def test_a_camera_without_a_lens_that_moves_is_not_asked_to_focus(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr(FakePicamera2, "controls_known", MODULE_3 - {"AfMode", "LensPosition"})
    camera = PiCamera(make=FakePicamera2, clock=clock)
    camera.open()
    fake(camera).metadata.pop("LensPosition")
    camera.read_frame()
    assert camera.lock_controls().focus is None
    assert not {"AfMode", "LensPosition"} & fake(camera).set.keys()


def test_when_a_lamp_goes_out_exposure_is_measured_and_locked_again(camera: PiCamera, clock: Clock) -> None:
    camera.read_frame()
    camera.lock_controls()
    fake(camera).level = 20
    camera.read_frame()
    controls = fake(camera).set
    assert controls["AeEnable"] is True
    assert controls["AwbEnable"] is False, "colours stay comparable"
    fake(camera).metadata["ExposureTime"] = 60000
    read(camera, clock, 19)
    assert controls["AeEnable"] is True
    read(camera, clock, 3)
    assert (controls["AeEnable"], controls["ExposureTime"]) == (False, 60000)


def test_drifting_light_changes_no_locked_control(camera: PiCamera, clock: Clock) -> None:
    camera.read_frame()
    camera.lock_controls()
    for level in range(120, 45, -5):
        fake(camera).level = level
        read(camera, clock, 2)
    assert fake(camera).set["AeEnable"] is False
