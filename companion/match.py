"""A match: one game being played, its moves kept in the journal before anything is shown.

A match is its moves. Undo and redo are entries as well, so that nothing a person did is ever lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import RLock
from typing import Any

import msgspec

from companion.errors import IllegalMove, InvalidMove
from companion.games.game import Move, Outcome, State
from companion.games.registry import AnyGame, game
from companion.journal import Entry, Journal, Kind, MatchRecord


class MatchView(msgspec.Struct, frozen=True):
    """What one seat may see of a match: the game's own view as `board`, and the match around it.

    `n` is the number of the last entry; whoever sends a move may name it, so that a tap on a stale
    page changes nothing. `by` is the source of the last entry.
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
        self._states: list[State] = [self.game.start(self.game.options(record.options), record.seats)]
        self._moves: list[Move] = []
        self._undone: list[Move] = []
        self._players: dict[str, str] = {}
        self._n = 0
        self._by = ""
        for entry in journal.entries(record.id):
            self._take(entry.kind, entry.body)
            self._n, self._by = entry.n, entry.source

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
        return self._states[-1]

    @property
    def n(self) -> int:
        """The number of the last entry; 0 before the first."""
        return self._n

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that stand (those undone left out), in order."""
        return tuple(self._moves)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None while it goes on."""
        return self.game.outcome(self.state)

    def play(self, move: object, source: str) -> Entry:
        """Play a move (plain values or a move of the game). Raises `MoveError`; then nothing changed."""
        return self.play_all([move], source)[-1]

    def play_all(self, moves: Sequence[object], source: str) -> list[Entry]:
        """Play moves one after another, or none of them. Raises `MoveError`; then nothing changed."""
        with self.lock:
            checked = [move if isinstance(move, Move) else self.game.move(move) for move in moves]
            state = self.state
            for move in checked:
                state = self.game.play(state, move)
            return [self._write("move", msgspec.to_builtins(move), source) for move in checked]

    def undo(self, source: str) -> Entry:
        """Take back the last move that stands. Raises `IllegalMove` at the start."""
        with self.lock:
            if not self._moves:
                raise IllegalMove(self.game.slug, "nothing-to-undo")
            return self._write("undo", {}, source)

    def redo(self, source: str) -> Entry:
        """Play the move again that was last undone. Raises `IllegalMove` when there is none."""
        with self.lock:
            if not self._undone:
                raise IllegalMove(self.game.slug, "nothing-to-redo")
            return self._write("redo", {}, source)

    def name_players(self, players: dict[str, str], source: str) -> Entry:
        """Give seats the names of people (an empty name takes it off). Raises `InvalidMove`."""
        with self.lock:
            strange = players.keys() - set(self.game.seat_names(self.state))
            if strange:
                raise InvalidMove(self.game.slug, "no-such-seat", seat=min(strange))
            return self._write("players", {seat: name.strip()[:40] for seat, name in players.items()}, source)

    def _write(self, kind: Kind, body: dict[str, Any], source: str) -> Entry:
        entry = self.journal.append(self.record.id, self._n + 1, kind, body, source)
        self._take(kind, body)
        self._n, self._by = entry.n, source
        return entry

    def _take(self, kind: Kind, body: dict[str, Any]) -> None:
        if kind == "players":
            self._players = {seat: name for seat, name in (self._players | body).items() if name}
        elif kind == "undo":
            self._states.pop()
            self._undone.append(self._moves.pop())
        elif kind == "redo":
            self._push(self._undone.pop())
        else:
            self._undone.clear()
            self._push(self.game.move(body))

    def _push(self, move: Move) -> None:
        self._states.append(self.game.play(self.state, move))
        self._moves.append(move)

    def view(self, seat: str | None = None) -> MatchView:
        """What `seat` may see (None: the table's own view)."""
        with self.lock:
            return MatchView(
                id=self.record.id,
                game=self.game.slug,
                began=self.record.began,
                options=self.record.options,
                n=self._n,
                moves=len(self._moves),
                seats=self.game.seat_names(self.state),
                players=dict(self._players),
                turn=self.game.turn(self.state),
                outcome=self.outcome,
                can_undo=bool(self._moves),
                can_redo=bool(self._undone),
                by=self._by,
                board=self.game.view(self.game.hide(self.state, seat), seat),
            )
