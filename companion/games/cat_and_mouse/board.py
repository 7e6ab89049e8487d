"""The board as data: the length of the walks, and the effect of each square and each double.

Boards are TOML files; `data/classic.toml` says what each key means.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from pathlib import Path

import msgspec

from companion.errors.causes import Key
from companion.games import data_files
from companion.games.data_files import Drawable, Fault, Tool
from companion.messages import Fact, Phrase

FOLDER = Path(__file__).parent / "data"

MOST_SQUARES = 150
"""The chances of the longest walk take 3 MB."""

LONGEST_LAST_STRETCH = 24
"""Squares from `turn_back_to` to the last, solved together: 15 MB for 24."""

MOST_CHIPS = 1000

HIGHEST_FACE = 6

PLAIN, PAYS, EARNS, EARNS_BY_LEAP, LOST_TURN, SECOND_THROW, PAYS_AND_LOSES = ".", "p", "e", "l", "z", "t", "x"

WIDEST_ROW = 12


class Leap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A double that leads straight to the square `to` from below it, once past `past` (None: always)."""

    double: int
    to: int
    past: int | None = None


class Stay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The double that, where it leads nowhere, moves nobody and costs `chips`."""

    double: int
    chips: int


class Pays(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Squares where the player who lands pays the other `chips`."""

    squares: tuple[int, ...]
    chips: int


class Earns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Squares where the other pays `chips` to the player who lands (`by_leap`: only by a double)."""

    squares: tuple[int, ...]
    by_leap: tuple[int, ...]
    chips: int


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, eq=False):
    """A board; squares count from 1, and counters wait on the corner, 0."""

    squares: int
    turn_back_to: int
    same_squares: int | tuple[tuple[int, int], ...]
    jump_chips: int
    leaps: tuple[Leap, ...]
    stay: Stay
    pays: Pays
    earns: Earns
    lost_turn: tuple[int, ...]
    second_throw: tuple[int, ...]

    def faults(self) -> Iterator[Fault]:
        if not 2 <= self.squares <= MOST_SQUARES:
            yield Fault(data_files.out_of_bounds("squares", 2, MOST_SQUARES, self.squares), ("squares",))
        if not max(1, self.squares - LONGEST_LAST_STRETCH) <= self.turn_back_to < self.squares:
            says = _says("turn-back", most=LONGEST_LAST_STRETCH, given=self.turn_back_to)
            yield Fault(says, ("turn_back_to",))
        yield from self._square_faults()
        yield from self._leap_faults()
        yield from self._same_square_faults()
        yield from self._number_faults()

    def _square_faults(self) -> Iterator[Fault]:
        """Squares that do not exist, or have contradictory effects."""
        named: dict[Key, tuple[int, ...]] = {
            ("pays", "squares"): self.pays.squares,
            ("earns", "squares"): self.earns.squares,
            ("earns", "by_leap"): self.earns.by_leap,
            ("lost_turn",): self.lost_turn,
            ("second_throw",): self.second_throw,
        }
        for key, squares in named.items():
            for n, square in enumerate(squares):
                if not 1 <= square <= self.squares:
                    yield Fault(_says("no-square", square=square, squares=self.squares), key)
                if square in squares[:n]:
                    yield Fault(_says("twice", field=str(key[-1]), square=square), key)
        for square in self.earns.by_leap:
            if square in self.earns.squares:
                yield Fault(_says("earns-twice", square=square), ("earns", "by_leap"))
        for name, squares in (("lost_turn", self.lost_turn), ("second_throw", self.second_throw)):
            if self.squares in squares:
                yield Fault(_says("last-square", square=self.squares, field=name), (name,))
        for square in self.second_throw:
            if square in self.lost_turn:
                yield Fault(_says("lose-and-again", square=square), ("second_throw",))

    def _leap_faults(self) -> Iterator[Fault]:
        doubles = [leap.double for leap in self.leaps]
        for n, leap in enumerate(self.leaps):
            if not 1 <= leap.to <= self.squares:
                yield Fault(_says("no-square", square=leap.to, squares=self.squares), ("leaps",))
            elif leap.past is not None and not 0 <= leap.past < leap.to:
                yield Fault(_says("past", to=leap.to, given=leap.past), ("leaps",))
            if leap.double in doubles[:n]:
                yield Fault(_says("double-twice", double=leap.double), ("leaps",))

    def _same_square_faults(self) -> Iterator[Fault]:
        """Squares of the two walks that cannot be the same square."""
        key = ("same_squares",)
        if isinstance(self.same_squares, int):
            if not 2 <= self.same_squares <= 2 * self.squares:
                yield Fault(_says("same-squares", most=2 * self.squares, given=self.same_squares), key)
            return
        for n, pair in enumerate(self.same_squares):
            for square in pair:
                if not 1 <= square <= self.squares:
                    yield Fault(_says("no-square", square=square, squares=self.squares), key)
            if any(pair[walk] == before[walk] for before in self.same_squares[:n] for walk in (0, 1)):
                yield Fault(_says("same-twice"), key)

    def _number_faults(self) -> Iterator[Fault]:
        doubles: list[tuple[Key, str, int]] = [(("leaps",), "double", leap.double) for leap in self.leaps]
        doubles.append((("stay", "double"), "double", self.stay.double))
        chips: list[tuple[Key, str, int]] = [
            (("jump_chips",), "jump_chips", self.jump_chips),
            (("stay", "chips"), "chips", self.stay.chips),
            (("pays", "chips"), "chips", self.pays.chips),
            (("earns", "chips"), "chips", self.earns.chips),
        ]
        for numbers, least, most in ((doubles, 1, HIGHEST_FACE), (chips, 0, MOST_CHIPS)):
            for key, name, number in numbers:
                if not least <= number <= most:
                    yield Fault(data_files.out_of_bounds(name, least, most, number), key)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The track as a drawing, square by square, in rows of equal length."""
        signs = "".join(self.sign(square) for square in range(1, self.squares + 1))
        across = max(n for n in range(1, WIDEST_ROW + 1) if self.squares % n == 0)
        return tuple(signs[n : n + across] for n in range(0, self.squares, across))

    def sign(self, square: int) -> str:
        """The sign of a square: that of the first thing that happens there."""
        if square in self.pays.squares:
            return PAYS_AND_LOSES if square in self.lost_turn else PAYS
        for sign, squares in (
            (EARNS, self.earns.squares),
            (EARNS_BY_LEAP, self.earns.by_leap),
            (LOST_TURN, self.lost_turn),
            (SECOND_THROW, self.second_throw),
        ):
            if square in squares:
                return sign
        return PLAIN

    @cached_property
    def leap_of(self) -> dict[int, Leap]:
        """The leaps by the die's value."""
        return {leap.double: leap for leap in self.leaps}

    @cached_property
    def _black_of_red(self) -> dict[int, int]:
        if isinstance(self.same_squares, tuple):
            return dict(self.same_squares)
        both = self.same_squares
        return {red: both - red for red in range(1, self.squares + 1) if 1 <= both - red <= self.squares}

    @cached_property
    def _red_of_black(self) -> dict[int, int]:
        return {black: red for red, black in self._black_of_red.items()}

    def on_the_others_walk(self, seat: str, square: int) -> int | None:
        """The number of `seat`'s square on the other walk; None where the walks do not meet."""
        return (self._black_of_red if seat == "cat" else self._red_of_black).get(square)


