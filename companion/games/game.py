"""The rules of a game: the one class that every game inherits.

A game takes and returns plain values: frozen states and moves. It uses no clock, no random numbers, and no
files but its own data tables. Chance is a move like any other (`throw`, `draw`), whose result players enter.

    game = registry.game("this-bed-is-mine")
    state = game.start(game.options({"board": "b"}), seats=2)
    state = game.play(state, game.move({"move": "lay", ...}))    # or raises MoveError
    game.view(state, seat=None)                                   # what a phone may show
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from inspect import getfile
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, get_args, get_origin

import msgspec

from companion import messages
from companion.errors import InvalidMove
from companion.errors.causes import NOT_JSON, cause_of
from companion.games.data_files import Data, Editable, Fault, is_own_file, own_file
from companion.games.forms import Forms
from companion.games.retrospect import Retrospect
from companion.messages import Phrase


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of a game's options: a field for each, with its default and, as `Meta`, its help."""


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="move"):
    """Base of a game's moves; `tag` names the kind of move (`{"move": "lay", ...}`)."""


class Stop(Move, frozen=True, forbid_unknown_fields=True, tag="stop", omit_defaults=True):
    """The players stop early: the match ends with the score so far, and nobody has won.

    With `late`, the time of that seat is up, and the others have won. Every game has this move. Its rules
    never see it: the history of the match ends there.
    """

    late: str = ""


class State(msgspec.Struct, frozen=True):
    """Base of a game's states: all that the rules need, with the options."""

    options: Any


STOP = "stop"
"""The move `Stop`, in JSON and in every game's notation."""

STOPPED, TIME_UP = "stopped", "stopped-late"
"""The reasons of the outcome after it."""


class Outcome(msgspec.Struct, frozen=True):
    """The end of a match.

    `reason`: a key `outcome.<reason>` in the game's messages. `winners`: seat names, several if they share
    the win, empty if nobody won. `points`: by seat name, if the game has points.
    """

    reason: str
    winners: tuple[str, ...]
    points: dict[str, int] = {}

    @property
    def stopped(self) -> bool:
        """True for a match that was stopped early: it is nobody's win or defeat."""
        return self.reason == STOPPED

    @property
    def early(self) -> bool:
        """True for a match that ended by `Stop`, so that its last move is not one of the game."""
        return self.reason in (STOPPED, TIME_UP)


S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=Options)  # noqa: E741 - S, M, O: state, move, options


class About(NamedTuple):
    """Facts about a game for the pages where a match is set up."""

    minutes: tuple[int, int] = (0, 0)
    """The usual length of a match, from and to; (0, 0) if unknown."""
    asked_first: tuple[str, ...] = ()
    """Options that the form for a new match asks first; the others are house rules."""
    files: Mapping[str, type[Data]] = {}
    """Options that name a data file, each with its file's type."""
    editable: Mapping[str, Editable] = {}
    """Options whose data file people can make on a page."""
    drawn_values: Callable[[], Mapping[str, object]] = dict
    """Values for the drawings of its short rules (`page_rules.svg` in its folder)."""


