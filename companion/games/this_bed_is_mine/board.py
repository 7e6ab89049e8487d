"""The data files: beds, and the sets of number tiles.

A bed is a drawing in a TOML file, one sign a square (`data/boards/a.toml` explains the signs). A tile
set has each digit's shape, in whole squares, as the printed face shows it: a tile may be turned,
never flipped (rulebook, "進行遊戲").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from companion.games import data_files
from companion.games.data_files import Drawable, Fault, Tool
from companion.messages import Fact, Phrase, plain_name

BOARDS = Path(__file__).with_name("data") / "boards"

TILES = BOARDS.with_name("tiles")

Square = tuple[int, int]
"""(row, col), from 0 at the top left."""

TOYS = ("bone", "mouse", "yarn")
"""In the order of the rulebook."""

LARGEST_SIDE_SQUARES = 100

PLAIN, IN_ZONE = ".", "+"
"""A plain square, outside the zone for the first tile and inside it."""
PILLOWS = "123456789"
"""A digit for each pillow."""
TOY_SIGNS = {"bone": ("b", "B"), "mouse": ("m", "M"), "yarn": ("y", "Y")}
"""A toy's sign outside the zone for the first tile, and inside it."""

ON_SIDE_B = PILLOWS + "bBmMyY"
"""Signs that only a bed of side B can have."""

SIGNS = PLAIN + IN_ZONE + ON_SIDE_B


class BoardFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a board file."""

    side: Literal["A", "B"]
    bed: tuple[str, ...]
    name: str = ""

    def faults(self) -> Iterator[Fault]:
        drawn = list(data_files.drawing_faults(("bed",), self.bed, SIGNS))
        yield from drawn
        if drawn:
            return
        if max(len(self.bed), len(self.bed[0])) > LARGEST_SIDE_SQUARES:
            yield Fault(data_files.too_long("bed", LARGEST_SIDE_SQUARES), ("bed",))
        if self.side == "A" and set("".join(self.bed)) & set(ON_SIDE_B):
            yield Fault(_says("side-b"), ("side",))


class Board(msgspec.Struct, frozen=True):
    """A bed, in squares."""

    name: str
    side: Literal["A", "B"]
    rows: int
    cols: int
    zone: tuple[Square, ...] = ()
    """The squares for the first tile."""
    pillows: tuple[tuple[Square, ...], ...] = ()
    toys: dict[str, tuple[Square, ...]] = {}
    """The squares with a picture, by kind of toy."""


def read_board(given: str) -> Board:
    """The board that an option means: a name, a path, or the text of a board file.

    Raises `UserError` with the file and the line of the fault.
    """
    file = data_files.find(given, BOARDS, "board")
    keys, name = file.parse(BoardFile), file.name
    signs = [((row, col), sign) for row, line in enumerate(keys.bed) for col, sign in enumerate(line)]
    toys_in_zone = "".join(inside for _, inside in TOY_SIGNS.values())
    return Board(
        name=plain_name(keys.name) or name,
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
    """A board as the text of a board file."""
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
    """Keep a toy in the zone, whichever is drawn first."""
    outside, inside = zip(*TOY_SIGNS.values(), strict=True)
    toys = dict(zip(outside, inside, strict=True))
    drawn_in_zone = {there + toy: toys[toy] for there in (IN_ZONE, *inside) for toy in outside}
    return {**drawn_in_zone, **{toy + IN_ZONE: toys[toy.lower()] for toy in (*outside, *inside)}}


DRAWABLE = Drawable(
    BoardFile,
    BOARDS,
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
"""The drawing of a bed on a page, with three pillows like the printed bed."""

FILLED, EMPTY = "#", "."

LARGEST_DIGIT = 99


class TileSetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a tile set file."""

    shapes: dict[str, tuple[str, ...]]
    first: tuple[int, ...] = (1, 2, 3, 4)
    name: str = ""

    def faults(self) -> Iterator[Fault]:
        for key, rows in self.shapes.items():
            if not re.fullmatch("[1-9][0-9]?", key):
                yield Fault(_says("digit", field=key, most=LARGEST_DIGIT), ("shapes", key))
            yield from _shape_faults(key, rows)
        if not self.shapes:
            yield Fault(_says("no-tile"), ("shapes",))
        for n, digit in enumerate(self.first):
            if digit in self.first[:n]:
                yield Fault(_says("first-twice", digit=digit), ("first",))
        if not {str(digit) for digit in self.first} & self.shapes.keys():
            yield Fault(_says("first-none"), ("first",))


def _shape_faults(key: str, rows: tuple[str, ...]) -> Iterator[Fault]:
    where = ("shapes", key)
    drawn = list(data_files.drawing_faults(where, rows, FILLED + EMPTY))
    yield from drawn
    if drawn:
        return
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    if any(FILLED not in edge for edge in (rows[0], rows[-1], columns[0], columns[-1])):
        yield Fault(_says("shape-edge", field=key), where)
    elif not _in_one_piece(cells(rows)):
        yield Fault(_says("shape-pieces", field=key), where)


class TileSet(msgspec.Struct, frozen=True):
    """The number tiles of a side; both sides have the same."""

    name: str
    shapes: dict[int, tuple[str, ...]]
    """Each digit's drawing, unturned."""
    first: tuple[int, ...]
    """The digits that the cat may begin with."""


def read_tiles(given: str) -> TileSet:
    """The tile set that an option means: a name, a path, or the text of a tile set file.

    Raises `UserError` with the file and the line of the fault.
    """
    file = data_files.find(given, TILES, "tile set")
    keys = file.parse(TileSetFile)
    shapes = {int(digit): rows for digit, rows in keys.shapes.items()}
    first = tuple(sorted(set(keys.first) & set(shapes)))
    return TileSet(plain_name(keys.name) or file.name, dict(sorted(shapes.items())), first)


def _in_one_piece(squares: tuple[Square, ...]) -> bool:
    left = set(squares)
    waiting = [left.pop()]
    while waiting:
        row, col = waiting.pop()
        near = {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)} & left
        left -= near
        waiting += near
    return not left


def cells(rows: Sequence[str]) -> tuple[Square, ...]:
    """The squares of a drawn tile, from the top left of its box."""
    return tuple(
        (row, col) for row, line in enumerate(rows) for col, sign in enumerate(line) if sign == FILLED
    )


def turned(rows: tuple[str, ...], turns: int) -> tuple[str, ...]:
    """A drawn tile after `turns` quarter turns clockwise."""
    for _ in range(turns):
        rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
    return rows


def tiles_text(name: str, shapes: Mapping[int, Sequence[str]], first: Sequence[int] = (1, 2, 3, 4)) -> str:
    """Shapes as the text of a tile set file."""
    quoted = msgspec.json.encode(name).decode()
    drawn = "".join(f"{digit} = {list(rows)}\n".replace("'", '"') for digit, rows in shapes.items())
    return f"name = {quoted}\nfirst = {list(first)}\n\n[shapes]\n{drawn}"


def _says(fault: str, **facts: Fact) -> Phrase:
    return Phrase(f"data.{fault}", facts, "this-bed-is-mine")