@cache
def board(given: str) -> Board:
    """The board that the option means: the name of a file that comes with the game, or a file's text.

    Raises `UserError` for an unknown name or an invalid board.
    """
    return data_files.read(given, FOLDER, "board", Board)


def drawn_text(name: str, rows: tuple[str, ...], before: str) -> str:
    """A drawn track as the text of a board file called `name`.

    Squares drawn as before keep their effects, and chips, doubles and the square to turn back to stay, up to
    the end of the track: from the text `before`, or else from the board that comes with the game.
    """
    old, signs = board(before or "classic"), "".join(rows)
    last = len(signs)

    def squares_of(squares: tuple[int, ...], *kinds: str) -> list[int]:
        return [
            square
            for square, sign in enumerate(signs, start=1)
            if (square in squares if sign == old.sign(square) else sign in kinds)
        ]

    kept: dict[str, object] = {
        "squares": last,
        "turn_back_to": max(1, last - old.squares + old.turn_back_to),
        "same_squares": old.same_squares if last == old.squares else last + 1,
        "jump_chips": old.jump_chips,
        "lost_turn": squares_of(old.lost_turn, LOST_TURN, PAYS_AND_LOSES),
        "second_throw": squares_of(old.second_throw, SECOND_THROW),
        "leaps": [leap for leap in old.leaps if leap.to <= last],
        "stay": old.stay,
        "pays": {"squares": squares_of(old.pays.squares, PAYS, PAYS_AND_LOSES), "chips": old.pays.chips},
        "earns": {
            "squares": squares_of(old.earns.squares, EARNS),
            "by_leap": squares_of(old.earns.by_leap, EARNS_BY_LEAP),
            "chips": old.earns.chips,
        },
    }
    return "".join(f"{key} = {_toml(msgspec.to_builtins(value))}\n" for key, value in kept.items())


def _toml(value: object) -> str:
    """A value as TOML: numbers, lists, and tables in one line."""
    if isinstance(value, dict):
        parts = (f"{key} = {_toml(part)}" for key, part in value.items() if part is not None)
        return f"{{ {', '.join(parts)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value)


DRAWABLE = Drawable(
    Board,
    FOLDER,
    "drawn",
    (
        Tool(PLAIN, "plain"),
        Tool(PAYS, "pays"),
        Tool(EARNS, "earns"),
        Tool(EARNS_BY_LEAP, "earns-by-leap"),
        Tool(LOST_TURN, "lost-turn"),
        Tool(SECOND_THROW, "second-throw"),
    ),
    drawn_text,
    {PAYS + LOST_TURN: PAYS_AND_LOSES, LOST_TURN + PAYS: PAYS_AND_LOSES},
    numbered=True,
)


def _says(fault: str, **facts: Fact) -> Phrase:
    return Phrase(f"data.{fault}", facts, "cat-and-mouse")
