"""The change of the bed's regions by placements, for a whole generation of them at once.

A tile lies in one region, so all others stay as they are. Mostly the rest of its own region is still in one
piece. Euler's formula shows that without a flood fill: the pieces of a set of squares are its squares, less
its pairs of neighbours, plus its blocks of four, plus its holes. The first three are counts of bits. The
holes are the obstacles that reach no border; a tile joins the obstacles that it touches.

A row of the bed is an integer with a bit a square; arrays have shape (rows, placements). The rows of a bed
are also read as words of 64 bits, shape (words, placements).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.games.this_bed_is_mine.fits import Bed
from companion.games.this_bed_is_mine.score import SMALLEST_REGION, regions_of

Rows = NDArray[Any]
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

WORD_BYTES = 8

STEPS = 3
"""The steps by which a piece grows between two checks that it still grows."""


@dataclass(frozen=True, slots=True)
class Outlines:
    """The squares of every placement, and those around it, by a plan's numbers.

    `squares`: those that it covers. `beside`: those that it touches for the score. `around`: those that it
    touches along an edge or a corner. `at_border`: true if it lies at the border. `first`: one of its
    squares. `masks` and `beside_masks` are bit masks of the bed.
    """

    squares: Rows
    beside: Words
    around: Words
    at_border: NDArray[np.bool_]
    first: NDArray[np.intp]
    masks: tuple[int, ...]
    beside_masks: tuple[int, ...]


def outlines_of(bed: Bed, lays: list[tuple[int, int, int, int] | None], *, corners: bool) -> Outlines:
    """The outlines of a plan's placements; None fills unused numbers."""
    masks, beside, around = [], [], []
    for lay in lays:
        mask = 0
        if lay is not None:
            digit, turns, row, col = lay
            mask = bed.shapes[digit][turns].mask << (row * bed.stride + col)
        edges, all_sides = _grown(bed, mask)
        masks.append(mask)
        around.append(all_sides & ~mask)
        beside.append((all_sides if corners else edges) & ~mask)
    border = _border(bed)
    return Outlines(
        rows_of(bed, masks),
        words_of(rows_of(bed, beside)),
        words_of(rows_of(bed, around)),
        np.array([bool(mask & border) for mask in masks]),
        np.array([_first(bed, mask) for mask in masks], dtype=np.intp),
        tuple(masks),
        tuple(beside),
    )


def _grown(bed: Bed, mask: int) -> tuple[int, int]:
    """These squares with those that they touch: along edges, and along edges or corners."""
    sideways = mask | mask << 1 | mask >> 1
    edges = sideways | mask << bed.stride | mask >> bed.stride
    corners = sideways | sideways << bed.stride | sideways >> bed.stride
    return edges & bed.whole, corners & bed.whole


@lru_cache(maxsize=4)
def _border(bed: Bed) -> int:
    rows, cols = bed.board.rows, bed.board.cols
    return bed.mask(
        (row, col)
        for row in range(rows)
        for col in range(cols)
        if row in (0, rows - 1) or col in (0, cols - 1)
    )


def _first(bed: Bed, mask: int) -> int:
    row, col = divmod((mask & -mask).bit_length() - 1, bed.stride) if mask else (0, 0)
    return row * bed.board.cols + col


