"""The Raspberry Pi's own camera, through picamera2 (which comes with Raspberry Pi OS, not from PyPI)."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from hardware.camera.frame import CameraError, CameraGone, Frame

WIDTH, HEIGHT = 1280, 960
FRAME_TIMEOUT_S = 1.5
"""picamera2 itself would wait for ever for a camera whose cable came off."""
PORTS = ("0", "1")


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
        """Raises `CameraError` for a port that no Pi has, and where picamera2 is not installed."""
        if port not in PORTS:
            raise CameraError(f"picamera:{port} names no port: write picamera:0 or picamera:1.")
        if make is None and not available():
            raise CameraError(
                "picamera2 is not installed here: on a Raspberry Pi run `sudo apt install "
                "python3-picamera2` and make the venv with --system-site-packages; elsewhere use "
                "--camera usb:0 or virtual."
            )
        self.port = port
        self._make = make or _picamera2
        self._clock = clock
        self._camera: Any = None

    def open(self) -> None:
        """Begin. Raises `CameraGone` when no camera is on the port, or another program holds it."""
        try:
            self._camera = self._make(int(self.port))
            # picamera2 names formats by their order in a word of memory: RGB888 is B, G, R in the array.
            main = {"size": (WIDTH, HEIGHT), "format": "RGB888"}
            self._camera.configure(self._camera.create_video_configuration(main=main, buffer_count=4))
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
            picture = self._camera.capture_array("main", wait=FRAME_TIMEOUT_S)
        except (TimeoutError, RuntimeError, OSError) as error:
            raise CameraGone(
                f"The Pi's camera on port {self.port} gives no picture: switch the Pi off and check "
                "the ribbon cable."
            ) from error
        return Frame(np.ascontiguousarray(picture[..., :3], dtype=np.uint8), self._clock())

    def close(self) -> None:
        """Stop the camera and let go of it."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.stop()
            camera.close()

    def anew(self) -> PiCamera:
        """Another one on the same port."""
        return PiCamera(self.port, make=self._make, clock=self._clock)


def available() -> bool:
    """Whether picamera2 is installed; it is not imported, which takes seconds."""
    return find_spec("picamera2") is not None


def _picamera2(port: int) -> Any:
    from picamera2 import Picamera2

    return Picamera2(port)
