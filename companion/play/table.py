"""The table: where every move arrives, and where everybody looks.

`Table.play` takes every move, whether it was seen, pressed or tapped: the rules judge it (`Match`), the
journal keeps it on disk, then the new snapshot is shown and those who wait are notified. A private move
changes only the version of its own seat, and wakes nobody else.

Readers take `Table.snapshot`, an immutable value, and never wait. The lock is for those who change the table,
and a slow disk delays only them.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Condition, Event, Lock, RLock, Thread
from typing import Any

import msgspec

from companion.errors import IllegalMove, MoveError
from companion.games.game import Stop
from companion.games.watching import WHOLE_BOARD, Guess, Observation, Sighting, Verdict, Watched
from companion.play.dealt import Deals, Dealt
from companion.play.history import Correction
from companion.play.journal import Journal, JournalError
from companion.play.match import Match
from companion.play.seats import Seats
from companion.play.snapshot import CLOCK, DEALER, UNPLAYABLE, MatchSnapshot, MatchView

log = logging.getLogger(__name__)


class SightingView(msgspec.Struct, frozen=True):
    """A sighting on a page: the verdict, the reason, and the guesses to choose from, the best first. `id`
    identifies the sighting when a person chooses one of its guesses."""

    id: int
    verdict: Verdict
    why: str
    rule: str
    facts: dict[str, str | int]
    guesses: tuple[Guess, ...]


class PutAside(msgspec.Struct, frozen=True):
    """A match that was being played when another took its place on the table: its number and its moves."""

    id: int
    moves: int


class TableView(msgspec.Struct, frozen=True):
    """Everything that a page shows of the table, as one consistent value."""

    version: int
    match: MatchView
    sighting: SightingView | None


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """The table at one moment, as an immutable value.

    `put_aside` is the match that this one replaced, until the first move here. `rematch` are the seats that
    want this finished match again. `version` grows with every change that a page of the table itself shows;
    `private_versions` grow by seat with the seat's private moves. `dealt`: the table deals its own cards in
    this match; `own_states` are those of the seats that have laid cards face down.
    """

    match: MatchSnapshot
    sighting: SightingView | None = None
    put_aside: PutAside | None = None
    rematch: tuple[str, ...] = ()
    version: int = 1
    private_versions: Mapping[str | None, int] = field(default_factory=dict)
    dealt: Dealt | None = None
    own_states: Mapping[str | None, Any] = field(default_factory=dict)

    def version_of(self, seat: str | None) -> int:
        """The version for `seat`: it grows with every change that a page of the seat shows."""
        return self.version + self.private_versions.get(seat, 0)

    def view(self, seat: str | None = None) -> TableView:
        """The view of `seat`."""
        match = self.match.view(seat, self.own_states.get(seat))
        return TableView(self.version_of(seat), match, self.sighting)


class Table:
    """The one place where moves arrive. Safe from any thread."""

    def __init__(self, journal: Journal, match: Match, seats: Seats | None = None) -> None:
        """`seats` knows which phone sits where; the default is the file beside the journal. A match without
        moves is new: those who sat at the last match sit at it too. Raises `IllegalMove` for a match whose
        deal is gone."""
        self.journal = journal
        self.deals = Deals(journal)
        self.deals.check(match.snapshot)
        self.seats = Seats.beside(journal) if seats is None else seats
        self._match = match
        played = self.deals.players(match.record)
        _seat(self.seats, match, new=not match.n, played_by_table=played)
        # Whoever changes the table holds this for as long as the rules and the disk take.
        self._lock = RLock()
        # This is held only to swap the snapshot.
        self._news = Condition(Lock())
        self._snapshot = TableSnapshot(match.snapshot, **_dealt(self.deals, match.snapshot))
        self._questions = Questions()
        self._put_aside: PutAside | None = None
        self._moves_then = len(match.snapshot.seen(None))
        self._entries_then = match.record.id, match.n_of(None)
        self.entries_by_source: Counter[str] = Counter()
        """The open entries kept since the start, by who made them."""
        self.unopened: int | None = None
        """The match that would have gone on but could not be opened."""
        self.undealt: int | None = None
        """The match that would have gone on but has no deal any more."""

    @classmethod
    def open(cls, journal: Journal, slug: str | None, options: dict[str, object] | None = None) -> Table:
        """Go on with the newest match (of the game `slug`, if given) that is not over, or begin one.

        A match that is over and still takes corrections stays on the table as well. With `options`, only a
        match with exactly these is continued. A match that cannot be opened, or has lost the cards that were
        dealt, stays kept, and another is begun.
        Raises `MoveError` for options that do not fit and `UserError` for an unknown game.
        """
        unopened = undealt = None
        for record in journal.matches():
            if slug in (None, record.game) and {**record.options, **(options or {})} == record.options:
                try:
                    match = Match(journal, record)
                except UNPLAYABLE as error:
                    log.warning("Match %d is left aside, and another is begun: %s", record.id, error)
                    unopened = record.id
                    break
                if match.outcome is None or match.game.takes_corrections(match.state):
                    try:
                        return cls(journal, match)
                    except IllegalMove as error:
                        log.warning("Match %d is left aside, and another is begun: %s", record.id, error)
                        undealt = record.id
                break
        table = new_table(journal, slug or "this-bed-is-mine", options or {})
        table.unopened, table.undealt = unopened, undealt
        return table

    @property
    def snapshot(self) -> TableSnapshot:
        """The current table, without waiting for a change under way."""
        return self._snapshot

    @property
    def match(self) -> Match:
        """The match being played."""
        return self._match

    @contextmanager
    def locked(self) -> Iterator[Match]:
        """Keep others from changing the table, for a change that depends on what was read before it. If the
        journal begins to fail now, or works again, those who wait are notified."""
        with self._lock:
            before = self.journal.fault
            try:
                yield self._match
            finally:
                if self.journal.fault != before:
                    self.notify()

    def wait_for_change(self, version: int, timeout_s: float, seat: str | None = None) -> int:
        """Wait until the version of `seat` is not `version`, at most `timeout_s` seconds; returns it."""
        with self._news:
            self._news.wait_for(lambda: self._snapshot.version_of(seat) != version, timeout_s)
            return self._snapshot.version_of(seat)

    def wait_for_news(self, seen: TableSnapshot, timeout_s: float) -> TableSnapshot:
        """Wait until the snapshot is no longer `seen`, or for `timeout_s` seconds; returns the snapshot."""
        with self._news:
            self._news.wait_for(lambda: self._snapshot is not seen, timeout_s)
            return self._snapshot

    def notify(self, **changed: Any) -> None:
        """Wake those who wait: these fields of the snapshot have changed, or something beside it."""
        with self._news:
            self._snapshot = replace(self._snapshot, version=self._snapshot.version + 1, **changed)
            self._news.notify_all()

    def play(self, move: object, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Play one move; with `n`, only if `seat` may see exactly that many entries. A private move is
        accepted only from its own seat. Raises `MoveError`."""
        with self._changing(n, seat) as match:
            checked = match.move(move)
            owner = match.game.private_to(checked)
            if owner is not None and owner != seat:
                raise IllegalMove(match.game.slug, "not-your-seat", seat=owner)
            if isinstance(checked, Stop):
                if checked.late and source != CLOCK:
                    raise IllegalMove(match.game.slug, "only-the-clock")
                match.play(checked, source)
                return
            with self.deals.played(match.snapshot, checked, seat) as moves:
                match.play_all(moves, source, seat=seat)

    def continue_dealing(self, seen: MatchSnapshot, *, close: bool = False, passes: str = "") -> None:
        """Play what chance brings in a match that the table deals, while the match stands as it was `seen`.

        `close`: nobody answers the last move. `passes` is a seat that has finished its secret acts. Raises
        `CompanionError` if this cannot be kept.
        """
        with self.locked():
            if self._match.snapshot is not seen:
                return
            if close or passes:
                self.deals.decline(seen, passes)
            due = self.deals.due(self._match.snapshot)
            if due:
                self._match.play_all(due, DEALER)
            self._publish_match()

    def undo(self, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Take back the last move that `seat` may see. Raises `IllegalMove`."""
        with self._changing(n, seat) as match:
            self.deals.refuse_change(match.snapshot)
            match.undo(source, seat=seat)

    def redo(self, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Redo the last undone move that `seat` may see. Raises `MoveError`."""
        with self._changing(n, seat) as match:
            self.deals.refuse_change(match.snapshot)
            match.redo(source, seat=seat)

    def correct(self, match: int, number: int, move: object | None, source: str, *, n: int) -> Correction:
        """Correct open move `number` of a match if it has exactly `n` open entries. Raises `MoveError`."""
        with self._lock:
            kept = self.kept(match)
            self.deals.refuse_change(kept.snapshot)
            if match == self._match.record.id:
                with self._changing(n) as played:
                    return played.correct(number, move, source)
            if kept.n_of(None) != n:
                raise IllegalMove(kept.game.slug, "page-was-old")
            return kept.correct(number, move, source)

    def kept(self, number: int) -> Match:
        """A match of the journal, the one on the table included. Raises `IllegalMove` if it is not there."""
        if number == self._match.record.id:
            return self._match
        record = self.journal.match(number)
        if record is None:
            raise IllegalMove(self._match.game.slug, "no-such-match", match=number)
        return Match(self.journal, record)

    def set_aside(self, seat: str, source: str) -> int:
        """Set aside the private notes of `seat`, because its person changes; returns their number."""
        with self._changing(seat=seat) as match:
            number = match.set_aside(seat, source)
        with self._news:
            # Counted from 0 again: the version would tell how often something was noted there.
            others = {other: n for other, n in self._snapshot.private_versions.items() if other != seat}
            self._snapshot = replace(self._snapshot, private_versions=others)
        return number

    def hand_over(self, seat: str, number: int, source: str) -> None:
        """Give `seat` what was set aside there under `number`. Raises `IllegalMove` if there is nothing."""
        with self._changing(seat=seat) as match:
            match.hand_over(seat, number, source)

    def name_players(self, players: dict[str, str], source: str) -> None:
        """Name the people at the seats. Raises `InvalidMove`."""
        with self._changing() as match:
            match.name_players(players, source)

    def begin(
        self,
        slug: str,
        options: dict[str, object],
        seats: int | None = None,
        *,
        order: tuple[str, ...] = (),
        instead_of: int | None = None,
        dealt_to: Mapping[str, str] | None = None,
    ) -> None:
        """Put this match aside (it stays kept) and begin another. Raises `CompanionError`.

        Those who sat at the old match sit at the new one in the same order, or take the seats in the `order`
        that a lot has drawn. With `instead_of`, only while that match is on the table. With `dealt_to`, the
        table deals its own cards, and plays these seats at these levels.
        """
        with self._switching(instead_of):
            begun = Match.begin(self.journal, slug, options, seats)
            if dealt_to:
                self.deals.begin(begun.record, dealt_to)
                begun.play_all(self.deals.due(begun.snapshot), DEALER)
            played = dealt_to or {}
            _seat(self.seats, begun, new=True, order=order, played_by_table=played)
            self._match = begun

    def resume(self, match: int, *, instead_of: int | None = None) -> None:
        """Resume a kept match, with those who sat at it. With `instead_of`, only while that match is on the
        table. Raises `IllegalMove` if there is no match with that number, or its deal is gone."""
        with self._switching(instead_of):
            resumed = self.kept(match)
            self.deals.check(resumed.snapshot)
            _seat(self.seats, resumed, played_by_table=self.deals.players(resumed.record))
            self._match = resumed

    def see(self, seen: Observation) -> Sighting:
        """Take an observation of the camera: play it if it is sure and legal, or show it as a question.

        A sighting of dice or cards comes only once, so the constant readings of the board do not replace it.
        A move that could not be kept is also shown as a question, and is played once the disk accepts it
        again. Raises `JournalError` then.
        """
        while True:
            before = self._match.snapshot
            if self._snapshot.dealt is not None:
                return Sighting(Verdict.NOTHING)  # the cards are on the phones, not on the table
            sighting = _sighting(before, seen)
            with self.locked() as match:
                # If somebody has moved since, the observation is judged again in the new state.
                if match.snapshot is before:
                    return self._take(seen, sighting)

    def _take(self, seen: Observation, sighting: Sighting) -> Sighting:
        shown = self._snapshot.sighting
        if sighting.verdict is Verdict.PLAY:
            try:
                self._match.play_all(sighting.guesses[0].moves, "camera")
            except MoveError as error:
                facts = {
                    name: fact if isinstance(fact, int) else str(fact) for name, fact in error.facts.items()
                }
                sighting = Sighting(Verdict.BREAKS, sighting.why, error.rule, facts, sighting.guesses)
            except JournalError:
                not_kept = msgspec.structs.replace(sighting, verdict=Verdict.ASK, why="not-kept")
                question = self._questions.view(not_kept, shown)
                if question is not shown:
                    self.notify(sighting=question)
                raise
            else:
                self._publish_match()
                return sighting
        view = self._questions.asked(seen, sighting, shown)
        if view is not shown:
            self.notify(sighting=view)
        return sighting

    def answer(self, sighting: int, guess: int, source: str) -> None:
        """Play the moves of the guess that a person chose. Raises `MoveError`."""
        with self._changing() as match:
            shown = self._snapshot.sighting
            if shown is None or shown.id != sighting or not 0 <= guess < len(shown.guesses):
                raise IllegalMove(match.game.slug, "sighting-gone")
            match.play_all(shown.guesses[guess].moves, source)

    @contextmanager
    def _changing(self, n: int | None = None, seat: str | None = None) -> Iterator[Match]:
        """Lock the table while `seat` changes it. Afterwards the old sighting is void, and all are notified.

        A private change notifies only that seat, and voids nothing; where the table deals, all see that
        something was done.
        """
        with self.locked() as match:
            if n is not None and n != match.n_of(seat):
                raise IllegalMove(match.game.slug, "page-was-old")
            open_before = match.n_of(None)
            yield match
            lies_open = match.n_of(None) != open_before or self._snapshot.dealt is not None
            if self._match is not match or lies_open:
                self._publish_match()
                return
            with self._news:
                private = self._snapshot.private_versions
                private = {**private, seat: private.get(seat, 0) + 1}
                self._snapshot = replace(self._snapshot, match=match.snapshot, private_versions=private)
                self._news.notify_all()

    @contextmanager
    def _switching(self, instead_of: int | None) -> Iterator[None]:
        """Lock the table while another match takes the place of this one, which pages then name."""
        with self._changing() as match:
            if instead_of not in (None, match.record.id):
                raise IllegalMove(match.game.slug, "page-was-old")
            yield
            left = match.snapshot.summary()
            if self._match.record.id != match.record.id:
                was_played = left.moves > 0 and left.outcome is None
                self._put_aside = PutAside(match.record.id, left.moves) if was_played else None
                self._moves_then = len(self._match.snapshot.seen(None))

    def _publish_match(self) -> None:
        """Show the current match, and void the camera's question."""
        self._questions.clear()
        match, (before, counted) = self._match, self._entries_then
        self._entries_then = match.record.id, match.n_of(None)
        if match.record.id == before:  # the entries of a match brought back are old
            self.entries_by_source[match.snapshot.sources[None]] += match.n_of(None) - counted
        if len(match.snapshot.seen(None)) != self._moves_then:
            self._put_aside = None
        dealt = _dealt(self.deals, match.snapshot)
        self.notify(match=match.snapshot, sighting=None, put_aside=self._put_aside, rematch=(), **dealt)


def new_table(journal: Journal, slug: str, options: dict[str, object]) -> Table:
    """A table with a new match. Raises `CompanionError`."""
    return Table(journal, Match.begin(journal, slug, options))


class Questions:
    """Open sightings of the camera, one for each sense; the most urgent is shown."""

    def __init__(self) -> None:
        self._by_sense: dict[str, Sighting] = {}
        self._count = 0

    def clear(self) -> None:
        """Forget all of them: the match has gone on."""
        self._by_sense.clear()

    def asked(self, seen: Observation, sighting: Sighting, shown: SightingView | None) -> SightingView | None:
        """The sighting to show from now on, instead of what is `shown`; None if there is nothing to say."""
        self._by_sense[_sense(seen)] = sighting
        said = [view for view in self._by_sense.values() if view.verdict in URGENT]
        if not said:
            self.clear()
            return None
        return self.view(min(said, key=lambda view: URGENT.index(view.verdict)), shown)

    def view(self, sighting: Sighting, shown: SightingView | None) -> SightingView:
        """A sighting for a page: `shown` itself if it says the same, however likely each guess is now."""
        if shown and _says(shown) == _says(sighting):
            return shown
        self._count += 1
        return SightingView(
            self._count, sighting.verdict, sighting.why, sighting.rule, sighting.facts, sighting.guesses
        )


def _says(sighting: Sighting | SightingView) -> tuple[object, ...]:
    """A sighting's content; the same guesses are one question in any order."""
    guesses = {guess.moves for guess in sighting.guesses}
    return sighting.verdict, sighting.why, sighting.rule, sighting.facts, guesses


def _dealt(deals: Deals, match: MatchSnapshot) -> dict[str, Any]:
    """The fields of a snapshot about a match that the table deals."""
    return {"dealt": deals.status(match), "own_states": deals.own_states(match)}


def _sighting(match: MatchSnapshot, observation: Observation) -> Sighting:
    """The game's sighting of an observation, judged by the open state only."""
    game = match.game
    if match.history.stopped or not isinstance(game, Watched):
        return Sighting(Verdict.NOTHING)
    sighting: Sighting = game.sighting(game.hide(match.state, None), observation)
    # Without guesses of private moves, because the camera sees only what is open.
    open_ones = tuple(
        guess for guess in sighting.guesses if all(game.private_to(move) is None for move in guess.moves)
    )
    if open_ones == sighting.guesses:
        return sighting
    if not open_ones or (sighting.verdict is Verdict.PLAY and open_ones[0] != sighting.guesses[0]):
        return Sighting(Verdict.NOTHING)
    return msgspec.structs.replace(sighting, guesses=open_ones)


URGENT = (Verdict.ASK, Verdict.BREAKS, Verdict.WAIT)
"""The verdicts to show, the most urgent first."""


def _sense(observation: Observation) -> str:
    """The sense of an observation; one with only an obstacle counts as tiles. A whole board that a person
    asked for is a sense of its own, so that the constant readings of the tiles leave its question open."""
    if observation.why == WHOLE_BOARD:
        return WHOLE_BOARD
    beside_tiles = {"dice": observation.dice, "cards": observation.cards, "pieces": observation.pieces}
    return next((sense for sense, things in beside_tiles.items() if things is not None), "tiles")


class NewsThread:
    """Calls `look` with the table's snapshot when it starts, and whenever there is a new one.

    `look` returns the seconds after which it is called again even without news. It handles its own errors:
    one that it lets through ends the thread.
    """

    def __init__(self, table: Table, look: Callable[[TableSnapshot], float], *, name: str) -> None:
        self._table, self._look = table, look
        self._stopping = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    @property
    def stopping(self) -> bool:
        """True once `stop` was called."""
        return self._stopping.is_set()

    def start(self) -> None:
        """Look at the table from now on."""
        self._thread.start()

    def stop(self, within_s: float) -> None:
        """Stop looking; wait at most `within_s` seconds for a look that has begun."""
        self._stopping.set()
        self._table.notify()
        if self._thread.is_alive():
            self._thread.join(within_s)

    def pause(self, pause_s: float) -> bool:
        """Wait for `pause_s` seconds, or until `stop` is called; True if the thread goes on."""
        return not self._stopping.wait(pause_s)

    def _run(self) -> None:
        snapshot, wait_s = self._table.snapshot, 0.0
        while not self._stopping.is_set():
            snapshot = self._table.wait_for_news(snapshot, wait_s)
            wait_s = self._look(snapshot)


def _seat(seats: Seats, match: Match, **how: Any) -> None:
    """Put a match on the table, with those who sit at it."""
    record = match.record
    seats.go_on(record.id, match.seat_names, identity=record.identity, **how)
