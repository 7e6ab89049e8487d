"""The picture that the doctor examines: the running companion's own, or one taken now."""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec

from companion.errors import CompanionError
from companion.errors.causes import NOT_JSON
from companion.simulator.sources import open_camera
from hardware import pictures
from hardware.arrays import Picture
from hardware.camera.health import READABLE, Condition
from hardware.camera.sources import NO_CAMERA
from hardware.camera.watcher import Watcher
from hardware.print.layout import MARKERS

ANSWER_S = 3.0
"""Seconds allowed for an answer of the running companion."""
LOOK_S = 8.0
"""Seconds allowed for a camera's pictures: a network stream waits for its key frame."""
GONE_S = 2.0
"""Seconds for which a camera must be unplugged before the doctor believes it."""
PICTURES = 3
"""The number of pictures to wait for: the first ones of a camera are often dark."""
ENDED_WELL = (*READABLE, Condition.ENDED)
"""The conditions in which the newest picture is good."""


class CameraCheck(msgspec.Struct, frozen=True):
    """A camera's newest picture and its condition `kind` (`none` at a table without a camera).

    `source` is the camera as `--camera` names it. `says` is how to mend a missing picture. `markers` are the
    ids that belong in the picture. `served`: the running companion answered.
    """

    source: str
    kind: str
    picture: Picture | None = None
    says: str = ""
    markers: tuple[int, ...] = tuple(range(len(MARKERS)))
    served: bool = False


def ask(port: int, path: str, sent: bytes | None = None) -> bytes | None:
    """The running companion's answer to `path`, or to the JSON `sent` there; None without an answer."""
    headers = {} if sent is None else {"Content-Type": "application/json"}
    try:
        with urlopen(Request(f"http://127.0.0.1:{port}{path}", sent, headers), timeout=ANSWER_S) as answer:
            body: bytes = answer.read()
            return body
    except URLError as error:
        # An error status is an answer too: /health gives 503 with its reason.
        return error.read() if isinstance(error, HTTPError) else None
    except (OSError, HTTPException, ValueError):
        return None


def health(port: int) -> dict[str, Any] | None:
    """The answer to /health on this port; None where nothing or another program answers."""
    try:
        status = msgspec.json.decode(ask(port, "/health") or b"", type=dict[str, Any])
    except NOT_JSON:
        return None
    return status if {"ok", "camera"} <= status.keys() else None


def look_through(port: int) -> CameraCheck:
    """The camera of the companion that runs on this port."""
    try:
        status = msgspec.json.decode(ask(port, "/api/camera") or b"", type=dict[str, Any])
    except NOT_JSON:
        status = {}
    return CameraCheck(
        source=str(status.get("source", "")),
        kind=str(status.get("kind", "none")),
        picture=pictures.decoded(ask(port, "/api/camera/picture") or b"") if status else None,
        served=True,
    )


def look_with(
    source: str, *, within_s: float = LOOK_S, clock: Callable[[], float] = time.monotonic
) -> CameraCheck:
    """Open the camera `source` and wait for pictures, `within_s` seconds at most."""
    if source == NO_CAMERA:
        return CameraCheck("", "none")
    try:
        camera = open_camera(source, interval_s=0)
    except CompanionError as error:
        return CameraCheck(source, Condition.UNPLUGGED, says=str(error))
    watcher = Watcher(camera)
    watcher.start()
    try:
        _wait(watcher, clock() + within_s, clock)
        state, frame = watcher.state, watcher.latest
    finally:
        watcher.stop()
    kind = Condition.OK if state.condition in ENDED_WELL and frame is not None else state.condition
    named = tuple(sorted(map(int, (camera.scene or {}).get("markers_in_cells", {}))))
    markers = named or tuple(range(len(MARKERS)))
    return CameraCheck(source, kind, frame.picture if frame else None, state.says, markers)


def _wait(watcher: Watcher, until_s: float, clock: Callable[[], float]) -> None:
    """Wait for `PICTURES` good pictures, or until the source ends or is gone, or until `until_s`."""
    came = 0
    while came < PICTURES and (now_s := clock()) < until_s:
        came += watcher.next(0.2) is not None
        state = watcher.state
        gone = state.condition is Condition.UNPLUGGED and now_s - state.since_s > GONE_S
        if gone or state.condition is Condition.ENDED:
            return
