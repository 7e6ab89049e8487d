"""A match after one of its entries, as an immutable value that any thread may read without a lock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from companion.errors import CompanionError, TableError
from companion.games.game import Move, Outcome, State
from companion.games.registry import AnyGame, game
from companion.play.history import History
from companion.play.schema import Course, Entry, MatchRecord, Summary

LAST_MOVES = 8

DEALER, CLOCK = "dealer", "clock"
"""The sources of chance in a match that the table deals, and of the loss of a seat whose time is up."""


UNPLAYABLE = (
    CompanionError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError
)  # fmt: skip
"""The errors of an entry that the rules do not accept, or whose values have another shape."""


class MatchView(msgspec.Struct, frozen=True):
    """The view of a match for one seat: the game's own view as `board`, and the match around it.

    `n` is the number of entries that the seat may see; a request with a move may include it, so that a tap on
    a stale page changes nothing. `moves` is the number of moves among them that were not undone. `last` are
    the newest of these in the game's notation, in order; `by` is the source of the last one. `standing` is
    what each seat has so far, such as its points; empty for a game in which nothing is counted up.
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
    last: tuple[str, ...]
    board: Any
    standing: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match after its entry number `n`; `cut` says why it ends there although others follow.

    `private_entries` has each seat's number of private entries, and under None the number of those set aside,
    which no seat may see. `sources` has the source of the last entry: under None of the last open one, under
    a seat of its last private one since then. `dealt`: the table dealt the cards; `opened` has the times of
    the open moves then.
    """

    record: MatchRecord
    history: History
    players: Mapping[str, str] = field(default_factory=dict)
    n: int = 0
    private_entries: Mapping[str | None, int] = field(default_factory=dict)
    sources: Mapping[str | None, str] = field(default_factory=lambda: {None: ""})
    cut: str = ""
    dealt: bool = False
    opened: tuple[str, ...] = ()

    @classmethod
    def begun(cls, record: MatchRecord) -> MatchSnapshot:
        """A match before its first entry. Raises `InvalidMove`, `UserError`."""
        if record.fault:
            raise TableError("damaged-match", match=record.id)
        rules = game(record.game)
        return cls(record, History(rules, (rules.start(rules.options(record.options), record.seats),)))

    def follow(self, course: Course) -> MatchSnapshot:
        """The match after the entries that can be played; `cut` says why later ones are left out."""
        snapshot = self
        for entry in course.entries:
            try:
                snapshot = snapshot.after(entry, snapshot.history_after(entry))
            except UNPLAYABLE as error:
                return replace(snapshot, cut=f"entry {entry.n} cannot be played: {error}")
        return replace(snapshot, cut=course.cut)

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.history.game

    @property
    def state(self) -> State:
        """The current state."""
        return self.history.state

    @property
    def outcome(self) -> Outcome | None:
        return self.history.outcome_in(self.state)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """The seats in order."""
        return self.game.seat_names(self.state)

    def n_of(self, seat: str | None) -> int:
        """The number of entries that `seat` may see (None: the open ones)."""
        private = self.private_entries.get(seat, 0) if seat is not None else 0
        return self.n - sum(self.private_entries.values()) + private

    def seen(self, seat: str | None) -> tuple[Move, ...]:
        """The moves that `seat` may see (None: the open ones), without those undone."""
        return self.history.seen(seat)

    def owner(self, entry: Entry) -> str | None:
        """The seat to which an entry is private; None for an open one."""
        if entry.kind == "move":
            return self.game.private_to(self.game.move(entry.body))
        return entry.body.get("seat") if entry.kind in ("undo", "redo") else None

    def history_after(self, entry: Entry) -> History:
        """The history after one more entry of the journal. Raises `MoveError`."""
        if entry.kind == "move":
            return self.history.played(self.game.move(entry.body))
        if entry.kind == "players":
            return self.history
        return self.history.step(entry.kind, entry.body.get("seat"), entry.body.get("aside", 0))

    def after(self, entry: Entry, history: History) -> MatchSnapshot:
        """The match after one more entry, which leads to `history`."""
        owner, players = self.owner(entry), self.players
        if entry.kind == "players":
            players = {seat: name for seat, name in {**players, **entry.body}.items() if name}
        dealt = self.dealt or entry.source == DEALER
        after = replace(self, history=history, n=entry.n, players=players, dealt=dealt)
        if owner is None:
            opened = (*self.opened, entry.at) if dealt and entry.kind == "move" else self.opened
            return replace(after, sources={None: entry.source}, opened=opened)
        counts, sources = dict(self.private_entries), {**self.sources, owner: entry.source}
        counts[owner] = counts.get(owner, 0) + 1
        if entry.kind == "undo" and "aside" in entry.body:
            del sources[owner]
            counts[None] = counts.get(None, 0) + counts.pop(owner)
        return replace(after, sources=sources, private_entries=counts)

    def summary(self, seat: str | None = None) -> Summary:
        """The match's summary for `seat` (None: for the table)."""
        summary = self._summary(self.game.hide(self.state, seat), seat)
        if seat is not None or summary.outcome is None or summary.outcome.early:
            return summary
        back = self.game.retrospect
        return msgspec.structs.replace(
            summary, luck=back.luck(self.open_course()), pieces=back.pieces(self.state)
        )

    def open_course(self) -> Iterator[tuple[State, Move]]:
        """Every open move, with the state before it."""
        states, moves = self.history.states, self.history.moves
        for state, move in zip(states, moves, strict=False):
            if self.game.private_to(move) is None:
                yield state, move

    def view(self, seat: str | None = None, own_state: State | None = None) -> MatchView:
        """The view of `seat` (None: the table's own). `own_state` is the state with what that seat alone sees
        on the table, such as its cards face down."""
        known = self.game.hide(self.state if own_state is None else own_state, seat)
        summary = msgspec.structs.asdict(self._summary(known, seat))
        return MatchView(
            id=self.record.id,
            game=self.game.slug,
            began=self.record.began,
            options=self.record.options,
            last=tuple(map(self.game.notation, self.seen(seat)[-LAST_MOVES:])),
            board=self.game.view(known, seat),
            standing=self.game.retrospect.progress(known),
            **{name: value for name, value in summary.items() if name in MatchView.__struct_fields__},
        )

    def _summary(self, known: State, seat: str | None) -> Summary:
        return Summary(
            n=self.n_of(seat),
            moves=len(self.seen(seat)),
            seats=self.game.seat_names(known),
            players=dict(self.players),
            turn=self.history.turn_in(known),
            outcome=self.history.outcome_in(known),
            can_undo=self.history.can_undo(seat),
            can_redo=self.history.can_redo(seat),
            by=self.sources.get(seat, self.sources[None]),
        )
