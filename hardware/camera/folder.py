"""A folder of pictures as a camera: one after the other, each once."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Picture
from hardware.camera.frame import BrokenPicture, CameraError, Frame
from hardware.vision.board.scene import PictureLine, read_picture_lines
from hardware.vision.errors import SceneError

PICTURE_FILES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})


class FolderCamera:
    """Plays a folder, in the order of its pictures.jsonl or, without one, of its files' names.

    What pictures.jsonl says of a picture comes as the frame's note; in a folder of just pictures the note
    is None. No other file is looked at but scene.json. `interval_s`: time from one picture to the next.
    """

    live = False

    def __init__(
        self,
        folder: Path,
        interval_s: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises `CameraError` when the folder, scene.json or a line of pictures.jsonl cannot be used."""
        if not folder.is_dir():
            raise CameraError(f"There is no folder {folder}: name one that holds pictures.")
        self.folder = folder
        self.interval_s = interval_s
        self.scene: dict[str, Any] | None = _scene(folder / "scene.json")
        self._lines = _lines(folder)
        self._clock, self._sleep = clock, sleep
        self._next = 0
        self._due_s: float | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def open(self) -> None:
        """Nothing to do: the folder was looked at when the camera was made."""

    def read(self) -> Frame | None:
        """The next picture when its time has come; None after the last.

        Raises `BrokenPicture` for a file that is missing or no picture; the next call goes on after it.
        """
        if self._next >= len(self._lines):
            return None
        self._wait()
        name, note = self._lines[self._next]
        self._next += 1
        return Frame(read_picture(self.folder / name), self._clock(), name, note)

    def close(self) -> None:
        """Nothing is held between two pictures."""

    def anew(self) -> FolderCamera:
        """Itself: a folder goes on where it was."""
        return self

    def _wait(self) -> None:
        now = self._clock()
        if self._due_s is not None and now < self._due_s:
            self._sleep(self._due_s - now)
            now = self._due_s
        self._due_s = now + self.interval_s


def read_picture(path: Path) -> Picture:
    """The picture in a file. Raises `BrokenPicture` when it is missing or none."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise BrokenPicture(f"The picture {path} cannot be read ({error.strerror}): put it back.") from None
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except cv2.error:
        picture = None
    if picture is None:
        raise BrokenPicture(f"{path} is no picture, or a broken one: save it again as JPEG or PNG.")
    return np.asarray(picture, np.uint8)


def _scene(path: Path) -> dict[str, Any] | None:
    """scene.json's content as it stands; None where there is none."""
    if not path.exists():
        return None
    try:
        scene = json.loads(path.read_bytes())
    except OSError as error:
        raise CameraError(f"{path} cannot be read ({error.strerror}): mend its permissions.") from None
    except ValueError as error:
        raise CameraError(f"{path} is not JSON ({error}): mend it or take it away.") from None
    if not isinstance(scene, dict):
        raise CameraError(f'{path} must hold one JSON object, as {{"rows": 16, "cols": 12}}.')
    return scene


def _lines(folder: Path) -> list[tuple[str, PictureLine | None]]:
    """The pictures' names in order, each with its note."""
    if (folder / "pictures.jsonl").exists():
        try:
            noted = read_picture_lines(folder)
        except SceneError as error:
            raise CameraError(str(error)) from None
        names: list[tuple[str, PictureLine | None]] = [(line.image, line) for line in noted]
    else:
        files = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in PICTURE_FILES)
        names = [(name, None) for name in files]
    if not names:
        raise CameraError(f"There is no picture in {folder}: put JPEG or PNG files there.")
    return names
