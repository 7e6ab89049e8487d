"""Backs up the journal while it is in use: `python -m companion.play.backup`; the nightly timer calls it.

It uses SQLite's own online backup, which contains everything kept before it began, and nothing half written.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from companion import files, paths
from companion.errors import MendableError
from companion.errors.causes import cause_of

FOLDER = "backups"
"""The folder of the backups beside the journal."""

KEEP = 14
"""The number of backups to keep; the oldest are deleted."""

_CONTENT = "SELECT (SELECT count(*) FROM match), (SELECT count(*) FROM entry), (SELECT max(at) FROM entry)"


def back_up(journal: Path, folder: Path, *, name: str = "", keep: int = KEEP) -> Path | None:
    """Write a backup of `journal` into `folder` and delete the oldest; None if nothing is new.

    `name` is the backup's name instead of the time; a named backup is always written and never deleted.
    Raises `MendableError` if it cannot be written, or is damaged.
    """
    earlier = sorted(folder.glob("journal-*.sqlite"))
    try:
        if not name and earlier and _content(earlier[-1]) == _content(journal):
            return None
        files.make_folder(folder)
        made = folder / f"{name or f'journal-{datetime.now(UTC):%Y-%m-%dT%H%M%S}'}.sqlite"
        part = made.with_suffix(".part")
        part.unlink(missing_ok=True)
        part.touch(files.SECRET_MODE)
        _copy(journal, part)
        part.replace(made)
        files.sync_folder(folder)
        for old in sorted(folder.glob("journal-*.sqlite"))[:-keep]:
            old.unlink()
    except (sqlite3.Error, OSError) as error:
        raise MendableError(
            f"{journal} cannot be backed up to {folder} ({cause_of(error)}); free some space."
        ) from error
    return made


def _copy(journal: Path, to: Path) -> None:
    with closing(_opened(journal)) as source, closing(sqlite3.connect(to, isolation_level=None)) as copy:
        source.backup(copy)
        # The backup is a single file, without the two extra files of a journal in use.
        copy.execute("PRAGMA journal_mode = DELETE")
        report = copy.execute("PRAGMA quick_check(1)").fetchone()[0]
    if report != "ok":
        to.unlink()
        raise MendableError(f"{journal} is damaged ({report}): put the newest backup in its place.")


def _content(file: Path) -> tuple[object, ...]:
    with closing(_opened(file)) as connection:
        row: tuple[object, ...] = connection.execute(_CONTENT).fetchone()
        return row


def _opened(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)


def main(words: list[str]) -> int:
    """Back up the journal in `home()`; a word names the backup. Returns the exit status."""
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
