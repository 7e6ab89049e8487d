"""Squares that stand out from the rest of a board of which nothing is known yet, as under a tile.

A reading compares with the empty board. Before that was shown, only the board itself is there to compare
with: most of its squares look alike, apart from the slow change of light across it. What is printed on some
of them stands out as well, so a person has the last word.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.games.watching import Square
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.scene import Scene

ODD = 0.08
"""The distance (logarithms) of a square's mean colour from the rest of the board from which on it is odd.

With these two values no tile is made up on 23 pictures of empty beds, photographed and rendered; of 42
pictures with tiles on the bed, 26 are noticed. Tiles of the bed's own colour are not. Both values were
chosen on these pictures.
"""
ODD_IN_GRAIN = 3.5
"""The same as a multiple of the median distance: a board with a strong print differs by itself."""
FITS = 8
"""The rounds in which the board's colours are fitted, with less and less weight on what stands out."""
FEWEST_SQUARES = 3
"""The minimum squares of a group where the board has no tiles with shapes of their own."""


def odd_squares(colours: Float32, scene: Scene) -> tuple[tuple[Square, ...], ...]:
    """Groups of squares that stand out, each at least as large as the smallest tile.

    `colours`, shape (rows, cols, samples, 3), as `BoardView.samples` gives them, without the frame. What the
    scene knows to be printed (`blocked`) is left out.
    """
    mean = colours.mean(axis=2).astype(np.float64)
    open_squares = ~scene.blocked_mask
    distances = _distances(mean, open_squares)
    limit = max(ODD, ODD_IN_GRAIN * float(np.median(distances[open_squares])))
    sizes = [len(shapes[0].squares) for shapes in scene.shapes.values()]
    return groups_of((distances > limit) & open_squares, min(sizes, default=FEWEST_SQUARES))


def groups_of(squares: Mask, fewest: int) -> tuple[tuple[Square, ...], ...]:
    """The groups of at least `fewest` squares that are joined by edges."""
    count, labels = cv2.connectedComponents(squares.astype(np.uint8), connectivity=4)
    groups: Iterable[list[list[int]]] = (np.argwhere(labels == each).tolist() for each in range(1, count))
    return tuple(tuple((row, col) for row, col in group) for group in groups if len(group) >= fewest)


def _distances(mean: Float64, counted: Mask) -> Float64:
    """How far each square's colour is from what the others let expect there, shape (rows, cols)."""
    rows, cols = np.indices(counted.shape)
    terms = np.stack([np.ones(counted.shape), rows, cols, rows * cols], axis=-1)
    weights = np.ones(counted.shape)
    distances = np.zeros(counted.shape)
    # Light changes slowly along the board; what stands out must not bend the fit.
    for _ in range(FITS):
        by = weights[counted][:, None]
        factors, *_rest = np.linalg.lstsq(terms[counted] * by, mean[counted] * by, rcond=None)
        distances = np.linalg.norm(mean - terms @ factors, axis=-1)
        scale = 2 * float(np.median(distances[counted])) + 1e-6
        weights = 1 / (1 + (distances / scale) ** 2)
    return distances
