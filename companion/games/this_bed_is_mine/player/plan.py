"""A bed made ready for the search: every placement of every tile, and the placements that exclude each other.

A placement is a number. Sets of placements and sets of squares are the bits of one Python int, as in `fits`.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_

from companion.games.this_bed_is_mine.fits import Bed, bed_of, first_tile_rule
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions, Lay, Owner, Tile

MOST_PLACEMENTS = 12_000
"""The most placements of a plan: 18 MB of exclusions. The bed of the box has 3,288."""

MOST_DIGITS = 10

WORD = 64


class Plan:
    """All placements on one bed.

    `lays`: digit, turns, row and column of each number; each digit begins a word of 64 bits, and None fills
    the rest of its last one. `starts`: the first word of each digit, and the end. `masks`: the squares under
    each placement; `beside`: those that it touches for the score. `excluded`: the placements that overlap it,
    and itself.
    """

    def __init__(self, options: BedOptions) -> None:
        self.options, self.bed = options, bed_of(options)
        self.digits = tuple(self.bed.tiles.shapes)
        self.lays, self.starts = self._numbered()
        self.number = {lay: number for number, lay in enumerate(self.lays) if lay}
        self.masks = [self._mask(lay) for lay in self.lays]
        corners = options.touch == "edge-or-corner"
        self.beside = [_around(self.bed, mask, corners=corners) for mask in self.masks]
        self.digit_of = [n for n, start in enumerate(self.starts[:-1]) for _ in range(self._length(n, start))]
        self.of_digit = [
            ((1 << self._length(n, start)) - 1) << start * WORD for n, start in enumerate(self.starts[:-1])
        ]
        self.excluded = self._excluded()
        self._of_hand: dict[int, int] = {}
        self.real = sum(1 << number for number in self.number.values())
        self.toys = [mask for _, mask in sorted(self.bed.toys.items()) if mask]
        self.first = tuple(self._first(owner) for owner in OWNERS)

    def _length(self, digit: int, start: int) -> int:
        return (self.starts[digit + 1] - start) * WORD

    def _numbered(self) -> tuple[list[tuple[int, int, int, int] | None], list[int]]:
        lays: list[tuple[int, int, int, int] | None] = []
        starts = [0]
        for digit in self.digits:
            for shape in self.bed.distinct[digit]:
                boxes = self.bed.listed(_on(self.bed, shape.boxes, shape.steps))
                lays += [(shape.digit, shape.turns, row, col) for row, col in boxes]
            lays += [None] * (-len(lays) % WORD)
            starts.append(len(lays) // WORD)
        return lays, starts

    def _mask(self, lay: tuple[int, int, int, int] | None) -> int:
        if lay is None:
            return 0
        digit, turns, row, col = lay
        return self.bed.shapes[digit][turns].mask << (row * self.bed.stride + col)

    def _excluded(self) -> list[int]:
        covering: dict[int, int] = {}
        squares = [bits_of(mask) for mask in self.masks]
        for number, covered in enumerate(squares):
            for square in covered:
                covering[square] = covering.get(square, 0) | 1 << number
        excluded = []
        for covered in squares:
            overlapping = 0
            for square in covered:
                overlapping |= covering[square]
            excluded.append(overlapping)
        return excluded

    def of_hand(self, digits: int) -> int:
        """The placements of some digits, as bits."""
        placements = self._of_hand.get(digits)
        if placements is None:
            some = [of_digit for n, of_digit in enumerate(self.of_digit) if digits >> n & 1]
            placements = self._of_hand[digits] = reduce(or_, some, 0)
        return placements

    def _first(self, owner: Owner) -> int:
        """The placements that the rule for the owner's first tile allows; all without one."""
        rule = first_tile_rule(self.options, owner)
        return sum(
            1 << number
            for (digit, *_), number in self.number.items()
            if rule is None or rule.allows(digit, self.masks[number])
        )

    def number_of(self, tile: Tile | Lay) -> int:
        """The number of the placement that covers a tile's squares, whatever turns were recorded."""
        shape = self.bed.shapes[tile.digit][tile.turns]
        turns = next(same.turns for same in self.bed.distinct[tile.digit] if same.mask == shape.mask)
        return self.number[tile.digit, turns, tile.row, tile.col]

    def move(self, owner: Owner, number: int) -> Lay:
        """A placement as a move."""
        lay = self.lays[number]
        assert lay is not None, "only placements that exist are ever possible"
        return Lay(owner, *lay)


def bits_of(mask: int) -> list[int]:
    """The places of the bits of a mask, ascending.

    >>> bits_of(0b1001)
    [0, 3]
    """
    bits = []
    while mask:
        lowest = mask & -mask
        bits.append(lowest.bit_length() - 1)
        mask ^= lowest
    return bits


def _on(bed: Bed, boxes: int, steps: tuple[int, ...]) -> int:
    """The places on the empty bed, as a bit mask of each box's top left."""
    for step in steps:
        boxes &= bed.open >> step
    return boxes


def _around(bed: Bed, mask: int, *, corners: bool) -> int:
    """The squares beside these, along edges or at corners too."""
    sideways = mask | mask << 1 | mask >> 1
    up_and_down = sideways if corners else mask
    return (sideways | up_and_down << bed.stride | up_and_down >> bed.stride) & bed.whole & ~mask


@lru_cache(maxsize=2)
def plan_of(options: BedOptions) -> Plan | None:
    """The plan of a bed; None if the bed or the tile set is too large for one."""
    bed = bed_of(options)
    shapes = [shape for shapes in bed.distinct.values() for shape in shapes]
    most = sum(_on(bed, shape.boxes, shape.steps).bit_count() for shape in shapes)
    small = bed.stride < WORD and most <= MOST_PLACEMENTS and len(bed.distinct) <= MOST_DIGITS
    return Plan(options) if small else None
