"""Keeps the controls that the camera locked with the empty bed, so that a restart finds them the same."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion import paths
from hardware.camera.frame import Camera, LockableCamera, LockedControls

log = logging.getLogger(__name__)


def file() -> Path:
    """The file that keeps them."""
    return paths.home() / "camera.json"


def restore(camera: Camera) -> None:
    """Give a camera the controls that were locked last time. One that cannot lock them is left alone."""
    if not isinstance(camera, LockableCamera):
        return
    try:
        camera.locked = msgspec.json.decode(file().read_bytes(), type=LockedControls)
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError) as error:
        log.warning("The camera's locked controls are left aside: %s", error)


def keep(locked: LockedControls) -> None:
    """Keep the locked controls. A disk that takes no writes is logged: the camera stays locked all the same.

    A camera that locked nothing leaves the controls of another one in the file.
    """
    if locked == LockedControls():
        return
    try:
        file().parent.mkdir(parents=True, exist_ok=True)
        file().write_bytes(msgspec.json.encode(locked))
    except OSError as error:
        log.warning("The camera's locked controls were not kept: %s", error)
