"""Backs up the journal while it is in use: `python -m companion.play.backup`; the nightly timer calls it.

It uses SQLite's own online backup, which contains everything kept before it began, and nothing half written.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from companion import files, paths
from companion.errors import MendableError
from companion.errors.causes import cause_of
from companion.play.examine import fault_of
from companion.play.reading import DAMAGED_DATABASE, read_only

FOLDER = "backups"
"""The folder of the backups beside the journal."""

KEEP = 14
"""The number of backups to keep; the oldest are deleted."""

HOW_TO_MEND = "the next `companion run` keeps what can be read, `companion restore` brings back a backup"
"""What to do about a damaged journal."""


class Content(NamedTuple):
    """What a journal holds: how many matches and entries, and the time of its newest entry."""

    matches: int
    entries: int
    newest: str | None


_CONTENT = "SELECT (SELECT count(*) FROM match), (SELECT count(*) FROM entry), (SELECT max(at) FROM entry)"


def back_up(journal: Path, folder: Path, *, name: str = "", keep: int = KEEP) -> Path | None:
    """Write a backup of `journal` into `folder` and delete the oldest; None if nothing is new.

    `name` is the backup's name instead of the time; a named backup is always written and never deleted. While
    the clock is behind the newest backup, nothing is deleted. Raises `MendableError` if it cannot be written,
    or if the journal is damaged.
    """
    try:
        fault = fault_of(journal)
        if fault:
            raise MendableError(f"{journal} is damaged ({fault}): {HOW_TO_MEND}.")
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
        raise MendableError(
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
    """What a journal or a backup holds; None if it cannot be read."""
    try:
        with closing(read_only(file)) as connection:
            return Content(*connection.execute(_CONTENT).fetchone())
    except DAMAGED_DATABASE:
        return None


def main(words: list[str]) -> int:
    """Back up the journal in `home()`; an argument names the backup. Returns the exit status."""
    journal = paths.home() / "journal.sqlite"
    if not journal.exists():
        return 0
    try:
        back_up(journal, paths.home() / FOLDER, name=words[0] if words else "")
    except MendableError as error:
        sys.stderr.write(f"Error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
