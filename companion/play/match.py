"""A match: one game being played. The journal keeps each move before anybody sees it.

A match is its moves. Undo and redo are entries too, so that nothing a person did is ever lost. An entry is
open, or private to one seat: a private move, or the undo or redo of one. What a seat sees of a match, even
the number of entries, does not depend on what others did in private.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, InvalidMove, MoveError
from companion.games.game import Move, Outcome, State
from companion.games.registry import AnyGame, game
from companion.messages import plain_name
from companion.play.history import Change, Correction, History, correction
from companion.play.journal import IN_MEMORY, Journal, JournalError
from companion.play.schema import Entry, MatchRecord, Summary
from companion.play.snapshot import MatchSnapshot, MatchView

FROM_PHOTO = "from-photo"
"""The source of the entries of a match that is a finished board from a photo."""


class Match:
    """One match and its journal. Every change is one call, safe from any thread. Readers never wait:
    `snapshot` is replaced as a whole once a change is on disk."""

    def __init__(self, journal: Journal, record: MatchRecord) -> None:
        """Take up the match `record` where the journal left it. Raises `InvalidMove`, `UserError`.

        A match with an entry that cannot be read or played stands before that one; `cut` says why. The
        entries from there on stay in the journal until the match goes on; then they are put aside.
        """
        self.journal = journal
        self._lock = RLock()
        self._snapshot = MatchSnapshot.begun(record).follow(journal.course(record.id))
        self._rest_stands = bool(self._snapshot.cut)

    @classmethod
    def begin(
        cls, journal: Journal, slug: str, options: dict[str, object], seats: int | None = None
    ) -> Match:
        """Begin a match of the game `slug`; `seats` None means the fewest that the game allows. Raises
        `InvalidMove` for unfit options or seats before anything is kept."""
        rules = game(slug)
        seats = min(rules.seat_counts) if seats is None else seats
        chosen = msgspec.to_builtins(rules.options(options))
        begun = MatchSnapshot.begun(MatchRecord(0, slug, chosen, seats, ""))
        return cls(journal, journal.begin(slug, chosen, seats, begun.summary()))

    @property
    def snapshot(self) -> MatchSnapshot:
        """The current match as one immutable value."""
        return self._snapshot

    @property
    def record(self) -> MatchRecord:
        """The journal's record of the match."""
        return self._snapshot.record

    @property
    def game(self) -> AnyGame:
        return self._snapshot.game

    @property
    def state(self) -> State:
        return self._snapshot.state

    @property
    def n(self) -> int:
        """The number of the last entry in the journal; 0 before the first."""
        return self._snapshot.n

    def n_of(self, seat: str | None) -> int:
        return self._snapshot.n_of(seat)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves in order, without those undone."""
        return self._snapshot.history.moves

    @property
    def outcome(self) -> Outcome | None:
        return self._snapshot.outcome

    @property
    def seat_names(self) -> tuple[str, ...]:
        return self._snapshot.seat_names

    def view(self, seat: str | None = None) -> MatchView:
        """The view of `seat` (None: the table's own)."""
        return self._snapshot.view(seat)

    def move(self, given: object) -> Move:
        """A move of this game from plain values; a move is returned as it is. Raises `InvalidMove`."""
        checked: Move = given if isinstance(given, Move) else self.game.move(given)
        return checked

    def play(self, move: object, source: str, *, seat: str | None = None) -> Entry:
        """Play a move (plain values or a move of the game). Raises `MoveError`, and changes nothing then."""
        return self.play_all([move], source, seat=seat)[-1]

    def play_all(self, moves: Sequence[object], source: str, *, seat: str | None = None) -> list[Entry]:
        """Play all moves in order, or nothing. Raises `MoveError`, and changes nothing then.

        A refusal says no more than `seat` may know (None: only what is open). The refusal of a private move
        says no more than that move's seat may know.
        """
        with self._lock:
            history = self._snapshot.history
            changes: list[Change] = []
            for move in map(self.move, moves):
                history = self._played(history, move, seat)
                changes.append(("move", msgspec.to_builtins(move), history))
            return self._write(changes, source)

    def undo(self, source: str, *, seat: str | None = None) -> Entry:
        """Take back the last move that `seat` may see (None: the last open one). Undoing an open move also
        undoes the private ones after it. Raises `IllegalMove` at the start."""
        with self._lock:
            history = self._snapshot.history
            owner = history.undo_of(seat)
            return self._write([("undo", _of(owner), history.undo(owner))], source)[0]

    def redo(self, source: str, *, seat: str | None = None) -> Entry:
        with self._lock:
            history = self._snapshot.history
            owner = history.redo_of(seat)
            return self._write([("redo", _of(owner), history.redo(owner))], source)[0]

    def correct(self, number: int, move: object | None, source: str) -> Correction:
        """Correct open move `number` as `correction` says; all is kept at once. Raises `MoveError`."""
        with self._lock:
            right = None if move is None else self.move(move)
            corrected = correction(self._snapshot.history, number, right)
            self._write(corrected.changes, source)
            return corrected

    def set_aside(self, seat: str, source: str) -> int:
        with self._lock:
            history = self._snapshot.history.set_aside(seat)
            self._write([("undo", {"seat": seat, "aside": history.asides}, history)], source)
            return history.asides

    def hand_over(self, seat: str, number: int, source: str) -> None:
        with self._lock:
            history = self._snapshot.history.hand_over(number)
            self._write([("redo", {"seat": seat, "aside": number}, history)], source)

    def name_players(self, players: dict[str, str], source: str) -> Entry:
        """Give seats the names of people (an empty name removes it). Raises `InvalidMove`."""
        with self._lock:
            strange = players.keys() - set(self.seat_names)
            if strange:
                raise InvalidMove(self.game.slug, "no-such-seat", seat=min(strange))
            named = {seat: plain_name(name) for seat, name in players.items()}
            return self._write([("players", named, self._snapshot.history)], source)[0]

    def entries(self, *, whole: bool = False) -> list[Entry]:
        """The journal's open entries; with `whole`, the private ones too."""
        kept = self.journal.entries(self.record.id)
        return [
            entry for entry in kept if entry.n <= self.n and (whole or self._snapshot.owner(entry) is None)
        ]

    def _played(self, history: History, move: Move, seat: str | None) -> History:
        try:
            return history.played(move)
        except MoveError as refusal:
            # A refusal could name another seat's secret, so the move is judged by what the asker knows.
            knows = self.game.private_to(move) or seat
            try:
                history.judged(self.game.hide(history.state, knows), move)
                raise IllegalMove(self.game.slug, "not-now")
            except MoveError as error:
                error.move, error.position = refusal.move, refusal.position
                raise error from None

    def _write(self, changes: Sequence[Change], source: str) -> list[Entry]:
        """Keep all changes at once, and only then show them."""
        if not changes:
            return []
        after, entries = self._snapshot, []
        for kind, body, history in changes:
            entries.append(self.journal.stamped(after.n + 1, kind, body, source))
            after = after.after(entries[-1], history)
        cut = self._snapshot.cut if self._rest_stands else ""
        self.journal.append_all(self.record.id, entries, after.summary(), cut=cut)
        self._rest_stands = False
        over = after.outcome is not None and self.outcome is None
        self._snapshot = after
        if over:
            with suppress(JournalError):  # the match itself is kept already
                self.journal.fold()
        return entries


def begin_in_memory(slug: str, options: dict[str, object], seats: int | None = None) -> Match:
    """Begin a match in memory, which `keep_whole` can keep later. Raises `InvalidMove`."""
    return Match.begin(Journal(Path(IN_MEMORY)), slug, options, seats)


def keep_whole(journal: Journal, match: Match) -> MatchRecord:
    """Keep a match that was played in memory, with all its entries at once. Raises `JournalError`."""
    return journal.keep(match.record, match.entries(whole=True), match.snapshot.summary())


def summary_of(journal: Journal, record: MatchRecord, kept: Summary | None) -> tuple[Summary, str]:
    """A match's summary: `kept` with its last entry, or else found by replaying the match.

    Also returns why later entries cannot be played; empty if all can. Raises `MoveError` or `UserError`
    if the match cannot be opened.
    """
    begun = MatchSnapshot.begun(record)
    if kept is not None:
        return kept, ""
    snapshot = begun.follow(journal.course(record.id))
    return snapshot.summary(), snapshot.cut


def _of(owner: str | None) -> dict[str, Any]:
    """The body of an undo or redo: the seat whose private move it is about."""
    return {} if owner is None else {"seat": owner}
