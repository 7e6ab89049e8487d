"""The history of a match: the moves played, those undone, and who may see which.

A history is an immutable value. Each change makes a new one, which can be kept on disk before anybody sees
it.

A move is open, or private to one seat (`Game.private_to`). An undo takes back the last move that the asker
may see. Undoing an open move also undoes the private moves after it, because they record what was known
then; a private move is undone alone. A redo brings back the last undone move that the asker may see, with
everything that was undone along with it. So a seat's private moves never change what another seat can undo.

When another phone takes a seat, the seat's private moves are set aside. It neither sees them nor plays on
from them until they are handed over. The open moves alone are a match, so everything else stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import msgspec

from companion.errors import IllegalMove, InvalidMove, MoveError
from companion.games.game import STOPPED, TIME_UP, Move, Outcome, State, Stop
from companion.games.registry import AnyGame
from companion.play.schema import Kind


@dataclass(frozen=True, slots=True)
class Undone:
    """Moves that were undone together: an open one and the private ones after it, or one of `owner`'s own."""

    owner: str | None
    moves: tuple[Move, ...]


Place = tuple[int, int]
"""A place among the moves: open ones before it, and others' private ones since the last open one."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Private moves of `owner` set aside, each with its place; `number` counts from 1 in each match."""

    number: int
    owner: str
    moves: tuple[tuple[Place, Move], ...]


@dataclass(frozen=True, slots=True)
class History:
    """`states` begins with the one before the first move, so it has one more item than `moves`. `aside` is
    what is set aside now; `asides` counts how often that was done."""

    game: AnyGame
    states: tuple[State, ...]
    moves: tuple[Move, ...] = ()
    undone: tuple[Undone, ...] = ()
    aside: tuple[Aside, ...] = ()
    asides: int = 0

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def stopped(self) -> bool:
        """True if the match ended early, by `Stop`."""
        return any(isinstance(move, Stop) for move in self.moves[-1:])

    def outcome_in(self, known: State) -> Outcome | None:
        """The end of the match as `known`, the current state as somebody knows it; None while it goes on."""
        last = self.moves[-1] if self.moves else None
        if not isinstance(last, Stop):
            return self.game.outcome(known)
        others = tuple(seat for seat in self.game.seat_names(known) if last.late and seat != last.late)
        return Outcome(TIME_UP if others else STOPPED, others, self.game.retrospect.progress(known))

    def turn_in(self, known: State) -> str | None:
        """The seat in turn, in the current state as somebody knows it; None once the match is over."""
        return None if self.stopped else self.game.turn(known)

    def judged(self, known: State, move: Move) -> State:
        """The state after a move in the current state as somebody knows it. Raises `MoveError`."""
        if self.stopped or (isinstance(move, Stop) and self.game.outcome(known) is not None):
            raise IllegalMove(self.game.slug, "match-over")
        if isinstance(move, Stop) and move.late not in ("", *self.game.seat_names(known)):
            raise InvalidMove(self.game.slug, "no-such-seat", seat=move.late)
        return known if isinstance(move, Stop) else self.game.play(known, move)

    def seen(self, seat: str | None) -> tuple[Move, ...]:
        return tuple(move for move in self.moves if self._may_see(seat, self.game.private_to(move)))

    def played(self, move: Move) -> History:
        """The history with one more move. Raises `MoveError`. An open move clears the whole redo list, a
        private move only its own seat's."""
        owner = self.game.private_to(move)
        stays = () if owner is None else tuple(move for move in self.undone if move.owner != owner)
        return replace(self._with(move), undone=stays)

    def undo_of(self, seat: str | None) -> str | None:
        """The owner of the move that `seat` would undo; None if open. Raises `IllegalMove` at the start."""
        return self.game.private_to(self.moves[self._last(seat)])

    def undo(self, seat: str | None) -> History:
        """The history without the last move that `seat` may see. Raises `IllegalMove` at the start."""
        index = self._last(seat)
        owner = self.game.private_to(self.moves[index])
        before = replace(self, states=self.states[: index + 1], moves=self.moves[:index])
        if owner is None:
            gone = Undone(None, self.moves[index:])
            before = replace(before, aside=tuple(map(before._until_now, self.aside)))
        else:
            gone = Undone(owner, self.moves[index : index + 1])
            before = before._with_what_fits(self.moves[index + 1 :])
        return replace(before, undone=(*self.undone, gone))

    def step(self, what: str, seat: str | None, aside: int = 0) -> History:
        """The history after an `undo` or `redo` as the journal keeps it. Raises `MoveError`."""
        if aside and seat is not None:
            return self.set_aside(seat) if what == "undo" else self.hand_over(aside)
        return self.undo(seat) if what == "undo" else self.redo(seat)

    def set_aside(self, seat: str) -> History:
        """The history without the private moves of `seat`, which are set aside and cannot be redone."""
        kept, noted, place = [], [], (0, 0)
        for move in self.moves:
            if self.game.private_to(move) == seat:
                noted.append((place, move))
            else:
                kept.append(move)
                place = self._next(place, move)
        aside = Aside(self.asides + 1, seat, tuple(noted))
        undone = (
            replace(gone, moves=tuple(move for move in gone.moves if self.game.private_to(move) != seat))
            for gone in self.undone
        )
        return replace(
            replace(self, states=self.states[:1], moves=())._with_all(kept),
            undone=tuple(aside for aside in undone if aside.moves),
            aside=(*self.aside, aside),
            asides=aside.number,
        )

    def hand_over(self, number: int) -> History:
        """The history with the moves set aside under `number`, at their old places.

        A private move that no longer fits beside later ones is dropped. Raises `IllegalMove` if nothing is
        set aside under that number.
        """
        aside = next((kept for kept in self.aside if kept.number == number), None)
        if aside is None:
            raise IllegalMove(self.game.slug, "nothing-to-redo")
        moves, left, place = [], list(aside.moves), (0, 0)
        for move in self.moves:
            while left and left[0][0] <= place:
                moves.append(left.pop(0)[1])
            moves.append(move)
            place = self._next(place, move)
        moves += [move for _, move in left]
        rest = tuple(kept for kept in self.aside if kept is not aside)
        return replace(replace(self, states=self.states[:1], moves=())._with_all(moves), aside=rest)

    def redo_of(self, seat: str | None) -> str | None:
        """The owner of the move that `seat` would redo; None if open. Raises `IllegalMove` without one."""
        return self.undone[self._last_undone(seat)].owner

    def redo(self, seat: str | None) -> History:
        """The history with the last undone move that `seat` may see. Raises `MoveError`."""
        index = self._last_undone(seat)
        first, *rest = self.undone[index].moves
        after = self._with(first)._with_what_fits(rest)
        return replace(after, undone=self.undone[:index] + self.undone[index + 1 :])

    def can_undo(self, seat: str | None) -> bool:
        """True if `seat` has something to undo."""
        return any(self._may_see(seat, self.game.private_to(move)) for move in self.moves)

    def can_redo(self, seat: str | None) -> bool:
        """True if `seat` has something to redo."""
        return any(self._may_see(seat, undone.owner) for undone in self.undone)

    def _with(self, move: Move) -> History:
        try:
            state = self.judged(self.state, move)
        except MoveError as error:
            # The error's position has only the mover's own private moves: a log must not reveal a hand.
            seen = self.seen(self.game.private_to(move))
            error.move, error.position = self.game.notation(move), tuple(map(self.game.notation, seen))
            raise
        return replace(self, states=(*self.states, state), moves=(*self.moves, move))

    def _with_what_fits(self, moves: Sequence[Move]) -> History:
        """The history with private moves played again, except those that the rules no longer accept. A seat's
        private move may depend on another one that is gone now."""
        history = self
        for move in moves:
            try:
                history = history._with(move)
            except MoveError:
                continue
        return history

    def _with_all(self, moves: Sequence[Move]) -> History:
        """The history with moves replayed; the open ones are a match by themselves."""
        history = self
        for move in moves:
            history = (
                history._with(move) if self.game.private_to(move) is None else history._with_what_fits([move])
            )
        return history

    def _next(self, place: Place, move: Move) -> Place:
        """The place after a move that stood at `place`."""
        opened, others = place
        return (opened + 1, 0) if self.game.private_to(move) is None else (opened, others + 1)

    def _until_now(self, aside: Aside) -> Aside:
        """Drop what came after the remaining open moves: it no longer describes anything."""
        opened = sum(self.game.private_to(move) is None for move in self.moves)
        return replace(aside, moves=tuple(move for move in aside.moves if move[0][0] <= opened))

    def _last(self, seat: str | None) -> int:
        for index in range(len(self.moves) - 1, -1, -1):
            if self._may_see(seat, self.game.private_to(self.moves[index])):
                return index
        raise IllegalMove(self.game.slug, "nothing-to-undo")

    def _last_undone(self, seat: str | None) -> int:
        for index in range(len(self.undone) - 1, -1, -1):
            if self._may_see(seat, self.undone[index].owner):
                return index
        raise IllegalMove(self.game.slug, "nothing-to-redo")

    @staticmethod
    def _may_see(seat: str | None, owner: str | None) -> bool:
        return owner is None or owner == seat


