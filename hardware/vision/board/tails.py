"""Tails stick out of a tile's foot, and so distinguish two kinds that cover the same squares (6 and 9)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Kind, Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.foreground import sample_likelihood
from hardware.vision.board.illumination import SAMPLES, fit_illumination, steepness
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, Laid, mask_of
from hardware.vision.register.rectify import MARGIN

CHANGED = 2.0
"""The log-density below which a sample shows something new."""
REACH = 9
"""The reach of a tail beyond its tile's foot, in samples."""
BESIDE = 4
"""The reach of a tail to either side of its tile's box, in samples."""
LEAST = 0.5
"""The maximum difference of changed samples between a tile's ends, in rows of SAMPLES, that means nothing."""
MOST = 2.5
"""The difference beyond LEAST at which the evidence is complete."""
NATS = 2.0
"""The evidence of each row of such a difference, in nats.

In the rendered games, the end with more rows was the foot of all 23 tiles with a difference of at least one.
"""


def with_tails(
    scene: Scene,
    boards: Sequence[Board],
    known: set[Laid],
    before: Float32,
    picture: Float32,
    trusted: Float64,
) -> list[Board]:
    """The boards, with each new tile weighed by the end at which its tail seems to be.

    This applies only if two kinds cover the same squares. `before`, `picture` shape (rows + 2 MARGIN, cols +
    2 MARGIN, samples, 3): the last believed picture, and this one.
    """
    kinds: dict[int, set[Kind]] = {}
    for tile in (tile for board in boards for tile in board.tiles):
        kinds.setdefault(mask_of(tile.cells, scene.cols), set()).add(tile.kind)
    twins = {mask for mask, names in kinds.items() if len(names) > 1}
    if not twins:
        return list(boards)
    light = fit_illumination(before, picture, trusted)
    fit = sample_likelihood(picture, light.expected(before), steepness(before), light)
    rows, cols = fit.shape[:2]
    squares = (fit < CHANGED).reshape(rows, cols, SAMPLES, SAMPLES).transpose(0, 2, 1, 3)
    changed = squares.reshape(rows * SAMPLES, cols * SAMPLES)
    return [
        msgspec.structs.replace(
            board,
            cost=board.cost
            - sum(
                _tail_nats(scene, tile, changed)
                for tile in board.tiles
                if mask_of(tile.cells, scene.cols) in twins
                and (tile.owner, tile.kind, frozenset(tile.cells)) not in known
            ),
        )
        for board in boards
    ]


def _tail_nats(scene: Scene, tile: Tile, changed: Mask) -> float:
    """The evidence for a tile from the changed samples at its ends, in nats."""
    more = (
        _at_end(scene, tile, tile.turns, changed) - _at_end(scene, tile, tile.turns + 2, changed)
    ) / SAMPLES
    return NATS * float(np.clip(more - LEAST, 0, MOST))


def _at_end(scene: Scene, tile: Tile, turns: int, changed: Mask) -> int:
    # The foot of an unturned tile is the bottom of its box; a clockwise turn moves it to the left.
    size = next(
        (shape.rows, shape.cols) for shape in scene.shapes[tile.kind] if shape.turns == tile.turns % 4
    )
    top, left = (tile.row + MARGIN) * SAMPLES, (tile.col + MARGIN) * SAMPLES
    bottom, right = top + size[0] * SAMPLES, left + size[1] * SAMPLES
    high, low = slice(max(top - BESIDE, 0), bottom + BESIDE), slice(max(left - BESIDE, 0), right + BESIDE)
    ends = (
        (slice(bottom, bottom + REACH), low),
        (high, slice(max(left - REACH, 0), left)),
        (slice(max(top - REACH, 0), top), low),
        (high, slice(right, right + REACH)),
    )
    return int(changed[ends[turns % 4]].sum())
