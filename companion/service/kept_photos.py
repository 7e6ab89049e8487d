"""Photos of scored boards that people wished to keep, in a folder for each match."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from companion import files
from companion.errors import PhotoError, TableError
from companion.errors.causes import cause_of
from companion.play.entries import MatchRecord
from companion.service.match_folders import MatchFolders

OLDER_NAME = re.compile(r"match-(\d+)-(\d+)\.jpg")
"""The name of a photo before matches had folders: the match's number, and the photo's."""


class KeptPhotos:
    """The photos in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folders = MatchFolders(folder)

    def keep(self, record: MatchRecord, jpegs: Iterable[bytes]) -> None:
        """Keep the photos of a match. Raises `TableError`."""
        for n, jpeg in enumerate(jpegs, 1):
            path = self._path(record, n)
            try:
                files.write(path, jpeg, mode=files.SECRET_MODE)
            except OSError as error:
                raise TableError("photo-not-kept", path=str(path), cause=cause_of(error)) from error

    def numbers(self, record: MatchRecord) -> tuple[int, ...]:
        """The numbers of the photos of a match, from 1; none where none was kept."""
        return tuple(sorted(int(each.stem) for each in self._folders.of(record).glob("[0-9]*.jpg")))

    def picture(self, record: MatchRecord, n: int) -> bytes:
        """A photo as JPEG. Raises `PhotoError` for one that is not there."""
        try:
            return self._path(record, n).read_bytes()
        except OSError as error:
            raise PhotoError("gone") from error

    def remove(self, record: MatchRecord) -> None:
        """Delete the photos of a match; where there are none, nothing happens. Raises `TableError`."""
        for n in self.numbers(record):
            path = self._path(record, n)
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise TableError("photo-not-deleted", path=str(path), cause=cause_of(error)) from error
        with suppress(OSError):
            self._folders.of(record).rmdir()

    def forget_others(self, records: Collection[MatchRecord]) -> None:
        """Delete what belongs to none of these matches, and to none that may still be brought back."""
        self._sort_older(records)
        self._folders.forget_others(records)

    def _sort_older(self, records: Collection[MatchRecord]) -> None:
        """Put photos that were named by the match's number alone into the folder of their match.

        A photo that is older than the match of its number belonged to a match of a journal before.
        """
        by_number = {each.id: each for each in records}
        for path in list(self._folders.folder.glob("match-*.jpg")):
            if not (name := OLDER_NAME.fullmatch(path.name)):
                continue
            record = by_number.get(int(name[1]))
            with suppress(OSError):
                if record is None or path.stat().st_mtime < datetime.fromisoformat(record.began).timestamp():
                    record = MatchRecord(int(name[1]), "", {}, 0, began="0")
                files.make_folder(self._folders.of(record))
                path.rename(self._path(record, int(name[2])))

    def _path(self, record: MatchRecord, n: int) -> Path:
        return self._folders.of(record) / f"{n}.jpg"
