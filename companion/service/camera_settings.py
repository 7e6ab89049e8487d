"""Keeps the controls that the camera locked with the empty bed, so that a restart finds them the same."""

from __future__ import annotations

import logging
from pathlib import Path

from companion import files, paths
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
        locked = files.read_json(file(), LockedControls)
    except (OSError, ValueError) as error:
        log.warning("The camera's locked controls are left aside: %s", error)
        return
    if locked is not None:
        camera.locked = locked


def keep(locked: LockedControls) -> None:
    """Keep the locked controls. A disk that takes no writes is logged: the camera stays locked all the same.

    A camera that locked nothing leaves the controls of another one in the file.
    """
    if locked == LockedControls():
        return
    try:
        files.write_json(file(), locked)
    except OSError as error:
        log.warning("The camera's locked controls were not kept: %s", error)
