"""A folder for each match's pictures, deleted once the match cannot be brought back."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from companion.play.journal import REMOVED_DAYS
from companion.play.schema import MatchRecord

NAME = re.compile(r"(\d+)-\d+")
"""The name of a match's folder: its number, and when it began."""

DAY_S = 86_400

NO_MATCH = "no-match"
"""The file that marks a folder whose match has left the journal; its age tells since when."""


class MatchFolders:
    """The folders of matches inside `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def folder_of(self, record: MatchRecord) -> Path:
        """The folder of a match; it need not be there."""
        return self.folder / record.identity

    def every(self) -> Iterator[Path]:
        """Every folder that is there. Raises `OSError`."""
        with suppress(FileNotFoundError):
            yield from (folder for folder in self.folder.iterdir() if NAME.fullmatch(folder.name))

    def forget_others(self, records: Collection[MatchRecord]) -> bool:
        """Delete the folders of matches that have been away for `REMOVED_DAYS` days; True if there were any.
        Until then a journal that was put aside may come back. Failed deletions are tried again later."""
        known, deleted = {self.folder_of(record) for record in records}, False
        with suppress(OSError):
            for folder in self.every():
                if folder in known:
                    (folder / NO_MATCH).unlink(missing_ok=True)
                elif _is_over(folder / NO_MATCH):
                    shutil.rmtree(folder)
                    deleted = True
        return deleted


def _is_over(mark: Path) -> bool:
    """True if a match has been away for too long; its mark says since when."""
    if not mark.exists():
        mark.touch()
    return time.time() - mark.stat().st_mtime > REMOVED_DAYS * DAY_S
