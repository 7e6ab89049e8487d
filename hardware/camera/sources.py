"""Opens the real camera that a SOURCE names.

    picamera, picamera:1             the Pi's camera, on its second port
    usb:0                            a USB camera
    rtsp://…, http://…               a network camera's stream
    game.mp4                         a video file
    folder:DIR                       pictures in a folder (scene.json, pictures.jsonl, or just pictures)

`companion.simulator.sources` adds the virtual table to these.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera import pi
from hardware.camera.folder import FolderCamera
from hardware.camera.frame import Camera, CameraError, Frame, LockableCamera, LockedControls
from hardware.camera.process import LockableProcessCamera, ProcessCamera
from hardware.camera.video import FileCamera, StreamCamera, check_device

STREAMS = ("http://", "https://", "rtsp://", "rtmp://", "udp://", "tcp://")
KINDS = "virtual, picamera, usb:0, a stream's URL, a video file or folder:DIR"
"""The kinds of source, for people."""
NO_CAMERA = "none"
"""The source of a table without a camera, where every game is played by taps."""
ROOT = Path("/")
PI_MODEL = "proc/device-tree/model"
"""The file in which the kernel of a Raspberry Pi names the board."""
PI_RECEIVERS = ("unicam", "rp1-cfe")
"""Prefixes of the kernel's names for the Pi's camera receivers: Pi 4 and before, Pi 5.

They are there only while a camera is on the ribbon: it makes the firmware switch its receiver on.
"""
TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
"""OpenCV's rotation for each number of degrees, clockwise."""


def default_source(root: Path = ROOT) -> str:
    """`picamera` on a Raspberry Pi that has a camera and picamera2, else `none`."""
    is_pi = "Raspberry Pi" in _text(root / PI_MODEL)
    receivers = (root / "sys/class/video4linux").glob("video*/name")
    has_camera = is_pi and any(_text(name).startswith(PI_RECEIVERS) for name in receivers)
    return "picamera" if has_camera and pi.available() else NO_CAMERA


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def open_camera(
    source: str,
    *,
    rotate: int = 0,
    interval_s: float = 1.0,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Camera:
    """The camera that `source` names, still closed.

    `rotate` turns the pictures clockwise, in degrees. `interval_s` is the time between two pictures of a
    folder, in seconds. Raises `CameraError` for an unknown source, or one that is known not to work.
    """
    return turned(_camera(source, interval_s, clock, sleep), source, rotate)


def turned(camera: Camera, source: str, degrees: int) -> Camera:
    """`camera` with its pictures turned clockwise. Raises `CameraError` for an impossible rotation."""
    check_turn(source, degrees, can=camera.live)
    return TurnedCamera(camera, degrees) if degrees else camera


def check_turn(source: str, degrees: int, *, can: bool = True) -> None:
    """Check the rotation of a source's pictures, if it `can` turn any. Raises `CameraError`."""
    if degrees and (not can or degrees not in TURNS):
        raise CameraError(f"{source} cannot be turned by {degrees}: only a camera by 90, 180 or 270.")


def _camera(
    source: str,
    interval_s: float,
    clock: Callable[[], float],
    sleep: Callable[[float], None],
) -> Camera:
    kind, _, rest = source.partition(":")
    if source == NO_CAMERA:
        raise CameraError(f"This needs a camera, and {NO_CAMERA} is none: write {KINDS}.")
    if source.startswith(STREAMS):
        return StreamCamera(source, clock=clock)
    if kind == "picamera":
        # In a process of its own, because a hanging camera stack can only be killed with it.
        port = rest or "0"
        pi.check_port(port)
        pi.check_installed()
        name = f"The Pi's camera on port {port}"
        return LockableProcessCamera(name, "hardware.camera.pi:PiCamera", {"port": port})
    if kind == "usb":
        # In a process of its own, because it may hang in its driver until it is unplugged.
        device = rest or "0"
        check_device(device)
        return ProcessCamera(
            f"The camera usb:{device}", "hardware.camera.video:UsbCamera", {"device": device}
        )
    if kind == "folder" and rest:
        return FolderCamera(Path(rest).expanduser(), interval_s, clock=clock, sleep=sleep)
    path = Path(source).expanduser()
    if path.is_file():
        return FileCamera(path, clock=clock, sleep=sleep)
    if source and path.is_dir():
        raise CameraError(f"{source!r} is a folder: write folder:{source}.")
    raise CameraError(f"{source!r} is no camera and no file: write {KINDS}.")


def cameras_here(root: Path = ROOT) -> tuple[str, ...]:
    """The sources of the cameras that are connected: the Pi's own, and those on USB by their numbers."""
    pi_camera = ("picamera",) if default_source(root) == "picamera" else ()
    devices = (root / "sys/class/video4linux").glob("video*")
    # A USB camera has several devices; the one with index 0 gives the pictures.
    numbers = sorted(
        int(device.name.removeprefix("video"))
        for device in devices
        if device.name.removeprefix("video").isdigit()
        and "/usb" in str(device.resolve())
        and _text(device / "index").strip() == "0"
    )
    return (*pi_camera, *(f"usb:{number}" for number in numbers))


def turned_picture(picture: Picture | Gray, degrees: int) -> Picture | Gray:
    """A picture turned clockwise by `degrees`, a key of `TURNS`."""
    return np.asarray(cv2.rotate(picture, TURNS[degrees]), np.uint8)


class TurnedCamera:
    """The pictures of `camera`, turned clockwise by `degrees` (a key of `TURNS`)."""

    def __init__(self, camera: Camera, degrees: int) -> None:
        self.camera, self.degrees = camera, degrees
        self._last: tuple[Picture, Picture] | None = None

    @property
    def live(self) -> bool:
        """As the camera inside."""
        return self.camera.live

    @property
    def scene(self) -> dict[str, Any] | None:
        """That of the camera inside."""
        return self.camera.scene

    @property
    def locked(self) -> LockedControls | None:
        """The locked controls of the camera inside; None where it cannot lock them."""
        return self.camera.locked if isinstance(self.camera, LockableCamera) else None

    @locked.setter
    def locked(self, locked: LockedControls | None) -> None:
        if isinstance(self.camera, LockableCamera):
            self.camera.locked = locked

    def lock_controls(self) -> LockedControls:
        """Lock the controls of the camera inside, where it can."""
        return self.camera.lock_controls() if isinstance(self.camera, LockableCamera) else LockedControls()

    def open(self) -> None:
        """Open the camera inside."""
        self.camera.open()

    def read_frame(self) -> Frame | None:
        """The next frame, turned."""
        frame = self.camera.read_frame()
        if frame is None:
            return None
        if self._last is None or self._last[0] is not frame.picture:
            self._last = frame.picture, self._turned(frame.picture)
        small = None if frame.small is None else self._turned(frame.small)
        return replace(frame, picture=self._last[1], small=small)

    def close(self) -> None:
        """Close the camera inside."""
        self.camera.close()

    def replacement(self) -> TurnedCamera:
        """A closed camera on the same source, turned the same way."""
        return TurnedCamera(self.camera.replacement(), self.degrees)

    def _turned(self, picture: Picture | Gray) -> Picture | Gray:
        return turned_picture(picture, self.degrees)
