"""A folder for each match, for its pictures: it goes once its match cannot be brought back."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from companion.play.entries import MatchRecord
from companion.play.journal import REMOVED_DAYS

NAME = re.compile(r"(\d+)-\d+")
"""The name of a match's folder: its number, and when it began."""

DAY_S = 86_400
"""A day, in seconds."""

NO_MATCH = "no-match"
"""The file in a folder whose match is in the journal no more: its age tells since when.

The folder's own age would not do. The whole journal may have been put aside, with matches of last year in it.
"""


class MatchFolders:
    """The folders of matches inside `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, record: MatchRecord) -> Path:
        """The folder of a match; it need not be there."""
        return self.folder / record.file_name

    def every(self) -> Iterator[Path]:
        """Every folder that is there. Raises `OSError`."""
        with suppress(FileNotFoundError):
            yield from (each for each in self.folder.iterdir() if NAME.fullmatch(each.name))

    def forget_others(self, records: Collection[MatchRecord]) -> bool:
        """Delete what has belonged to none of these matches for `REMOVED_DAYS` days; whether there was any.

        Until then a journal that was put aside may come back. What cannot be deleted is tried again later.
        """
        known, deleted = {self.of(each) for each in records}, False
        with suppress(OSError):
            for folder in self.every():
                if folder in known:
                    (folder / NO_MATCH).unlink(missing_ok=True)
                elif _is_over(folder / NO_MATCH):
                    shutil.rmtree(folder)
                    deleted = True
        return deleted


def _is_over(mark: Path) -> bool:
    """Whether a match has been away for so long that it cannot come back; its mark says since when."""
    if not mark.exists():
        mark.touch()
    return time.time() - mark.stat().st_mtime > REMOVED_DAYS * DAY_S
