"""Tile sets: the shape of each digit, made of whole squares, as the printed face shows it.

A tile may be turned, never flipped: the printed face must be up (rulebook, "進行遊戲").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from companion.games import data_files
from companion.games.data_files import Fault
from companion.games.this_bed_is_mine.board import Square
from companion.messages import Fact, Phrase

FOLDER = Path(__file__).with_name("data") / "tiles"
"""The tile sets that come with the game."""

FILLED, EMPTY = "#", "."
"""The signs of a drawn tile: a square of it, and none."""

LARGEST_DIGIT = 99
"""The largest digit that a tile may bear."""


class TileSetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a tile set file."""

    shapes: dict[str, tuple[str, ...]]
    first: tuple[int, ...] = (1, 2, 3, 4)
    name: str = ""

    def faults(self) -> Iterator[Fault]:
        """What is wrong with the drawings, and with what the first tile may be."""
        for key, rows in self.shapes.items():
            if not (
                key.isascii() and key.isdigit() and key == str(int(key)) and 1 <= int(key) <= LARGEST_DIGIT
            ):
                yield Fault(_says("digit", field=key, most=LARGEST_DIGIT), ("shapes", key))
            yield from _shape_faults(key, rows)
        if not self.shapes:
            yield Fault(_says("no-tile"), ("shapes",))
        for n, digit in enumerate(self.first):
            if digit in self.first[:n]:
                yield Fault(_says("first-twice", digit=digit), ("first", n), slip=True)
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
    """By digit, the drawing of its tile unturned: `#` a square of the tile, `.` none."""
    first: tuple[int, ...]
    """The digits that the cat may begin with."""


def read_tiles(given: str) -> TileSet:
    """The tile set of an option's value: a name, a path, or the text of a tile set file.

    A text is that of a match, which may be kept with slips in it. Raises `MendableError` with one sentence
    that names the file and the line of the fault.
    """
    file = data_files.find(given, FOLDER, "tile set")
    keys = file.parse(TileSetFile, slips="\n" in given)
    shapes = {int(digit): rows for digit, rows in keys.shapes.items()}
    first = tuple(sorted(set(keys.first) & set(shapes)))
    return TileSet(keys.name or file.name, dict(sorted(shapes.items())), first)


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
    """Shapes as the text of a tile set file: for tiles that were taught or came with photographs."""
    quoted = msgspec.json.encode(name).decode()
    drawn = "".join(f"{digit} = {list(rows)}\n".replace("'", '"') for digit, rows in shapes.items())
    return f"name = {quoted}\nfirst = {list(first)}\n\n[shapes]\n{drawn}"


def _says(fault: str, **facts: Fact) -> Phrase:
    return Phrase(f"data.{fault}", facts, "this-bed-is-mine")
