"""Stillness: what comes to rest is read until two readings agree, and is then left alone."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.games.watching import Observation
from hardware.arrays import Float32, Picture
from hardware.vision.register.markers import to_gray

REST_S = 0.5
"""Seconds without motion before reading."""
MOTION_LEVELS = 7.0
"""The minimum change of a patch's mean gray level between two pictures that counts as motion."""


class PatchMotion:
    """Compares each picture with the one before, patch by patch: `patches` are its columns and rows."""

    def __init__(self, patches: tuple[int, int]) -> None:
        self._patches = patches
        self._before: Float32 | None = None

    def change(self, part: Picture) -> float | None:
        """The largest change of a patch's mean gray level; None for the first picture.

        A lamp that brightens all patches alike is no change.
        """
        small = cv2.resize(to_gray(part), self._patches, interpolation=cv2.INTER_AREA)
        now = np.asarray(small, np.float32)
        before, self._before = self._before, now
        if before is None:
            return None
        change = now - before
        return float(np.abs(change - np.median(change)).max())


class Stillness:
    """Decides when to read, by the motion in a part of the picture, and when readings agree.

    `patches`: the columns and rows of patches in which to detect motion. `most_readings`: the maximum number
    of readings at rest, even if no two in a row agree.
    """

    def __init__(self, patches: tuple[int, int], most_readings: int) -> None:
        self._motion, self._most_readings = PatchMotion(patches), most_readings
        self._moved_s = float("-inf")
        self._done = False
        self._readings: list[Observation] = []

    @property
    def begun(self) -> bool:
        """Whether what now lies at rest has already been read."""
        return bool(self._readings)

    def waits(self, part: Picture, at_s: float) -> bool:
        """Whether the watched `part` of a picture needs no reading: it moves, or has been read already."""
        change = self._motion.change(part)
        if change is None or change > MOTION_LEVELS:
            self._moved_s, self._done = at_s, False
            self._readings.clear()
        return self._done or at_s - self._moved_s < REST_S

    def settle(
        self, reading: Observation, same: Callable[[Observation, Observation], bool]
    ) -> tuple[Observation, bool] | None:
        """The final reading, and whether the one before agreed with it; None while more are needed."""
        self._readings.append(reading)
        agreed = len(self._readings) > 1 and same(reading, self._readings[-2])
        if not agreed and len(self._readings) < self._most_readings:
            return None
        self._done = True
        return reading, agreed
