"""Notices motion over the board: what a person shows the camera must have come to rest."""

from __future__ import annotations

from math import inf

import numpy as np

from hardware.camera.frame import Frame
from hardware.vision.stillness import MOTION_LEVELS, REST_S, PatchMotion

STEP = 4
"""One px in this many, each way, is looked at."""

PATCHES = (32, 24)
"""The columns and rows of patches that are compared: a finger moves one of them."""


class BoardMotion:
    """When something last moved in a camera's pictures."""

    def __init__(self) -> None:
        self._patches = PatchMotion(PATCHES)
        self._moved_s = -inf

    def look(self, frame: Frame) -> None:
        """Compare a frame with the one before. One with a note is left out: its source knows its pictures."""
        if frame.note is not None:
            return
        change = self._patches.change(np.ascontiguousarray(frame.picture[::STEP, ::STEP]))
        if change is not None and change > MOTION_LEVELS:
            self._moved_s = frame.at_s

    def at_rest(self, frame: Frame) -> bool:
        """Whether nothing has moved for a while before a frame."""
        return frame.at_s - self._moved_s >= REST_S
