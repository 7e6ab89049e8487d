"""A folder of pictures as a camera, which gives each picture once, in order."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.errors.causes import cause_of
from companion.files import read_bytes, unmarked
from hardware import pictures
from hardware.arrays import Picture
from hardware.camera.frame import BrokenPicture, CameraError, Frame
from hardware.vision.board.scene import PictureLine, read_picture_lines
from hardware.vision.errors import SceneError

PICTURE_FILES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})


class FolderCamera:
    """Gives a folder's pictures in the order of its pictures.jsonl, or by file name without one.

    A frame's note is its line of pictures.jsonl; without that file, every note is None. The only other file
    read is scene.json. `interval_s` is the time between two pictures, in seconds.
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
        """Raises `CameraError` for an unusable folder, scene.json or line of pictures.jsonl."""
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
        """Do nothing: the constructor has read the folder's lists."""

    def read_frame(self) -> Frame | None:
        """Wait until the next picture is due and return it; None after the last.

        Raises `BrokenPicture` for a file that is missing or not a picture. The next call continues after it.
        """
        if self._next >= len(self._lines):
            return None
        self._wait()
        name, note = self._lines[self._next]
        self._next += 1
        return Frame(read_picture(self.folder / name), self._clock(), name, note)

    def close(self) -> None:
        """Do nothing: no file stays open between two pictures."""

    def replacement(self) -> FolderCamera:
        """The camera itself, because a folder continues where it stopped."""
        return self

    def _wait(self) -> None:
        now_s = self._clock()
        if self._due_s is not None and now_s < self._due_s:
            self._sleep(self._due_s - now_s)
            now_s = self._due_s
        self._due_s = now_s + self.interval_s


def read_picture(path: Path) -> Picture:
    """Read a picture file. Raises `BrokenPicture` if it is missing or not a picture."""
    try:
        picture = pictures.read(path)
    except OSError as error:
        raise BrokenPicture(f"The picture {path} cannot be read ({cause_of(error)}): put it back.") from None
    if picture is None:
        raise BrokenPicture(f"{path} is no picture, or a broken one: save it again ({pictures.KINDS}).")
    return picture


def _scene(path: Path) -> dict[str, Any] | None:
    """The unchecked content of scene.json; None without the file."""
    if not path.exists():
        return None
    try:
        scene = json.loads(unmarked(read_bytes(path)))
    except OSError as error:
        raise CameraError(f"{path} cannot be read ({cause_of(error)}): mend its permissions.") from None
    except (ValueError, RecursionError) as error:
        raise CameraError(f"{path} cannot be used ({cause_of(error)}): mend it or take it away.") from None
    if not isinstance(scene, dict):
        raise CameraError(f'{path} must hold one JSON object, as {{"rows": 16, "cols": 12}}.')
    return scene


def _lines(folder: Path) -> list[tuple[str, PictureLine | None]]:
    """The pictures' names in order, each with its line of pictures.jsonl."""
    if (folder / "pictures.jsonl").exists():
        try:
            lines = read_picture_lines(folder)
        except SceneError as error:
            raise CameraError(str(error)) from None
        names: list[tuple[str, PictureLine | None]] = [(line.image, line) for line in lines]
    else:
        files = sorted(path.name for path in folder.iterdir() if path.suffix.lower() in PICTURE_FILES)
        names = [(name, None) for name in files]
    if not names:
        raise CameraError(f"There is no picture in {folder}: put JPEG or PNG files there.")
    return names
