"""A photo as a telephone sends it: taken upright and small enough, or refused in one sentence."""

from __future__ import annotations

import struct
import zlib

import cv2
import numpy as np
import pytest

from companion import MOST_PHOTO_BYTES
from companion.errors import PhotoError
from companion.messages import LANGUAGES
from hardware import pictures
from hardware.arrays import Picture
from hardware.pictures import READ_SIDE_PX, photo


def scene(width: int, height: int) -> Picture:
    """A picture whose top left quarter is red and the rest grey."""
    picture = np.full((height, width, 3), 128, np.uint8)
    picture[: height // 2, : width // 2] = (0, 0, 255)
    return picture


def encoded(picture: Picture, kind: str = ".jpg") -> bytes:
    """A picture as the bytes of a file."""
    return bytes(cv2.imencode(kind, picture)[1])


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG whose EXIF data tell how the telephone was held, and where it was."""
    place = b"25.0330N,121.5654E\0\0"
    entries = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    entries += struct.pack(">HHII", 0x010E, 2, len(place), 8 + 2 + 24 + 4)
    tiff = b"MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 2) + entries + struct.pack(">I", 0) + place
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def png_of(width: int, height: int) -> bytes:
    """The beginning of a PNG that says it is so large."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + chunk + struct.pack(">I", zlib.crc32(chunk))


def red_corner(picture: Picture) -> str:
    """In which corner the red quarter is."""
    height, width = picture.shape[:2]
    for row, down in ((height // 4, "top"), (3 * height // 4, "bottom")):
        for col, across in ((width // 4, "left"), (3 * width // 4, "right")):
            if picture[row, col, 2] > 200 and picture[row, col, 0] < 60:
                return f"{down} {across}"
    return "none"


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
def test_the_kinds_that_telephones_and_browsers_make_are_taken(kind: str) -> None:
    taken = photo(encoded(scene(640, 480), kind))
    assert taken.shape == (480, 640, 3)
    assert red_corner(taken) == "top left"


@pytest.mark.parametrize(
    ("orientation", "shape", "corner"),
    [
        (1, (480, 640, 3), "top left"),
        (3, (480, 640, 3), "bottom right"),
        (6, (640, 480, 3), "top right"),
        (8, (640, 480, 3), "bottom left"),
    ],
)
def test_a_photo_is_turned_upright(orientation: int, shape: tuple[int, ...], corner: str) -> None:
    taken = photo(with_orientation(encoded(scene(640, 480)), orientation))
    assert taken.shape == shape
    assert red_corner(taken) == corner


@pytest.mark.parametrize("kind", [".jpg", ".png"])
def test_twelve_megapixels_are_taken_and_brought_to_the_size_that_is_read(kind: str) -> None:
    taken = photo(with_orientation(encoded(scene(4080, 3072)), 6) if kind == ".jpg" else png_of_grey())
    assert max(taken.shape) == READ_SIDE_PX
    if kind == ".jpg":
        assert red_corner(taken) == "top right"


def png_of_grey() -> bytes:
    """A PNG of 4032 × 3024 px that takes little room."""
    return encoded(np.full((3024, 4032, 3), 90, np.uint8), ".png")


def jpeg_of_scans(scans: int, *, ends: bool = False) -> bytes:
    """A progressive JPEG of 12 megapixels, with empty scans that go on; with `ends`, behind its end."""
    first = bytes(
        cv2.imencode(".jpg", np.zeros((3072, 4080), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1]
    )
    # Every block of the picture's details is empty: a run of 32,767 empty blocks takes two bytes.
    table = b"\xff\xc4\x00\x14\x10\x01" + bytes(15) + b"\xe0"
    empty = b"\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + b"\x7f\xfe" * 6
    return first[: None if ends else -2] + table + empty * scans + b"\xff\xd9"


@pytest.mark.parametrize("restarts", [0, 1])
def test_a_jpeg_of_thousands_of_scans_is_refused_before_it_is_decoded(
    monkeypatch: pytest.MonkeyPatch, restarts: int
) -> None:
    monkeypatch.setattr(pictures, "decoded", lambda *_: pytest.fail("it is decoded"))
    data = jpeg_of_scans(4000)
    # Restarts, fill bytes and a scan's sign within a text change nothing.
    within = b"\xff\xff\xfe\x00\x04\xff\xd9" + b"\xff\xd0" * 5
    with pytest.raises(PhotoError) as caught:
        photo(data[:2] + within * restarts + data[2:])
    # The oldest imagesize finds no size behind them.
    assert caught.value.fault in ("too-many-scans", *["broken"] * restarts)


def test_what_lies_behind_the_picture_or_in_a_text_is_no_scan() -> None:
    data = jpeg_of_scans(4000, ends=True)
    text = b"\xff\xda" * 100
    comment = b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text
    assert max(photo(data[:2] + comment + data[2:]).shape) == READ_SIDE_PX


def test_a_camera_s_progressive_photo_is_taken() -> None:
    progressive = cv2.imencode(".jpg", scene(640, 480), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1]
    assert photo(bytes(progressive)).shape == (480, 640, 3)


FTYP = b"\0\0\0\x18ftyp"


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "no-picture"),
        (b"Dear board, this is a text.\n" * 40, "no-picture"),
        (b"GIF89a" + bytes(40), "no-picture"),
        (FTYP + b"heic" + bytes(40), "heic"),
        (FTYP + b"mif1" + bytes(40), "heic"),
        (FTYP + b"isom" + bytes(40), "video"),
        (FTYP + b"qt  " + bytes(40), "video"),
        (b"\x1a\x45\xdf\xa3" + bytes(40), "video"),
        (b"RIFF\0\0\0\0AVI " + bytes(40), "video"),
        (png_of(20_000, 20_000), "too-many-pixels"),
        (png_of(4100, 3100), "too-many-pixels"),
        (png_of(100, 4000), "too-small"),
        (png_of(0, 4000), "broken"),
        (png_of(640, 480), "broken"),
        (b"\x89PNG\r\n\x1a\n", "broken"),
        (b"\xff\xd8\xff\xe0", "broken"),
        (b"RIFF\0\0\0\0WEBPVP8X", "broken"),
        (encoded(scene(640, 480))[:200], "broken"),
        (bytes(MOST_PHOTO_BYTES + 1), "too-large"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_photo_of_a_board_is_refused_in_one_sentence(data: bytes, fault: str) -> None:
    with pytest.raises(PhotoError) as caught:
        photo(data)
    assert caught.value.fault == fault
    for language in LANGUAGES:
        assert len(caught.value.says(language)) < 200


def test_every_size_that_a_kind_can_name_is_read_from_its_header() -> None:
    for width, height in ((640, 480), (1023, 769)):
        for kind in (".jpg", ".png", ".webp"):
            assert photo(encoded(scene(width, height), kind)).shape == (height, width, 3)
    lossless = bytes(cv2.imencode(".webp", scene(640, 480), [cv2.IMWRITE_WEBP_QUALITY, 101])[1])
    assert photo(lossless).shape == (480, 640, 3)
