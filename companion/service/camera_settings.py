"""Keeps what the camera holds fast since the empty bed was shown, so that it is the same after a restart."""

from __future__ import annotations

import logging
from pathlib import Path

import msgspec

from companion import paths
from hardware.camera.frame import Camera, Hold, HoldsFast

log = logging.getLogger(__name__)


def file() -> Path:
    """Where it is kept."""
    return paths.home() / "camera.json"


def hand_back(camera: Camera) -> None:
    """Let a camera begin with what it held the last time; one that cannot hold anything is left alone."""
    if not isinstance(camera, HoldsFast):
        return
    try:
        camera.held = msgspec.json.decode(file().read_bytes(), type=Hold)
    except FileNotFoundError:
        return
    except (OSError, msgspec.MsgspecError) as error:
        log.warning("What the camera held is left aside: %s", error)


def keep(held: Hold) -> None:
    """Keep it. A disk that takes no writes is logged: the camera holds fast all the same.

    A camera that holds nothing leaves what another one held as it is.
    """
    if held == Hold():
        return
    try:
        file().parent.mkdir(parents=True, exist_ok=True)
        file().write_bytes(msgspec.json.encode(held))
    except OSError as error:
        log.warning("What the camera holds was not kept: %s", error)
