"""The board as data: how long the walks are, and what each square and each double does.

Boards are TOML files; `data/classic.toml` says what each key means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

import msgspec

from companion.files import Key
from companion.games import data_files
from companion.games.data_files import Fault

FOLDER = Path(__file__).parent / "data"
"""The boards that come with the game."""

MOST_SQUARES = 150
"""Squares of the longest walk: its chances take 3 MB."""

LONGEST_LAST_STRETCH = 24
"""Squares from `turn_back_to` up to the last: they are solved together, which takes 15 MB for 24."""


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

    squares: frozenset[int]
    chips: int


class Earns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Squares where the other pays `chips` to the player who lands (`by_leap`: led there by a double)."""

    squares: frozenset[int]
    by_leap: frozenset[int]
    chips: int


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, eq=False):
    """A board; squares count from 1, 0 is the corner where a counter waits."""

    squares: int
    turn_back_to: int
    same_squares: int | tuple[tuple[int, int], ...]
    jump_chips: int
    leaps: tuple[Leap, ...]
    stay: Stay
    pays: Pays
    earns: Earns
    lost_turn: frozenset[int]
    second_throw: frozenset[int]

    def faults(self) -> Iterator[Fault]:
        """What does not fit together."""
        if not 2 <= self.squares <= MOST_SQUARES:
            yield Fault(f"squares must be 2 to {MOST_SQUARES}, not {self.squares}", ("squares",))
        if not max(1, self.squares - LONGEST_LAST_STRETCH) <= self.turn_back_to < self.squares:
            yield Fault(
                f"turn_back_to must be a square before the last one, at most {LONGEST_LAST_STRETCH} before "
                f"it, not {self.turn_back_to}",
                ("turn_back_to",),
            )
        for key, squares in self._named_squares():
            for square in sorted(squares):
                if not 1 <= square <= self.squares:
                    yield Fault(f"there is no square {square} among 1 to {self.squares}", key)
        for square in sorted(self.lost_turn & self.second_throw):
            yield Fault(f"square {square} cannot both lose a turn and give a second throw", ("second_throw",))
        doubles = [leap.double for leap in self.leaps]
        if len(set(doubles)) < len(doubles):
            yield Fault("a double can lead to one square only", ("leaps",))
        if isinstance(self.same_squares, tuple) and (
            len(self._black_of_red) < len(self.same_squares)
            or len(self._red_of_black) < len(self.same_squares)
        ):
            yield Fault("same_squares names a square twice", ("same_squares",))

    def _named_squares(self) -> Iterator[tuple[Key, Iterable[int]]]:
        """The squares that the file names, each time with the key where they stand."""
        yield ("pays", "squares"), self.pays.squares
        yield ("earns", "squares"), self.earns.squares
        yield ("earns", "by_leap"), self.earns.by_leap
        yield ("lost_turn",), self.lost_turn
        yield ("second_throw",), self.second_throw
        for n, leap in enumerate(self.leaps):
            yield ("leaps", n, "to"), (leap.to,)

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
        """The other walk's number of the square where `seat` stands; None where the walks do not meet."""
        return (self._black_of_red if seat == "cat" else self._red_of_black).get(square)


@cache
def board(given: str) -> Board:
    """The board that the option means: the name of a file that comes with the game, or a file's text.

    Raises `MendableError` when there is none of that name, or when it cannot be used.
    """
    return data_files.read(given, FOLDER, "board", Board)
