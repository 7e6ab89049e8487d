"""Watches the discard spot for the taught cards; a newly taught card is known from the next picture on."""

from __future__ import annotations

import logging
from pathlib import Path

from companion.games.watching import Observation
from hardware.arrays import Picture
from hardware.vision.cards import book
from hardware.vision.cards.discard_watcher import DiscardWatcher
from hardware.vision.cards.reader import CardReader
from hardware.vision.errors import SavedStateError

log = logging.getLogger(__name__)


class TaughtCards:
    """Watches for the taught cards in a file; without the file it sees nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed: int | None = None
        self._watch: DiscardWatcher | None = None
        self._asked_at: int | None = None

    def look(self, picture: Picture, at_s: float, moves: int) -> Observation | None:
        """The newly laid cards in this picture (BGR), taken at `at_s` seconds; usually None.

        `moves` is the match's number of moves: once it changes, open questions count as answered.
        """
        self._follow_file()
        if self._watch is None:
            return None
        if self._asked_at not in (None, moves):
            self._watch.answered()
            self._asked_at = None
        laid = self._watch.look(picture, at_s)
        if laid is not None:
            self._asked_at = moves if laid.unsure else None
        return laid

    def _follow_file(self) -> None:
        try:
            changed = self._path.stat().st_mtime_ns
        except OSError:
            changed = None
        if changed == self._changed:
            return
        self._changed, self._watch = changed, None
        try:
            cards = book.load(self._path).cards
        except SavedStateError as error:
            log.warning("%s", error)
            return
        if cards:
            self._watch = DiscardWatcher(CardReader(cards))
