"""The table: the match being played, what the camera believes it saw, and who waits for news.

Everything that changes the match comes through here, whether it was seen, pressed or tapped. The rules judge
it, the journal keeps it, then `version` grows and those who wait are notified. A private move changes only
the version of its own seat, and wakes nobody else.

Readers take `Table.snapshot`, an immutable value, and never wait. The lock is for those who change the table,
and a slow disk delays only them.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Condition, Lock, RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, MoveError
from companion.games.registry import AnyGame
from companion.games.watching import WHOLE_BOARD, Guess, Observation, Sighting, Verdict, Watched
from companion.play.corrections import Correction
from companion.play.dealt import Deals, Dealt
from companion.play.entries import MatchRecord
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.reading import JournalError
from companion.play.seats import Seating, Seats
from companion.play.snapshot import UNPLAYABLE, MatchSnapshot, MatchView

log = logging.getLogger(__name__)

DEALER = "dealer"
"""The journal's source of what chance brings where the table deals its own cards."""


class SightingView(msgspec.Struct, frozen=True):
    """A sighting on a page: the verdict, the reason, and the guesses to choose from, the best first.

    `id` identifies the sighting when a person chooses one of its guesses.
    """

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

    `put_aside` is the match that this one replaced, until the first move here. `version` grows with every
    change that a page of the table itself shows; `private_versions` grow by seat with the seat's private
    moves. `dealt`: the table deals its own cards in this match; `own_states` are those of the seats that have
    laid cards face down.
    """

    match: MatchSnapshot
    sighting: SightingView | None = None
    put_aside: PutAside | None = None
    version: int = 1
    private_versions: Mapping[str | None, int] = field(default_factory=dict)
    dealt: Dealt | None = None
    own_states: Mapping[str | None, Any] = field(default_factory=dict)

    def version_of(self, seat: str | None) -> int:
        """Grows with everything that a page of `seat` would show changed."""
        return self.version + self.private_versions.get(seat, 0)

    def view(self, seat: str | None = None) -> TableView:
        """What `seat` may see."""
        match = self.match.view(seat, self.own_states.get(seat))
        return TableView(self.version_of(seat), match, self.sighting)


class Table:
    """The one place where moves arrive. Safe from any thread."""

    def __init__(self, journal: Journal, match: Match, seats: Seats | None = None) -> None:
        """`seats` knows which phone sits where; the default is the file beside the journal.

        A match without moves is new: those who sat at the last match sit at it too.
        """
        self.journal = journal
        self.deals = Deals.beside(journal.path)
        self.seats = Seats.beside(journal.path) if seats is None else seats
        self.seats.played_by_table = self.deals.players
        self._match = match
        self.seats.go_on(match.record.id, match.seat_names, new=not match.n)
        # Whoever changes the table holds this for as long as the rules and the disk take.
        self._lock = RLock()
        # This is held only to swap the snapshot.
        self._news = Condition(Lock())
        self._snapshot = TableSnapshot(match.snapshot, **self._dealt_now(match.snapshot))
        self._open_by_sense: dict[str, Sighting] = {}
        self._sightings = 0
        self._put_aside: PutAside | None = None
        self._moves_then = len(match.seen(None))
        self._entries_then = match.record.id, match.n_of(None)
        self.entries_by_source: Counter[str] = Counter()
        """The open entries kept since the start, by who made them."""
        self.unopened: int | None = None
        """The match that would have gone on but could not be opened; None for none."""

    @classmethod
    def open(cls, journal: Journal, slug: str | None, options: dict[str, object] | None = None) -> Table:
        """Go on with the newest match (of the game `slug`, if given) that is not over, or begin one.

        A match that is over and still takes corrections stays on the table as well. With `options`, only a
        match with exactly these is continued. A match that cannot be opened stays kept, and another is begun.
        Raises `MoveError` for options that do not fit and `MendableError` for an unknown game.
        """
        unopened = None
        for record in journal.matches():
            if slug in (None, record.game) and _same_options(record, options):
                try:
                    match = Match(journal, record)
                except UNPLAYABLE as error:
                    log.warning("Match %d is left aside, and another is begun: %s", record.id, error)
                    unopened = record.id
                    break
                if match.outcome is None or match.game.takes_corrections(match.state):
                    return cls(journal, match)
                break
        table = cls.begun(journal, slug or "this-bed-is-mine", options or {})
        table.unopened = unopened
        return table

    @classmethod
    def begun(cls, journal: Journal, slug: str, options: dict[str, object]) -> Table:
        """A table with a new match. Raises `CompanionError`."""
        return cls(journal, Match.begin(journal, slug, options))

    @property
    def snapshot(self) -> TableSnapshot:
        """The current table, without waiting for whoever changes it."""
        return self._snapshot

    @property
    def match(self) -> Match:
        """The match being played."""
        return self._match

    @property
    def seating(self) -> Seating:
        """Who sits at the snapshot's match."""
        return self.seats.at(self._snapshot.match.record.id)

    @property
    def version(self) -> int:
        """Grows with everything that a page of the table itself would show changed."""
        return self._snapshot.version

    @property
    def sighting(self) -> SightingView | None:
        """What the camera waits for or asks, or which rule is broken; None if there is nothing to say."""
        return self._snapshot.sighting

    def version_of(self, seat: str | None) -> int:
        """Grows with everything that a page of `seat` would show changed."""
        return self._snapshot.version_of(seat)

    @contextmanager
    def locked(self) -> Iterator[Match]:
        """Keep others from changing the table, for a change that depends on what was read before it."""
        with self._lock:
            yield self._match

    def view(self, seat: str | None = None) -> TableView:
        """What `seat` may see now."""
        return self._snapshot.view(seat)

    def wait_for_change(self, version: int, timeout_s: float, seat: str | None = None) -> int:
        """Wait until the version of `seat` exceeds `version`, or for `timeout_s` seconds.

        Returns the version.
        """
        with self._news:
            self._news.wait_for(lambda: self.version_of(seat) != version, timeout_s)
            return self.version_of(seat)

    def wait_for_news(self, seen: TableSnapshot, timeout_s: float) -> TableSnapshot:
        """Wait until the snapshot is no longer `seen`, or for `timeout_s` seconds; returns the snapshot."""
        with self._news:
            self._news.wait_for(lambda: self._snapshot is not seen, timeout_s)
            return self._snapshot

    def notify(self) -> None:
        """Wake those who wait, because something else that pages show has changed."""
        self._publish()

    def play(self, move: object, source: str, *, n: int | None = None, seat: str | None = None) -> None:
        """Play one move; with `n`, only if `seat` may see exactly that many entries.

        A private move is accepted only from its own seat. Raises `MoveError`.
        """
        with self._changing(n, seat) as match:
            checked = match.move(move)
            owner = match.game.private_to(checked)
            if owner is not None and owner != seat:
                raise IllegalMove(match.game.slug, "not-your-seat", seat=owner)
            with self.deals.played(match.snapshot, checked, seat) as moves:
                match.play_all(moves, source, seat=seat)

    def deal_on(self, seen: MatchSnapshot, *, close: bool = False, passes: str = "") -> None:
        """Play what chance brings in a match that the table deals; `close`: nobody answers the last move.

        `passes` is the seat that does no more in secret; empty for none.

        Only while the match stands as it was `seen`. Raises `CompanionError` if that cannot be kept.
        """
        with self._lock, self._fault_notified():
            if self._match.snapshot is not seen:
                return
            if close or passes:
                self.deals.let_be(seen, passes)
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
        """Put open move `number` of a match right: of the one on the table, or of another that is kept.

        Only while that match has exactly `n` open entries. Raises `MoveError`.
        """
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
        """Set aside what `seat` noted in private, because another person sits there now; returns its
        number."""
        with self._changing(seat=seat) as match:
            number = match.set_aside(seat, source)
        with self._news:
            # Counted anew: the version would tell how often something was noted there.
            others = {each: n for each, n in self._snapshot.private_versions.items() if each != seat}
            self._snapshot = replace(self._snapshot, private_versions=others)
        return number

    def hand_over(self, seat: str, number: int, source: str) -> None:
        """Give `seat` what was set aside there under `number`. Raises `IllegalMove` when there is none."""
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
                self.deals.begin(begun.record.id, dealt_to)
                begun.play_all(self.deals.due(begun.snapshot), DEALER)
            self.seats.go_on(begun.record.id, begun.seat_names, new=True, order=order)
            self._match = begun

    def resume(self, match: int, *, instead_of: int | None = None) -> None:
        """Resume a kept match, with those who sat at it.

        With `instead_of`, only while that match is on the table. Raises `IllegalMove` if there is no match
        with that number.
        """
        with self._switching(instead_of):
            resumed = self.kept(match)
            self.seats.go_on(match, resumed.seat_names)
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
            with self._lock, self._fault_notified():
                # If somebody moved meanwhile, the observation is judged again in the new state.
                if self._match.snapshot is before:
                    return self._take(seen, sighting)

    def _take(self, seen: Observation, sighting: Sighting) -> Sighting:
        if sighting.verdict is Verdict.PLAY:
            try:
                self._match.play_all(sighting.guesses[0].moves, "camera")
            except MoveError as error:
                sighting = _refused(sighting, error)
            except JournalError:
                self._show(msgspec.structs.replace(sighting, verdict=Verdict.ASK, why="not-kept"))
                raise
            else:
                self._publish_match()
                return sighting
        self._open_by_sense[_sense(seen)] = sighting
        self._show(_most_urgent(self._open_by_sense.values()))
        return sighting

    def answer(self, sighting: int, guess: int, source: str) -> None:
        """Play the moves of the guess that a person chose. Raises `MoveError`."""
        with self._changing() as match:
            shown = self.sighting
            if shown is None or shown.id != sighting or not 0 <= guess < len(shown.guesses):
                raise IllegalMove(match.game.slug, "sighting-gone")
            match.play_all(shown.guesses[guess].moves, source)

    def _show(self, sighting: Sighting | None) -> None:
        """Show a sighting (or remove it), and notify if that changes anything."""
        now = self.sighting
        if sighting is None:
            self._open_by_sense.clear()
            if now is not None:
                self._publish(sighting=None)
            return
        if now and (now.verdict, now.why, now.rule, now.facts, now.guesses) == (
            sighting.verdict, sighting.why, sighting.rule, sighting.facts, sighting.guesses
        ):  # fmt: skip
            return
        self._sightings += 1
        self._publish(
            sighting=SightingView(
                self._sightings,
                sighting.verdict,
                sighting.why,
                sighting.rule,
                sighting.facts,
                sighting.guesses,
            )
        )

    @contextmanager
    def _changing(self, n: int | None = None, seat: str | None = None) -> Iterator[Match]:
        """Lock the table while `seat` changes it. Afterwards the old sighting is void, and all are notified.

        A private change notifies only that seat, and voids nothing; where the table deals, all see that
        something was done.
        """
        with self._lock, self._fault_notified():
            match = self._match
            if n is not None and n != match.n_of(seat):
                raise IllegalMove(match.game.slug, "page-was-old")
            open_before = match.n_of(None)
            yield match
            lies_open = match.n_of(None) != open_before or self._snapshot.dealt is not None
            if self._match is match and not lies_open:
                self._publish_to(seat)
            else:
                self._publish_match()

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
                self._moves_then = len(self._match.seen(None))

    @contextmanager
    def _fault_notified(self) -> Iterator[None]:
        """Wrap a write: notify when the journal begins to fail, and when it works again."""
        before = self.journal.fault
        try:
            yield
        finally:
            if self.journal.fault != before:
                self.notify()

    def _publish_match(self) -> None:
        """Show the current match, and void the camera's question."""
        self._open_by_sense.clear()
        self._count_entries()
        if len(self._match.seen(None)) != self._moves_then:
            self._put_aside = None
        match = self._match.snapshot
        self._publish(match=match, sighting=None, put_aside=self._put_aside, **self._dealt_now(match))

    def _dealt_now(self, match: MatchSnapshot) -> dict[str, Any]:
        """What a snapshot says of a match that the table deals."""
        return {"dealt": self.deals.now(match), "own_states": self.deals.own_states(match)}

    def _count_entries(self) -> None:
        """Count the open entries that came since the last time; those of a match brought back are old."""
        match, (before, counted) = self._match, self._entries_then
        self._entries_then = match.record.id, match.n_of(None)
        if match.record.id == before:
            self.entries_by_source[match.snapshot.sources[None]] += match.n_of(None) - counted

    def _publish(self, **changed: Any) -> None:
        """Replace the snapshot by one with these fields changed, and wake all who wait."""
        with self._news:
            self._snapshot = replace(self._snapshot, version=self._snapshot.version + 1, **changed)
            self._news.notify_all()

    def _publish_to(self, seat: str | None) -> None:
        """Replace the match after a private move of `seat`; only that seat's version grows."""
        with self._news:
            own = self._snapshot.private_versions
            own = {**own, seat: own.get(seat, 0) + 1}
            self._snapshot = replace(self._snapshot, match=self._match.snapshot, private_versions=own)
            self._news.notify_all()


