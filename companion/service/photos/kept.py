"""JPEGs kept with matches: photos of scored boards, and a small picture of each move."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Literal

import msgspec

from companion import files
from companion.errors import PhotoError, TableError
from companion.errors.causes import cause_of
from companion.play.match_folders import MatchFolders
from companion.play.schema import MatchRecord

log = logging.getLogger(__name__)

MOST_A_MATCH = 300
"""Pictures of one match: twice the moves of the longest pictured match."""

LEAST_FREE_BYTES = 300_000_000
"""Below this free space no picture is kept: the rest is for matches."""

DELETED = "deleted"
"""The file that marks a match's pictures as deleted by a person."""

JPEG_BEGINS, JPEG_ENDS = b"\xff\xd8\xff", b"\xff\xd9"

Gone = Literal["", "deleted"]

Fault = Literal["", "full", "failed"]
"""The reason for keeping no new picture: too little space, or a failed write."""


class PicturesKept(msgspec.Struct, frozen=True):
    """The number and size of all pictures."""

    pictures: int
    size_bytes: int
    fault: Fault = ""


class KeptJpegs:
    """Numbered JPEGs in a folder for each match inside `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folders = MatchFolders(folder)

    def numbers(self, record: MatchRecord) -> tuple[int, ...]:
        """The numbers of a match's JPEGs, in order."""
        return tuple(sorted(int(path.stem) for path in self._folders.folder_of(record).glob("[0-9]*.jpg")))

    def picture(self, record: MatchRecord, n: int) -> bytes:
        """JPEG `n` of a match. Raises `PhotoError` if it is missing or torn."""
        try:
            jpeg = self._path(record, n).read_bytes()
        except OSError as error:
            raise PhotoError("gone") from error
        if not (jpeg.startswith(JPEG_BEGINS) and jpeg.endswith(JPEG_ENDS)):
            raise PhotoError("gone")
        return jpeg

    def remove(self, record: MatchRecord) -> None:
        """Delete the JPEGs of a match. Raises `TableError`."""
        self._remove(self._folders.folder_of(record))
        with suppress(OSError):
            self._folders.folder_of(record).rmdir()

    def forget_others(self, records: Collection[MatchRecord]) -> None:
        """Delete JPEGs of matches that are gone for good."""
        self._folders.forget_others(records)

    def _path(self, record: MatchRecord, n: int) -> Path:
        return self._folders.folder_of(record) / f"{n}.jpg"

    @staticmethod
    def _remove(folder: Path) -> bool:
        """Delete the JPEGs in a folder; true if there were any. Raises `TableError`."""
        paths = list(folder.glob("[0-9]*.jpg"))
        for path in paths:
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise TableError("photo-not-deleted", path=str(path), cause=cause_of(error)) from error
        return bool(paths)


class KeptPhotos(KeptJpegs):
    """Photos of scored boards that people keep."""

    def keep(self, record: MatchRecord, jpegs: Iterable[bytes]) -> None:
        """Keep the photos of a match. Raises `TableError`."""
        for n, jpeg in enumerate(jpegs, 1):
            path = self._path(record, n)
            try:
                files.write(path, jpeg, mode=files.SECRET_MODE)
            except OSError as error:
                raise TableError("photo-not-kept", path=str(path), cause=cause_of(error)) from error


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class KeptPictures(KeptJpegs):
    """Pictures of moves. Safe from any thread. `free` gives the free bytes of a folder's disk.

    They are not in the journal, and written without a sync: a power cut may cost the newest ones, and torn
    ones are not shown.
    """

    def __init__(self, folder: Path, *, free: Callable[[Path], int] = _free_bytes) -> None:
        super().__init__(folder)
        self._free = free
        self._lock = RLock()
        self._fault: Fault = ""
        self.on = False
        """True while new pictures are kept; former ones stay."""

    def keep(self, record: MatchRecord, n: int, jpeg: bytes) -> None:
        """Keep the picture after entry `n` of a match, if the match and the disk have room.

        A failure raises nothing: a match goes on without its pictures.
        """
        with self._lock:
            if not self.on or len(self.numbers(record)) >= MOST_A_MATCH:
                return
            path = self._path(record, n)
            try:
                files.make_folder(path.parent)
                if self._free(path.parent) < LEAST_FREE_BYTES:
                    self._fault = "full"
                    return
                path.touch(mode=files.SECRET_MODE)
                path.write_bytes(jpeg)
                self._fault = ""
            except OSError as error:
                self._complain(path, error)

    def _complain(self, path: Path, error: OSError) -> None:
        if self._fault != "failed":
            log.warning("The picture of a move cannot be kept in %s (%s).", path, cause_of(error))
        self._fault = "failed"
        with suppress(OSError):
            path.unlink(missing_ok=True)  # a part of it may stand there

    def pictured(self, record: MatchRecord) -> tuple[frozenset[int], Gone]:
        """The numbers of the entries with a picture, and the fate of others."""
        gone: Gone = "deleted" if (self._folders.folder_of(record) / DELETED).exists() else ""
        return frozenset(self.numbers(record)), gone

    def kept(self) -> PicturesKept:
        """The number and size of all pictures, and the fault of new ones."""
        sizes = [path.stat().st_size for folder in self._all() for path in folder.glob("[0-9]*.jpg")]
        return PicturesKept(len(sizes), sum(sizes), self._fault if self.on else "")

    def remove(self, record: MatchRecord) -> None:
        """Delete the pictures of a match. Raises `TableError`."""
        self._remove_noted(self._folders.folder_of(record))

    def remove_all(self) -> None:
        """Delete every picture. Raises `TableError`."""
        for folder in self._all():
            self._remove_noted(folder)

    def _remove_noted(self, folder: Path) -> None:
        with self._lock:
            if self._remove(folder):
                with suppress(OSError):
                    (folder / DELETED).touch()

    def _all(self) -> list[Path]:
        try:
            return list(self._folders.every())
        except OSError:
            return []
