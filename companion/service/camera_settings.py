"""Keeps the controls that the camera locked with the empty bed, so that they survive a restart."""

from __future__ import annotations

import logging
from pathlib import Path

from companion import files, paths
from hardware.camera.frame import Camera, LockableCamera, LockedControls

log = logging.getLogger(__name__)


def file() -> Path:
    """The file with the controls."""
    return paths.home() / "camera.json"


def restore(camera: Camera) -> None:
    """Give a camera the last locked controls. A camera that cannot lock them is left alone."""
    if not isinstance(camera, LockableCamera):
        return
    try:
        locked = paths.read_kept(file(), LockedControls)
    except OSError as error:
        log.warning("The camera's locked controls are left aside: %s", error)
        return
    if locked is not None:
        camera.locked = locked


def keep(locked: LockedControls) -> None:
    """Keep the locked controls. A failed write is logged; the camera stays locked all the same.

    A camera that locked nothing does not overwrite the controls of another one.
    """
    if locked == LockedControls():
        return
    try:
        files.write_sealed(file(), locked)
    except OSError as error:
        log.warning("The camera's locked controls were not kept: %s", error)
