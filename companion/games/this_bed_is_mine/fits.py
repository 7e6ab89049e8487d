"""The places where tiles still fit: exact, over every tile, turn and place.

Squares are the bits of one Python int. A row takes `stride` = cols + 1 bits; its last bit is never set, so a
step to the side cannot reach the next row. One AND over a turned shape's squares then gives its places on the
whole bed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

from companion.games.this_bed_is_mine.board import (
    Board,
    Square,
    TileSet,
    cells,
    read_board,
    read_tiles,
    turned,
)
from companion.games.this_bed_is_mine.state import BedOptions, Lay, Owner, Shift, Tile

_BITS = bytes.maketrans(b"01", b"\x00\x01")


@dataclass(frozen=True, slots=True)
class Turned:
    """A digit's shape after some quarter turns, on a bed of a certain size."""

    digit: int
    turns: int
    height: int
    width: int
    cells: tuple[Square, ...]
    steps: tuple[int, ...]
    """The distance of each square from the box's top left, in bits."""
    mask: int
    """The shape's squares with its box at the top left of the bed."""
    boxes: int
    """Every place of the box's top left with the whole box on the bed."""


class Bed:
    """A board and a tile set as bit masks."""

    def __init__(self, board: Board, tiles: TileSet) -> None:
        self.board = board
        self.tiles = tiles
        self.stride = board.cols + 1
        self.squares: tuple[Square, ...] = tuple(
            (row, col) for row in range(board.rows) for col in range(self.stride)
        )
        self.whole = self.mask((row, col) for row in range(board.rows) for col in range(board.cols))
        self.pillows = self.mask(square for pillow in board.pillows for square in pillow)
        self.open = self.whole & ~self.pillows
        self.zone = self.mask(board.zone)
        self.toys = {kind: self.mask(squares) for kind, squares in board.toys.items()}
        self.shapes = {
            digit: tuple(self._turned(digit, rows, turns) for turns in range(4))
            for digit, rows in tiles.shapes.items()
        }
        self.distinct = {digit: _distinct(shapes) for digit, shapes in self.shapes.items()}

    def _turned(self, digit: int, rows: tuple[str, ...], turns: int) -> Turned:
        shape = turned(rows, turns)
        height, width = len(shape), len(shape[0])
        boxes = self.mask(
            (row, col)
            for row in range(self.board.rows - height + 1)
            for col in range(self.board.cols - width + 1)
        )
        squares = cells(shape)
        steps = tuple(row * self.stride + col for row, col in squares)
        return Turned(digit, turns, height, width, squares, steps, sum(1 << step for step in steps), boxes)

    def mask(self, squares: Iterable[Square]) -> int:
        """Squares as a bit mask."""
        bits = 0
        for row, col in squares:
            bits |= 1 << (row * self.stride + col)
        return bits

    def listed(self, mask: int) -> list[Square]:
        """The squares of a bit mask, row by row."""
        return list(compress(self.squares, format(mask, "b")[::-1].encode().translate(_BITS)))

    def holds(self, tile: Tile | Lay | Shift) -> bool:
        """True if the tile's box lies wholly on the bed."""
        shape = self.shapes[tile.digit][tile.turns]
        return (
            0 <= tile.row <= self.board.rows - shape.height and 0 <= tile.col <= self.board.cols - shape.width
        )

    def covered(self, tile: Tile | Lay | Shift) -> int:
        """The squares under a tile that lies wholly on the bed, as a bit mask."""
        return self.shapes[tile.digit][tile.turns].mask << (tile.row * self.stride + tile.col)

    def taken(self, tiles: Iterable[Tile]) -> int:
        """The squares under all of these tiles."""
        bits = 0
        for tile in tiles:
            bits |= self.covered(tile)
        return bits


def _distinct(shapes: tuple[Turned, ...]) -> tuple[Turned, ...]:
    by_mask: dict[int, Turned] = {}
    for shape in shapes:
        by_mask.setdefault(shape.mask, shape)
    return tuple(by_mask.values())


@lru_cache(maxsize=32)
def _bed(board: str, tiles: str) -> Bed:
    return Bed(read_board(board), read_tiles(tiles))


def bed_of(options: BedOptions) -> Bed:
    """The bed of these options, read once. Raises `UserError` for an invalid file."""
    return _bed(options.board, options.tiles)


