"""What the companion's player thinks of the moves of finished matches: made in the background, and kept.

The review of a match begins once it has ended on the table and nobody has changed it for a while. Older
matches are reviewed when somebody looks at them. One review is made at a time.

A review is a file in a folder for its match, beside the journal, and goes with the match. Whoever deletes it
loses nothing: it is made again when somebody looks at the match. A review is of certain moves: once one of
them is corrected, it is made again.
"""

from __future__ import annotations

import hashlib
import logging
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

import msgspec

from companion import files
from companion.games.registry import AnyGame
from companion.opponents import review
from companion.opponents.review import Review
from companion.play.entries import MatchRecord
from companion.play.look_back import LookBack
from companion.play.news_thread import NewsThread
from companion.play.snapshot import MatchSnapshot
from companion.play.table import Table, TableSnapshot
from companion.service.match_folders import MatchFolders

log = logging.getLogger(__name__)

VERSION = 1
"""Part of each review's name; it changes where the players judge so differently that old reviews mislead."""

LONGEST_S = 120.0
"""The seconds after which a review is given up; a slow or busy board takes longer than it may think."""


QUIET_S = 10.0
"""The seconds in which the end of a match may still be undone or corrected before its review begins."""

LOOK_S = 1.0
"""The seconds between two looks at a review that waits for its turn."""

NOTHING_WAITS_S = 60.0
"""The seconds between two looks at a table without news."""


@dataclass
class _Ended:
    """A match that has ended on the table: as it is, since when, and whether its review was begun."""

    match: MatchSnapshot
    since_s: float
    begun: bool = False


class Reviews:
    """The reviews in `folder`; once started, those of matches that end on `table` begin by themselves."""

    def __init__(self, folder: Path, table: Table | None = None, *, quiet_s: float = QUIET_S) -> None:
        self._folders, self._quiet_s = MatchFolders(folder), quiet_s
        self._lock = Lock()
        self._judging: subprocess.Popen[bytes] | None = None
        self._failed: set[Path] = set()
        self._ended: dict[int, _Ended] = {}
        self._thread = None if table is None else NewsThread(table, self._look, name="reviews")
        self._is_over = False

    def start(self) -> None:
        """Review from now on each match that ends on the table, in a thread."""
        if self._thread is not None:
            self._thread.start()

    def judges(self, game: AnyGame) -> bool:
        """Whether the finished matches of a game are reviewed: its player can judge moves."""
        return review.can_judge(game)

    def of(self, match: LookBack) -> Review | None:
        """The review of a match; None while it is being made, which begins now. Raises `LookupError`."""
        if match.outcome is None or not self.judges(match.history.game):
            raise LookupError(match.record.id)
        task = _task(match)
        path = self._path(match.record, task)
        kept = self._read(path)
        if kept is None:
            if path in self._failed:
                raise LookupError(match.record.id)
            self._begin(task, path)
        return kept

    def stop(self) -> None:
        """Make no review to its end."""
        with self._lock:
            self._is_over = True
            if self._judging is not None:
                self._judging.kill()
        if self._thread is not None:
            self._thread.stop(LOOK_S)

    def look(self, match: MatchSnapshot, now_s: float) -> None:
        """Look at the match on the table: it may have ended, or go on after an undo. Begin what is due."""
        number = match.record.id
        noted = self._ended.get(number)
        if noted is None or noted.match.history is not match.history:
            self._ended = {each: of for each, of in self._ended.items() if each != number and not of.begun}
            if match.outcome is not None and self.judges(match.game):
                self._ended[number] = _Ended(match, now_s)
        for each in self._ended.values():
            if not each.begun and now_s - each.since_s >= self._quiet_s:
                each.begun = self._begin_of(each.match)

    def _look(self, snapshot: TableSnapshot) -> float:
        """Look at the table, and at what waits for its review."""
        self.look(snapshot.match, monotonic())
        waits = any(not each.begun for each in self._ended.values())
        return LOOK_S if waits else NOTHING_WAITS_S

    def _begin_of(self, match: MatchSnapshot) -> bool:
        """Whether the review of a match is there, or was begun: not while another one is being made."""
        task = _task(LookBack.of(match))
        path = self._path(match.record, task)
        return path in self._failed or self._read(path) is not None or self._begin(task, path)

    def _begin(self, task: review.Task, path: Path) -> bool:
        """Begin a review, unless another one is being made; whether it was begun."""
        with self._lock:
            if self._judging is not None or self._is_over:
                return False
            self._judging = review.begin(task)
        Thread(target=self._keep, args=(self._judging, path), name="review", daemon=True).start()
        return True

    def forget_others(self, records: Collection[MatchRecord]) -> None:
        """Delete what belongs to none of these matches, and to none that may still be brought back."""
        self._folders.forget_others(records)

    def _path(self, record: MatchRecord, task: review.Task) -> Path:
        digest = hashlib.sha256(msgspec.json.encode((VERSION, task))).hexdigest()[:16]
        return self._folders.of(record) / f"{digest}.json"

    @staticmethod
    def _read(path: Path) -> Review | None:
        try:
            return files.read_json(path, Review)
        except (OSError, ValueError) as error:
            log.info("The review %s cannot be read and is made again: %s", path, error)
            return None

    def _keep(self, judging: subprocess.Popen[bytes], path: Path) -> None:
        """Wait for a review, and keep it in place of older ones of its match."""
        try:
            judging.wait(LONGEST_S)
        except subprocess.TimeoutExpired:
            judging.kill()
        made = review.answer_of(judging)
        if made is None or not self._written(made, path):
            self._failed.add(path)
        with self._lock:
            self._judging = None

    def _written(self, made: Review, path: Path) -> bool:
        try:
            files.write_json(path, made)
            for older in path.parent.glob("*.json"):
                if older != path:
                    older.unlink(missing_ok=True)
        except OSError as error:
            log.warning("The review cannot be kept in %s: %s", path, error)
            return False
        return True


def _task(match: LookBack) -> review.Task:
    raw = [msgspec.Raw(msgspec.json.encode(move)) for move in match.moves]
    record = match.record
    options = msgspec.Raw(msgspec.json.encode(match.history.state.options))
    return review.Task(record.game, options, record.seats, tuple(raw))
