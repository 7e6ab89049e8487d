"""The bed: its squares, the zone for the first tile, the pillows and the pictures of toys.

A bed is one drawing in a TOML file, one sign a square (`data/boards/a.toml` explains the signs).
Squares are `(row, col)`, counted from 0 at the top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from companion.games import data_files
from companion.games.data_files import Drawable, Fault, Tool
from companion.messages import Phrase

FOLDER = Path(__file__).with_name("data") / "boards"
"""The boards that come with the game."""

Square = tuple[int, int]
"""(row, col), from 0 at the top left."""

TOYS = ("bone", "mouse", "yarn")
"""The kinds of toys, in the order of the rulebook."""

LARGEST_SIDE_SQUARES = 100
"""The longest side of a bed; a table that is larger has no use for a tile of five squares."""

PLAIN, IN_ZONE = ".", "+"
"""The signs of a plain square, outside the zone for the first tile and inside it."""
PILLOWS = "123456789"
"""The signs of the pillows, a digit each."""
TOY_SIGNS = {"bone": ("b", "B"), "mouse": ("m", "M"), "yarn": ("y", "Y")}
"""A toy's sign outside the zone for the first tile, and inside it."""

ON_SIDE_B = PILLOWS + "bBmMyY"
"""The signs that a bed of side A cannot have."""

SIGNS = PLAIN + IN_ZONE + ON_SIDE_B
"""Every sign of a drawing."""


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a board file."""

    side: Literal["A", "B"]
    bed: tuple[str, ...]
    name: str = ""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the drawing."""
        drawn = list(data_files.drawing_faults(("bed",), self.bed, SIGNS))
        yield from drawn
        if drawn:
            return
        if max(len(self.bed), len(self.bed[0])) > LARGEST_SIDE_SQUARES:
            yield Fault(data_files.too_long("bed", LARGEST_SIDE_SQUARES), ("bed",))
        if self.side == "A" and set("".join(self.bed)) & set(ON_SIDE_B):
            yield Fault(Phrase("data.side-b", game="this-bed-is-mine"), ("side",))


class Board(msgspec.Struct, frozen=True):
    """A bed, in squares."""

    name: str
    side: Literal["A", "B"]
    rows: int
    cols: int
    zone: tuple[Square, ...] = ()
    """Where the first tile must lie."""
    pillows: tuple[tuple[Square, ...], ...] = ()
    """The squares of each pillow."""
    toys: dict[str, tuple[Square, ...]] = {}
    """The squares with a picture of each kind of toy."""


def read_board(given: str) -> Board:
    """The board of an option's value: a name, a path, or the text of a board file.

    Raises `MendableError` with one sentence that names the file and the line of the fault.
    """
    file = data_files.find(given, FOLDER, "board")
    return _drawn(file.parse(BoardFile), file.name)


def _drawn(keys: BoardFile, name: str) -> Board:
    signs = [((row, col), sign) for row, line in enumerate(keys.bed) for col, sign in enumerate(line)]
    toys_in_zone = "".join(inside for _, inside in TOY_SIGNS.values())
    return Board(
        name=keys.name or name,
        side=keys.side,
        rows=len(keys.bed),
        cols=len(keys.bed[0]),
        zone=tuple(square for square, sign in signs if sign in IN_ZONE + toys_in_zone),
        pillows=tuple(
            tuple(square for square, sign in signs if sign == pillow)
            for pillow in PILLOWS
            if any(sign == pillow for _, sign in signs)
        ),
        toys={
            kind: tuple(square for square, sign in signs if sign in outside_inside)
            for kind, outside_inside in TOY_SIGNS.items()
        },
    )


def board_text(board: Board) -> str:
    """A board as the text of a board file: for boards that were taught or came with photographs."""
    drawing = [[PLAIN] * board.cols for _ in range(board.rows)]
    _draw(drawing, board.zone, IN_ZONE)
    for kind, squares in board.toys.items():
        outside, inside = TOY_SIGNS[kind]
        for row, col in squares:
            drawing[row][col] = inside if drawing[row][col] == IN_ZONE else outside
    for number, pillow in enumerate(board.pillows):
        _draw(drawing, pillow, PILLOWS[number % len(PILLOWS)])
    return data_files.drawing_text("bed", map("".join, drawing), name=board.name, side=board.side)


def drawn_text(name: str, rows: tuple[str, ...], before: str) -> str:
    """A drawing as the text of a board file: a bed with pillows or toys is one of side B."""
    side = "B" if set("".join(rows)) & set(ON_SIDE_B) else "A"
    return data_files.drawing_text("bed", rows, name=name, side=side)


def _draw(drawing: list[list[str]], squares: Iterable[Square], sign: str) -> None:
    for row, col in squares:
        drawing[row][col] = sign


def _blends() -> dict[str, str]:
    """A toy that is drawn in the zone stays in it, and so does one over which the zone is drawn."""
    outside, inside = zip(*TOY_SIGNS.values(), strict=True)
    toys = dict(zip(outside, inside, strict=True))
    drawn_in_zone = {there + toy: toys[toy] for there in (IN_ZONE, *inside) for toy in outside}
    return {**drawn_in_zone, **{toy + IN_ZONE: toys[toy.lower()] for toy in (*outside, *inside)}}


DRAWABLE = Drawable(
    BoardFile,
    FOLDER,
    "bed",
    (
        Tool(PLAIN, "plain"),
        Tool(IN_ZONE, "zone"),
        *(Tool(sign, "pillow") for sign in PILLOWS[:3]),
        *(Tool(outside, toy) for toy, (outside, _) in TOY_SIGNS.items()),
    ),
    drawn_text,
    _blends(),
)
"""How a bed is drawn on a page: with three pillows, as the printed bed has them."""
