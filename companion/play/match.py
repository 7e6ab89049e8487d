"""A match: one game being played, its moves kept in the journal before anything is shown.

A match is its moves. Undo and redo are entries as well, so that nothing a person did is ever lost. An
entry is open, or private to one seat: a private move, or the undo or redo of one. What a seat is shown
of a match, the number of its entries included, is the same whatever the others did in private.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, InvalidMove, MoveError
from companion.games.game import Move, Outcome, State
from companion.games.registry import AnyGame, game
from companion.play.entries import Entry, Kind, MatchRecord
from companion.play.history import History
from companion.play.journal import Journal
from companion.play.snapshot import MatchSnapshot, MatchView
from companion.play.summary import Summary


class Match:
    """One match over its journal. Every change is one call, and safe from any thread.

    Reading waits for nothing: `snapshot` is replaced as a whole, once a change is on the disk.
    """

    def __init__(self, journal: Journal, record: MatchRecord) -> None:
        """Take up the match `record` where the journal left it. Raises `MoveError`, `MendableError`."""
        self.journal = journal
        self._lock = RLock()
        self._snapshot = MatchSnapshot.begun(record).replay(journal.entries(record.id))

    @classmethod
    def begin(
        cls, journal: Journal, slug: str, options: dict[str, object], seats: int | None = None
    ) -> Match:
        """A new match of the game `slug`; `seats` is as few as the game allows unless given.

        Raises `InvalidMove` for options or seats that do not fit, before anything is kept.
        """
        rules = game(slug)
        seats = min(rules.seat_counts) if seats is None else seats
        if seats not in rules.seat_counts:
            raise InvalidMove(slug, "not-an-option", fault=f"{seats} seats, not one of {rules.seat_counts}")
        chosen = msgspec.to_builtins(rules.options(options))
        begun = MatchSnapshot.begun(MatchRecord(0, slug, chosen, seats, ""))
        return cls(journal, journal.begin(slug, chosen, seats, begun.summary()))

    @property
    def snapshot(self) -> MatchSnapshot:
        """The match as it stands now, as one value that no longer changes."""
        return self._snapshot

    @property
    def record(self) -> MatchRecord:
        """The match as the journal knows it."""
        return self._snapshot.record

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self._snapshot.game

    @property
    def state(self) -> State:
        """The state now."""
        return self._snapshot.state

    @property
    def n(self) -> int:
        """The number of the last entry in the journal; 0 before the first."""
        return self._snapshot.n

    def n_of(self, seat: str | None) -> int:
        """How many entries `seat` may see (None: the open ones)."""
        return self._snapshot.n_of(seat)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that stand (those undone left out), in order."""
        return self._snapshot.history.moves

    def seen(self, seat: str | None) -> tuple[Move, ...]:
        """Those of the moves that `seat` may see (None: the open ones)."""
        return self._snapshot.seen(seat)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""
        return self._snapshot.outcome

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The seats in order."""
        return self._snapshot.seat_names

    def view(self, seat: str | None = None) -> MatchView:
        """What `seat` may see (None: the table's own view)."""
        return self._snapshot.view(seat)

    def move(self, given: object) -> Move:
        """A move of this game, plain values or one already. Raises `InvalidMove`."""
        checked: Move = given if isinstance(given, Move) else self.game.move(given)
        return checked

    def play(self, move: object, source: str, *, seat: str | None = None) -> Entry:
        """Play a move (plain values or a move of the game). Raises `MoveError`; then nothing changed."""
        return self.play_all([move], source, seat=seat)[-1]

    def play_all(self, moves: Sequence[object], source: str, *, seat: str | None = None) -> list[Entry]:
        """Play moves one after another, or none of them. Raises `MoveError`; then nothing changed.

        A refusal says no more than `seat` may know (None: than lies open), of a private move no more
        than its own seat.
        """
        with self._lock:
            history = self._snapshot.history
            changes: list[Change] = []
            for move in map(self.move, moves):
                history = self._played(history, move, seat)
                changes.append(("move", msgspec.to_builtins(move), history))
            return self._write(changes, source)

    def undo(self, source: str, *, seat: str | None = None) -> Entry:
        """Take back the last move that `seat` may see (None: the last open one).

        An open move takes the private ones after it along. Raises `IllegalMove` at the start.
        """
        with self._lock:
            history = self._snapshot.history
            owner = history.undo_of(seat)
            return self._write([("undo", _of(owner), history.undo(owner))], source)[0]

    def redo(self, source: str, *, seat: str | None = None) -> Entry:
        """Play again what was last undone of that which `seat` may see. Raises `MoveError`."""
        with self._lock:
            history = self._snapshot.history
            owner = history.redo_of(seat)
            return self._write([("redo", _of(owner), history.redo(owner))], source)[0]

    def name_players(self, players: dict[str, str], source: str) -> Entry:
        """Give seats the names of people (an empty name takes it off). Raises `InvalidMove`."""
        with self._lock:
            strange = players.keys() - set(self.seat_names)
            if strange:
                raise InvalidMove(self.game.slug, "no-such-seat", seat=min(strange))
            named = {seat: name.strip()[:40] for seat, name in players.items()}
            return self._write([("players", named, self._snapshot.history)], source)[0]

    def owner(self, entry: Entry) -> str | None:
        """The seat to which an entry of this match is private; None for an open one."""
        return self._snapshot.owner(entry)

    def entries(self, *, whole: bool = False) -> list[Entry]:
        """The open entries, as the journal holds them; with `whole`, the private ones as well."""
        return [entry for entry in self.journal.entries(self.record.id) if whole or self.owner(entry) is None]

    def _played(self, history: History, move: Move, seat: str | None) -> History:
        try:
            return history.played(move)
        except MoveError as refusal:
            # What the refusal names may be another seat's secret: it is judged by what the asker knows.
            knows = self.game.private_to(move) or seat
            try:
                self.game.play(self.game.hide(history.state, knows), move)
                raise IllegalMove(self.game.slug, "not-now")
            except MoveError as error:
                error.move, error.position = refusal.move, refusal.position
                raise error from None

    def _write(self, changes: Sequence[Change], source: str) -> list[Entry]:
        """Keep changes, all of them or none, and only then show them."""
        after, entries = self._snapshot, []
        for kind, body, history in changes:
            entries.append(self.journal.stamped(after.n + 1, kind, body, source))
            after = after.after(entries[-1], history)
        self.journal.append_all(self.record.id, entries, after.summary())
        self._snapshot = after
        return entries


Change = tuple[Kind, dict[str, Any], History]
"""What is to be kept as an entry: its kind, its body, and the history that it leads to."""


def summary_of(journal: Journal, record: MatchRecord, kept: Summary | None) -> Summary:
    """How a match stands: as kept with its last entry, else played back.

    Raises `MoveError` or `MendableError` for a match that cannot be played on here.
    """
    begun = MatchSnapshot.begun(record)
    return kept or begun.replay(journal.entries(record.id)).summary()


def _of(owner: str | None) -> dict[str, Any]:
    """The body of an undo or redo: the seat whose private move it is about."""
    return {} if owner is None else {"seat": owner}
