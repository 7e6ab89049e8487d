"""Pictures from and to files: decoded, or refused before a hostile one takes any memory; photos; JPEG."""

from __future__ import annotations

import errno
import re
import struct
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import cv2
import imagesize
import numpy as np

from companion import MOST_PHOTO_BYTES, MOST_PHOTO_PIXELS, files
from companion.errors import PhotoError
from hardware import MOST_PIXELS
from hardware.arrays import Picture

MOST_BYTES = 100_000_000
"""The largest picture file that is read."""

KINDS = f"JPEG, PNG, WebP, TIFF or BMP of at most {MOST_PIXELS // 1_000_000} megapixels"
"""The kinds of picture files, for a person."""

LEAST_SIDE_PX = 240
"""A photo that is narrower or lower shows no board that could be read."""

READ_SIDE_PX = 2000
"""The longer side to which a larger photo is brought: the squares of a bed are then some 80 px wide."""

JPEG_BEGINS = b"\xff\xd8\xff"

HEIC_BRANDS = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
)
"""The brands behind `ftyp` in HEIC and AVIF pictures; all others are videos."""

VIDEO_STARTS = (b"\x1a\x45\xdf\xa3", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3", b"FLV\x01", b"OggS")
"""The first bytes of Matroska and WebM, MPEG, Flash and Ogg videos."""

MOST_SCANS = 32
"""A camera's progressive JPEG has about ten scans. Each takes the decoder through the whole picture, and
thousands fit into 100 kB."""

JPEG_SEGMENT = re.compile(rb"\xff([^\x00\x01\xff\xd0-\xd8])")
"""The beginning of a segment: not a byte of a scan, a restart, or the start of the picture."""

END_OF_PICTURE, SCAN = b"\xd9", b"\xda"

UNREADABLE = (ValueError, TypeError, IndexError, struct.error)
"""The errors of `imagesize` for a damaged header."""

TO_READ = 96
"""The JPEG quality of a picture that is read again: readings are the same as from the picture itself."""

TO_SHOW = 80
"""The JPEG quality of a picture on a page."""

TO_KEEP = 60
"""The JPEG quality of many small pictures on an SD card: digits and pips can be read."""


def read(path: Path) -> Picture | None:
    """The picture in a file; None if it cannot be decoded. Raises `OSError`."""
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
    """The picture in these bytes, by OpenCV's flag `how`; None if it cannot be decoded."""
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), how) if data else None
    except (cv2.error, MemoryError):  # a picture that breaks the decoder is not a picture either
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def jpeg(picture: Picture, quality: int = TO_SHOW) -> bytes:
    """A picture as JPEG, with nothing beside its pixels."""
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def png(picture: Picture) -> bytes:
    """A picture as PNG, with nothing beside its pixels."""
    return cv2.imencode(".png", picture)[1].tobytes()


# -- photos as phones send them ---------------------------------------------------------------------------


class Size(NamedTuple):
    """The size of a stored picture in px."""

    width: int
    height: int


def photo(data: bytes) -> Picture:
    """The photo in these bytes, BGR, upright, its longer side at most `READ_SIDE_PX`. Raises `PhotoError`.

    Nothing but its pixels is kept: neither the place nor the time that the phone wrote into it.
    """
    if len(data) > MOST_PHOTO_BYTES:
        raise PhotoError("too-large", megabytes=MOST_PHOTO_BYTES // 1_000_000)
    size = stored_size(data)
    if size.width * size.height > MOST_PHOTO_PIXELS:
        megapixels = MOST_PHOTO_PIXELS // 1_000_000
        raise PhotoError("too-many-pixels", width=size.width, height=size.height, megapixels=megapixels)
    if min(size) < LEAST_SIDE_PX:
        raise PhotoError("too-small", width=size.width, height=size.height, least=LEAST_SIDE_PX)
    if data.startswith(JPEG_BEGINS) and _scans(data) > MOST_SCANS:
        raise PhotoError("too-many-scans", scans=MOST_SCANS)
    # A JPEG is decoded at half its size at once, which takes a quarter of the memory.
    halved = max(size) >= 2 * READ_SIDE_PX
    picture = decoded(data, cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR)
    if picture is None:
        raise PhotoError("broken")
    share = READ_SIDE_PX / max(picture.shape[:2])
    if share >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def stored_size(data: bytes) -> Size:
    """The size that the file's header names, before anything is decoded. Raises `PhotoError`."""
    webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
    if not (webp or data.startswith((JPEG_BEGINS, b"\x89PNG\r\n\x1a\n"))):
        raise PhotoError(_other_kind(data))
    try:
        size = Size(*imagesize.get(BytesIO(data)))
    except UNREADABLE as error:
        raise PhotoError("broken") from error
    if min(size) <= 0:
        raise PhotoError("broken")
    return size


def _other_kind(data: bytes) -> str:
    """The fault of a file that is not a JPEG, PNG or WebP."""
    if data[4:8] == b"ftyp":
        return "heic" if data[8:12] in HEIC_BRANDS else "video"
    avi = data[:4] == b"RIFF" and data[8:12] == b"AVI "
    return "video" if avi or data.startswith(VIDEO_STARTS) else "no-picture"


def _scans(data: bytes) -> int:
    """The number of scans in a JPEG, up to its end as its decoder finds it."""
    scans, begin = 0, 0
    while segment := JPEG_SEGMENT.search(data, begin):
        if segment[1] == END_OF_PICTURE:
            break
        scans += segment[1] == SCAN
        length = int.from_bytes(data[segment.end() : segment.end() + 2], "big")
        begin = segment.end() + max(2, length)
    return scans
