"""Detects motion since the last picture, which is cheaper than a reading."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.arrays import Picture

EVERY = 2
"""The stride of the examined px along each side; only green is examined."""
BLOCK = 8
"""The side of a block in those px."""
NOISE = 2.0
"""The maximum ratio of a block's mean difference to the picture's median that noise explains."""
LEAVE = 1.0
"""The gray levels beyond NOISE at which a block has moved."""


class Motion:
    """Remembers the last picture that was read."""

    def __init__(self) -> None:
        self._last: Picture | None = None

    def forget(self) -> None:
        """Count the next picture as changed."""
        self._last = None

    def moved(self, picture: Picture) -> bool:
        """Whether `picture`, BGR of any size, differs anywhere from the last one, which it then replaces."""
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
