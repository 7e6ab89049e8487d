"""The Raspberry Pi's own camera, through picamera2 (which comes with Raspberry Pi OS, not from PyPI).

Two streams: the main one is read, the small one tells ten times a second whether anything moved, so that a
still table costs next to nothing. Meant to run in a process of its own (`hardware.camera.process`): what
hangs in the camera's driver can only be ended with its process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera.frame import CameraError, CameraGone, Frame, Hold
from hardware.vision.register.motion import Motion

WIDTH, HEIGHT = 1280, 960
SMALL = (640, 480)
"""The small stream's width and height: as much as the reader itself looks at for what moved."""
FPS = 10.0
"""More is not read; and a picture may take so long in the dark."""
FRAME_TIMEOUT_S = 1.2
"""picamera2 itself would wait for ever for a camera whose cable came off."""
PORTS = ("0", "1")

FRESH_S = 3.0
"""After anything moved, every picture is a fresh one for so long: dice are looked at more than once."""
REFRESH_S = 1.0
"""A table on which nothing moves is looked at so often all the same."""

DIM, GLARING = 40, 252
"""Levels of 255 that the brightest twentieth of the small picture keeps between while exposure is held;
beyond, a lamp was switched, and exposure is found anew. The darkest photograph of a table at hand reaches
151."""
SETTLE_S = 2.0
"""How long the camera is given to find exposure anew."""

AF_MANUAL, AF_CONTINUOUS = 0, 2
"""libcamera's AfModeEnum; importing it takes seconds."""
FROM_YUV = {"NV12": cv2.COLOR_YUV2BGR_NV12, "YUV420": cv2.COLOR_YUV2BGR_I420}


