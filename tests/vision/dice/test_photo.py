"""Photos as files hold them: turned sideways with a note, broken, or no photos at all."""

import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import UserError
from hardware.vision.dice.photo import load_photo, turned


def with_note(jpeg: bytes, orientation: int) -> bytes:
    """A JPEG with the note that cameras leave when they are held sideways (EXIF tag 274)."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 274, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_boxes_come_back_in_px_of_the_photo_as_stored(tmp_path: Path, orientation: int) -> None:
    stored = np.zeros((60, 100, 3), np.uint8)
    stored[10:20, 70:90] = 255
    path = tmp_path / "held.jpg"
    path.write_bytes(
        with_note(cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, 100])[1].tobytes(), orientation)
    )
    photo = load_photo(path)
    lit = photo.upright[..., 0] > 128
    rows, cols = np.flatnonzero(lit.any(1)), np.flatnonzero(lit.any(0))
    box = (int(cols[0]), int(rows[0]), len(cols), len(rows))
    assert photo.upright.shape[:2] == ((100, 60) if orientation > 4 else (60, 100))
    assert photo.as_stored(box) == (70, 10, 20, 10)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read"),
        (b"", "is not a picture"),
        (b"hello", "is not a picture"),
        (cv2.imencode(".jpg", np.zeros((40, 40, 3), np.uint8))[1].tobytes()[:120], "is not a picture"),
    ],
    ids=["missing", "empty", "text", "cut short"],
)
def test_a_file_that_is_no_photo_is_said_to_be_none(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "broken.jpg"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UserError, match=says):
        load_photo(path)


@pytest.mark.parametrize("turns", range(4))
def test_a_box_in_a_turned_picture_comes_back_in_px_of_the_picture(turns: int) -> None:
    picture = np.zeros((60, 100, 3), np.uint8)
    picture[10:20, 70:90] = 255
    photo = turned(picture, turns)
    lit = photo.upright[..., 0] > 128
    rows, cols = np.flatnonzero(lit.any(1)), np.flatnonzero(lit.any(0))
    assert photo.as_stored((int(cols[0]), int(rows[0]), len(cols), len(rows))) == (70, 10, 20, 10)
    assert photo.upright.shape[:2] == ((100, 60) if turns % 2 else (60, 100))
