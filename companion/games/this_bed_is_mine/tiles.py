"""Tile sets: the shape of each digit, made of whole squares, as the printed face shows it.

A tile may be turned, never flipped: the printed face must be up (rulebook, "進行遊戲").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from companion.games.this_bed_is_mine import datafile
from companion.games.this_bed_is_mine.board import Square

FILLED, EMPTY = "#", "."

LARGEST_DIGIT = 99


class TileSetFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a tile set file."""

    shapes: dict[str, tuple[str, ...]]
    first: tuple[int, ...] = (1, 2, 3, 4)
    name: str = ""


class TileSet(msgspec.Struct, frozen=True):
    """The number tiles of a side; both sides have the same."""

    name: str
    shapes: dict[int, tuple[str, ...]]
    """By digit, the drawing of its tile unturned: `#` a square of the tile, `.` none."""
    first: tuple[int, ...]
    """The digits that the cat may begin with."""


def read_tiles(given: str) -> TileSet:
    """The tile set of an option's value: a name, a path, or the text of a tile set file.

    Raises `MendableError` with one sentence that names the file and the place of the fault.
    """
    source = datafile.find("tiles", "tile set", given)
    keys = datafile.parse(source, TileSetFile)
    shapes = {_digit(source, key): _shape(source, key, rows) for key, rows in keys.shapes.items()}
    if not shapes:
        raise datafile.fault(source, "`shapes` has no tile; draw at least one")
    first = tuple(sorted(set(keys.first) & set(shapes)))
    if not first:
        raise datafile.fault(source, "`first` names none of the digits in `shapes`")
    return TileSet(keys.name or source.name, dict(sorted(shapes.items())), first)


def _digit(source: datafile.Source, key: str) -> int:
    if not (key.isascii() and key.isdigit() and key == str(int(key)) and 1 <= int(key) <= LARGEST_DIGIT):
        raise datafile.fault(source, f"`shapes.{key}` is not a number from 1 to {LARGEST_DIGIT}")
    return int(key)


def _shape(source: datafile.Source, key: str, rows: tuple[str, ...]) -> tuple[str, ...]:
    name = f"shapes.{key}"
    datafile.check_drawing(source, name, rows, FILLED + EMPTY)
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    if any(FILLED not in edge for edge in (rows[0], rows[-1], columns[0], columns[-1])):
        raise datafile.fault(source, f"`{name}` has an empty row or column at its edge; cut it off")
    if not _in_one_piece(cells(rows)):
        raise datafile.fault(source, f"`{name}` is in pieces; every square must touch the next along an edge")
    return rows


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