class Game(ABC, Generic[S, M, O]):
    """A game's rules, which its folder exports as `GAME`.

    Its three types are its state, its moves (a union of all kinds), and its options. The protocols in
    `companion.games.watching` are for a camera or the virtual table.
    """

    slug: ClassVar[str]
    """The game's name in addresses, files and commands."""
    names: ClassVar[Mapping[str, str]]
    """By language."""
    seat_counts: ClassVar[tuple[int, ...]]
    about: ClassVar[About] = About()
    forms: ClassVar[Forms] = Forms({}, {})
    """The notation; a move without a form is written as JSON."""
    retrospect: ClassVar[Retrospect[Any, Any]] = Retrospect()

    folder: ClassVar[Path]
    """The folder of the game's module, with its data, messages and page template."""
    state_type: ClassVar[type[State]]
    move_type: ClassVar[Any]
    every_move: ClassVar[Any]
    """Its moves, and `Stop`."""
    options_type: ClassVar[type[Options]]

    def __init_subclass__(cls) -> None:
        """Take the types from `Game[...]`, and register the folder with the game's messages."""
        super().__init_subclass__()
        for base in cls.__dict__.get("__orig_bases__", ()):
            if get_origin(base) is Game:
                cls.state_type, cls.move_type, cls.options_type = get_args(base)
                cls.every_move = cls.move_type | Stop
        if "slug" in cls.__dict__:
            cls.folder = Path(getfile(cls)).parent
            messages.register(cls.slug, cls.folder)

    @abstractmethod
    def set_up(self, options: O, seats: int) -> S:
        """The state before the first move, for a possible number of seats. Raises as `start` does."""

    @abstractmethod
    def seat_names(self, state: S) -> tuple[str, ...]:
        """The seats in order of play, as moves and views name them."""

    @abstractmethod
    def turn(self, state: S) -> str | None:
        """The seat in turn; None if the match is over or all act at once."""

    @abstractmethod
    def legal_moves(self, state: S) -> Iterable[M]:
        """Every move forward that `play` accepts now, including chance; empty after the match.

        Excludes moves that only correct the record or change nothing, and other ways to write the same move.
        Where people enter any number, some numbers stand for all.
        """

    @abstractmethod
    def play(self, state: S, move: M) -> S:
        """The state after the move; `state` itself never changes. Raises `MoveError`."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The end of the match; None while it goes on."""

    @abstractmethod
    def view(self, state: S, seat: str | None) -> msgspec.Struct:
        """The view of `seat` (None: that of the table), with the reason for each number."""

    def hide(self, state: S, seat: str | None) -> S:
        """The state without what `seat` must not know; a view may depend on nothing else.

        A game of open information hides nothing.
        """
        return state

    def private_to(self, move: M) -> str | None:
        """The only seat that may make and see this move; None for an open move.

        A private move only records what that seat knows. The open moves alone make a complete match, which
        the table and the other seats see and export.
        """
        return None

    def pressed(self, state: S, seat: str) -> M | None:
        """The move made by this seat's button now (such as "drew a card").

        None if a press only ends the seat's turn, which is not a move of the game.
        """
        return None

    def fewest_win(self, options: O) -> bool:
        """True if the fewest points win."""
        return False

    def takes_corrections(self, state: S) -> bool:
        """True while a finished match still takes a correcting move.

        It stays on the table after a restart.
        """
        return False

    def misfits(self, options: O) -> Mapping[str, Fault]:
        """Faults of data files that do not fit the other options, by the option that names the file."""
        return {}

    def start(self, options: O, seats: int) -> S:
        """The state before the first move. Raises `MoveError` for unfit options or seats, `UserError` for an
        unusable file."""
        if seats not in self.seat_counts:
            possible = "–".join(map(str, sorted({min(self.seat_counts), max(self.seat_counts)})))
            fault = Phrase("cause.seats", {"seats": seats, "possible": possible})
            raise InvalidMove(self.slug, "not-an-option", fault=fault)
        return self.set_up(options, seats)

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> O:
        """Options from plain values; with `from_text`, from typed text (`"true"`, `"3"`).

        The text of a person's own file replaces its path. Raises `InvalidMove` with the rule `not-an-option`,
        and `UserError` for an unusable file.
        """
        try:
            options: Any = msgspec.convert(given, self.options_type, strict=not from_text)
        except msgspec.ValidationError as error:
            fault = cause_of(error, self.options_type, given, from_text=from_text)
            raise InvalidMove(self.slug, "not-an-option", fault=fault) from error
        paths = {option: getattr(options, option) for option in self.about.files}
        files = {option: own_file(path) for option, path in paths.items() if is_own_file(path)}
        for option, file in files.items():
            file.parse(self.about.files[option])
        texts = {option: file.kept_text(self.about.files[option]) for option, file in files.items()}
        whole: O = msgspec.structs.replace(options, **texts)
        for option, misfit in self.misfits(whole).items() if files else ():
            if option in files:
                raise files[option].error(misfit)
        return whole

    def move(self, given: object) -> M:
        """A move from plain values (a line of a moves file). Raises `InvalidMove`."""
        try:
            return msgspec.convert(given, self.every_move)  # type: ignore[no-any-return]
        except msgspec.ValidationError as error:
            raise InvalidMove(
                self.slug, "not-a-move", fault=cause_of(error, self.every_move, given)
            ) from error

    def notation(self, move: M) -> str:
        """The move in the game's notation (`c4@5,3`), or as JSON if it has no form."""
        if isinstance(move, Stop):
            return f"{STOP} {move.late}".strip()
        return self.forms.write(move) or msgspec.json.encode(move).decode()

    def parse(self, text: str) -> M:
        """The move in a text, in the game's notation or as JSON. Raises `InvalidMove`."""
        text = text.strip()
        stop = text.split()
        if stop[:1] == [STOP] and len(stop) < 3:
            return self.move({"move": STOP, "late": "".join(stop[1:])})
        if text.startswith("{"):
            try:
                return self.move(msgspec.json.decode(text))
            except NOT_JSON as error:
                raise InvalidMove(self.slug, "not-a-move", fault=cause_of(error)) from error
        move = self.forms.parse(text)
        if move is None:
            raise InvalidMove(self.slug, "not-a-move", fault=text)
        return self.move(msgspec.to_builtins(move))
