"""The parts of a match as data: the kitchen's squares, the bag of slabs, the two dice.

A square is (row, col), counted from 0 at the top left. A set of squares is also a number with a bit for each
(`Kitchen.bit`), so that a step is taken from all squares at once (`reach`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from companion.games import data_files
from companion.games.data_files import Drawable, Fault, Tool
from companion.messages import Fact, Phrase

T = TypeVar("T")

FOLDER = Path(__file__).parent / "data"

SIGNS = "oT."
"""A mouse hole, a square under the table, any other."""

Square = tuple[int, int]
"""Row and column, from 0."""

Side = Literal["mice", "cat"]

SIDES: tuple[Side, Side] = ("mice", "cat")
"""The mice first."""

Slab = Literal["cheese", "crockery", "plus-1", "plus-2", "arrow", "fork", "knife"]

SLABS: tuple[Slab, ...] = ("cheese", "crockery", "plus-1", "plus-2", "arrow", "fork", "knife")
"""In the order of the rulebook."""

BONUS: dict[Slab, int] = {"plus-1": 1, "plus-2": 2}

MOST_MICE = 4

MOST_SQUARES_A_SIDE = 12

MOST_OF_A_SLAB = 150
"""More than the largest kitchen has squares."""

HIGHEST_FACE = 6
"""The camera counts pips, up to 6."""

MOST_FACES = 20

COLOURS = ("white", "grey", "black", "red", "blue", "green", "yellow")


class Kitchen(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, eq=False):
    """The board: a drawing of its squares (`data/boards/middle.toml` explains the signs)."""

    squares: tuple[str, ...]

    def faults(self) -> Iterator[Fault]:
        drawn = list(data_files.drawing_faults(("squares",), self.squares, SIGNS))
        yield from drawn
        if drawn:
            return
        if max(self.rows, self.cols) > MOST_SQUARES_A_SIDE:
            yield Fault(data_files.too_long("squares", MOST_SQUARES_A_SIDE), ("squares",))
        if not 1 <= len(self.holes) <= MOST_MICE:
            yield Fault(_says("holes", count=len(self.holes), most=MOST_MICE), ("squares",))
        if not self.table:
            yield Fault(_says("no-table"), ("squares",))

    @cached_property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.squares)

    @cached_property
    def cols(self) -> int:
        """The number of columns."""
        return len(self.squares[0])

    @cached_property
    def holes(self) -> tuple[Square, ...]:
        """The mouse holes, row by row; mouse 1 begins in the first."""
        return self._marked("o")

    @cached_property
    def table(self) -> frozenset[Square]:
        """The squares under the table."""
        return frozenset(self._marked("T"))

    @cached_property
    def slabs(self) -> tuple[Square, ...]:
        """The squares with a slab at the start: all but the holes, those under the table too."""
        return tuple(square for square in self.all_squares if square not in self.holes)

    @cached_property
    def all_squares(self) -> tuple[Square, ...]:
        """Every square, row by row."""
        return tuple((row, col) for row in range(self.rows) for col in range(self.cols))

    def fronts(self, hole: Square) -> tuple[Square, ...]:
        """The squares in front of a hole, away from the board's edge (two at a corner)."""
        beside = [(hole[0] + down, hole[1] + right) for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1))]
        inside = set(self.all_squares)
        away = [
            (row, col)
            for row, col in beside
            if (row, col) in inside and (2 * hole[0] - row, 2 * hole[1] - col) not in inside
        ]
        return tuple(away or (square for square in beside if square in inside))

    # As bits. Each row ends with an empty column, so that no step leads around it.

    @cached_property
    def stride(self) -> int:
        """The bits from a square to the one below it."""
        return self.cols + 1

    def bit(self, square: Square) -> int:
        """The bit of a square."""
        return 1 << (square[0] * self.stride + square[1])

    def square(self, bit: int) -> Square:
        """The square of a bit."""
        return self.squares_by_bit[bit]

    @cached_property
    def squares_by_bit(self) -> dict[int, Square]:
        """Every square by its bit."""
        return {self.bit(square): square for square in self.all_squares}

    def mask(self, squares: Iterable[Square]) -> int:
        """The bits of squares."""
        bits = 0
        for square in squares:
            bits |= self.bit(square)
        return bits

    def squares_of(self, mask: int) -> Iterator[Square]:
        """The squares of a mask, row by row."""
        while mask:
            low = mask & -mask
            yield self.square(low)
            mask ^= low

    @cached_property
    def board_mask(self) -> int:
        """Every square."""
        return self.mask(self.all_squares)

    @cached_property
    def table_mask(self) -> int:
        """The squares under the table, as a mask."""
        return self.mask(self.table)

    @cached_property
    def holes_mask(self) -> int:
        """The mouse holes."""
        return self.mask(self.holes)

    def _marked(self, sign: str) -> tuple[Square, ...]:
        return tuple(
            (row, col)
            for row, line in enumerate(self.squares)
            for col, mark in enumerate(line)
            if mark == sign
        )


