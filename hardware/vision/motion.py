"""Detects motion since the last picture, which is cheaper than a reading."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.games.watching import Observation
from hardware.arrays import Float32, Picture
from hardware.vision.register.markers import to_gray

EVERY = 2
"""The stride of the examined px along each side; only green is examined."""
BLOCK = 8
"""The side of a block in those px."""
NOISE = 2.0
"""The maximum ratio of a block's mean difference to the picture's median that noise explains."""
LEAVE = 1.0
"""The gray levels beyond NOISE at which a block has moved."""
REST_S = 0.5
MOTION_LEVELS = 7.0
"""The minimum change of a patch's mean gray level between two pictures that counts as motion."""


class Motion:
    """Remembers the last picture that was read."""

    def __init__(self) -> None:
        self._last: Picture | None = None

    def forget(self) -> None:
        """Count the next picture as changed."""
        self._last = None

    def moved(self, picture: Picture) -> bool:
        """True if `picture`, BGR of any size, differs anywhere from the last one, which it then replaces."""
        return self.stirred(np.ascontiguousarray(picture[::EVERY, ::EVERY, 1]))

    def stirred(self, small: Picture) -> bool:
        """The same for a small gray picture, in which every px is examined."""
        last = self._last
        if last is not None and last.shape == small.shape:
            height, width = small.shape[0] // BLOCK, small.shape[1] // BLOCK
            blocks = cv2.resize(cv2.absdiff(small, last), (width, height), interpolation=cv2.INTER_AREA)
            if float(blocks.max()) <= NOISE * float(np.median(blocks)) + LEAVE:
                return False
        self._last = small
        return True


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
        latest = np.asarray(small, np.float32)
        before, self._before = self._before, latest
        if before is None:
            return None
        change = latest - before
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
        """True if what now lies at rest has already been read."""
        return bool(self._readings)

    def again(self) -> None:
        """Read what lies at rest once more."""
        self._done = False

    def waits(self, part: Picture, at_s: float) -> bool:
        """True if the watched `part` of a picture needs no reading: it moves, or has been read already."""
        change = self._motion.change(part)
        if change is None or change > MOTION_LEVELS:
            self._moved_s, self._done = at_s, False
            self._readings.clear()
        return self._done or at_s - self._moved_s < REST_S

    def settle(
        self, reading: Observation, same: Callable[[Observation, Observation], bool]
    ) -> tuple[Observation, bool] | None:
        """The final reading, and True if the one before agreed with it; None while more are needed."""
        self._readings.append(reading)
        agreed = len(self._readings) > 1 and same(reading, self._readings[-2])
        if not agreed and len(self._readings) < self._most_readings:
            return None
        self._done = True
        return reading, agreed
