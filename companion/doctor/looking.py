"""A picture to judge the table by: the running companion's own, or one taken for it now."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import cv2
import msgspec
import numpy as np

from companion.errors import CompanionError
from companion.simulator.sources import open_camera
from hardware.arrays import Picture
from hardware.camera.frame import Camera
from hardware.camera.health import Condition
from hardware.camera.watcher import Watcher
from hardware.print.layout import MARKERS

ANSWER_S = 3.0
"""How long the running companion may take to answer."""
LOOK_S = 8.0
"""How long a camera may take until it gives pictures: a network stream waits for its key picture."""
GONE_S = 2.0
"""A camera that says for so long that it is not there is believed."""
PICTURES = 3
"""So many pictures are waited for: the first ones of a camera are often dark."""
ENDED_WELL = (Condition.OK, Condition.ENDED)


class Look(msgspec.Struct, frozen=True):
    """What the camera `source` shows: `kind` as `CameraState` has it, `says` why there is no picture.

    `markers`: the ids that are to be in the picture. `served` where the running companion told it.
    """

    source: str
    kind: str
    picture: Picture | None = None
    says: str = ""
    markers: tuple[int, ...] = tuple(range(len(MARKERS)))
    served: bool = False


def ask(port: int, path: str) -> bytes | None:
    """What the companion that runs here answers to `path`; None where none answers, or not so."""
    try:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=ANSWER_S) as answer:
            told: bytes = answer.read()
            return told
    except URLError as error:
        # A refusal is an answer as well: /health gives 503 with its reason.
        return error.read() if isinstance(error, HTTPError) else None
    except (OSError, HTTPException, ValueError):
        return None


def health(port: int) -> dict[str, Any] | None:
    """What the companion on this port says of itself; None where there is none, or another program."""
    try:
        told = msgspec.json.decode(ask(port, "/health") or b"", type=dict[str, Any])
    except msgspec.MsgspecError:
        return None
    return told if {"ok", "eyes"} <= told.keys() else None


def look_through(port: int) -> Look:
    """What the companion that runs on this port sees."""
    try:
        eyes = msgspec.json.decode(ask(port, "/api/eyes") or b"", type=dict[str, Any])
    except msgspec.MsgspecError:
        eyes = {}
    return Look(
        source=str(eyes.get("source", "")),
        kind=str(eyes.get("kind", "none")),
        picture=_decoded(ask(port, "/api/eyes/picture")) if eyes else None,
        served=True,
    )


def look_with(source: str, *, within_s: float = LOOK_S, clock: Callable[[], float] = time.monotonic) -> Look:
    """Open the camera `source` and look through it; a driver that hangs holds this up no longer than told."""
    try:
        camera = open_camera(source, interval_s=0)
    except CompanionError as error:
        return Look(source, Condition.UNPLUGGED, says=str(error))
    watcher = Watcher(camera)
    watcher.start()
    try:
        _wait(watcher, clock() + within_s, clock)
        state, frame = watcher.state, watcher.latest
    finally:
        watcher.stop()
    kind = Condition.OK if state.condition in ENDED_WELL and frame is not None else state.condition
    return Look(source, kind, frame.picture if frame else None, state.says, _markers(camera))


def _wait(watcher: Watcher, until_s: float, clock: Callable[[], float]) -> None:
    """Until some good pictures came, the source ended or is gone, or time is up."""
    came = 0
    while came < PICTURES and (now := clock()) < until_s:
        came += watcher.next(0.2) is not None
        state = watcher.state
        gone = state.condition is Condition.UNPLUGGED and now - state.since_s > GONE_S
        if gone or state.condition is Condition.ENDED:
            return


def _markers(camera: Camera) -> tuple[int, ...]:
    told = (camera.scene or {}).get("markers_in_cells", {})
    return tuple(sorted(map(int, told))) or tuple(range(len(MARKERS)))


def _decoded(jpeg: bytes | None) -> Picture | None:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR) if jpeg else None
    return None if picture is None else np.asarray(picture, np.uint8)
