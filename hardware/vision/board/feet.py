"""Tells a tile's foot from its head where nothing was shown: the tail sticks out of the foot.

Beside both ends, each pixel is compared with the tile's own colours and with those of what should lie there.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Tile
from hardware.arrays import Float32, Float64
from hardware.vision.board.scene import Scene

PX = 16
"""The px of a square."""
EMPTY, FRAME, BEYOND = -1, -2, -3
"""What lies on a square without a tile: nothing, the board's frame, or nothing known."""
WITHIN = 2
"""The px at each square's edge that tell nothing of its colours."""
MOST_SAMPLES = 160
NEAR = np.array([0.12, 0.05, 0.05], dtype=np.float32)
"""The difference of luma and chromas, as logarithms, that means little."""
LEAST_LIKE = 0.02
STEEPEST = 0.5
MOST_ALIKE = 18
"""The most tiles whose owners are guessed: all ways to part them are tried."""
INSIDE, OUTSIDE, ASIDE = PX // 2, PX, 3 * PX // 2
"""The px before the edge of an end, beyond it, and to either side of its middle."""
POOL = 4
WEIGHTS = Path(__file__).parent / "weights" / "feet.npz"


@cache
def _weights() -> Float64:
    with np.load(WEIGHTS, allow_pickle=False) as file:
        return np.asarray(file["weights"], dtype=np.float64)


class Ends:
    """A picture of a board, and the tiles that lie there.

    `seen` shape ((rows + 2) PX, (cols + 2) PX, 3): brightness and two colours, as logarithms, at the height
    of the tiles' upper faces, with a square of frame.
    """

    def __init__(self, seen: Float32, scene: Scene, tiles: Sequence[Tile]) -> None:
        self._numbers = {cell: number for number, tile in enumerate(tiles) for cell in tile.cells}
        there = np.full((scene.rows + 4, scene.cols + 4), BEYOND)
        there[1:-1, 1:-1] = FRAME
        there[2:-2, 2:-2] = EMPTY
        for (row, col), number in self._numbers.items():
            there[row + 2, col + 2] = number
        self._there = np.kron(there, np.ones((PX, PX), dtype=int))
        self._seen = np.pad(seen, ((PX, PX), (PX, PX), (0, 0)))

    @cached_property
    def colours(self) -> dict[int, Float32]:
        """Some pixels of each tile, of the empty squares and of the frame, shape (N, 3)."""
        square = np.zeros((PX, PX), dtype=bool)
        square[WITHIN:-WITHIN, WITHIN:-WITHIN] = True
        inner = np.tile(square, np.array(self._there.shape) // PX)
        kinds = (int(kind) for kind in np.unique(self._there) if kind != BEYOND)
        pixels = {kind: self._seen[(self._there == kind) & inner] for kind in kinds}
        return {kind: px[:: max(len(px) // MOST_SAMPLES, 1)] for kind, px in pixels.items()}

    def alike(self, tiles: Sequence[Tile]) -> tuple[tuple[int, ...], ...]:
        """The tiles of either owner by their coats, as numbers: a guess, because coats may be alike.

        Each owner has each kind once at most.
        """
        count = len(tiles)
        if not 2 <= count <= MOST_ALIKE:
            return ()
        some = [self.colours[number][::3] for number in range(count)]
        likely = np.array(
            [[np.log(like(one, other) + LEAST_LIKE).mean() for other in some] for one in some], np.float64
        )
        apart = np.diag(likely)[:, None] - likely
        # The last tile is always in the second heap, so no split comes twice.
        heaps = (np.arange(2 ** (count - 1))[:, None] >> np.arange(count)) & 1
        for one, other in combinations(range(count), 2):
            if tiles[one].kind == tiles[other].kind:
                heaps = heaps[heaps[:, one] != heaps[:, other]]
        if not len(heaps):
            return ()
        costs = np.zeros(len(heaps))
        for heap in (heaps, 1 - heaps):
            costs += ((heap @ apart) * heap).sum(axis=1) / np.maximum(heap.sum(axis=1), 1)
        best = heaps[int(np.argmin(costs))]
        return tuple(tuple(map(int, np.flatnonzero(best == heap))) for heap in (0, 1))

    def nats(self, tile: Tile) -> float:
        """The evidence that a tile's foot lies where its turns have it, not at its other end, in nats."""
        return float(self.features(tile) @ _weights())

    def features(self, tile: Tile) -> Float64:
        """The features of the foot less those of the head."""
        return self._of_end(tile, tile.turns) - self._of_end(tile, tile.turns + 2)

    def _of_end(self, tile: Tile, turns: int) -> Float64:
        """The features of the end that lies below after so many quarter turns back."""
        own = self._numbers[tile.cells[0]]
        there, seen = np.rot90(self._there, turns % 4), np.rot90(self._seen, turns % 4)
        rows, cols = np.nonzero(there == own)
        edge, middle = int(rows.max()) + 1, (int(cols.min()) + int(cols.max()) + 1) // 2
        part = slice(edge - INSIDE, edge + OUTSIDE), slice(middle - ASIDE, middle + ASIDE)
        there, px = there[part], seen[part].astype(np.float32)
        known = there != BEYOND
        as_tile = np.log(like(px, self.colours[own]) + LEAST_LIKE)
        as_expected = np.zeros_like(as_tile)
        for kind in np.unique(there[known]):
            as_expected[there == kind] = np.log(like(px[there == kind], self.colours[int(kind)]) + LEAST_LIKE)
        steps = np.abs(np.diff(px[..., 0], axis=1, append=px[:, -1:, 0]))
        more = as_tile - as_expected
        maps = (more, -as_expected, np.maximum(more, 0), np.minimum(steps, STEEPEST))
        return np.concatenate([_pooled(each * known) for each in maps])


def like(px: NDArray[np.float32], samples: Float32) -> Float32:
    """The likeness of pixels, shape (..., 3), to samples of a colour."""
    off = ((px[..., None, :] - samples) / NEAR) ** 2
    return np.asarray(((1 + off.sum(axis=-1)) ** -2).mean(axis=-1), dtype=np.float32)


def _pooled(values: Float32) -> Float64:
    """The means of small patches, of both sides together: a tail may bend to either."""
    high, wide = values.shape
    means = values.reshape(high // POOL, POOL, wide // POOL, POOL).mean(axis=(1, 3))
    return np.asarray(((means + means[:, ::-1]) / 2)[:, : wide // POOL // 2], dtype=np.float64).ravel()