def rows_of(bed: Bed, masks: list[int]) -> Rows:
    """Bit masks of the bed as rows, with empty rows below until they fill whole words."""
    kind = np.uint16 if bed.board.cols <= 16 else np.uint32 if bed.board.cols <= 32 else np.uint64
    words = WORD_BYTES // np.dtype(kind).itemsize
    spread = np.zeros((-(-bed.board.rows // words) * words, len(masks)), dtype=kind)
    row_mask = (1 << bed.board.cols) - 1
    for row in range(bed.board.rows):
        spread[row] = [mask >> row * bed.stride & row_mask for mask in masks]
    return spread


def words_of(rows: Rows) -> Words:
    """Rows as words of 64 bits."""
    return np.ascontiguousarray(np.ascontiguousarray(rows.T).view(np.uint64).T)


def any_of(words: Words, mask: Words) -> NDArray[np.bool_]:
    """True for each set of squares that shares a square with `mask`."""
    common = words[0] & mask[0]
    for word, of_mask in zip(words[1:], mask[1:], strict=True):
        common |= word & of_mask
    met: NDArray[np.bool_] = common != 0
    return met


@dataclass(frozen=True, slots=True)
class Regions:
    """The regions of a position, and the obstacles between them.

    `masks` and `touch`: the squares of each region, and the set of tiles that touch it. `scoring`: the number
    of regions of more than one square. `obstacles`: tiles and pillows in groups that touch each other, along
    edges or corners; `at_border` is true for those that reach the border.
    """

    masks: tuple[int, ...]
    touch: tuple[int, ...]
    scoring: int
    obstacles: tuple[int, ...]
    at_border: tuple[bool, ...]


def find(bed: Bed, free: int, tiles: list[tuple[int, int]]) -> Regions:
    """The regions of the free squares. `tiles`: each tile's bit, and the squares that it touches."""
    masks = tuple(regions_of(free, bed.stride))
    scoring = sum(mask.bit_count() >= SMALLEST_REGION for mask in masks)
    touch = tuple(sum(bit for bit, beside in tiles if beside & mask) for mask in masks)
    border, left, obstacles = _border(bed), bed.whole & ~free, []
    while left:
        group, grown = 0, left & -left
        while grown != group:
            group = grown
            grown = _grown(bed, group)[1] & left
        obstacles.append(group)
        left &= ~group
    return Regions(
        masks, touch, scoring, tuple(obstacles), tuple(bool(group & border) for group in obstacles)
    )


@lru_cache(maxsize=16_384)
def scoring_regions(free: int, stride: int) -> tuple[int, ...]:
    """The regions of more than a single square, remembered: positions of a match share theirs."""
    return tuple(region for region in regions_of(free, stride) if region.bit_count() >= SMALLEST_REGION)


def without_single(free: Rows) -> Rows:
    """Drop squares without a neighbour: a region of one square never scores."""
    near = free << free.dtype.type(1)
    near |= free >> free.dtype.type(1)
    near[1:] |= free[:-1]
    near[:-1] |= free[1:]
    kept: Rows = free & near
    return kept


def pieces(free: Rows, outlines: Outlines, numbers: NDArray[np.intp], regions: Regions, bed: Bed) -> Numbers:
    """The number of pieces in the rest of each placement's region, single squares not counted.

    `free`: the free squares after each placement, without single ones.
    """
    level = free & (free >> free.dtype.type(1))
    bits = np.bitwise_count(free).astype(np.int8) - np.bitwise_count(level).astype(np.int8)
    bits[1:] -= np.bitwise_count(free[1:] & free[:-1]).astype(np.int8)
    bits[1:] += np.bitwise_count(level[1:] & level[:-1]).astype(np.int8)
    holes = np.full(len(numbers), sum(not at_border for at_border in regions.at_border), dtype=np.int64)
    around = outlines.around.take(numbers, axis=1)
    outside = outlines.at_border[numbers].copy()
    groups = words_of(rows_of(bed, list(regions.obstacles)))
    for n, at_border in enumerate(regions.at_border):
        joined = any_of(around, groups[:, n])
        if at_border:
            outside |= joined
        else:
            holes -= joined
    holes += ~outside
    others: Numbers = bits.sum(axis=0, dtype=np.int64) + holes - (regions.scoring - 1)
    return others


def one_piece(free: Rows) -> Rows:
    """The piece of each set of squares that holds its first square."""
    every = np.arange(free.shape[1])
    row = (free != 0).argmax(axis=0)
    first = free[row, every]
    piece: Rows = np.zeros_like(free)
    piece[row, every] = first & (~first + first.dtype.type(1))
    squares = -1
    while (count := int(np.bitwise_count(piece).sum(dtype=np.int64))) != squares:
        squares = count
        for _ in range(STEPS):
            piece |= free & ~(free + piece)  # the carry runs through a row to the end of the free squares
            piece |= free & (piece >> free.dtype.type(1))
            piece[1:] |= free[1:] & piece[:-1]
            piece[:-1] |= free[:-1] & piece[1:]
    return piece
