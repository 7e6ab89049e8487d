"""Looking back at a match: how it stood after each of its open moves.

What was undone, and what seats noted in private, is left out: the open moves alone are a match. The match is
replayed once; after that, each look costs one view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from threading import RLock
from typing import Any, NamedTuple

import msgspec

from companion.games.game import Move, Outcome, State
from companion.games.retrospect import Decided, LuckRemark, Place
from companion.play.history import History
from companion.play.journal import Head, Journal
from companion.play.schema import Entry, MatchRecord
from companion.play.snapshot import MatchSnapshot, MatchView

MOST_MATCHES = 4
"""Replayed matches kept in memory; each holds all its states."""


class Course(msgspec.Struct, frozen=True):
    """The course of a match: its open moves in the game's notation, and how each seat stood after each.

    `standing` begins before the first move. It is empty for a game in which nothing is counted up; then
    `trend` has the chances that its chart shows instead, by the keys of `Retrospect.trend`.
    """

    seats: tuple[str, ...]
    moves: tuple[str, ...]
    standing: tuple[dict[str, int], ...]
    trend: tuple[dict[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class LookBack:
    """A match played back by its open moves alone.

    `shows` has for each open move the numbers of the entries after which the table showed it as the newest
    one, the last first: after an undo and a redo, or a correction, there are several.
    """

    record: MatchRecord
    players: dict[str, str]
    history: History
    shows: tuple[tuple[int, ...], ...] = ()
    views: dict[int, MatchView] = field(default_factory=dict)

    @classmethod
    def from_match(cls, match: MatchSnapshot, entries: Iterable[Entry] = ()) -> LookBack:
        """A match replayed by its open moves; its entries date each on the table. Raises `MoveError`."""
        history = MatchSnapshot.begun(match.record).history
        for move in match.seen(None):
            history = history.played(move)
        return cls(match.record, dict(match.players), history, _shows(match, entries))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The open moves."""
        return self.history.moves

    def view(self, moves: int) -> MatchView:
        """The match as the table saw it after that many moves. Raises `IndexError`."""
        if not 0 <= moves <= len(self.moves):
            raise IndexError(moves)
        if moves not in self.views:
            history = History(self.history.game, self.history.states[: moves + 1], self.history.moves[:moves])
            self.views[moves] = MatchSnapshot(self.record, history, self.players, moves).view()
        return self.views[moves]

    @property
    def outcome(self) -> Outcome | None:
        return self.history.outcome_in(self.history.state)

    def decided(self) -> Decided | None:
        """The reason that decided a finished match; None if the game names none, or if it was stopped."""
        if self.history.stopped:
            return None
        return self.history.game.retrospect.decided(self._steps(), self.history.state)

    def places(self) -> tuple[Place, ...]:
        """The seats of a finished match from the first on; empty where a board shows it, or if stopped."""
        if self.history.stopped:
            return ()
        return self.history.game.retrospect.places(self._steps(), self.history.state)

    def luck_remarks(self) -> tuple[LuckRemark, ...]:
        """Remarks that tell luck from choice in a finished match."""
        return tuple(self.history.game.retrospect.luck_remarks(self._steps(), self.history.state))

    def _steps(self) -> tuple[tuple[State, Move], ...]:
        """Each open move, with the state before it."""
        return tuple(zip(self.history.states, self.history.moves, strict=False))

    def course(self) -> Course:
        """The moves, with the standing of each seat after each, or the chances."""
        game, states = self.history.game, self.history.states
        standing = self._standing()
        return Course(
            game.seat_names(states[-1]),
            tuple(map(game.notation, self.moves)),
            standing,
            () if standing or not game.retrospect.trend else tuple(map(self._chances, range(len(states)))),
        )

    def _standing(self) -> tuple[dict[str, int], ...]:
        """The count of each seat before the first move and after each; empty if nothing is counted up."""
        standing = tuple(self.history.game.retrospect.progress(state) for state in self.history.states)
        return standing if all(standing) else ()

    def _chances(self, moves: int) -> dict[str, float]:
        """The chances of the chart after that many moves; 0 where the view has no chances."""
        board = msgspec.to_builtins(self.view(moves).board)
        return {key: _value_at(board, place) for key, place in self.history.game.retrospect.trend.items()}


def _value_at(board: Any, place: str) -> float:
    """A number, or a fraction that is a text, in a view; 0 for a place that is not there."""
    value = board
    for name in place.split("."):
        try:
            value = value[name if isinstance(value, dict) else int(name)]
        except (IndexError, KeyError, TypeError, ValueError):
            return 0.0
    return float(Fraction(value or 0))


def _shows(match: MatchSnapshot, entries: Iterable[Entry]) -> tuple[tuple[int, ...], ...]:
    """For each open move the entries after which it was the newest one on the table, the last first."""
    opened: list[dict[str, Any]] = []
    undone: list[dict[str, Any]] = []
    after: dict[tuple[int, bytes], tuple[int, ...]] = {}
    for entry in entries:
        if entry.n > match.n or match.owner(entry) is not None:
            continue
        if entry.kind == "move":
            opened.append(entry.body)
            undone.clear()
        elif entry.kind == "undo":
            undone.append(opened.pop())
        elif entry.kind == "redo":
            opened.append(undone.pop())
        if opened:
            newest = len(opened), msgspec.json.encode(opened[-1])
            after[newest] = (entry.n, *after.get(newest, ()))
    return tuple(after[number, msgspec.json.encode(move)] for number, move in enumerate(opened, 1))


class _Kept(NamedTuple):
    """A match played back: the journal's head at that time, and the match's last entry."""

    head: Head
    last: tuple[Entry, ...]
    match: LookBack


class LookBacks:
    """The matches most recently looked back at. Safe from any thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._kept: OrderedDict[int, _Kept] = OrderedDict()
        self._lock = RLock()

    def replayed(self, record: MatchRecord) -> LookBack:
        """A match of the journal, replayed only if it has gone on since. Raises what `Match` raises."""
        with self._lock:
            head, kept = self._journal.head(), self._kept.get(record.id)
            if kept is None or kept.head != head:
                kept = self._kept[record.id] = self._read(record, head, kept)
                while len(self._kept) > MOST_MATCHES:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(record.id)
            return kept.match

    def _read(self, record: MatchRecord, head: Head, before: _Kept | None) -> _Kept:
        course = self._journal.course(record.id)
        last = course.entries[-1:]
        if before is not None and before.last == last:
            return _Kept(head, last, before.match)
        match = MatchSnapshot.begun(record).follow(course)
        return _Kept(head, last, LookBack.from_match(match, course.entries))
