"""Where a tail lies tells which way round a tile lies: a 6 from a 9 that covers the same squares."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Kind, Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.foreground import sample_likelihood
from hardware.vision.board.illumination import SAMPLES, fit_light, steepness
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, Laid, mask_of
from hardware.vision.register.rectify import MARGIN

CHANGED = 2.0
"""A sample whose log-density falls below this shows something that was not there before."""
REACH = 9
BESIDE = 4
"""A tail lies within REACH samples of its tile's foot, and BESIDE samples to either side of the box."""
LEAST = 0.5
MOST = 2.5
NATS = 2.0
"""Of the changed samples, in rows of SAMPLES, that lie more at one end than at the other, LEAST say
nothing and MOST all that there is to say; each is worth NATS. On the rendered games the end with more of them
was the foot in all 23 tiles where they differed by one and more."""


def with_tails(
    scene: Scene,
    boards: Sequence[Board],
    known: set[Laid],
    before: Float32,
    picture: Float32,
    trusted: Float64,
) -> list[Board]:
    """The boards, those dearer that say of a new tile that its tail lies at the wrong end.

    Only where two kinds cover the same squares. `before`, `picture` shape (rows + 2 MARGIN, cols + 2 MARGIN,
    samples, 3): the last picture that was believed, and this one.
    """
    kinds: dict[int, set[Kind]] = {}
    for tile in (tile for board in boards for tile in board.tiles):
        kinds.setdefault(mask_of(tile.cells, scene.cols), set()).add(tile.kind)
    twins = {mask for mask, found in kinds.items() if len(found) > 1}
    if not twins:
        return list(boards)
    light = fit_light(before, picture, trusted)
    fit = sample_likelihood(picture, light.expected(before), steepness(before), light)
    rows, cols = fit.shape[:2]
    squares = (fit < CHANGED).reshape(rows, cols, SAMPLES, SAMPLES).transpose(0, 2, 1, 3)
    changed = squares.reshape(rows * SAMPLES, cols * SAMPLES)
    return [
        msgspec.structs.replace(
            board,
            cost=board.cost
            - sum(
                _said(scene, tile, changed)
                for tile in board.tiles
                if mask_of(tile.cells, scene.cols) in twins
                and (tile.owner, tile.kind, frozenset(tile.cells)) not in known
            ),
        )
        for board in boards
    ]


def _said(scene: Scene, tile: Tile, changed: Mask) -> float:
    """What the tail's end says for a tile, in nats."""
    more = (
        _at_end(scene, tile, tile.turns, changed) - _at_end(scene, tile, tile.turns + 2, changed)
    ) / SAMPLES
    return NATS * float(np.clip(more - LEAST, 0, MOST))


def _at_end(scene: Scene, tile: Tile, turns: int, changed: Mask) -> int:
    # Unturned, the foot is the bottom of the tile's box; a clockwise turn takes it to the left.
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
