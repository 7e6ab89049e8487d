"""Bringing back a backup of the journal: tried on a copy first, and the present journal is kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion import files, paths
from companion.errors import MendableError
from companion.play.backup import Content, content
from companion.play.examine import fault_of
from companion.play.journal import Journal
from companion.play.reading import JournalError, mending
from companion.play.rescue import RESCUED, finish

REPLACED = ".replaced-"
"""Part of the name of a journal that a backup has replaced, before the date."""


class Backup(NamedTuple):
    """A backup: its file, what it holds (None if it cannot be read), and its fault (empty if it is whole)."""

    file: Path
    content: Content | None
    fault: str

    @property
    def name(self) -> str:
        """Its name, without `journal-` and the suffix."""
        return self.file.stem.removeprefix("journal-")


def backups(folder: Path) -> Iterator[Backup]:
    """Every backup in `folder`, the newest first. Raises `JournalError`."""
    for file in sorted(folder.glob("*.sqlite"), key=lambda file: file.stat().st_mtime, reverse=True):
        with mending(file):
            yield Backup(file, content(file), fault_of(file))


def bring_back(backup: Backup, journal: Path) -> Path | None:
    """Put a backup in place of `journal`, which nobody may use now.

    Returns the name under which the old journal is kept; None if there was none. Raises `MendableError` for a
    backup that is damaged or cannot be opened; then nothing has changed.
    """
    if backup.fault or backup.content is None:
        raise MendableError(
            f"The backup {backup.name} is damaged ({backup.fault or 'it cannot be read'}); take another one."
        )
    with mending(journal):
        files.make_folder(journal.parent)
        with TemporaryDirectory(dir=journal.parent, prefix=".restoring-") as folder:
            copy = Path(folder) / journal.name
            shutil.copyfile(backup.file, copy)
            copy.chmod(files.SECRET_MODE)
            _try(copy, backup)
            copy.replace(journal.with_suffix(RESCUED))
        files.sync_folder(journal.parent)
        there = journal.exists()
        aside = finish(journal, REPLACED)
        for name in paths.missing_in(journal.parent):
            (journal.parent / name).unlink(missing_ok=True)
    return aside if there else None


def _try(copy: Path, backup: Backup) -> None:
    """Open a copy of a backup as the table would. Raises `JournalError` if it is not whole then."""
    with closing(Journal(copy)) as journal:
        journal.summaries()
        journal.fold()
    fault = fault_of(copy)
    if fault or content(copy) != backup.content:
        raise JournalError("bad-backup", name=backup.name, cause=str(fault))
    with copy.open("rb") as file:
        os.fsync(file.fileno())
