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
from pathlib import Path

from hardware.camera import pi
from hardware.camera.folder import FolderCamera
from hardware.camera.frame import Camera, CameraError
from hardware.camera.process import LockableProcessCamera, ProcessCamera
from hardware.camera.turned import TURNS, TurnedCamera
from hardware.camera.video import FileCamera, StreamCamera, check_device

STREAMS = ("http://", "https://", "rtsp://", "rtmp://", "udp://", "tcp://")
"""The possible beginnings of a network camera's URL."""
KINDS = "virtual, picamera, usb:0, a stream's URL, a video file or folder:DIR"
"""The kinds of source, for messages to people."""
NO_CAMERA = "none"
"""The source of a table without a camera: every game is played by taps."""
ROOT = Path("/")
"""The folder that holds proc and sys."""
PI_MODEL = "proc/device-tree/model"
"""The file in which the kernel of a Raspberry Pi names the board."""
PI_RECEIVERS = ("unicam", "rp1-cfe")
"""How the kernel's names of the Pi's camera receivers begin: Pi 4 and before, Pi 5.

They are there only while a camera is on the ribbon: it makes the firmware switch its receiver on.
"""


def default_source(root: Path = ROOT) -> str:
    """`picamera` on a Raspberry Pi that has a camera and picamera2, else `none`."""
    return "picamera" if _on_a_pi(root) and _has_pi_camera(root) and pi.available() else NO_CAMERA


def _on_a_pi(root: Path) -> bool:
    return "Raspberry Pi" in _text(root / PI_MODEL)


def _has_pi_camera(root: Path) -> bool:
    """Whether the kernel has a receiver for a camera on the Pi's ribbon."""
    names = (root / "sys/class/video4linux").glob("video*/name")
    return any(_text(name).startswith(PI_RECEIVERS) for name in names)


def _text(path: Path) -> str:
    """What the kernel says in a file; empty where it says nothing."""
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
    """Check that a source's pictures may be turned so, if it `can` turn any. Raises `CameraError`."""
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
        return _pi_camera(rest or "0")
    if kind == "usb":
        return _usb_camera(rest or "0")
    if kind == "folder" and rest:
        return FolderCamera(Path(rest).expanduser(), interval_s, clock=clock, sleep=sleep)
    path = Path(source).expanduser()
    if path.is_file():
        return FileCamera(path, clock=clock, sleep=sleep)
    if source and path.is_dir():
        raise CameraError(f"{source!r} is a folder: write folder:{source}.")
    raise CameraError(f"{source!r} is no camera and no file: write {KINDS}.")


def _pi_camera(port: str) -> LockableProcessCamera:
    """The Pi's camera in a process of its own, because a hanging camera stack can only be killed with it."""
    pi.check_port(port)
    pi.check_installed()
    name = f"The Pi's camera on port {port}"
    return LockableProcessCamera(name, "hardware.camera.pi:PiCamera", {"port": port})


def _usb_camera(device: str) -> ProcessCamera:
    """A USB camera in a process of its own, because it may hang in its driver until it is unplugged."""
    check_device(device)
    return ProcessCamera(f"The camera usb:{device}", "hardware.camera.video:UsbCamera", {"device": device})


def cameras_here(root: Path = ROOT) -> tuple[str, ...]:
    """The sources of the cameras that are connected: the Pi's own, and those on USB by their numbers."""
    pi_camera = ("picamera",) if default_source(root) == "picamera" else ()
    devices = (root / "sys/class/video4linux").glob("video*")
    # A USB camera has several devices; the one with index 0 gives the pictures.
    numbers = sorted(
        int(each.name.removeprefix("video"))
        for each in devices
        if each.name.removeprefix("video").isdigit()
        and "/usb" in str(each.resolve())
        and _text(each / "index").strip() == "0"
    )
    return (*pi_camera, *(f"usb:{number}" for number in numbers))
