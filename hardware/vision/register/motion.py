"""Whether anything moved since the last picture, cheaper than reading it."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.arrays import Picture

EVERY = 2
BLOCK = 8
"""One px in EVERY is looked at, one colour, in blocks of BLOCK × BLOCK of those."""
NOISE = 2.0
LEAVE = 1.0
"""A block moved where its mean difference is above NOISE times the picture's usual one, and LEAVE grey
levels more."""


class Motion:
    """Remembers the last picture that was read."""

    def __init__(self) -> None:
        self._last: Picture | None = None

    def forget(self) -> None:
        """The next picture counts as changed."""
        self._last = None

    def moved(self, picture: Picture) -> bool:
        """Whether `picture`, BGR of any size, differs from the last one anywhere; it becomes the last if
        so."""
        return self.stirred(np.ascontiguousarray(picture[::EVERY, ::EVERY, 1]))

    def stirred(self, small: Picture) -> bool:
        """The same of a picture's levels alone, shape (height, width), which are all looked at."""
        last = self._last
        if last is not None and last.shape == small.shape:
            height, width = small.shape[0] // BLOCK, small.shape[1] // BLOCK
            blocks = cv2.resize(cv2.absdiff(small, last), (width, height), interpolation=cv2.INTER_AREA)
            if float(blocks.max()) <= NOISE * float(np.median(blocks)) + LEAVE:
                return False
        self._last = small
        return True