Change = tuple[Kind, dict[str, Any], History]
"""An entry to keep: its kind, its body, and the history that it leads to."""


class Lost(NamedTuple):
    """An open move that no longer fits: its number in the match as it was, and why the rules refuse it."""

    number: int
    move: Move
    error: MoveError


class Correction(NamedTuple):
    """A correction: the entries that it takes, and the open moves that it leaves out. `history` is the match
    as it stands afterwards."""

    changes: tuple[Change, ...]
    lost: tuple[Lost, ...]
    history: History


def correction(history: History, number: int, move: Move | None) -> Correction:
    """The correction of open move `number` (the first is 1): it was `move`, or never made (None).

    The moves after it are judged again, one by one; those that the rules now refuse are left out. Raises
    `IllegalMove` if there is no such move, and `MoveError` if `move` itself does not fit.
    """
    places = [n for n, played in enumerate(history.moves) if history.game.private_to(played) is None]
    if not 1 <= number <= len(places):
        raise IllegalMove(history.game.slug, "no-such-move", number=number)
    changes: list[Change] = []
    rest, after = history.moves[places[number - 1] + 1 :], history
    for _ in places[number - 1 :]:
        after = after.undo(None)
        changes.append(("undo", {}, after))
    if move is not None:
        after = after.played(move)
        changes.append(("move", msgspec.to_builtins(move), after))
    lost: list[Lost] = []
    for later in rest:
        is_open = history.game.private_to(later) is None
        number += is_open
        try:
            after = after.played(later)
        except MoveError as error:
            # A private note that no longer fits is dropped in silence: only its seat may know of it.
            lost += [Lost(number, later, _open_error(after, later, error))] if is_open else []
        else:
            changes.append(("move", msgspec.to_builtins(later), after))
    return Correction(tuple(changes), tuple(lost), after)


def _open_error(history: History, move: Move, refusal: MoveError) -> MoveError:
    """The refusal of an open move, judged by open facts alone: `refusal` could name a seat's secret."""
    try:
        history.judged(history.game.hide(history.state, None), move)
    except MoveError as error:
        return error
    return IllegalMove(refusal.game, "not-now")
