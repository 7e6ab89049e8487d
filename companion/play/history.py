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

from companion.errors import IllegalMove, MoveError
from companion.games.game import Move, State
from companion.games.registry import AnyGame


@dataclass(frozen=True, slots=True)
class Undone:
    """Moves that were undone together: an open one and the private ones after it, or one of `owner`'s own."""

    owner: str | None
    moves: tuple[Move, ...]


Place = tuple[int, int]
"""A place among the moves: open ones before it, and private ones since the last open one."""


@dataclass(frozen=True, slots=True)
class Aside:
    """Private moves of `owner` that are set aside, each with its place.

    A place is the number of open moves before it, and of others' private moves since the last open one.
    `number` counts from 1 in each match.
    """

    number: int
    owner: str
    moves: tuple[tuple[Place, Move], ...]


@dataclass(frozen=True, slots=True)
class History:
    """`states` begins with the one before the first move, so it has one more item than `moves`.

    `aside` is what is set aside now; `asides` counts how often that was done.
    """

    game: AnyGame
    states: tuple[State, ...]
    moves: tuple[Move, ...] = ()
    undone: tuple[Undone, ...] = ()
    aside: tuple[Aside, ...] = ()
    asides: int = 0

    @property
    def state(self) -> State:
        """The current state."""
        return self.states[-1]

    def seen(self, seat: str | None) -> tuple[Move, ...]:
        """The moves that `seat` may see (None: the open ones), without those undone."""
        return tuple(move for move in self.moves if self._may_see(seat, self.game.private_to(move)))

    def played(self, move: Move) -> History:
        """The history with one more move. Raises `MoveError`.

        An open move clears the whole redo list, a private move only its own seat's.
        """
        owner = self.game.private_to(move)
        stays = () if owner is None else tuple(each for each in self.undone if each.owner != owner)
        return replace(self._with(move), undone=stays)

    def undo_of(self, seat: str | None) -> str | None:
        """The owner of the move that `seat` would undo; None for an open one.

        Raises `IllegalMove` at the start.
        """
        return self.game.private_to(self.moves[self._last(seat)])

    def undo(self, seat: str | None) -> History:
        """The history without the last move that `seat` may see. Raises `IllegalMove` at the start."""
        at = self._last(seat)
        owner = self.game.private_to(self.moves[at])
        before = replace(self, states=self.states[: at + 1], moves=self.moves[:at])
        if owner is None:
            gone = Undone(None, self.moves[at:])
            before = replace(before, aside=tuple(map(before._until_now, self.aside)))
        else:
            gone = Undone(owner, self.moves[at : at + 1])
            before = before._with_what_fits(self.moves[at + 1 :])
        return replace(before, undone=(*self.undone, gone))

    def step(self, what: str, seat: str | None, aside: int = 0) -> History:
        """After an `undo` or `redo` as the journal keeps it. Raises `MoveError`."""
        if aside and seat is not None:
            return self.set_aside(seat) if what == "undo" else self.hand_over(aside)
        return self.undo(seat) if what == "undo" else self.redo(seat)

    def set_aside(self, seat: str) -> History:
        """Without the private moves of `seat`: they are set aside, and cannot be redone either."""
        kept, noted, place = [], [], (0, 0)
        for move in self.moves:
            if self.game.private_to(move) == seat:
                noted.append((place, move))
            else:
                kept.append(move)
                place = self._next(place, move)
        aside = Aside(self.asides + 1, seat, tuple(noted))
        undone = (replace(each, moves=self._of_others(seat, each.moves)) for each in self.undone)
        return replace(
            replace(self, states=self.states[:1], moves=())._with_all(kept),
            undone=tuple(each for each in undone if each.moves),
            aside=(*self.aside, aside),
            asides=aside.number,
        )

    def hand_over(self, number: int) -> History:
        """With the moves set aside under `number`, at their old places.

        A private move that no longer fits beside later ones is dropped. Raises `IllegalMove` if nothing is
        set aside under that number.
        """
        aside = next((each for each in self.aside if each.number == number), None)
        if aside is None:
            raise IllegalMove(self.game.slug, "nothing-to-redo")
        moves, left, place = [], list(aside.moves), (0, 0)
        for move in self.moves:
            while left and left[0][0] <= place:
                moves.append(left.pop(0)[1])
            moves.append(move)
            place = self._next(place, move)
        moves += [move for _, move in left]
        rest = tuple(each for each in self.aside if each is not aside)
        return replace(replace(self, states=self.states[:1], moves=())._with_all(moves), aside=rest)

    def redo_of(self, seat: str | None) -> str | None:
        """The owner of the move that `seat` would redo; None for an open one.

        Raises `IllegalMove` if there is none.
        """
        return self.undone[self._last_undone(seat)].owner

    def redo(self, seat: str | None) -> History:
        """The history with the last undone move that `seat` may see. Raises `MoveError`."""
        at = self._last_undone(seat)
        first, *rest = self.undone[at].moves
        after = self._with(first)._with_what_fits(rest)
        return replace(after, undone=self.undone[:at] + self.undone[at + 1 :])

    def can_undo(self, seat: str | None) -> bool:
        """Whether `seat` has something to undo."""
        return any(self._may_see(seat, self.game.private_to(move)) for move in self.moves)

    def can_redo(self, seat: str | None) -> bool:
        """Whether `seat` has something to redo."""
        return any(self._may_see(seat, each.owner) for each in self.undone)

    def _with(self, move: Move) -> History:
        try:
            state = self.game.play(self.state, move)
        except MoveError as error:
            # The error's position has only the mover's own private moves: a log must not reveal a hand.
            seen = self.seen(self.game.private_to(move))
            error.move, error.position = self.game.notation(move), tuple(map(self.game.notation, seen))
            raise
        return replace(self, states=(*self.states, state), moves=(*self.moves, move))

    def _with_what_fits(self, moves: Sequence[Move]) -> History:
        """The history with private moves played again, without those that the rules no longer accept.

        A seat's private move may depend on another one that is gone now.
        """
        history = self
        for move in moves:
            try:
                history = history._with(move)
            except MoveError:
                continue
        return history

    def _with_all(self, moves: Sequence[Move]) -> History:
        """With moves replayed; the open ones among them are a match."""
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

    def _of_others(self, seat: str, moves: Sequence[Move]) -> tuple[Move, ...]:
        return tuple(move for move in moves if self.game.private_to(move) != seat)

    def _until_now(self, aside: Aside) -> Aside:
        """Without what came after the remaining open moves: it no longer describes anything."""
        opened = sum(self.game.private_to(move) is None for move in self.moves)
        return replace(aside, moves=tuple(each for each in aside.moves if each[0][0] <= opened))

    def _last(self, seat: str | None) -> int:
        for at in range(len(self.moves) - 1, -1, -1):
            if self._may_see(seat, self.game.private_to(self.moves[at])):
                return at
        raise IllegalMove(self.game.slug, "nothing-to-undo")

    def _last_undone(self, seat: str | None) -> int:
        for at in range(len(self.undone) - 1, -1, -1):
            if self._may_see(seat, self.undone[at].owner):
                return at
        raise IllegalMove(self.game.slug, "nothing-to-redo")

    @staticmethod
    def _may_see(seat: str | None, owner: str | None) -> bool:
        return owner is None or owner == seat
