"""Keeps the camera's locked controls across restarts."""

from __future__ import annotations

from pathlib import Path

from companion import paths
from companion.kept_state import KeptState
from hardware.camera.frame import Camera, LockableCamera, LockedControls


def file() -> Path:
    """The file with the controls."""
    return paths.home() / "camera.json"


def restore(camera: Camera) -> None:
    """Give a camera its last locked controls, if it can lock them."""
    if not isinstance(camera, LockableCamera):
        return
    locked = KeptState(file(), LockedControls).load()
    if locked is not None:
        camera.locked = locked


def keep(locked: LockedControls) -> None:
    """Keep the locked controls. A failed write is logged; the camera stays locked.

    Empty controls do not overwrite another camera's.
    """
    if locked != LockedControls():
        KeptState(file(), LockedControls).save(locked)
