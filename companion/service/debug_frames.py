"""Keeps the last picture that could not be read, so that a bug report can show it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import cv2

from companion import files, paths
from hardware.camera.frame import Frame

log = logging.getLogger(__name__)

EVERY_S = 30.0
"""The minimum time between two written pictures, in seconds, because many pictures often fail in a row."""
TEMPORARY = frozenset({"hand", "undone"})
"""Reasons to wait that are not the reader's fault."""
QUALITY = 90
"""JPEG quality, of 100."""


class DebugFrames:
    """Keeps the last picture that could not be read in `folder`, which may be in memory."""

    def __init__(self, folder: Path, *, clock: Callable[[], float] = monotonic) -> None:
        self._folder = folder
        self._clock = clock
        self._at_s: float | None = None

    def keep(self, frame: Frame, why: str) -> None:
        """Keep a frame, and `why` it could not be read: the key of a reason, or an error's sentence."""
        now = self._clock()
        if why in TEMPORARY or (self._at_s is not None and now - self._at_s < EVERY_S):
            return
        self._at_s = now
        _, jpeg = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        try:
            files.write(self._folder / paths.FAILING_PICTURE, jpeg.tobytes())
            files.write_json(self._folder / paths.FAILING_WHY, {"why": why, "picture": frame.name})
        except OSError as error:
            log.warning("A picture that could not be read was not kept: %s", error)
