"""The Raspberry Pi's own camera, through picamera2 (which comes with Raspberry Pi OS, not from PyPI).

The camera has two streams. The reader uses the main one. The small one shows ten times a second whether
anything moved, so that a still table costs next to nothing. The camera runs in a process of its own
(`hardware.camera.process`), because a hanging driver can only be killed with its process.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera.frame import CameraError, CameraGone, Frame, LockedControls
from hardware.light import levels_of
from hardware.vision.motion import Motion

WIDTH, HEIGHT = 1280, 960
SMALL = (640, 480)
"""The small stream in px, in which the reader looks for motion."""
FPS = 10.0
"""Frames per second: enough for the reader, and in the dark an exposure may take a tenth of a second."""
FRAME_TIMEOUT_S = 1.2
"""Time allowed for a frame; picamera2 itself would wait for ever after the cable came off."""
PORTS = ("0", "1")
"""The camera ports of a Raspberry Pi 5; other models have only the first."""

FRESH_S = 3.0
"""Time of fresh main pictures after a motion: dice are read more than once."""
REFRESH_S = 1.0
"""The interval of fresh main pictures of a still table."""

DIM, GLARING = 40, 252
"""Brightest levels of the small picture outside which a locked exposure is measured again."""
SETTLE_S = 2.0
AF_MANUAL = 0
"""libcamera's `controls.AfModeEnum.Manual`. libcamera itself is not imported: that takes seconds."""
AF_CONTINUOUS = 2
"""libcamera's `controls.AfModeEnum.Continuous`."""
FROM_YUV = {"NV12": cv2.COLOR_YUV2BGR_NV12, "YUV420": cv2.COLOR_YUV2BGR_I420}
"""OpenCV's conversion to BGR for each YUV format that the main stream may have."""


class PiCamera:
    """The camera on one of the Pi's ports, BGR 1280 × 960.

    `port` is "0" or "1". `make` returns the Picamera2 for a port number; the default is picamera2's own
    class.
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
        self.locked: LockedControls | None = None
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
        """Start both streams. Raises `CameraGone` if the port has no camera or another program uses it."""
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
            if self.locked is not None:
                self._set_locked(self.locked)
            self._camera.start()
        except (RuntimeError, IndexError, OSError) as error:
            self.close()
            raise CameraGone(
                f"The Pi's camera on port {self.port} does not begin ({error}): switch the Pi off and "
                "check the ribbon cable, and close other programs that use the camera."
            ) from error

    def read_frame(self) -> Frame:
        """The next frame. Raises `CameraGone` if it takes longer than `FRAME_TIMEOUT_S`."""
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
        now_s = self._clock()
        self._newest = request.get_metadata()
        # Every YUV format stores brightness first, then the colours.
        width, height = self._size("lores")
        small = np.ascontiguousarray(request.make_array("lores")[:height, :width], dtype=np.uint8)
        if self._motion.stirred(small):
            self._moved_s = now_s
        fresh = now_s - self._moved_s < FRESH_S or now_s - self._taken_s >= REFRESH_S
        if fresh or self._picture is None:
            self._picture, self._taken_s = self._bgr(request), now_s
        self._follow_light(small, now_s)
        return Frame(self._picture, now_s, small=small)

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

    def lock_controls(self) -> LockedControls:
        """Lock every control at its value in the newest frame; return those values."""
        if self.locked is None and self._camera is not None:
            metadata = self._newest
            colours = metadata.get("ColourGains")
            self.locked = LockedControls(
                exposure_us=metadata.get("ExposureTime"),
                gain=metadata.get("AnalogueGain"),
                colours=None if colours is None else (float(colours[0]), float(colours[1])),
                focus=metadata.get("LensPosition"),
            )
            self._set_locked(self.locked)
        return self.locked or LockedControls()

    def _set_locked(self, locked: LockedControls) -> None:
        if locked.exposure_us is not None and locked.gain is not None:
            self._set(AeEnable=False, ExposureTime=locked.exposure_us, AnalogueGain=locked.gain)
        if locked.colours is not None:
            self._set(AwbEnable=False, ColourGains=locked.colours)
        if locked.focus is not None:
            self._set(AfMode=AF_MANUAL, LensPosition=locked.focus)

    def _follow_light(self, small: Gray, now_s: float) -> None:
        """Measure a locked exposure again after a lamp was switched on or off."""
        if self.locked is None or self.locked.exposure_us is None:
            return
        if self._settling_since_s is None:
            if not DIM <= levels_of(small).brightest <= GLARING:
                self._settling_since_s = now_s
                self._set(AeEnable=True)
        elif now_s - self._settling_since_s >= SETTLE_S:
            self._settling_since_s = None
            exposure_us, gain = self._newest.get("ExposureTime"), self._newest.get("AnalogueGain")
            self._set(AeEnable=False, ExposureTime=exposure_us, AnalogueGain=gain)

    def _set(self, **controls: Any) -> None:
        """Set the controls that this camera has; not every camera has a lens that moves."""
        known = {
            name: value
            for name, value in controls.items()
            if name in self._camera.camera_controls and value is not None
        }
        if known:
            self._camera.set_controls(known)

    def close(self) -> None:
        """Stop the camera and release it."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            camera.close()

    def replacement(self) -> PiCamera:
        """A closed camera on the same port, with the same controls locked."""
        other = PiCamera(self.port, make=self._make, clock=self._clock)
        other.locked = self.locked
        return other


def check_port(port: str) -> None:
    """Raise `CameraError` for a port that no Pi has."""
    if port not in PORTS:
        raise CameraError(f"picamera:{port} names no port: write picamera:0 or picamera:1.")


def check_installed() -> None:
    """Raise `CameraError` if picamera2 is not installed."""
    if not available():
        raise CameraError(
            "picamera2 is not installed here: on a Raspberry Pi run `sudo apt install "
            "python3-picamera2` and make the venv with --system-site-packages; elsewhere use "
            "--camera usb:0 or virtual."
        )


def available() -> bool:
    """True if picamera2 is installed. It is not imported: that takes seconds."""
    return find_spec("picamera2") is not None


def _picamera2(port: int) -> Any:
    from picamera2 import Picamera2

    return Picamera2(port)
