"""What lies over the bed and is no tile in its place: a hand, a tile off the bed, overlapping or turned
over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from hardware.vision.belief import laid
from hardware.vision.coats import Coat, Look
from hardware.vision.pose import MARGIN
from hardware.vision.reading import TileSeen
from hardware.vision.scene import Scene
from hardware.vision.squares import Densities, Empty, Mask
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

HALF_COVERED = 0.25
PARTLY_COVERED_SQUARES = 6
"""So many squares side by side of which more than HALF_COVERED is hidden are a tile that lies between
squares."""
STRANGE_COAT = 1.0
OVERLAID_SQUARES = 2
"""A new tile whose colours are less likely than this on its coat shows its other face (tiles under glare:
1.7 and
more, others 3.5); a tile of which OVERLAID_SQUARES are, lies under something."""
LIKE_A_COAT = 1.0
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


def off_the_bed(frame: Look, empty: Densities, coats: Iterable[Coat]) -> bool:
    """Whether what hides the frame looks like a tile's coat: `frame` and `empty` with MARGIN squares
    around."""
    hidden = empty < FRAME_TOUCHED
    hidden[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    return any(float(coat.colour_likelihood(frame)[hidden].min()) > LIKE_A_COAT for coat in coats)


def strays(
    scene: Scene, seen: Evidence, empty: Empty, tiles: Sequence[TileSeen], before: Sequence[TileSeen]
) -> str:
    """A word for what the believed tiles do not explain: empty where they explain the picture.

    `empty`, shape (rows, cols), says how well squares and their corners fit empty ones.
    """
    known = {laid(tile) for tile in before}
    if any(laid(tile) not in known and _is_stranger(scene, seen, tile) for tile in tiles):
        return "flipped"
    left = ~scene.pillow_mask
    for row, col in (cell for tile in tiles for cell in tile.cells):
        left[row, col] = False
    certain = seen.covered.reshape(scene.rows, scene.cols) > CLEARLY_COVERED
    gone = known - {laid(tile) for tile in tiles}
    full = _largest(left & certain & (empty.corners < FREE_CORNERS))
    partly = _largest(left & (empty.hidden > HALF_COVERED))
    if full < (1 if gone else STRAY_SQUARES) and partly < PARTLY_COVERED_SQUARES:
        return ""
    if any(_is_overlaid(scene, seen, tile) for tile in tiles) or any(
        cells & {cell for tile in tiles for cell in tile.cells} for _, _, cells in gone
    ):
        return "overlap"
    return "unexplained"


def _largest(mask: Mask) -> int:
    count, _, sizes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    return int(sizes[1:, cv2.CC_STAT_AREA].max()) if count > 1 else 0


def _at(scene: Scene, tile: TileSeen) -> list[int]:
    return [row * scene.cols + col for row, col in tile.cells]


def _is_stranger(scene: Scene, seen: Evidence, tile: TileSeen) -> bool:
    coat = seen.coats.get((tile.owner, tile.digit))
    return coat is not None and float(coat[_at(scene, tile)].mean()) < STRANGE_COAT


def _is_overlaid(scene: Scene, seen: Evidence, tile: TileSeen) -> bool:
    coat = seen.coats.get((tile.owner, tile.digit))
    return coat is not None and int((coat[_at(scene, tile)] < STRANGE_COAT).sum()) >= OVERLAID_SQUARES
