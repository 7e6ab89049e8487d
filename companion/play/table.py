"""The table: the match being played, what the camera believes it saw, and who waits for news.

Everything that changes the match comes through here, whether it was seen, pressed or tapped: the
rules judge it, the journal keeps it, then `version` moves on and those who wait are told. What a seat
does in private moves on the version of that seat alone, and wakes nobody else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Condition, RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, MoveError
from companion.games.registry import AnyGame
from companion.games.watching import Guess, Observation, Sighting, Verdict, Watched
from companion.play.journal import Journal, JournalError, MatchRecord
from companion.play.match import Match, MatchView
from companion.play.seats import Seats


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

    def __init__(self, journal: Journal, match: Match, seats: Seats | None = None) -> None:
        """`seats` says which phone sits where; unless told, what is kept beside the journal.

        A match without moves is a new one: whoever sat at the last match sits at it too.
        """
        self.journal = journal
        self.seats = Seats.beside(journal.path) if seats is None else seats
        self._match = match
        self.seats.go_on(match.record.id, match.seat_names, new=not match.n)
        self._lock = RLock()
        self._news = Condition(self._lock)
        self._version = 1
        self._own: Counter[str | None] = Counter()
        self._sighting: SightingView | None = None
        self._open_by_sense: dict[str, Sighting] = {}
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
        """Grows with everything that a page of the table itself would show anew."""
        return self._version

    @property
    def sighting(self) -> SightingView | None:
        """What the camera waits for, asks or finds against the rules; None while there is nothing to say."""
        return self._sighting

    def version_of(self, seat: str | None) -> int:
        """Grows with everything that a page of `seat` would show anew."""
        return self._version + self._own[seat]

    @contextmanager
    def locked(self) -> Iterator[Match]:
        """Hold the table as it is while several things are asked of it, or one is done after a look."""
        with self._lock:
            yield self._match

    def view(self, seat: str | None = None) -> TableView:
        """What `seat` may see, now."""
        with self._lock:
            return TableView(self.version_of(seat), self._match.view(seat), self._sighting)

    def wait_for_change(self, version: int, timeout_s: float, seat: str | None = None) -> int:
        """Wait until the `version` of `seat` is past, at most `timeout_s` seconds; returns that then."""
        with self._news:
            self._news.wait_for(lambda: self.version_of(seat) != version, timeout_s)
            return self.version_of(seat)

    def notify(self) -> None:
        """Something else that pages show has changed: wake those who wait."""
        with self._news:
            self._version += 1
            self._news.notify_all()

    def play(self, move: object, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Play one move; with `n`, only while that many entries are all that `seat` may see.

        A private move is taken from the seat whose own it is, and from no other. Raises `MoveError`.
        """
        with self._changing(n, seat) as match:
            checked = match.move(move)
            owner = match.game.private_to(checked)
            if owner is not None and owner != seat:
                raise IllegalMove(match.game.slug, "not-your-seat", seat=owner)
            match.play(checked, source, seat=seat)

    def undo(self, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Take back the last move that `seat` may see. Raises `IllegalMove`."""
        with self._changing(n, seat) as match:
            match.undo(source, seat=seat)

    def redo(self, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Play again what was last undone of that which `seat` may see. Raises `MoveError`."""
        with self._changing(n, seat) as match:
            match.redo(source, seat=seat)

    def name_players(self, players: dict[str, str], source: str) -> None:
        """Give seats the names of people. Raises `InvalidMove`."""
        with self._changing() as match:
            match.name_players(players, source)

    def begin(self, slug: str, options: dict[str, object], seats: int | None = None) -> None:
        """Put this match aside (it stays kept) and begin another. Raises `CompanionError`.

        Who sat first at the old one sits first at the new one, and so on.
        """
        with self._changing():
            self._match = Match.begin(self.journal, slug, options, seats)
            self.seats.go_on(self._match.record.id, self._match.seat_names, new=True)

    def resume(self, match: int) -> None:
        """Go on with a match that is kept, with whoever sat at that one.

        Raises `IllegalMove` when there is none of that number.
        """
        with self._changing():
            for record in self.journal.matches():
                if record.id == match:
                    self._match = Match(self.journal, record)
                    self.seats.go_on(record.id, self._match.seat_names)
                    return
            raise IllegalMove(self._match.game.slug, "no-such-match", match=match)

    def see(self, seen: Observation) -> Sighting:
        """Take what the camera saw: play it when it is sure and legal, else show it to be answered.

        What it says of dice or cards, once, is not taken down by what it says of the board, all the time.
        What could not be kept is shown to be answered, too: it is played once the disk takes it again.
        Raises `JournalError` then.
        """
        with self._lock, self._told_whether_kept():
            match = self._match
            sighting = _sighting(match, seen)
            if sighting.verdict is Verdict.PLAY:
                try:
                    match.play_all(sighting.guesses[0].moves, "camera")
                except MoveError as error:
                    sighting = _refused(sighting, error)
                except JournalError:
                    if self._show(msgspec.structs.replace(sighting, verdict=Verdict.ASK, why="not-kept")):
                        self.notify()
                    raise
                else:
                    self._show(None)
                    self.notify()
                    return sighting
            self._open_by_sense[_sense(seen)] = sighting
            if self._show(_most_urgent(self._open_by_sense.values())):
                self.notify()
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
            self._open_by_sense.clear()
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
    def _changing(self, n: int | None = None, seat: str | None = None) -> Iterator[Match]:
        """Hold the table while `seat` changes it; afterwards the old sighting is void and all are told.

        What was done in private is news to that seat alone, and voids nothing.
        """
        with self._news, self._told_whether_kept():
            match = self._match
            if n is not None and n != match.n_of(seat):
                raise IllegalMove(match.game.slug, "page-was-old")
            open_before = match.n_of(None)
            yield match
            if self._match is match and match.n_of(None) == open_before:
                self._own[seat] += 1
                self._news.notify_all()
                return
            self._show(None)
            self.notify()

    @contextmanager
    def _told_whether_kept(self) -> Iterator[None]:
        """Around what is written: all are told when the journal begins to fail, and when it takes again."""
        before = self.journal.fault
        try:
            yield
        finally:
            if self.journal.fault != before:
                self.notify()


def _sighting(match: Match, observation: Observation) -> Sighting:
    """What the match's game makes of an observation, from what lies open to all."""
    game = match.game
    if not isinstance(game, Watched):
        return Sighting(Verdict.NOTHING)
    return _open(game, game.sighting(game.hide(match.state, None), observation))


def _open(game: AnyGame, sighting: Sighting) -> Sighting:
    """A sighting without guesses that hold a private move: the camera sees what lies open to all."""
    open_ones = tuple(
        guess for guess in sighting.guesses if all(game.private_to(move) is None for move in guess.moves)
    )
    if open_ones == sighting.guesses:
        return sighting
    if not open_ones or (sighting.verdict is Verdict.PLAY and open_ones[0] != sighting.guesses[0]):
        return Sighting(Verdict.NOTHING)
    return msgspec.structs.replace(sighting, guesses=open_ones)


URGENT = (Verdict.ASK, Verdict.BREAKS, Verdict.WAIT)
"""Of two sightings the one is shown that a person has more to do with."""


def _sense(seen: Observation) -> str:
    return "dice" if seen.dice is not None else "cards" if seen.cards is not None else "board"


def _most_urgent(sightings: Iterable[Sighting]) -> Sighting | None:
    """What of these is to be shown; None when none has anything to say."""
    said = [each for each in sightings if each.verdict in URGENT]
    return min(said, key=lambda each: URGENT.index(each.verdict), default=None)


def _refused(sighting: Sighting, error: MoveError) -> Sighting:
    return Sighting(Verdict.BREAKS, sighting.why, error.rule, _plain(error.facts), sighting.guesses)


def _plain(facts: dict[str, Any]) -> dict[str, str | int]:
    return {name: fact if isinstance(fact, int) else str(fact) for name, fact in facts.items()}


def _same_options(record: MatchRecord, options: dict[str, object] | None) -> bool:
    if not options:
        return True
    return all(record.options.get(name) == value for name, value in options.items())
