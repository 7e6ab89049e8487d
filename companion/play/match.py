"""A match: one game being played, its moves kept in the journal before anything is shown.

A match is its moves. Undo and redo are entries as well, so that nothing a person did is ever lost. An
entry is open, or private to one seat: a private move, or the undo or redo of one. What a seat is shown
of a match, the number of its entries included, is the same whatever the others did in private.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from threading import RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, InvalidMove, MoveError
from companion.games.game import Move, Outcome, State
from companion.games.registry import AnyGame, game
from companion.play.history import History
from companion.play.journal import Entry, Journal, Kind, MatchRecord


class MatchView(msgspec.Struct, frozen=True):
    """What one seat may see of a match: the game's own view as `board`, and the match around it.

    `n` counts the entries that the seat may see; whoever sends a move may name it, so that a tap on a
    stale page changes nothing. `moves` counts the moves that stand among them, `by` is the source of the
    last one.
    """

    id: int
    game: str
    began: str
    options: dict[str, Any]
    n: int
    moves: int
    seats: tuple[str, ...]
    players: dict[str, str]
    turn: str | None
    outcome: Outcome | None
    can_undo: bool
    can_redo: bool
    by: str
    board: Any


class Match:
    """One match over its journal. Every change is one call, and safe from any thread."""

    def __init__(self, journal: Journal, record: MatchRecord) -> None:
        """Take up the match `record` where the journal left it. Raises `MoveError`, `MendableError`."""
        self.journal = journal
        self.record = record
        self.game: AnyGame = game(record.game)
        self.lock = RLock()
        start: State = self.game.start(self.game.options(record.options), record.seats)
        self._history = History(self.game, (start,))
        self._players: dict[str, str] = {}
        self._n = 0
        self._own: Counter[str] = Counter()
        self._by: dict[str | None, str] = {None: ""}
        for entry in journal.entries(record.id):
            self._take(entry, self._after(entry))

    @classmethod
    def begin(
        cls, journal: Journal, slug: str, options: dict[str, object], seats: int | None = None
    ) -> Match:
        """A new match of the game `slug`; `seats` is as few as the game allows unless told.

        Raises `InvalidMove` for options or seats that do not fit, before anything is kept.
        """
        rules = game(slug)
        seats = min(rules.seat_counts) if seats is None else seats
        if seats not in rules.seat_counts:
            raise InvalidMove(slug, "not-an-option", fault=f"{seats} seats, not one of {rules.seat_counts}")
        chosen = rules.options(options)
        rules.start(chosen, seats)
        return cls(journal, journal.begin(slug, msgspec.to_builtins(chosen), seats))

    @property
    def state(self) -> State:
        """The state now."""
        return self._history.state

    @property
    def n(self) -> int:
        """The number of the last entry in the journal; 0 before the first."""
        return self._n

    def n_of(self, seat: str | None) -> int:
        """How many entries `seat` may see (None: the open ones)."""
        return self._n - self._own.total() + (self._own[seat] if seat is not None else 0)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that stand (those undone left out), in order."""
        return self._history.moves

    def seen(self, seat: str | None) -> tuple[Move, ...]:
        """Those of the moves that `seat` may see (None: the open ones)."""
        return self._history.seen(seat)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""
        return self.game.outcome(self.state)

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
        with self.lock:
            checked = [self.move(move) for move in moves]
            courses = [self._history]
            for move in checked:
                courses.append(self._played(courses[-1], move, seat))
            return [
                self._write("move", msgspec.to_builtins(move), source, course)
                for move, course in zip(checked, courses[1:], strict=True)
            ]

    def undo(self, source: str, *, seat: str | None = None) -> Entry:
        """Take back the last move that `seat` may see (None: the last open one).

        An open move takes the private ones after it along. Raises `IllegalMove` at the start.
        """
        with self.lock:
            owner = self._history.undo_of(seat)
            return self._write("undo", _whose(owner), source, self._history.undo(owner))

    def redo(self, source: str, *, seat: str | None = None) -> Entry:
        """Play again what was last undone of that which `seat` may see. Raises `MoveError`."""
        with self.lock:
            owner = self._history.redo_of(seat)
            return self._write("redo", _whose(owner), source, self._history.redo(owner))

    def name_players(self, players: dict[str, str], source: str) -> Entry:
        """Give seats the names of people (an empty name takes it off). Raises `InvalidMove`."""
        with self.lock:
            strange = players.keys() - set(self.seat_names)
            if strange:
                raise InvalidMove(self.game.slug, "no-such-seat", seat=min(strange))
            named = {seat: name.strip()[:40] for seat, name in players.items()}
            return self._write("players", named, source, self._history)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The seats in order."""
        return self.game.seat_names(self.state)

    def owner(self, entry: Entry) -> str | None:
        """The seat to which an entry of this match is private; None for an open one."""
        if entry.kind == "move":
            return self.game.private_to(self.game.move(entry.body))
        return entry.body.get("seat") if entry.kind in ("undo", "redo") else None

    def entries(self, *, whole: bool = False) -> list[Entry]:
        """The open entries, as the journal holds them; with `whole`, the private ones as well."""
        return [entry for entry in self.journal.entries(self.record.id) if whole or self.owner(entry) is None]

    def _played(self, course: History, move: Move, seat: str | None) -> History:
        try:
            return course.played(move)
        except MoveError:
            # What the refusal names may be another seat's secret: it is told from what the asker knows.
            knows = self.game.private_to(move) or seat
            self.game.play(self.game.hide(course.state, knows), move)
            raise IllegalMove(self.game.slug, "not-now") from None

    def _write(self, kind: Kind, body: dict[str, Any], source: str, course: History) -> Entry:
        entry = self.journal.append(self.record.id, self._n + 1, kind, body, source)
        self._take(entry, course)
        return entry

    def _after(self, entry: Entry) -> History:
        """The course with an entry that the journal holds."""
        course, seat = self._history, entry.body.get("seat")
        if entry.kind == "move":
            return course.played(self.game.move(entry.body))
        if entry.kind == "undo":
            return course.undo(seat)
        return course.redo(seat) if entry.kind == "redo" else course

    def _take(self, entry: Entry, course: History) -> None:
        self._history, self._n = course, entry.n
        owner = self.owner(entry)
        if owner is None:
            self._by = {None: entry.source}
        else:
            self._by[owner] = entry.source
            self._own[owner] += 1
        if entry.kind == "players":
            self._players = {seat: name for seat, name in (self._players | entry.body).items() if name}

    def view(self, seat: str | None = None) -> MatchView:
        """What `seat` may see (None: the table's own view)."""
        with self.lock:
            known = self.game.hide(self.state, seat)
            return MatchView(
                id=self.record.id,
                game=self.game.slug,
                began=self.record.began,
                options=self.record.options,
                n=self.n_of(seat),
                moves=len(self.seen(seat)),
                seats=self.game.seat_names(known),
                players=dict(self._players),
                turn=self.game.turn(known),
                outcome=self.game.outcome(known),
                can_undo=self._history.can_undo(seat),
                can_redo=self._history.can_redo(seat),
                by=self._by.get(seat, self._by[None]),
                board=self.game.view(known, seat),
            )


def _whose(owner: str | None) -> dict[str, Any]:
    """The body of an undo or redo: the seat whose private move it is about."""
    return {} if owner is None else {"seat": owner}
