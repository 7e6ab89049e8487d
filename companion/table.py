"""The table: the match being played, what the camera believes it saw, and who waits for news.

Everything that changes the match comes through here, whether it was seen, pressed or tapped: the
rules judge it, the journal keeps it, then `version` moves on and those who wait are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, MoveError
from companion.games.game import Guess, Seen, Sighting, Verdict
from companion.journal import Journal, MatchRecord
from companion.match import Match, MatchView


class SightingView(msgspec.Struct, frozen=True):
    """A sighting on a page: the verdict, the reason, and the guesses to choose from, best first.

    `id` names the sighting when a guess of it is chosen.
    """

    id: int
    verdict: Verdict
    why: str
    rule: str
    facts: dict[str, str | int]
    guesses: tuple[Guess, ...]


class TableView(msgspec.Struct, frozen=True):
    """All that a page shows of the table, as one value that belongs together."""

    version: int
    match: MatchView
    sighting: SightingView | None


class Table:
    """The one place where moves arrive. Safe from any thread."""

    def __init__(self, journal: Journal, match: Match) -> None:
        self.journal = journal
        self._match = match
        self._lock = RLock()
        self._news = Condition(self._lock)
        self._version = 1
        self._sighting: SightingView | None = None
        self._sightings = 0

    @classmethod
    def open(cls, journal: Journal, slug: str | None, options: dict[str, object] | None = None) -> Table:
        """Go on with the newest match (of the game `slug`, if told) that is not over, or begin one.

        With `options`, only a match with just these is gone on with. Raises `MoveError` for options
        that do not fit and `MendableError` for a game that is not there.
        """
        for record in journal.matches():
            if slug in (None, record.game) and _same_options(record, options):
                match = Match(journal, record)
                if match.outcome is None:
                    return cls(journal, match)
                break
        return cls.begun(journal, slug or "this-bed-is-mine", options or {})

    @classmethod
    def begun(cls, journal: Journal, slug: str, options: dict[str, object]) -> Table:
        """A table with a new match. Raises `CompanionError`."""
        return cls(journal, Match.begin(journal, slug, options))

    @property
    def match(self) -> Match:
        """The match being played."""
        return self._match

    @property
    def version(self) -> int:
        """Grows with everything that a page would show anew."""
        return self._version

    @property
    def sighting(self) -> SightingView | None:
        """What the camera waits for, asks or finds against the rules; None while there is nothing to say."""
        return self._sighting

    def view(self, seat: str | None = None) -> TableView:
        """What `seat` may see, now."""
        with self._lock:
            return TableView(self._version, self._match.view(seat), self._sighting)

    def wait(self, version: int, timeout_s: float) -> int:
        """Wait until `version` is past, at most `timeout_s` seconds; returns the version then."""
        with self._news:
            self._news.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def tell(self) -> None:
        """Something else that pages show has changed: wake those who wait."""
        with self._news:
            self._version += 1
            self._news.notify_all()

    def play(self, move: object, source: str, *, n: int | None = None) -> None:
        """Play one move; with `n`, only while that entry is still the last. Raises `MoveError`."""
        with self._changing(n) as match:
            match.play(move, source)

    def undo(self, source: str, *, n: int | None = None) -> None:
        """Take back the last move. Raises `IllegalMove`."""
        with self._changing(n) as match:
            match.undo(source)

    def redo(self, source: str, *, n: int | None = None) -> None:
        """Play the last undone move again. Raises `IllegalMove`."""
        with self._changing(n) as match:
            match.redo(source)

    def name_players(self, players: dict[str, str], source: str) -> None:
        """Give seats the names of people. Raises `InvalidMove`."""
        with self._changing() as match:
            match.name_players(players, source)

    def begin(self, slug: str, options: dict[str, object], seats: int | None = None) -> None:
        """Put this match aside (it stays kept) and begin another. Raises `CompanionError`."""
        with self._changing():
            self._match = Match.begin(self.journal, slug, options, seats)

    def resume(self, match: int) -> None:
        """Go on with a match that is kept. Raises `IllegalMove` when there is none of that number."""
        with self._changing():
            for record in self.journal.matches():
                if record.id == match:
                    self._match = Match(self.journal, record)
                    return
            raise IllegalMove(self._match.game.slug, "no-such-match", match=match)

    def see(self, seen: Seen) -> Sighting:
        """Take what the camera saw: play it when it is sure and legal, else show it to be answered."""
        with self._lock:
            match = self._match
            sighting: Sighting = match.game.sighting(match.state, seen)
            if sighting.verdict is Verdict.PLAY:
                try:
                    match.play_all(sighting.guesses[0].moves, "camera")
                except MoveError as error:
                    sighting = _refused(sighting, error)
                else:
                    self._show(None)
                    self.tell()
                    return sighting
            shown = None if sighting.verdict is Verdict.NOTHING else sighting
            if self._show(shown):
                self.tell()
            return sighting

    def answer(self, sighting: int, guess: int, source: str) -> None:
        """A person chose one of a sighting's guesses: play its moves. Raises `MoveError`."""
        with self._changing() as match:
            shown = self._sighting
            if shown is None or shown.id != sighting or not 0 <= guess < len(shown.guesses):
                raise IllegalMove(match.game.slug, "sighting-gone")
            match.play_all(shown.guesses[guess].moves, source)

    def _show(self, sighting: Sighting | None) -> bool:
        """Put a sighting up (or take it down); whether that changed anything."""
        now = self._sighting
        if sighting is None:
            self._sighting = None
            return now is not None
        if now and (now.verdict, now.why, now.rule, now.facts, now.guesses) == (
            sighting.verdict, sighting.why, sighting.rule, sighting.facts, sighting.guesses
        ):  # fmt: skip
            return False
        self._sightings += 1
        self._sighting = SightingView(
            self._sightings, sighting.verdict, sighting.why, sighting.rule, sighting.facts, sighting.guesses
        )
        return True

    @contextmanager
    def _changing(self, n: int | None = None) -> Iterator[Match]:
        """Hold the table while it is changed; afterwards the old sighting is void and all are told."""
        with self._lock:
            match = self._match
            if n is not None and n != match.n:
                raise IllegalMove(match.game.slug, "page-was-old")
            yield match
            self._show(None)
            self.tell()


def _refused(sighting: Sighting, error: MoveError) -> Sighting:
    return Sighting(Verdict.BREAKS, sighting.why, error.rule, _plain(error.facts), sighting.guesses)


def _plain(facts: dict[str, Any]) -> dict[str, str | int]:
    return {name: fact if isinstance(fact, int) else str(fact) for name, fact in facts.items()}


def _same_options(record: MatchRecord, options: dict[str, object] | None) -> bool:
    if not options:
        return True
    return all(record.options.get(name) == value for name, value in options.items())
