"""USB cameras, network streams and video files, through OpenCV."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from hardware.arrays import Picture
from hardware.camera.frame import CameraError, CameraGone, Frame

WIDTH, HEIGHT = 1280, 960
"""The size in px to request from a USB camera. A camera without it gives another size."""
OPEN_TIMEOUT_MS = 5000
READ_TIMEOUT_MS = 3000
FILE_FPS = 5.0
"""Frames per second taken from a video file; tiles do not move faster."""


class _OpenCvCamera:
    """A camera that OpenCV reads."""

    scene = None
    _capture: cv2.VideoCapture | None = None

    def close(self) -> None:
        """Release the device, the stream or the file."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _next_picture(self) -> Picture | None:
        got, picture = self._capture.read() if self._capture is not None else (False, None)
        return np.asarray(picture, np.uint8) if got and picture is not None else None


class UsbCamera(_OpenCvCamera):
    """A camera on the USB port, by its number (`usb:0` is /dev/video0) or its device file.

    It runs in a process of its own (`hardware.camera.process`), because a hanging driver can only be killed
    with its process.
    """

    live = True

    def __init__(self, device: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises `CameraError` if `device` is neither a number nor a device file's path."""
        check_device(device)
        self.device = device
        self._clock = clock

    def open(self) -> None:
        """Open the device. Raises `CameraGone` if it is missing, or another program uses it."""
        _quiet()
        path = f"/dev/video{self.device}" if self.device.isdigit() else self.device
        if not Path(path).exists():
            raise CameraGone(f"There is no camera {path}: plug it in, or name another with usb:NUMBER.")
        capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        if not capture.isOpened():
            raise CameraGone(f"The camera {path} does not open: close other programs that use it.")
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._capture = capture

    def read_frame(self) -> Frame:
        """The next frame. Raises `CameraGone` if the camera fails."""
        picture = self._next_picture()
        if picture is None:
            raise CameraGone(f"The camera usb:{self.device} gives no picture: check its cable.")
        return Frame(picture, self._clock())

    def replacement(self) -> UsbCamera:
        """A closed camera on the same port."""
        return UsbCamera(self.device, clock=self._clock)


def check_device(device: str) -> None:
    """Raises `CameraError` when `device` is neither a number nor a device file's path."""
    if not device.isdigit() and not device.startswith("/dev/"):
        raise CameraError(f"usb:{device} names no camera: write usb:0, usb:1 or usb:/dev/video0.")


class StreamCamera(_OpenCvCamera):
    """A network camera, by its stream's URL (http, https, rtsp, rtmp, udp, tcp)."""

    live = True

    def __init__(self, url: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.url = url
        self._clock = clock

    def open(self) -> None:
        """Open the stream. Raises `CameraGone` if nothing answers, or the answer is not a stream."""
        _quiet()
        opening = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS]
        reading = [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
        capture = cv2.VideoCapture(self.url, cv2.CAP_FFMPEG, opening + reading)
        if not capture.isOpened():
            url = without_secret(self.url)
            raise CameraGone(f"No video comes from {url}: check the address, and that the camera is on.")
        self._capture = capture

    def read_frame(self) -> Frame:
        """The next frame. Raises `CameraGone` if the stream breaks off."""
        picture = self._next_picture()
        if picture is None:
            url = without_secret(self.url)
            raise CameraGone(f"The stream {url} broke off: check the camera and the network.")
        return Frame(picture, self._clock())

    def replacement(self) -> StreamCamera:
        """A closed camera on the same stream."""
        return StreamCamera(self.url, clock=self._clock)


class FileCamera(_OpenCvCamera):
    """A video file at its own speed, `FILE_FPS` frames a second."""

    live = False

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.path = path
        self._clock, self._sleep = clock, sleep
        self._step = 1
        self._taken = 0
        self._began_s = 0.0

    def open(self) -> None:
        """Open the file at its start. Raises `CameraError` if it is not a video."""
        _quiet()
        capture = cv2.VideoCapture(str(self.path))
        if not capture.isOpened():
            raise CameraError(f"{self.path} is no video that can be played: save it as MP4 or AVI.")
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._step = max(1, round(fps / FILE_FPS)) if np.isfinite(fps) else 1
        self._capture, self._taken, self._began_s = capture, 0, self._clock()

    def read_frame(self) -> Frame | None:
        """Wait until the next frame is due and return it; None after the last."""
        if self._capture is None:
            return None
        at_s = self._taken / FILE_FPS
        self._sleep(max(0.0, self._began_s + at_s - self._clock()))
        picture = self._next_picture()
        for _ in range(self._step - 1):
            self._capture.grab()
        self._taken += 1
        return None if picture is None else Frame(picture, self._clock(), f"{self.path.name} {at_s:.1f} s")

    def replacement(self) -> FileCamera:
        """A closed camera on the same file, at its start."""
        return FileCamera(self.path, clock=self._clock, sleep=self._sleep)


def without_secret(url: str) -> str:
    """A URL without user name, password and query, so that it may be shown."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path.partition('?')[0]}"


def _quiet() -> None:
    """Silence OpenCV's own warnings; our errors name the fault."""
    # OpenCV 4 and OpenCV 5 have this function under different names.
    logging = cv2 if hasattr(cv2, "setLogLevel") else cv2.utils.logging
    logging.setLogLevel(0)