@dataclass(frozen=True, slots=True)
class FirstTile:
    """The rule for a side's first tile: its digits, and its zone (0 without one)."""

    digits: tuple[int, ...]
    zone: int
    inside: bool

    def allows(self, digit: int, covered: int) -> bool:
        """True if a tile on these squares may be the first."""
        return digit in self.digits and self.in_zone(covered)

    def in_zone(self, covered: int) -> bool:
        """True if these squares keep to the zone."""
        if not self.zone:
            return True
        return not covered & ~self.zone if self.inside else bool(covered & self.zone)


def first_tile_rule(options: BedOptions, owner: Owner) -> FirstTile | None:
    """The rule for the first tile of a side; None without one.

    The cat's is 1, 2, 3 or 4, in the zone; the dog's is bound to the zone alone, and only with
    `dog_first_zone`. On a bed without a zone, any place will do.
    """
    bed = bed_of(options)
    zone = bed.zone if bed.board.side == "A" or options.zone_on_side_b else 0
    if owner == "cat":
        return FirstTile(bed.tiles.first, zone, options.first_zone == "inside")
    if options.dog_first_zone and zone:
        return FirstTile(tuple(bed.tiles.shapes), zone, options.first_zone == "inside")
    return None


def binding(options: BedOptions, tiles: Iterable[Tile], owner: Owner) -> FirstTile | None:
    """The first-tile rule, until a tile of the side has met it."""
    rule = first_tile_rule(options, owner)
    if rule is None:
        return None
    covered = bed_of(options).covered
    met = any(tile.owner == owner and rule.allows(tile.digit, covered(tile)) for tile in tiles)
    return None if met else rule


def left(options: BedOptions, tiles: Iterable[Tile], owner: Owner) -> list[int]:
    """The digits of a side's tiles in hand, ascending."""
    laid = {tile.digit for tile in tiles if tile.owner == owner}
    return [digit for digit in bed_of(options).shapes if digit not in laid]


def places(shape: Turned, free: int) -> int:
    """The places of the shape on the `free` squares, as a bit mask of its box's top left."""
    boxes = shape.boxes
    for step in shape.steps:
        boxes &= free >> step
    return boxes


def fits(options: BedOptions, tiles: tuple[Tile, ...], owner: Owner) -> Iterator[tuple[Turned, int]]:
    """Each shape of the side's tiles in hand that fits somewhere, with its places as a bit mask.

    Turns that cover the same squares come once, with the fewest turns. It does not matter who is in turn or
    out.
    """
    bed = bed_of(options)
    free = bed.open & ~bed.taken(tiles)
    rule = binding(options, tiles, owner)
    touching = 0
    if rule and rule.zone:
        free, touching = (free & rule.zone, 0) if rule.inside else (free, rule.zone)
    for digit in left(options, tiles, owner):
        if rule and digit not in rule.digits:
            continue
        for shape in bed.distinct[digit]:
            boxes = places(shape, free)
            if touching and boxes:
                boxes &= _reaching(shape, touching)
            if boxes:
                yield shape, boxes


def _reaching(shape: Turned, zone: int) -> int:
    boxes = 0
    for step in shape.steps:
        boxes |= zone >> step
    return boxes


def first_fit(options: BedOptions, tiles: tuple[Tile, ...], owner: Owner) -> Lay | None:
    """The first placement of the side, by digit, turns, row and column; None if nothing fits."""
    for shape, boxes in fits(options, tiles, owner):
        row, col = bed_of(options).listed(boxes)[0]
        return Lay(owner, shape.digit, shape.turns, row, col)
    return None


def can_lay(options: BedOptions, tiles: tuple[Tile, ...], owner: Owner) -> bool:
    """True if any tile of the side fits anywhere."""
    return next(fits(options, tiles, owner), None) is not None


def count(options: BedOptions, tiles: tuple[Tile, ...], owner: Owner) -> int:
    """The number of placements of the side."""
    return sum(boxes.bit_count() for _, boxes in fits(options, tiles, owner))


def lays(options: BedOptions, tiles: tuple[Tile, ...], owner: Owner) -> list[Lay]:
    """Every placement of the side, as moves, by digit, turns, row and column."""
    bed = bed_of(options)
    return [
        Lay(owner, shape.digit, shape.turns, row, col)
        for shape, boxes in fits(options, tiles, owner)
        for row, col in bed.listed(boxes)
    ]
