"""Photos of scored boards that people wished to keep, in a folder beside the matches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion import files
from companion.errors import PhotoError, TableError
from companion.errors.causes import cause_of

NAME = re.compile(r"match-(\d+)-(\d+)\.jpg")
"""The name of a file: the match's number, and the photo's."""


class KeptPhotos:
    """The photos in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, match: int, jpegs: Iterable[bytes]) -> None:
        """Keep the photos of a match. Raises `TableError`."""
        for n, jpeg in enumerate(jpegs, 1):
            path = self._path(match, n)
            try:
                files.write(path, jpeg, mode=files.SECRET_MODE)
            except OSError as error:
                raise TableError("photo-not-kept", path=str(path), cause=cause_of(error)) from error

    def numbers(self, match: int) -> tuple[int, ...]:
        """The numbers of the photos of a match, from 1; none where none was kept."""
        return tuple(sorted(n for of, n in self._every() if of == match))

    def picture(self, match: int, n: int) -> bytes:
        """A photo as JPEG. Raises `PhotoError` for one that is not there."""
        try:
            return self._path(match, n).read_bytes()
        except OSError as error:
            raise PhotoError("gone") from error

    def remove(self, match: int) -> None:
        """Delete the photos of a match; where there are none, nothing happens. Raises `TableError`."""
        for n in self.numbers(match):
            path = self._path(match, n)
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise TableError("photo-not-deleted", path=str(path), cause=cause_of(error)) from error

    def _every(self) -> Iterator[tuple[int, int]]:
        for path in self._folder.glob("match-*.jpg"):
            if name := NAME.fullmatch(path.name):
                yield int(name[1]), int(name[2])

    def _path(self, match: int, n: int) -> Path:
        return self._folder / f"match-{match}-{n}.jpg"
