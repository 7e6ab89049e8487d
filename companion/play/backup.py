"""Back up the journal while it is in use: `python -m companion.play.backup`, called by the nightly timer.

SQLite's online backup contains everything kept before it began, and nothing half written.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from companion import files, paths
from companion.errors import UserError
from companion.errors.causes import cause_of
from companion.play.journal import DAMAGED_DATABASE, Journal, JournalError, mending, read_only
from companion.play.rescue import RESCUED, fault_of, finish

FOLDER = "backups"

KEEP = 14

REPLACED = ".replaced-"
"""Part of the name of a journal that a backup has replaced, before the date."""

HOW_TO_MEND = "the next `companion run` keeps what can be read, `companion restore` brings back a backup"


class Content(NamedTuple):
    """The number of matches and entries in a journal, and the time of its newest entry."""

    matches: int
    entries: int
    newest: str | None


_CONTENT = "SELECT (SELECT count(*) FROM match), (SELECT count(*) FROM entry), (SELECT max(at) FROM entry)"


def back_up(journal: Path, folder: Path, *, name: str = "", keep: int = KEEP) -> Path | None:
    """Write a backup of `journal` into `folder` and delete the oldest; None if nothing is new.

    `name` is the backup's name instead of the time; a named backup is always written and never deleted. While
    the clock is behind the newest backup, nothing is deleted. Raises `UserError` if it cannot be written,
    or if the journal is damaged.
    """
    try:
        fault = fault_of(journal)
        if fault:
            raise UserError(f"{journal} is damaged ({fault}): {HOW_TO_MEND}.")
        earlier = [file for file in sorted(folder.glob("journal-*.sqlite")) if content(file) is not None]
        if not name and earlier and content(earlier[-1]) == content(journal):
            return None
        files.make_folder(folder)
        stem = name or f"journal-{datetime.now(UTC):%Y-%m-%dT%H%M%S}"
        made = folder / f"{stem}.sqlite"
        if not name:
            made = paths.free_name(made, stem)
        _copy(journal, made)
        if not name and (not earlier or earlier[-1].stem < stem):
            for old in [*earlier, made][:-keep]:
                old.unlink()
    except (*DAMAGED_DATABASE, OSError) as error:
        raise UserError(
            f"{journal} cannot be backed up to {folder} ({cause_of(error)}); free some space."
        ) from error
    return made


def _copy(journal: Path, made: Path) -> None:
    """Write a whole copy of a journal to `made`, for its owner alone."""
    part = made.with_suffix(".part")
    part.unlink(missing_ok=True)
    part.touch(files.SECRET_MODE)
    with closing(read_only(journal)) as source, closing(sqlite3.connect(part, isolation_level=None)) as copy:
        source.backup(copy)
        # The backup is a single file, without the two extra files of a journal in use.
        copy.execute("PRAGMA journal_mode = DELETE")
    part.replace(made)
    files.sync_folder(made.parent)


def content(file: Path) -> Content | None:
    """The content of a journal or a backup; None if it cannot be read."""
    try:
        with closing(read_only(file)) as connection:
            return Content(*connection.execute(_CONTENT).fetchone())
    except DAMAGED_DATABASE:
        return None


class Backup(NamedTuple):
    """A backup: its file, what it holds (None if it cannot be read), and its fault (empty if it is whole)."""

    file: Path
    content: Content | None
    fault: str

    @property
    def name(self) -> str:
        """The file's name without `journal-` and the suffix."""
        return self.file.stem.removeprefix("journal-")


def backups(folder: Path) -> Iterator[Backup]:
    """Every backup in `folder`, the newest first. Raises `JournalError`."""
    for file in sorted(folder.glob("*.sqlite"), key=lambda file: file.stat().st_mtime, reverse=True):
        with mending(file):
            yield Backup(file, content(file), fault_of(file))


def bring_back(backup: Backup, journal: Path) -> Path | None:
    """Put a backup in place of `journal`, which nobody may use now.

    Returns the new name of the old journal; None without one. Raises `UserError` for a backup that is damaged
    or cannot be opened; then nothing has changed.
    """
    if backup.fault or backup.content is None:
        raise UserError(
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
    """Open a copy of a backup as the table would. Raises `JournalError` if it is not whole."""
    with closing(Journal(copy)) as journal:
        journal.summaries()
        journal.fold()
    fault = fault_of(copy)
    if fault or content(copy) != backup.content:
        raise JournalError("bad-backup", name=backup.name, cause=str(fault))
    with copy.open("rb") as file:
        os.fsync(file.fileno())


def main(words: list[str]) -> int:
    """Back up the journal in `home()`; an argument names the backup. Returns the exit status."""
    journal = paths.home() / "journal.sqlite"
    if not journal.exists():
        return 0
    try:
        back_up(journal, paths.home() / FOLDER, name=words[0] if words else "")
    except UserError as error:
        sys.stderr.write(f"Error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
