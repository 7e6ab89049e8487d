"""What lies over the bed and is no tile in its place: a hand, a tile off the bed, overlapping or turned
over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from companion.games.watching import Tile
from hardware.arrays import Float32, Mask
from hardware.vision.board.appearance import Coat, Look
from hardware.vision.board.evidence import Evidence
from hardware.vision.board.foreground import Empty
from hardware.vision.board.scene import Scene
from hardware.vision.board.temporal_filter import laid
from hardware.vision.register.rectify import MARGIN

FRAME_HIDDEN = 1.0
FRAME_TOUCHED = 3.0
FRAME_SQUARES = 3
"""On the frame around the grid nothing but tails lies. A square of it is touched where it fits its empty
self worse than FRAME_TOUCHED, hidden where worse than FRAME_HIDDEN; a hand is FRAME_SQUARES touched squares
side by side, or two of which one is hidden. Tails and glare reach 1.7 on one square or two of the rendered
beds, 0.0 on one of the virtual table's; hands reach -0.3 and three squares at the least."""
CLEARLY_COVERED = 6.0
STRAY_SQUARES = 3
FREE_CORNERS = 2.5
"""Something lies where STRAY_SQUARES side by side are covered that no tile explains, to the corners: a paw
marker leaves those free (FREE_CORNERS and more). Where a tile is gone, one such square is enough."""

HALF_COVERED = 0.25
PARTLY_COVERED_SQUARES = 6
"""So many squares side by side of which more than HALF_COVERED is hidden are a tile that lies between
squares."""
STRANGE_COAT = 1.0
OVERLAID_SQUARES = 2
"""A new tile whose colours are less likely than this on its coat shows its other face (tiles under glare:
1.7 and more, others 3.5); a tile of which OVERLAID_SQUARES are, lies under something."""
LIKE_A_COAT = 1.0
CORNERS_LESS = 4.0
"""A square counts as empty as its corners, less this, where only its middle is hidden."""


def under_paw_markers(empty: Empty) -> Float32:
    """How well squares fit their empty selves if a round paw marker may lie in their middle, shape (rows,
    cols)."""
    return np.asarray(np.maximum(empty.whole, empty.corners - CORNERS_LESS), dtype=np.float32)


def over_the_frame(frame: Look, empty: Float32, coats: Iterable[Coat]) -> str:
    """What reaches over the frame, in a word: `hand`, `tile-off-bed` or, where only tails may, nothing.

    `frame` and `empty` with MARGIN squares of frame around the grid.
    """
    around = np.ones(empty.shape, dtype=bool)
    around[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    hand = _hand_over(around, empty)
    # A tile's arms may each hide a square of their own.
    if (hand or int((empty[around] < FRAME_HIDDEN).sum()) >= FRAME_SQUARES) and _like_a_tile(
        frame, around & (empty < FRAME_TOUCHED), coats
    ):
        return "tile-off-bed"
    return "hand" if hand else ""


def _hand_over(around: Mask, empty: Float32) -> bool:
    touched = around & (empty < FRAME_TOUCHED)
    count, labels = cv2.connectedComponents(touched.astype(np.uint8), connectivity=8)
    for number in range(1, count):
        together = labels == number
        hidden = bool((empty[together] < FRAME_HIDDEN).any())
        if int(together.sum()) >= FRAME_SQUARES - hidden:
            return True
    return False


def _like_a_tile(frame: Look, touched: Mask, coats: Iterable[Coat]) -> bool:
    """Whether what lies on the frame has the colours of one tile's coat wherever it lies."""
    return any(float(coat.colour_likelihood(frame)[touched].min()) > LIKE_A_COAT for coat in coats)


def strays(scene: Scene, seen: Evidence, empty: Empty, tiles: Sequence[Tile], before: Sequence[Tile]) -> str:
    """A word for what the believed tiles do not explain: empty where they explain the picture.

    `empty`, shape (rows, cols), says how well squares and their corners fit empty ones.
    """
    known = {laid(tile) for tile in before}
    if any(laid(tile) not in known and _is_stranger(scene, seen, tile) for tile in tiles):
        return "flipped"
    left = ~scene.blocked_mask
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


def _at(scene: Scene, tile: Tile) -> list[int]:
    return [row * scene.cols + col for row, col in tile.cells]


def _is_stranger(scene: Scene, seen: Evidence, tile: Tile) -> bool:
    coat = seen.coats.get((tile.owner, tile.kind))
    return coat is not None and float(coat[_at(scene, tile)].mean()) < STRANGE_COAT


def _is_overlaid(scene: Scene, seen: Evidence, tile: Tile) -> bool:
    coat = seen.coats.get((tile.owner, tile.kind))
    return coat is not None and int((coat[_at(scene, tile)] < STRANGE_COAT).sum()) >= OVERLAID_SQUARES
