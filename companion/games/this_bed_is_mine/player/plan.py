"""A bed made ready for the search: every placement of every tile, and the placements that exclude each other.

A placement is a number, an index into arrays. The possible placements of a position are one bit each, in
words of 64 bits. Laying one takes away those that overlap it: one AND with a row of `excluded`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion.games.this_bed_is_mine.fits import Bed, bed_of, first_tile_rule
from companion.games.this_bed_is_mine.player.regions import outlines_of
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions, Lay, Owner

Words = NDArray[np.uint64]
Squares = NDArray[np.bool_]

MOST_PLACEMENTS = 12_000
"""The most placements of a plan: 18 MB of exclusions. The bed of the box has 3,288."""

MOST_DIGITS = 10
"""The most tiles of a side in a plan: the table of sums has an entry for each set of tiles."""

WORD = 64

CHUNK = 128


class Plan:
    """All placements on one bed. Squares are numbered row by row."""

    def __init__(self, options: BedOptions) -> None:
        bed = bed_of(options)
        self.options, self.bed = options, bed
        self.rows, self.cols = bed.board.rows, bed.board.cols
        self.squares = self.rows * self.cols
        self.digits = tuple(bed.tiles.shapes)
        self.sizes = tuple(bed.shapes[digit][0].mask.bit_count() for digit in self.digits)
        self.lays, self.starts = self._numbered()
        self.count, self.words = len(self.lays), len(self.lays) // WORD
        self.number = {lay: number for number, lay in enumerate(self.lays) if lay}
        self.real = self.packed(np.array([lay is not None for lay in self.lays]))
        self.outlines = outlines_of(bed, self.lays, corners=options.touch == "edge-or-corner")
        lengths = np.diff([*self.starts, self.words]) * WORD
        self.digit_of = np.repeat(np.arange(len(self.digits), dtype=np.uint32), lengths)
        self.of_digit = np.array([self.packed(self.digit_of == n) for n in range(len(self.digits))])
        self.excluded = self._excluded()
        self.first = {owner: self._first(owner) for owner in OWNERS}
        self.sums = _sums(self.digits)
        self.hands: dict[int, Words] = {}

    def _numbered(self) -> tuple[list[tuple[int, int, int, int] | None], list[int]]:
        """Digit, turns, row and column of each placement, and the first word of each digit.

        Each digit fills whole words, padded with None.
        """
        lays: list[tuple[int, int, int, int] | None] = []
        starts = []
        for digit in self.digits:
            starts.append(len(lays) // WORD)
            for shape in self.bed.distinct[digit]:
                boxes = self.bed.listed(_on(self.bed, shape.boxes, shape.steps))
                lays += [(shape.digit, shape.turns, row, col) for row, col in boxes]
            lays += [None] * (-len(lays) % WORD or (WORD if len(lays) == starts[-1] * WORD else 0))
        return lays, starts

    def packed(self, chosen: Squares) -> Words:
        """Placements as bits in words; shape (..., placements) becomes (..., words)."""
        return np.packbits(chosen, axis=-1, bitorder="little").view(np.uint64)

    def listed(self, words: Words) -> NDArray[np.intp]:
        """The numbers of the placements in words of bits."""
        return np.flatnonzero(np.unpackbits(words.view(np.uint8), bitorder="little"))

    def _excluded(self) -> Words:
        """For each placement, itself and those that overlap it; shape (placements, words)."""
        squares = self.outlines.squares
        bits = np.unpackbits(np.ascontiguousarray(squares.T).view(np.uint8), axis=1)
        cells = np.ascontiguousarray(bits.T, dtype=np.float32)
        rows = [
            self.packed(cells[:, start : start + CHUNK].T @ cells > 0)
            for start in range(0, self.count, CHUNK)
        ]
        return np.concatenate(rows) if rows else np.zeros((0, 0), dtype=np.uint64)

    def _first(self, owner: Owner) -> Words | None:
        """The placements for the owner's first tile; None if nothing binds it."""
        rule = first_tile_rule(self.options, owner)
        if rule is None:
            return None
        bed = self.bed
        allowed = np.zeros(self.count, dtype=bool)
        for (digit, turns, row, col), number in self.number.items():
            covered = bed.shapes[digit][turns].mask << (row * bed.stride + col)
            allowed[number] = rule.allows(digit, covered)
        return self.packed(allowed)

    def move(self, owner: Owner, number: int) -> Lay:
        """A placement as a move."""
        lay = self.lays[number]
        assert lay is not None, "only placements that exist are ever possible"
        return Lay(owner, *lay)


def _on(bed: Bed, boxes: int, steps: tuple[int, ...]) -> int:
    """The places on the empty bed, as a bit mask of each box's top left."""
    for step in steps:
        boxes &= bed.open >> step
    return boxes


def _sums(digits: tuple[int, ...]) -> NDArray[np.int16]:
    """The cat's sum less the dog's, for each set of tiles (a bit a tile, the dog's above the cat's)."""
    sums = np.zeros(1, dtype=np.int16)
    for sign in (1, -1):
        for digit in digits:
            sums = np.concatenate([sums, sums + np.int16(sign * digit)])
    return sums


@lru_cache(maxsize=2)
def plan_of(options: BedOptions) -> Plan | None:
    """The plan of a bed; None if the bed or the tile set is too large for one."""
    bed = bed_of(options)
    shapes = [shape for shapes in bed.distinct.values() for shape in shapes]
    most = sum(_on(bed, shape.boxes, shape.steps).bit_count() for shape in shapes)
    return None if most > MOST_PLACEMENTS or len(bed.distinct) > MOST_DIGITS else Plan(options)
