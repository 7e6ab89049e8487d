"""A photo as a phone sends it: refused by its first bytes, or decoded upright and no larger than needed.

Nothing of a photo but its pixels is kept: neither the place nor the time that the phone wrote into it.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

import cv2
import numpy as np

from companion import MOST_PHOTO_BYTES, MOST_PHOTO_PIXELS
from companion.errors import PhotoError
from hardware import pictures
from hardware.arrays import Picture

LEAST_SIDE_PX = 240
"""A photo that is narrower or lower shows no board that could be read."""

READ_SIDE_PX = 2000
"""The longer side to which a larger photo is brought: the squares of a bed are then some 80 px wide."""

HEIC_BRANDS = frozenset(
    {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"}
)
"""What stands behind `ftyp` in pictures of the HEIC and AVIF formats; in videos, it is anything else."""

VIDEO_STARTS = (b"\x1a\x45\xdf\xa3", b"\x00\x00\x01\xba", b"\x00\x00\x01\xb3", b"FLV\x01", b"OggS")
"""The first bytes of Matroska and WebM, MPEG, Flash and Ogg videos."""

START_OF_FRAME = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The JPEG segments that hold the size of the picture."""

WITHOUT_LENGTH = frozenset({0x01, 0xFF, *range(0xD0, 0xD9)})
"""The JPEG segments that consist of their marker alone."""


class Size(NamedTuple):
    """The size of a stored picture in px."""

    width: int
    height: int


def photo(data: bytes) -> Picture:
    """The photo in these bytes, BGR, upright, its longer side at most `READ_SIDE_PX`. Raises `PhotoError`."""
    if len(data) > MOST_PHOTO_BYTES:
        raise PhotoError("too-large", megabytes=MOST_PHOTO_BYTES // 1_000_000)
    size = stored_size(data)
    if size.width * size.height > MOST_PHOTO_PIXELS:
        megapixels = MOST_PHOTO_PIXELS // 1_000_000
        raise PhotoError("too-many-pixels", width=size.width, height=size.height, megapixels=megapixels)
    if min(size) < LEAST_SIDE_PX:
        raise PhotoError("too-small", width=size.width, height=size.height, least=LEAST_SIDE_PX)
    # A JPEG is decoded at half its size at once, which takes a quarter of the memory.
    halved = max(size) >= 2 * READ_SIDE_PX
    picture = pictures.decoded(data, cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR)
    if picture is None:
        raise PhotoError("broken")
    share = READ_SIDE_PX / max(picture.shape[:2])
    if share >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)


def stored_size(data: bytes) -> Size:
    """The size that the file's header names, before anything is decoded. Raises `PhotoError`."""
    size = None
    if data.startswith(b"\xff\xd8\xff"):
        size = _jpeg_size(data)
    elif data.startswith(b"\x89PNG\r\n\x1a\n"):
        size = Size(*struct.unpack(">II", data[16:24])) if len(data) >= 24 else None
    elif data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        size = _webp_size(data)
    else:
        raise PhotoError(_other_kind(data))
    if size is None or not all(size):
        raise PhotoError("broken")
    return size


def _other_kind(data: bytes) -> str:
    """The fault of a file that is no photo of a kind that is read."""
    if data[4:8] == b"ftyp":
        return "heic" if data[8:12] in HEIC_BRANDS else "video"
    avi = data[:4] == b"RIFF" and data[8:12] == b"AVI "
    return "video" if avi or data.startswith(VIDEO_STARTS) else "no-picture"


def _jpeg_size(data: bytes) -> Size | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in START_OF_FRAME:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Size(width, height)
        at += 1 if marker == 0xFF else 2
        if marker not in WITHOUT_LENGTH:
            at += int.from_bytes(data[at : at + 2], "big")
    return None


def _webp_size(data: bytes) -> Size | None:
    kind, head = data[12:16], data[20:30]
    if len(head) < 10:
        return None
    if kind == b"VP8X":
        return Size(1 + int.from_bytes(head[4:7], "little"), 1 + int.from_bytes(head[7:10], "little"))
    if kind == b"VP8L":
        bits = int.from_bytes(head[1:5], "little")
        return Size(1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    width, height = struct.unpack("<HH", head[6:10])
    return Size(width & 0x3FFF, height & 0x3FFF)
