"""A USB camera on the kernel's real V4L2: its pictures, its cable pulled while it is read, and its return."""

import fcntl
import os
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hardware.camera.frame import CameraGone
from hardware.camera.health import READABLE, Condition, Timeouts
from hardware.camera.process import ProcessCamera
from hardware.camera.sources import open_camera
from hardware.camera.video import UsbCamera
from hardware.camera.watcher import Watcher

DEVICE = Path("/dev/video0")
QUERY_CONTROL, SET_CONTROL = 0xC0445624, 0xC008561C
"""VIDIOC_QUERYCTRL and VIDIOC_S_CTRL of linux/videodev2.h."""
NEXT_CONTROL = 0x80000000
BARS = {"white": (1, 1, 1), "yellow": (0, 1, 1), "cyan": (1, 1, 0), "green": (0, 1, 0)}
"""The first of the eight upright bars that vivid shows, and which of blue, green and red each has."""
SLOWER = 5
"""How much slower a machine is whose processors are reckoned by another, beside other work."""
PATIENCE_S = 240.0


def check(what: str, ok: bool, *facts: object) -> None:
    """Say that something holds; end where it does not."""
    if not ok:
        sys.stdout.write(f"FAILED: {what} {facts}\n")
        sys.stdout.flush()
        os._exit(1)
    sys.stdout.write(f"  ok: {what}\n")
    sys.stdout.flush()


def until(what: str, done: Callable[[], bool], facts: Callable[[], object] = lambda: "") -> None:
    """Wait until it is so; end where it is not in time."""
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > PATIENCE_S:
            check(what, False, facts())
        time.sleep(0.1)
    check(f"{what} ({time.monotonic() - began:.1f} s)", True)


def plug_in() -> None:
    """Load vivid with one webcam."""
    (module,) = Path("/opt/vivid").glob("*-vivid.ko")
    loaded = [
        "/opt/busybox",
        "insmod",
        str(module),
        "n_devs=1",
        "node_types=0x1",
        "num_inputs=1",
        "input_types=0",
    ]
    subprocess.run(loaded, check=True)


def pull_out() -> None:
    """Unplug the camera, as vivid's control Disconnect does it: who reads it is refused from now on."""
    with DEVICE.open("rb+", buffering=0) as device:
        control = NEXT_CONTROL
        while True:
            answer = bytearray(struct.pack("<II32siiiiI8x", control, 0, b"", 0, 0, 0, 0, 0))
            fcntl.ioctl(device, QUERY_CONTROL, answer)
            control, name = struct.unpack_from("<I4x32s", answer)
            if name.startswith(b"Disconnect\0"):
                fcntl.ioctl(device, SET_CONTROL, struct.pack("<Ii", control, 1))
                return
            control |= NEXT_CONTROL


def take_away() -> bool:
    """Unload vivid; false while somebody still has its device open."""
    return (
        subprocess.run(["/opt/busybox", "rmmod", "vivid"], check=False, capture_output=True).returncode == 0
    )


def nothing_there() -> None:
    """Before it is plugged in, one sentence says that it is not there."""
    try:
        UsbCamera("0").open()
    except CameraGone as error:
        check(f"where none is: {error}", "plug it in" in str(error))
    else:
        check("where none is, it is said", False)


def pictures() -> None:
    """What the kernel's camera shows comes in our colours, and each picture is another one."""
    camera = UsbCamera("0")
    camera.open()
    frames = [camera.read_frame() for _ in range(4)]
    picture = frames[-1].picture
    check(f"a picture comes ({picture.shape[1]} × {picture.shape[0]})", picture.shape[0] >= 480)
    check("each is another one", len({frame.picture.tobytes() for frame in frames}) > 1)
    height, width = picture.shape[:2]
    for number, (name, levels) in enumerate(BARS.items()):
        centre = int((number + 0.5) * width / 8)
        seen = picture[int(height * 0.6) : int(height * 0.9), centre - 10 : centre + 10].mean((0, 1))
        check(f"{name} is {name}", [bool(level) for level in levels] == list(seen > 100), np.round(seen))
    camera.close()


def unplugged_and_back() -> None:
    """`companion run` reads it in a process of its own: the cable is pulled, the camera comes back."""
    camera = open_camera("usb:0")
    assert isinstance(camera, ProcessCamera)
    open_s, answer_s, close_s = camera.timeouts_s
    camera.timeouts_s = (SLOWER * open_s, answer_s, close_s)
    watcher = Watcher(camera, timeouts=Timeouts(open_s=SLOWER * Timeouts.default.open_s))
    watcher.start()
    until("it is read", lambda: watcher.state.condition in READABLE, lambda: watcher.state)
    pull_out()
    until(
        "unplugged, that is noticed",
        lambda: watcher.state.condition is Condition.UNPLUGGED,
        lambda: watcher.state,
    )
    check(f"and said: {watcher.state.says}", bool(watcher.state.says))
    until("nothing of ours holds on to its device", take_away)
    check("whose file is gone then", not DEVICE.exists())
    plug_in()
    until(
        "plugged in again, it is read again",
        lambda: watcher.state.condition in READABLE,
        lambda: watcher.state,
    )
    watcher.stop()


nothing_there()
plug_in()
until("its device file comes", DEVICE.exists)
pictures()
unplugged_and_back()
os._exit(0)
