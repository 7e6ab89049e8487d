"""A photo from a file: turned upright for reading, with boxes turned back to px of the stored photo."""

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np

from companion.errors import UserError
from companion.errors.causes import cause_of
from hardware import pictures
from hardware.arrays import Box, Picture


@dataclass(frozen=True, slots=True)
class Photo:
    """An upright photo; `swapped` and `mirrored` (x, y) describe how it came from the stored one."""

    upright: Picture
    swapped: bool = False
    mirrored: tuple[bool, bool] = (False, False)

    def as_stored(self, box: Box) -> Box:
        """A box (x, y, width, height) of the upright picture in px of the stored one."""
        x, y, width, height = box
        if self.mirrored[0]:
            x = self.upright.shape[1] - x - width
        if self.mirrored[1]:
            y = self.upright.shape[0] - y - height
        return (y, x, height, width) if self.swapped else (x, y, width, height)


def turned(picture: Picture, turns: int) -> Photo:
    """A picture turned counterclockwise by a number of quarter turns."""
    upright = np.ascontiguousarray(np.rot90(picture, turns))
    return Photo(upright, bool(turns % 2), (turns % 4 in (2, 3), turns % 4 in (1, 2)))


def load_photo(path: Path) -> Photo:
    """The photo in a file. Raises `UserError` if the file cannot be read or is not a picture."""
    try:
        packed = pictures.load(path)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {cause_of(error)}.") from error
    stored = pictures.decoded(packed, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if stored is None:
        raise UserError(f"{path} is not a picture that can be read ({pictures.KINDS}).")
    if b"Exif" not in packed[:4096]:
        return Photo(stored)
    upright = pictures.decoded(packed, cv2.IMREAD_COLOR)
    return Photo(stored) if upright is None else _turned(stored, upright)


def _turned(stored: Picture, upright: Picture) -> Photo:
    """Find the rotation that OpenCV took from the file's metadata, which it does not report."""
    for swapped, over_x, over_y in product((False, True), repeat=3):
        tried = stored.transpose(1, 0, 2) if swapped else stored
        tried = tried[:: -1 if over_y else 1, :: -1 if over_x else 1]
        if tried.shape == upright.shape and np.array_equal(tried, upright):
            return Photo(upright, swapped, (over_x, over_y))
    return Photo(stored)