class PiCamera:
    """The camera on one of the Pi's two ports; its main stream, BGR 1280 × 960.

    `make` gives a Picamera2 for a port; it is picamera2's own class unless told otherwise.
    """

    live = True
    scene = None

    def __init__(
        self,
        port: str = "0",
        *,
        make: Callable[[int], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Raises `CameraError` for a port that no Pi has."""
        check_port(port)
        self.port = port
        self.held: Hold | None = None
        self._make = make or _picamera2
        self._clock = clock
        self._camera: Any = None
        self._newest: dict[str, Any] = {}
        self._settling_since_s: float | None = None
        self._begin_motion()

    def _begin_motion(self) -> None:
        self._motion = Motion()
        self._picture: Picture | None = None
        self._moved_s = self._taken_s = float("-inf")

    def open(self) -> None:
        """Begin. Raises `CameraGone` when no camera is on the port, or another program holds it."""
        self._begin_motion()
        self._settling_since_s = None
        try:
            self._camera = self._make(int(self.port))
            # picamera2 names formats by their order in a word of memory: RGB888 is B, G, R in the array.
            main = {"size": (WIDTH, HEIGHT), "format": "RGB888"}
            small = {"size": SMALL, "format": "YUV420"}
            self._camera.configure(
                self._camera.create_video_configuration(main=main, lores=small, buffer_count=4)
            )
            self._set(FrameDurationLimits=(round(1e6 / FPS),) * 2, AfMode=AF_CONTINUOUS)
            if self.held is not None:
                self._hold_fast(self.held)
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            raise CameraGone(
                f"The Pi's camera on port {self.port} does not begin ({error}): switch the Pi off and "
                "check the ribbon cable, and close other programs that use the camera."
            ) from error

    def read(self) -> Frame:
        """The next picture. Raises `CameraGone` when none comes in time."""
        if self._camera is None:
            raise CameraGone(f"The Pi's camera on port {self.port} is not open.")
        try:
            request = self._camera.capture_request(wait=FRAME_TIMEOUT_S)
        except (TimeoutError, RuntimeError, OSError) as error:
            raise CameraGone(
                f"The Pi's camera on port {self.port} gives no picture: switch the Pi off and check "
                "the ribbon cable."
            ) from error
        try:
            return self._frame(request)
        finally:
            request.release()

    def _frame(self, request: Any) -> Frame:
        now = self._clock()
        self._newest = request.get_metadata()
        small = self._levels(request)
        if self._motion.stirred(small):
            self._moved_s = now
        fresh = now - self._moved_s < FRESH_S or now - self._taken_s >= REFRESH_S
        if fresh or self._picture is None:
            self._picture, self._taken_s = self._bgr(request), now
        self._follow_light(small, now)
        return Frame(self._picture, now, small=small)

    def _levels(self, request: Any) -> Gray:
        width, height = self._size("lores")
        # The levels come first in every format of this kind, then the colours.
        return np.ascontiguousarray(request.make_array("lores")[:height, :width], dtype=np.uint8)

    def _bgr(self, request: Any) -> Picture:
        width, height = self._size("main")
        picture = request.make_array("main")
        conversion = FROM_YUV.get(self._camera.camera_configuration()["main"]["format"])
        if conversion is not None:
            picture = cv2.cvtColor(picture, conversion)
        return np.ascontiguousarray(picture[:height, :width, :3], dtype=np.uint8)

    def _size(self, stream: str) -> tuple[int, int]:
        width, height = self._camera.camera_configuration()[stream]["size"]
        return width, height

    # Focus, exposure and white balance.

    def hold(self) -> Hold:
        """Hold all of it as it was in the newest frame."""
        if self.held is None and self._camera is not None:
            told = self._newest
            colours = told.get("ColourGains")
            self.held = Hold(
                exposure_us=told.get("ExposureTime"),
                gain=told.get("AnalogueGain"),
                colours=None if colours is None else (float(colours[0]), float(colours[1])),
                focus=told.get("LensPosition"),
            )
            self._hold_fast(self.held)
        return self.held or Hold()

    def _hold_fast(self, held: Hold) -> None:
        if held.exposure_us is not None and held.gain is not None:
            self._set(AeEnable=False, ExposureTime=held.exposure_us, AnalogueGain=held.gain)
        if held.colours is not None:
            self._set(AwbEnable=False, ColourGains=held.colours)
        if held.focus is not None:
            self._set(AfMode=AF_MANUAL, LensPosition=held.focus)

    def _follow_light(self, small: Gray, now: float) -> None:
        """While exposure is held: find it anew once a lamp was switched."""
        if self.held is None or self.held.exposure_us is None:
            return
        if self._settling_since_s is None:
            if not DIM <= float(np.percentile(small[::8, ::8], 95)) <= GLARING:
                self._settling_since_s = now
                self._set(AeEnable=True)
        elif now - self._settling_since_s >= SETTLE_S:
            self._settling_since_s = None
            found = (self._newest.get("ExposureTime"), self._newest.get("AnalogueGain"))
            self._set(AeEnable=False, ExposureTime=found[0], AnalogueGain=found[1])

    def _set(self, **controls: Any) -> None:
        """Set what this camera knows of these controls: not each has a lens that moves."""
        known = {
            name: value
            for name, value in controls.items()
            if name in self._camera.camera_controls and value is not None
        }
        if known:
            self._camera.set_controls(known)

    def close(self) -> None:
        """Stop the camera and let go of it."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            camera.close()

    def anew(self) -> PiCamera:
        """Another one on the same port, which holds the same."""
        other = PiCamera(self.port, make=self._make, clock=self._clock)
        other.held = self.held
        return other


def check_port(port: str) -> None:
    """Raises `CameraError` for a port that no Pi has."""
    if port not in PORTS:
        raise CameraError(f"picamera:{port} names no port: write picamera:0 or picamera:1.")


def check_installed() -> None:
    """Raises `CameraError` where picamera2 is not installed."""
    if not available():
        raise CameraError(
            "picamera2 is not installed here: on a Raspberry Pi run `sudo apt install "
            "python3-picamera2` and make the venv with --system-site-packages; elsewhere use "
            "--camera usb:0 or virtual."
        )


def available() -> bool:
    """Whether picamera2 is installed; it is not imported, which takes seconds."""
    return find_spec("picamera2") is not None


def _picamera2(port: int) -> Any:
    from picamera2 import Picamera2

    return Picamera2(port)