class Bag(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab", eq=False):
    """The number of slabs of each kind."""

    cheese: int
    crockery: int
    plus_1: int
    plus_2: int
    arrow: int
    fork: int
    knife: int

    def faults(self) -> Iterator[Fault]:
        for slab in SLABS:
            if not 0 <= self.count_of(slab) <= MOST_OF_A_SLAB:
                yield Fault(data_files.out_of_bounds(slab, 0, MOST_OF_A_SLAB, self.count_of(slab)), (slab,))
        if self.cheese < 1:
            yield Fault(_says("no-cheese"), ("cheese",))

    def count_of(self, slab: Slab) -> int:
        """The number of slabs of this kind."""
        count: int = getattr(self, slab.replace("-", "_"))
        return count

    @property
    def slabs(self) -> int:
        """The number of all slabs."""
        return sum(map(self.count_of, SLABS))


class SideDie(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side's die: its colour, by which it is recognised, and the values of its faces."""

    colour: str
    faces: tuple[int, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """Its different values."""
        return tuple(sorted(set(self.faces)))


class TwoDice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, eq=False):
    """The die of each side."""

    mice: SideDie
    cat: SideDie

    def faults(self) -> Iterator[Fault]:
        for name, die in (("mice", self.mice), ("cat", self.cat)):
            if not 1 <= len(die.faces) <= MOST_FACES:
                says = _says("faces-number", field=f"{name}.faces", most=MOST_FACES, count=len(die.faces))
                yield Fault(says, (name, "faces"))
            for face in die.faces:
                if not 1 <= face <= HIGHEST_FACE:
                    says = _says("face", field=f"{name}.faces", most=HIGHEST_FACE, given=face)
                    yield Fault(says, (name, "faces"))
            if die.colour not in COLOURS:
                says = _says("die-colour", field=f"{name}.colour", colours=COLOURS, given=repr(die.colour))
                yield Fault(says, (name, "colour"))
        if self.mice.colour == self.cat.colour:
            yield Fault(_says("dice-alike"), ("cat", "colour"))

    def die_of(self, side: Side) -> SideDie:
        """The die of a side."""
        return self.mice if side == "mice" else self.cat


@cache
def kitchen(given: str) -> Kitchen:
    """The kitchen of the option `board`. Raises `UserError`."""
    return data_files.read(given, FOLDER / "boards", "board", Kitchen)


@cache
def bag(given: str) -> Bag:
    """The bag of the option `bag`. Raises `UserError`."""
    return data_files.read(given, FOLDER / "bags", "bag", Bag)


@cache
def two_dice(given: str) -> TwoDice:
    """The dice of the option `dice`. Raises `UserError`."""
    return data_files.read(given, FOLDER / "dice", "dice", TwoDice)


def changed(values: tuple[T, ...], number: int, *, to: T) -> tuple[T, ...]:
    """The values with one of them changed."""
    return (*values[:number], to, *values[number + 1 :])


def drawn_text(name: str, rows: tuple[str, ...], before: str) -> str:
    """A drawing as the text of a board file called `name`."""
    return data_files.drawing_text("squares", rows)


DRAWABLE = Drawable(
    Kitchen,
    FOLDER / "boards",
    "squares",
    (Tool(".", "floor"), Tool("o", "hole"), Tool("T", "table")),
    drawn_text,
)


def _says(fault: str, **facts: Fact) -> Phrase:
    return Phrase(f"data.{fault}", facts, "chop-chop")
