"""Pictures from files: decoded, or refused before a hostile one takes any memory."""

from __future__ import annotations

import errno
from pathlib import Path

import cv2
import numpy as np

from companion import files
from hardware import MOST_PIXELS
from hardware.arrays import Picture

MOST_BYTES = 100_000_000
"""The largest picture file that is read."""

KINDS = f"JPEG, PNG, WebP, TIFF or BMP of at most {MOST_PIXELS // 1_000_000} megapixels"
"""What a picture file may be, for a person."""


def read(path: Path) -> Picture | None:
    """The picture in a file; None if there is none that can be decoded. Raises `OSError`."""
    return decoded(load(path))


def load(path: Path) -> bytes:
    """The bytes of a picture file; empty if it is too large for a picture. Raises `OSError`."""
    try:
        return files.read_bytes(path, most_bytes=MOST_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            return b""
        raise


def decoded(data: bytes, how: int = cv2.IMREAD_COLOR) -> Picture | None:
    """The picture in these bytes, as `how` says to OpenCV; None if there is none that can be decoded."""
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    except (cv2.error, MemoryError):  # a picture that breaks the decoder is not a picture either
        return None
    return None if picture is None else np.asarray(picture, np.uint8)
