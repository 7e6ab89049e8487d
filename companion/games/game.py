"""The rules' side of a game: the one protocol that every game follows.

A game takes and returns plain values: frozen states and moves. It uses no clock, no random numbers, and no
files but its own data tables. Chance is a move like any other (`throw`, `draw`): the players enter the
result.

    game = registry.game("this-bed-is-mine")
    state = game.start(game.options({"board": "b"}), seats=2)
    state = game.play(state, game.move({"move": "lay", ...}))    # or raises MoveError
    game.view(state, seat=None)                                   # what a phone may show
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from companion import messages
from companion.errors import InvalidMove
from companion.errors.causes import NOT_JSON, cause_of
from companion.games.data_files import Editable


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of a game's options: one field per option, with its default and, as `Meta`, its help."""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="move"):
    """Base of a game's moves; `tag` names the kind of move (`{"move": "lay", ...}`)."""


class State(msgspec.Struct, frozen=True):
    """Base of a game's states: everything that the rules need to know, including the options."""

    options: Any


class Form(NamedTuple):
    """The notation of one kind of move.

    A whole text must match `pattern` (`c4@5,3`). `read` makes a move from the pattern's groups; `write` is
    the way back. Each kind of move has only one form.
    """

    kind: type[Move]
    pattern: str
    write: Callable[[Any], str]
    read: Callable[..., Move]


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended.

    `reason` is the game's own word for why (a key `outcome.<reason>` in its messages). `winners` are seat
    names: several if they share the win, none if nobody won. `points` are by seat name, if the game has
    points.
    """

    reason: str
    winners: tuple[str, ...]
    points: dict[str, int] = {}


class Decided(NamedTuple):
    """What decided a finished match: `reason` is the end of a key `decided.<reason>` of the game's messages.

    `facts` fill that sentence's places; a seat stands by its name.
    """

    reason: str
    facts: Mapping[str, str | int]


class LuckRemark(NamedTuple):
    """A sentence on what chance brought in a finished match, or on what was chosen.

    `reason` is the end of a key `luck.<reason>` of the game's messages, and of `luck-why.<reason>`, which
    says how it was worked out. Whoever sits on `seat` is the place `{name}` in both; empty for nobody. `move`
    is the number of the open move that it is about, from 1; 0 for none.
    """

    reason: str
    seat: str = ""
    facts: Mapping[str, str | int] = {}
    move: int = 0


class Luck(msgspec.Struct, frozen=True):
    """What chance gave a seat in a match: `times` throws or draws, worth `total` together.

    Fair ones would have been worth `expected` on average; `variance` is the variance of that sum.
    """

    times: int
    total: float
    expected: float
    variance: float


def luck_of(chances: Iterable[tuple[str, float, float, float]]) -> dict[str, Luck]:
    """Luck by seat, from each single chance: whose it was, its worth, its mean and its variance."""
    sums: dict[str, Luck] = {}
    for seat, worth, mean, variance in chances:
        so_far = sums.get(seat, Luck(0, 0.0, 0.0, 0.0))
        sums[seat] = Luck(
            so_far.times + 1, so_far.total + worth, so_far.expected + mean, so_far.variance + variance
        )
    return sums


S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741 - S, M, O: state, move, options


class Game(ABC, Generic[S, M, O]):
    """A game's rules, which its folder exports as `GAME`.

    The protocols in `companion.games.watching` are what a camera or the virtual table needs in addition.
    """

    slug: ClassVar[str]
    """The game's name in addresses, files and commands."""
    names: ClassVar[Mapping[str, str]]
    """The game's name by language."""
    seat_counts: ClassVar[tuple[int, ...]]
    """The possible numbers of players."""
    minutes: ClassVar[tuple[int, int]] = (0, 0)
    """How long a match usually takes, from and to, in minutes; (0, 0) if that is not known."""
    asked_first: ClassVar[tuple[str, ...]] = ()
    """Options that the form for a new match asks first; the others are house rules."""
    luck_kind: ClassVar[str] = ""
    """What `luck` counts: `dice` or `kittens`; empty where it counts nothing."""
    options_type: ClassVar[type[Options]]
    editable: ClassVar[Mapping[str, Editable]] = {}
    """Options whose value may be a data file of a person's own that is made on a page."""
    options_before: ClassVar[Mapping[str, object]] = {}
    """The values of options that did not always exist: a kept match that lacks one of them was played with
    these."""
    state_type: ClassVar[type[State]]
    move_types: ClassVar[tuple[type[Move], ...]]
    trend: ClassVar[Mapping[str, str]] = {}
    """The chances that the chart of a match shows: a key of the messages for each, and the place of its value
    in the view, as names and numbers with dots between. Without any, it shows `progress`."""
    forms: ClassVar[tuple[Form, ...]] = ()
    """The notation: one form per kind of move. A move without a form is written as JSON."""
    rules: ClassVar[tuple[str, ...]]
    """The name of every rule that a move can break; each has a sentence in the messages."""
    folder: ClassVar[Path]
    """The folder with the game's data, messages and page template."""

    def __init_subclass__(cls) -> None:
        """Register the folder, so that this game's errors find their messages."""
        super().__init_subclass__()
        if "slug" in cls.__dict__:
            messages.register(cls.slug, cls.folder)

    @abstractmethod
    def start(self, options: O, seats: int) -> S:
        """The state before the first move. Raises `InvalidMove` for unfit options."""

    @abstractmethod
    def seat_names(self, state: S) -> tuple[str, ...]:
        """The seats in order of play, by the names that moves and views use."""

    @abstractmethod
    def turn(self, state: S) -> str | None:
        """The seat in turn; None if the match is over or all act at once."""

    @abstractmethod
    def legal_moves(self, state: S) -> Iterable[M]:
        """Every move forward that `play` accepts now, including chance; none if the match is over.

        Excludes moves that only correct the record or change nothing, and other ways to write the same move.
        """

    @abstractmethod
    def play(self, state: S, move: M) -> S:
        """The state after the move; `state` itself never changes. Raises `MoveError`."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the match ended; None while it goes on."""

    def takes_corrections(self, state: S) -> bool:
        """Whether a match that is over still takes a move that corrects it, until the next match begins.

        Such a match stays on the table after a restart.
        """
        return False

    @abstractmethod
    def view(self, state: S, seat: str | None) -> msgspec.Struct:
        """What `seat` may see (None: the table's own view), with the reason for each number."""

    def hide(self, state: S, seat: str | None) -> S:
        """`state` without what `seat` must not know. A view may depend on nothing else.

        A game of open information hides nothing.
        """
        return state

    def private_to(self, move: M) -> str | None:
        """The only seat that may make and see this move; None for an open move.

        A private move only records what that seat knows. The open moves alone make a complete match: it is
        what the table and the other seats see and export.
        """
        return None

    def luck(self, course: Iterable[tuple[S, M]]) -> dict[str, Luck]:
        """What chance gave each seat, from every open move with the state before it.

        Empty for a game whose chances are not counted. The pages' words have a sentence `luck.<luck_kind>`.
        """
        return {}

    def luck_remarks(self, course: Sequence[tuple[S, M]], state: S) -> tuple[LuckRemark, ...]:
        """Luck and choice apart in a match that is over, from every open move with the state before it.

        Empty for a game without chance, and for one whose hands stay secret.
        """
        return ()

    def progress(self, state: S) -> dict[str, int]:
        """What each seat has by now, such as its points, for the chart of a match; empty if nothing is
        counted."""
        return {}

    def pieces(self, state: S) -> dict[str, int]:
        """The number of pieces each seat brought into play, in games where points per piece say how well it
        played."""
        return {}

    def decided(self, course: Sequence[tuple[S, M]], state: S) -> Decided | None:
        """What decided a match that is over, from every open move with the state before it.

        None if there is nothing to add to how it ended.
        """
        return None

    def drawn_values(self) -> Mapping[str, object]:
        """The values with which the drawings of its short rules are filled in (`page_rules.svg` in its
        folder)."""
        return {}

    def pressed(self, state: S, seat: str) -> M | None:
        """The move that a press of this seat's button makes now (such as "drew a card").

        None if a press only ends the seat's turn, which is not a move of the game.
        """
        return None

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> O:
        """Options from plain values; with `from_text`, from typed text (`"true"`, `"3"`).

        Raises `InvalidMove` with the rule `not-an-option`.
        """
        try:
            return msgspec.convert(given, self.options_type, strict=not from_text)  # type: ignore[return-value]
        except msgspec.ValidationError as error:
            raise InvalidMove(
                self.slug, "not-an-option", fault=cause_of(error, self.options_type, given)
            ) from error

    def kept_options(self, kept: Mapping[str, object]) -> O:
        """The options of a match that is kept, so that it is replayed as it was played.

        An option that did not exist when it was played has its value from `options_before`. Raises
        `InvalidMove`.
        """
        return self.options({**self.options_before, **kept})

    def move(self, given: object) -> M:
        """A move from plain values (a line of a moves file). Raises `InvalidMove`."""
        try:
            return msgspec.convert(given, self.any_move)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            raise InvalidMove(self.slug, "not-a-move", fault=cause_of(error, self.any_move, given)) from error

    def notation(self, move: M) -> str:
        """The move in the game's notation (`c4@5,3`), or as JSON if it has no form."""
        for form in self.forms:
            if type(move) is form.kind and self._parsed(text := form.write(move)) == move:
                return text
        return msgspec.json.encode(move).decode()

    def parse(self, text: str) -> M:
        """The move written in a text, in the game's notation or as JSON. Raises `InvalidMove`."""
        text = text.strip()
        if text.startswith("{"):
            try:
                return self.move(msgspec.json.decode(text))
            except NOT_JSON as error:
                raise InvalidMove(self.slug, "not-a-move", fault=cause_of(error)) from error
        move = self._parsed(text)
        if move is None:
            raise InvalidMove(self.slug, "not-a-move", fault=text)
        return self.move(msgspec.to_builtins(move))

    def _parsed(self, text: str) -> M | None:
        for form in self.forms:
            if match := re.fullmatch(form.pattern, text):
                try:
                    return form.read(*match.groups())  # type: ignore[return-value]
                except ValueError:  # a number of more digits than Python reads
                    return None
        return None

    @property
    def any_move(self) -> Any:
        """The union of the game's moves, as msgspec takes it."""
        union: Any = self.move_types[0]
        for kind in self.move_types[1:]:
            union = union | kind
        return union