def _sighting(match: MatchSnapshot, observation: Observation) -> Sighting:
    """The game's sighting of an observation, judged by the open state only."""
    game = match.game
    if not isinstance(game, Watched):
        return Sighting(Verdict.NOTHING)
    return _open(game, game.sighting(game.hide(match.state, None), observation))


def _open(game: AnyGame, sighting: Sighting) -> Sighting:
    """A sighting without guesses of private moves, because the camera sees only what is open."""
    open_ones = tuple(
        guess for guess in sighting.guesses if all(game.private_to(move) is None for move in guess.moves)
    )
    if open_ones == sighting.guesses:
        return sighting
    if not open_ones or (sighting.verdict is Verdict.PLAY and open_ones[0] != sighting.guesses[0]):
        return Sighting(Verdict.NOTHING)
    return msgspec.structs.replace(sighting, guesses=open_ones)


URGENT = (Verdict.ASK, Verdict.BREAKS, Verdict.WAIT)
"""The verdicts to show, the one that needs a person most first."""


def _sense(observation: Observation) -> str:
    """The sense of an observation; one with only an obstacle counts as tiles.

    A whole board that a person asked for counts as one of its own: readings of the tiles, which come all the
    time, leave that question open.
    """
    if observation.why == WHOLE_BOARD:
        return WHOLE_BOARD
    beside_tiles = {"dice": observation.dice, "cards": observation.cards, "pieces": observation.pieces}
    return next((sense for sense, things in beside_tiles.items() if things is not None), "tiles")


def _most_urgent(sightings: Iterable[Sighting]) -> Sighting | None:
    """The sighting to show; None if none has anything to say."""
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
