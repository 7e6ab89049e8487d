"""Reviews of finished matches by the companion's player: made in the background, and kept.

A review begins once its match has ended on the table and nobody has changed it for a while. Older matches are
reviewed when somebody looks at them. One review is made at a time.

A review is a file in its match's folder, beside the journal, and goes with the match. A deleted or outdated
one is made again when somebody looks at the match.
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
from companion.games.players import player_of
from companion.games.registry import AnyGame, hides
from companion.play.look_back import LookBack
from companion.play.match_folders import MatchFolders
from companion.play.schema import MatchRecord
from companion.play.snapshot import MatchSnapshot
from companion.play.table import NewsThread, Table, TableSnapshot
from companion.players import worker
from companion.players.worker import Judge, Review

log = logging.getLogger(__name__)

VERSION = 3
"""Part of each review's name; change it when old reviews mislead."""

LONGEST_S = 120.0

QUIET_S = 10.0
"""The seconds before a review in which the end may still be undone or corrected."""

LOOK_S = 1.0
"""Seconds between two looks at a waiting review."""

NOTHING_WAITS_S = 60.0
"""Seconds between two looks at a quiet table."""


@dataclass
class _Ended:
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
        """Review each match that ends on the table, in a thread."""
        if self._thread is not None:
            self._thread.start()

    def judges(self, game: AnyGame) -> bool:
        """True for a game with nothing hidden, whose player judges moves."""
        return not hides(game) and player_of(game.slug).judges

    def review_of(self, match: LookBack) -> Review | None:
        """The review of a match; None while it is being made. Raises `LookupError`."""
        if match.outcome is None or match.outcome.early or not self.judges(match.history.game):
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
        """Give up the current review, and begin no other."""
        with self._lock:
            self._is_over = True
            if self._judging is not None:
                self._judging.kill()
        if self._thread is not None:
            self._thread.stop(LOOK_S)

    def follow(self, match: MatchSnapshot, now_s: float) -> None:
        """Look at the match on the table, which may have ended or gone on. Begin due reviews."""
        number = match.record.id
        noted = self._ended.get(number)
        if noted is None or noted.match.history is not match.history:
            self._ended = {ended: of for ended, of in self._ended.items() if ended != number and not of.begun}
            if match.outcome is not None and not match.outcome.early and self.judges(match.game):
                self._ended[number] = _Ended(match, now_s)
        for ended in self._ended.values():
            if not ended.begun and now_s - ended.since_s >= self._quiet_s:
                task = _task(LookBack.from_match(ended.match))
                path = self._path(ended.match.record, task)
                is_made = path in self._failed or self._read(path) is not None
                ended.begun = is_made or self._begin(task, path)

    def _look(self, snapshot: TableSnapshot) -> float:
        self.follow(snapshot.match, monotonic())
        waits = any(not ended.begun for ended in self._ended.values())
        return LOOK_S if waits else NOTHING_WAITS_S

    def _begin(self, task: Judge, path: Path) -> bool:
        """Begin a review. False while another is being made."""
        with self._lock:
            if self._judging is not None or self._is_over:
                return False
            self._judging = worker.begin(task)
        Thread(target=self._keep, args=(self._judging, path), name="review", daemon=True).start()
        return True

    def forget_others(self, records: Collection[MatchRecord]) -> None:
        """Delete reviews of all matches but these and those that may still be brought back."""
        self._folders.forget_others(records)

    def _path(self, record: MatchRecord, task: Judge) -> Path:
        digest = hashlib.sha256(msgspec.json.encode((VERSION, task))).hexdigest()[:16]
        return self._folders.folder_of(record) / f"{digest}.json"

    @staticmethod
    def _read(path: Path) -> Review | None:
        try:
            return files.read_json(path, Review)
        except (OSError, ValueError) as error:
            log.info("The review %s cannot be read and is made again: %s", path, error)
            return None

    def _keep(self, judging: subprocess.Popen[bytes], path: Path) -> None:
        """Wait for a review, and replace older ones of its match."""
        try:
            judging.wait(LONGEST_S)
        except subprocess.TimeoutExpired:
            judging.kill()
        made = worker.review_of(judging)
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


def _task(match: LookBack) -> Judge:
    raw = [msgspec.Raw(msgspec.json.encode(move)) for move in match.moves]
    record = match.record
    options = msgspec.Raw(msgspec.json.encode(match.history.state.options))
    return Judge(record.game, options, record.seats, tuple(raw))
