"""What the companion's player thinks of the moves of finished matches: made in the background, and kept.

Each review is a file of its own beside the journal. Whoever deletes it loses nothing: it is made again when
somebody looks at the match. A review is of certain moves: once one of them is corrected, it is made anew.
"""

from __future__ import annotations

import hashlib
import logging
import subprocess
from pathlib import Path
from threading import Lock, Thread

import msgspec

from companion import files
from companion.games.registry import AnyGame
from companion.opponents import review
from companion.opponents.review import Review
from companion.play.look_back import LookBack

log = logging.getLogger(__name__)

REVIEWS = "reviews"
"""The folder of the reviews, beside the journal."""

VERSION = 1
"""Part of each review's name; it changes where the players judge so differently that old reviews mislead."""

LONGEST_S = 120.0
"""The seconds after which a review is given up; a slow or busy board takes longer than it may think."""


class Reviews:
    """The reviews in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._judging: subprocess.Popen[bytes] | None = None
        self._failed: set[Path] = set()

    def judges(self, game: AnyGame) -> bool:
        """Whether the finished matches of a game are reviewed: its player can judge moves."""
        return review.can_judge(game)

    def of(self, match: LookBack) -> Review | None:
        """The review of a match; None while it is being made, which begins now. Raises `LookupError`."""
        if match.outcome is None or not self.judges(match.history.game):
            raise LookupError(match.record.id)
        task = _task(match)
        path = self._path(match.record.id, task)
        kept = self._read(path)
        if kept is None:
            with self._lock:
                if path in self._failed:
                    raise LookupError(match.record.id)
                if self._judging is None:
                    self._judging = review.begin(task)
                    Thread(target=self._keep, args=(self._judging, path), daemon=True).start()
        return kept

    def stop(self) -> None:
        """Make no review to its end."""
        with self._lock:
            if self._judging is not None:
                self._judging.kill()

    def _path(self, number: int, task: review.Task) -> Path:
        digest = hashlib.sha256(msgspec.json.encode((VERSION, task))).hexdigest()[:16]
        return self._folder / f"match-{number}-{digest}.json"

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
        with self._lock:
            self._judging = None
            if made is None:
                self._failed.add(path)
                return
        number = path.name.split("-")[1]
        try:
            files.write_json(path, made)
            for older in self._folder.glob(f"match-{number}-*.json"):
                if older != path:
                    older.unlink(missing_ok=True)
        except OSError as error:
            log.warning("The review cannot be kept in %s: %s", path, error)
            self._failed.add(path)


def _task(match: LookBack) -> review.Task:
    raw = [msgspec.Raw(msgspec.json.encode(move)) for move in match.moves]
    record = match.record
    options = msgspec.Raw(msgspec.json.encode(match.history.state.options))
    return review.Task(record.game, options, record.seats, tuple(raw))
