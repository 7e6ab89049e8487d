"""Our Pi camera on the real picamera2: what it promises, and what our stand-in for it takes for granted."""

import inspect
import os
import signal
import sys
import time
from collections.abc import Callable

import cv2
import numpy as np

from hardware.camera import pi
from hardware.camera.frame import CameraGone, LockedControls
from hardware.camera.health import Condition
from hardware.camera.process import LockableProcessCamera
from hardware.camera.watcher import Watcher
from hardware.vision.register.markers import find_markers, to_gray
from tests.real.camera import virtual

MAKER = "tests.real.camera.virtual:camera"


def check(what: str, ok: bool, *facts: object) -> None:
    """Say that something holds; end where it does not."""
    if not ok:
        sys.exit(f"FAILED: {what} {facts}")
    sys.stderr.write(f"  ok: {what}\n")


def near(one: np.ndarray, other: np.ndarray, levels: float) -> bool:
    """Whether two pictures differ by no more than so many levels in the middle of all."""
    return float(np.abs(one.astype(float) - other.astype(float)).mean()) <= levels


def until(done: Callable[[], bool], within_s: float, facts: Callable[[], object] = lambda: "") -> float:
    """How long until it is so; ends where it takes longer, with what is facts."""
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > within_s:
            sys.exit(f"FAILED: not within {within_s} s {facts()}")
        time.sleep(0.02)
    return time.monotonic() - began


def pictures() -> None:
    """What comes is what lies before the camera, in our colours."""
    camera = virtual.camera("0")
    camera.open()
    real = camera._camera
    frames = [camera.read_frame() for _ in range(5)]
    shown = cv2.imread("/opt/frames/still/000.jpg")
    last = frames[-1]
    check("the main stream is 1280 × 960, blue first", last.picture.shape == (960, 1280, 3))
    # The virtual camera keeps a JPEG's full range of levels; a video stream has less: contrast is added.
    check("as it lies before the camera", near(last.picture, shown, 10), last.picture.mean((0, 1)))
    swapped = last.picture[..., ::-1]
    check("red as red", not near(swapped, shown, 20), swapped.mean((0, 1)))
    small = cv2.resize(to_gray(shown), (640, 480), interpolation=cv2.INTER_AREA)
    check("the small stream is 640 × 480 levels", last.small is not None and last.small.shape == (480, 640))
    check("of the same moment", near(last.small, small, 12), last.small.mean(), small.mean())
    check("all four markers are found", sorted(find_markers(to_gray(last.picture))) == [0, 1, 2, 3])
    until(lambda: camera.read_frame().picture is camera.read_frame().picture, pi.FRESH_S + 2)
    check("while nothing moves the big picture is left alone", True)
    check(
        "it can lock its controls, without a lens or a sensor to show them",
        isinstance(camera.lock_controls(), LockedControls),
    )
    rules(real)
    camera.close()
    camera.close()
    camera.open()
    check("closed and opened again it goes on", camera.read_frame().picture.shape == (960, 1280, 3))
    camera.close()


def rules(real: object) -> None:
    """What the stand-in in tests/camera/test_pi.py takes for granted of picamera2."""
    from picamera2 import Picamera2

    check("requests can be waited for", "wait" in inspect.signature(Picamera2.capture_request).parameters)
    config = real.camera_configuration()
    check("the configuration tells each stream's size", config["main"]["size"] == (1280, 960))
    check("and format", config["main"]["format"] in {*pi.FROM_YUV, "RGB888"}, config["main"])
    try:
        real.set_controls({"NoSuchControl": 1})
        real.capture_request(wait=1).release()
        refused = False
    except RuntimeError:
        refused = True
    check("a control that the camera does not have is refused", refused)


def timeouts() -> None:
    """A camera whose pictures stay away raises in time."""
    camera = virtual.camera("0")
    camera.open()
    camera.read_frame()
    camera._camera.stop()
    began = time.monotonic()
    try:
        camera.read_frame()
    except CameraGone:
        took = time.monotonic() - began
        check(f"a camera that gives nothing is reported after {took:.1f} s", took < 2)
    else:
        sys.exit("FAILED: a camera that was stopped gave a picture")
    # What is left of it is the process's to take along.


def other_port() -> None:
    """The second port, where something moves."""
    camera = virtual.camera("1")
    camera.open()
    frames = [camera.read_frame() for _ in range(20)]
    fresh = len({id(frame.picture) for frame in frames})
    check("the second port is another camera, and what moves is always fresh", fresh == 20, fresh)
    camera.close()
    try:
        PiCameraOnNoPort().open()
    except CameraGone as error:
        check(f"where no camera is: {str(error)[:60]} …", True)


class PiCameraOnNoPort(pi.PiCamera):
    """A port on which nothing is plugged in."""

    def __init__(self) -> None:
        super().__init__("1", make=lambda _: virtual.picamera2(7))


def process() -> None:
    """In a process of its own, which is stopped dead, and replaced by itself."""
    camera = LockableProcessCamera("The camera", MAKER, {"port": "1"})
    watcher = Watcher(camera)
    watcher.start()
    took = until(lambda: watcher.state.condition is Condition.OK, 30)
    check(f"in a process of its own it gives its first picture after {took:.1f} s", True)
    child = watcher.camera.pid
    os.kill(child, signal.SIGSTOP)
    took = until(lambda: watcher.state.condition is Condition.UNPLUGGED, 3)
    check(f"stopped dead: noticed after {took:.1f} s", took < 2)
    took = until(lambda: watcher.state.condition is Condition.OK, 10, lambda: watcher.state)
    check(f"and replaced after {took:.1f} s more", took < 10 and watcher.camera.pid != child)
    watcher.stop()


pictures()
other_port()
process()
timeouts()
os._exit(0)
