"""The rules' side of a game: the one protocol that every game follows.

A game is plain values in, plain values out: frozen states and moves, no clock, no random numbers,
no files but its own data tables. Chance is a move like any other (`throw`, `draw`): the players
enter what came.

    game = registry.game("this-bed-is-mine")
    state = game.start(game.options({"board": "b"}), seats=2)
    state = game.play(state, game.move({"move": "lay", ...}))    # or raises MoveError
    game.view(state, seat=None)                                   # what a phone may show
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from companion import messages
from companion.errors import InvalidMove
from companion.errors.causes import cause_of


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of a game's options: one field an option, with its default and, as `Meta`, its help."""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="move"):
    """Base of a game's moves; `tag` names the kind (`{"move": "lay", ...}`)."""


class State(msgspec.Struct, frozen=True):
    """Base of a game's states: everything the rules need to know, the options included."""

    options: Any


class Form(NamedTuple):
    """How moves of one kind are written down.

    `read` makes a move of the groups of `pattern`, which a whole text must match (`c4@5,3`); `write` is the
    way back. What needs more than one form is more than one kind of move.
    """

    kind: type[Move]
    pattern: str
    write: Callable[[Any], str]
    read: Callable[..., Move]


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended.

    `reason` is the game's own word for why (a key `outcome.<reason>` in its words); `winners` are
    seat names, several when they share the win, none when nobody won; `points` by seat name where
    the game has points.
    """

    reason: str
    winners: tuple[str, ...]
    points: dict[str, int] = {}


S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741 - S, M, O: state, move, options


class Game(ABC, Generic[S, M, O]):
    """What a game's folder offers as `GAME`: its rules.

    What a camera or the virtual table asks of a game besides are the protocols in `companion.games.watching`.
    """

    slug: ClassVar[str]
    """Its name in addresses, files and commands."""
    names: ClassVar[Mapping[str, str]]
    """Its name by language."""
    seat_counts: ClassVar[tuple[int, ...]]
    """How many may play."""
    options_type: ClassVar[type[Options]]
    state_type: ClassVar[type[State]]
    move_types: ClassVar[tuple[type[Move], ...]]
    forms: ClassVar[tuple[Form, ...]] = ()
    """How its moves are written down, a form a kind of move; without one, a move is written as JSON."""
    rules: ClassVar[tuple[str, ...]]
    """The name of every rule that a move can break; each has its sentence in the words."""
    folder: ClassVar[Path]
    """Where its data, messages and page template lie."""

    def __init_subclass__(cls) -> None:
        """Let errors of this game find its messages."""
        super().__init_subclass__()
        if "slug" in cls.__dict__:
            messages.register(cls.slug, cls.folder)

    @abstractmethod
    def start(self, options: O, seats: int) -> S:
        """The state before the first move. Raises `InvalidMove` for options that do not fit."""

    @abstractmethod
    def seat_names(self, state: S) -> tuple[str, ...]:
        """The seats in order of play, by the names that moves and views use."""

    @abstractmethod
    def turn(self, state: S) -> str | None:
        """Whose turn it is; None when the match is over or all act at once."""

    @abstractmethod
    def legal_moves(self, state: S) -> Iterable[M]:
        """Every move forward that `play` would take now, chance included; none when the match is over.

        What only corrects the record, or agrees to what is so already, is left out. So are other ways to
        write the same move.
        """

    @abstractmethod
    def play(self, state: S, move: M) -> S:
        """The state after the move. Raises `MoveError`; `state` itself never changes."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while it goes on."""

    @abstractmethod
    def view(self, state: S, seat: str | None) -> msgspec.Struct:
        """What `seat` may see (None: the table's own view), each number with its why."""

    def hide(self, state: S, seat: str | None) -> S:
        """`state` without what `seat` must not know; a view may depend on nothing else.

        A game of open information hides nothing.
        """
        return state

    def private_to(self, move: M) -> str | None:
        """The seat that alone may make this move and see it; None for a move made in the open.

        A private move only notes what that seat knows: the open moves alone are a whole match too, and
        that is what the table and the other seats are shown of it, kept or exported.
        """
        return None

    def pressed(self, state: S, seat: str) -> M | None:
        """The move that a press of this seat's button on the table makes now (as "drew a card").

        None where a press only says that the seat's turn is done, which moves nothing in the game.
        """
        return None

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> O:
        """Options from plain values, `from_text` when they were typed (`"true"`, `"3"`).

        Raises `InvalidMove` with rule `not-an-option`.
        """
        try:
            return msgspec.convert(given, self.options_type, strict=not from_text)  # type: ignore[return-value]
        except msgspec.ValidationError as error:
            raise InvalidMove(
                self.slug, "not-an-option", fault=cause_of(error, self.options_type, given)
            ) from error

    def move(self, given: object) -> M:
        """A move from plain values (a line of a moves file). Raises `InvalidMove`."""
        try:
            return msgspec.convert(given, self.any_move)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            raise InvalidMove(self.slug, "not-a-move", fault=cause_of(error, self.any_move, given)) from error

    def notation(self, move: M) -> str:
        """The move as people write it (`c4@5,3`), or as JSON where the game has no form for it."""
        for form in self.forms:
            if type(move) is form.kind and self._parsed(text := form.write(move)) == move:
                return text
        return msgspec.json.encode(move).decode()

    def parse(self, text: str) -> M:
        """The move that a text writes, in the game's notation or as JSON. Raises `InvalidMove`."""
        text = text.strip()
        if text.startswith("{"):
            try:
                return self.move(msgspec.json.decode(text))
            except msgspec.DecodeError as error:
                raise InvalidMove(self.slug, "not-a-move", fault=cause_of(error)) from error
        move = self._parsed(text)
        if move is None:
            raise InvalidMove(self.slug, "not-a-move", fault=text)
        return self.move(msgspec.to_builtins(move))

    def _parsed(self, text: str) -> M | None:
        for form in self.forms:
            if match := re.fullmatch(form.pattern, text):
                return form.read(*match.groups())  # type: ignore[return-value]
        return None

    @property
    def any_move(self) -> Any:
        """The union of the game's moves, as msgspec reads it."""
        union: Any = self.move_types[0]
        for kind in self.move_types[1:]:
            union = union | kind
        return union
