"""What lies over the bed and is no tile in its place: a hand, a tile off the bed, overlapping or turned
over."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from hardware.vision.belief import laid
from hardware.vision.pose import MARGIN
from hardware.vision.reading import TileSeen
from hardware.vision.scene import Scene
from hardware.vision.squares import Densities, Empty
from hardware.vision.tiles import Evidence

FRAME_HIDDEN = 1.0
FRAME_TOUCHED = 3.0
FRAME_SQUARES = 3
"""The frame around the grid, which nothing but a tail lies on, is hidden where a square of it fits worse than
FRAME_HIDDEN, and touched where FRAME_SQUARES side by side fit worse than FRAME_TOUCHED. Tails and glare
reach 1.8
on one square or two, hands -3 on five (game-* and final-*)."""
CLEARLY_COVERED = 6.0
STRAY_SQUARES = 3
FREE_CORNERS = 2.5
"""Something lies where STRAY_SQUARES side by side are covered that no tile explains, to the corners: a paw
marker
leaves those free (FREE_CORNERS and more). Where a tile is gone, one such square is enough."""

CORNERS_LESS = 4.0
"""A square counts as empty as its corners, less this, where only its middle is hidden."""


def under_paw_markers(empty: Empty) -> Densities:
    """How well squares fit their empty selves if a round paw marker may lie in their middle, shape (rows,
    cols)."""
    return np.asarray(np.maximum(empty.whole, empty.corners - CORNERS_LESS), dtype=np.float32)


def hand_over(empty: Densities) -> bool:
    """Whether something reaches in over the frame. `empty` shape (rows + 2 MARGIN, cols + 2 MARGIN)."""
    frame = np.ones(empty.shape, dtype=bool)
    frame[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    if (empty[frame] < FRAME_HIDDEN).any():
        return True
    touched = (frame & (empty < FRAME_TOUCHED)).astype(np.uint8)
    count, labels = cv2.connectedComponents(touched, connectivity=8)
    return any(int((labels == number).sum()) >= FRAME_SQUARES for number in range(1, count))


def strays(
    scene: Scene, seen: Evidence, corners: Densities, tiles: Sequence[TileSeen], before: Sequence[TileSeen]
) -> str:
    """A word for what the believed tiles leave unexplained: empty where they explain the picture.

    `corners` shape (rows, cols): how well each square's corners fit an empty one, as mean log-densities.
    """
    left = (seen.covered.reshape(scene.rows, scene.cols) > CLEARLY_COVERED) & ~scene.pillow_mask
    left &= corners < FREE_CORNERS
    for tile in tiles:
        for row, col in tile.cells:
            left[row, col] = False
    count, labels = cv2.connectedComponents(left.astype(np.uint8), connectivity=4)
    gone = {laid(tile) for tile in before} - {laid(tile) for tile in tiles}
    enough = 1 if gone else STRAY_SQUARES
    if not any(int((labels == number).sum()) >= enough for number in range(1, count)):
        return ""
    covered = {cell for tile in tiles for cell in tile.cells}
    return "overlap" if any(cells & covered for _, _, cells in gone) else "unexplained"
