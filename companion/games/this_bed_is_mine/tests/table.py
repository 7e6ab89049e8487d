"""Matches written down in the game's notation (`c4+1@6,3`), and counts without bit masks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import pytest

from companion.errors import MoveError
from companion.games.this_bed_is_mine.board import Board, Square, cells, read_board, read_tiles, turned
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import (
    BedMove,
    BedOptions,
    BedState,
    Finish,
    Lay,
    Owner,
    Shift,
    Tile,
)


def bed(*rows: str, side: str = "A") -> str:
    """A board file's text from its drawing."""
    return f'name = "test"\nside = "{side}"\nbed = {list(rows)}\n'


def tile_set(shapes: Mapping[int, Sequence[str]], first: Sequence[int] = (1, 2, 3, 4)) -> str:
    """A tile set file's text."""
    drawn = "".join(f"{digit} = {list(rows)}\n" for digit, rows in shapes.items())
    return f"first = {list(first)}\n[shapes]\n{drawn}"


def bars(*lengths: int) -> str:
    """A tile set of straight tiles: digit 1 is as long as the first of `lengths` says, and so on."""
    return tile_set({digit: ["#" * length] for digit, length in enumerate(lengths, start=1)})


def start(**options: object) -> BedState:
    """A match at its start."""
    return GAME.start(GAME.options(options), seats=2)


def tiles(written: str) -> tuple[Tile, ...]:
    """Tiles that lie, as they are written down."""
    move = GAME.parse(f"end {written}".rstrip())
    assert isinstance(move, Finish)
    return move.tiles


def lays(written: str) -> list[Lay]:
    """The moves written down, apart by spaces."""
    moves = [GAME.parse(word) for word in written.split()]
    return [move for move in moves if isinstance(move, Lay)]


def shift(written: str) -> Shift:
    """The correction that puts a tile where it is written down."""
    move = GAME.parse(written.replace("@", ">"))
    assert isinstance(move, Shift)
    return move


def played(state: BedState, written: str) -> BedState:
    """The state after laying the tiles written down."""
    for move in lays(written):
        state = GAME.play(state, move)
    return state


def refused(state: BedState, move: BedMove | str) -> MoveError:
    """The error that a move meets; the state must be as it was."""
    before = repr(state)
    with pytest.raises(MoveError) as caught:
        GAME.play(state, lays(move)[0] if isinstance(move, str) else move)
    assert repr(state) == before
    return caught.value


# What follows reckons with sets of squares, one by one, so that bit masks are checked by other means.


board_of, tiles_of = cache(read_board), cache(read_tiles)


def covered(options: BedOptions, tile: Tile | Lay) -> frozenset[Square]:
    """The squares under a tile, on the bed or not."""
    shape = turned(tiles_of(options.tiles).shapes[tile.digit], tile.turns)
    return frozenset((tile.row + row, tile.col + col) for row, col in cells(shape))


def open_squares(board: Board) -> set[Square]:
    """The squares that are no pillow."""
    pillows = {square for pillow in board.pillows for square in pillow}
    return {(row, col) for row in range(board.rows) for col in range(board.cols)} - pillows


def free_squares(options: BedOptions, lying: Iterable[Tile]) -> set[Square]:
    """The squares that neither a pillow nor a tile covers."""
    under: set[Square] = set()
    for tile in lying:
        under |= covered(options, tile)
    return open_squares(board_of(options.board)) - under


def beside(square: Square, *, corners: bool = False) -> set[Square]:
    """The squares that share an edge (or a corner) with a square."""
    row, col = square
    near = {(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)}
    if corners:
        near |= {(row - 1, col - 1), (row - 1, col + 1), (row + 1, col - 1), (row + 1, col + 1)}
    return near


def flooded(free: set[Square]) -> list[set[Square]]:
    """Regions by walking from square to square, in the order of each one's first square."""
    left, regions = set(free), []
    while left:
        region, waiting = set[Square](), [min(left)]
        while waiting:
            square = waiting.pop()
            if square in left:
                left.remove(square)
                region.add(square)
                waiting += beside(square)
        regions.append(region)
    return regions


def placements(
    options: BedOptions, lying: Sequence[Tile], owner: Owner
) -> set[tuple[int, frozenset[Square]]]:
    """Every (digit, squares) that a side could lay, its first tile's zone aside, by trying each place."""
    board, shapes = board_of(options.board), tiles_of(options.tiles).shapes
    free = free_squares(options, lying)
    laid = {tile.digit for tile in lying if tile.owner == owner}
    placed = set()
    for digit in set(shapes) - laid:
        for turns in range(4):
            for row in range(board.rows):
                for col in range(board.cols):
                    under = covered(options, Tile(owner, digit, turns, row, col))
                    if under <= free:
                        placed.add((digit, under))
    return placed
