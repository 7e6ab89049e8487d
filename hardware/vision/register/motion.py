"""Motion since the last picture, cheaper to see than a reading."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.arrays import Picture

EVERY = 2
"""One px in this many is looked at, along each side, and in green alone."""
BLOCK = 8
"""The side of a block in those px."""
NOISE = 2.0
"""The ratio of a block's mean difference to the picture's median that noise may reach."""
LEAVE = 1.0
"""Gray levels above that from which on a block has moved."""


class Motion:
    """Remembers the last picture that was read."""

    def __init__(self) -> None:
        self._last: Picture | None = None

    def forget(self) -> None:
        """The next picture counts as changed."""
        self._last = None

    def moved(self, picture: Picture) -> bool:
        """Whether `picture`, BGR of any size, differs from the last one anywhere; it then becomes the
        last."""
        return self.stirred(np.ascontiguousarray(picture[::EVERY, ::EVERY, 1]))

    def stirred(self, small: Picture) -> bool:
        """The same of a small gray picture, every px of which is looked at."""
        last = self._last
        if last is not None and last.shape == small.shape:
            height, width = small.shape[0] // BLOCK, small.shape[1] // BLOCK
            blocks = cv2.resize(cv2.absdiff(small, last), (width, height), interpolation=cv2.INTER_AREA)
            if float(blocks.max()) <= NOISE * float(np.median(blocks)) + LEAVE:
                return False
        self._last = small
        return True
