"""Tails stick out of a tile's foot, and so distinguish two kinds that cover the same squares (6 and 9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from companion.games.watching import Kind, Tile, TileSquares
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.foreground import sample_likelihood
from hardware.vision.board.illumination import (
    SAMPLES,
    Illumination,
    fit_illumination,
    side_by_side,
    steepness,
)
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, TileName, mask_of
from hardware.vision.register.rectify import MARGIN

CHANGED = 2.0
"""The log-density below which a sample shows something new."""
CHANGED_SHARE = 0.08
"""The share of changed samples above which a square shows something new."""
REACH = 9
"""The reach of a tail beyond its tile's foot, in samples."""
OVERHANG = 2
"""The samples by which a tile laid carelessly may itself reach beyond its squares."""
BESIDE = 4
"""The reach of a tail to either side of its tile's box, in samples."""
LEAST = 0.5
"""The maximum difference of changed samples between a tile's ends, in rows of SAMPLES, that means nothing."""
MOST = 4.0
"""The difference beyond LEAST at which the evidence is complete."""
NATS = 4.0
"""The evidence of each row of that difference, in nats."""


def changed_samples(
    before: Float32, picture: Float32, trusted: Float64, last: Illumination | None = None
) -> tuple[Mask, Illumination]:
    """The samples of a picture that show something new since the last believed one, and its change of light.

    `before`, `picture` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3). `last`: a change of light that
    is tried first. Returns shape ((rows + 2 MARGIN) SAMPLES, (cols + 2 MARGIN) SAMPLES).
    """
    light = fit_illumination(before, picture, trusted, last)
    fits = sample_likelihood(picture, light.expected(before), steepness(before), light)
    return side_by_side(fits) < CHANGED, light


def changed_squares(changed: Mask) -> Mask:
    """The squares that show something new, from the samples that do; both include the frame."""
    rows, cols = (side // SAMPLES for side in changed.shape)
    share = changed.reshape(rows, SAMPLES, cols, SAMPLES).mean(axis=(1, 3))
    return np.asarray(share > CHANGED_SHARE, dtype=bool)


def with_tails(
    scene: Scene, boards: Sequence[Board], known: set[TileSquares], marks: Callable[[Board, Tile], Mask]
) -> list[Board]:
    """The boards, with twins weighed by the end at which their tails seem to be; see `tail_nats`."""
    return weighed_by_tails(scene, boards, tail_nats(scene, boards, known, marks))


def tail_nats(
    scene: Scene, boards: Sequence[Board], known: set[TileSquares], marks: Callable[[Board, Tile], Mask]
) -> Float64:
    """The evidence of tails for each of the boards, in nats.

    Only new tiles count that another board has as another kind on the same squares. `marks` gives the samples
    around a board's tile that may show its tail.
    """
    kinds: dict[int, set[Kind]] = {}
    for tile in (tile for board in boards for tile in board.tiles):
        kinds.setdefault(mask_of(tile.cells, scene.cols), set()).add(tile.kind)
    return np.array(
        [
            sum(
                nats_of_tail(scene, tile, marks(board, tile))
                for tile in board.tiles
                if len(kinds[mask_of(tile.cells, scene.cols)]) > 1 and tile.squares not in known
            )
            for board in boards
        ],
        dtype=np.float64,
    )


def weighed_by_tails(scene: Scene, boards: Sequence[Board], nats: Float64) -> list[Board]:
    """The boards, with what tails say for each of them.

    Boards with tiles on the same squares are ranked again among each other, while the best of them costs as
    much as before: a tail says nothing against tiles that lie elsewhere, whose tails are not looked at.
    """
    groups: dict[frozenset[int], list[int]] = {}
    for number, board in enumerate(boards):
        masks = frozenset(mask_of(tile.cells, scene.cols) for tile in board.tiles)
        groups.setdefault(masks, []).append(number)
    after = np.array([board.cost for board in boards]) - nats
    for group in groups.values():
        after[group] += min(boards[number].cost for number in group) - after[group].min()
    return [
        msgspec.structs.replace(board, cost=float(cost)) for board, cost in zip(boards, after, strict=True)
    ]


def way_round(scene: Scene, tile: Tile, nats: Callable[[Tile], float]) -> Tile:
    """The tile the way round that fits its face and its tail best: `nats` of it in each way.

    Only a tile with the same squares after half a turn may lie in more than one way.
    """
    places = scene.placements[tile.kind]
    numbers = places.numbers_of[mask_of(tile.cells, scene.cols)]
    if len(numbers) < 2:
        return tile
    ways = (places.tile(tile.owner, number, scene.cols) for number in numbers)
    likeliest = max(sorted(ways, key=lambda way: way.place != tile.place), key=nats)
    return msgspec.structs.replace(likeliest, confidence=tile.confidence)


def nats_of_tail(scene: Scene, tile: Tile, changed: Mask) -> float:
    """The evidence for a tile from the samples at its ends that may show its tail, in nats."""
    more = (
        _at_end(scene, tile, tile.turns, changed) - _at_end(scene, tile, tile.turns + 2, changed)
    ) / SAMPLES
    return NATS * float(np.clip(more - LEAST, 0, MOST))


def coat_beside(board: Board, tile: Tile, empty: Float32, on_coat: Mapping[TileName, Float32]) -> Mask:
    """The samples that look like this tile's coat, and less like the rest of the board.

    `empty`, `on_coat`: each sample's log-density on the empty board, and on each coat that was shown; all of
    shape ((rows + 2 MARGIN) SAMPLES, (cols + 2 MARGIN) SAMPLES).
    """
    coat = on_coat.get((tile.owner, tile.kind))
    if coat is None:
        return np.zeros(empty.shape, dtype=bool)
    there = empty.copy()
    for other in board.tiles:
        theirs = None if other is tile else on_coat.get((other.owner, other.kind))
        if theirs is not None:
            for row, col in other.cells:
                patch = (
                    slice((row + MARGIN) * SAMPLES, (row + MARGIN + 1) * SAMPLES),
                    slice((col + MARGIN) * SAMPLES, (col + MARGIN + 1) * SAMPLES),
                )
                there[patch] = theirs[patch]
    return coat > there + CHANGED


def _at_end(scene: Scene, tile: Tile, turns: int, changed: Mask) -> int:
    # The foot of an unturned tile is the bottom of its box; a clockwise turn moves it to the left.
    size = next(
        (shape.rows, shape.cols) for shape in scene.shapes[tile.kind] if shape.turns == tile.turns % 4
    )
    top, left = (tile.row + MARGIN) * SAMPLES, (tile.col + MARGIN) * SAMPLES
    bottom, right = top + size[0] * SAMPLES, left + size[1] * SAMPLES
    high, low = slice(max(top - BESIDE, 0), bottom + BESIDE), slice(max(left - BESIDE, 0), right + BESIDE)
    ends = (
        (slice(bottom + OVERHANG, bottom + REACH), low),
        (high, slice(max(left - REACH, 0), max(left - OVERHANG, 0))),
        (slice(max(top - REACH, 0), max(top - OVERHANG, 0)), low),
        (high, slice(right + OVERHANG, right + REACH)),
    )
    return int(changed[ends[turns % 4]].sum())
