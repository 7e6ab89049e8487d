"""Occlusions: what covers the board but is not a tile in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np

from companion.games.watching import Kind, Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.appearance import Appearance, Coat
from hardware.vision.board.board_view import BoardView, Seen
from hardware.vision.board.evidence import Evidence
from hardware.vision.board.foreground import Empty
from hardware.vision.board.scene import Scene
from hardware.vision.board.temporal_filter import Estimate
from hardware.vision.register.rectify import MARGIN

FRAME_TOUCHED = 3.0
"""The mean log-density below which a square of the frame is touched; only tails should lie there."""
FRAME_HIDDEN = 1.0
"""The mean log-density below which a square of the frame is hidden. Hands reach -0.3 on the rendered beds."""
FRAME_SQUARES = 3
"""The minimum number of connected touched squares of a hand; one less if one of them is hidden."""
NEAR_MARKER = 4.0
"""The maximum distance in squares from a covered marker's centre of what covers it: a cup and its shadow."""
CLEARLY_COVERED = 6.0
"""The evidence in nats above which a square that no tile explains is covered."""
STRAY_SQUARES = 3
"""The minimum number of connected covered squares of an unexplained thing; one if a tile is gone."""
FREE_CORNERS = 2.5
"""The minimum mean log-density of a square's free corners; a round token leaves them free."""
MOST_OF_IT = 0.5
"""The least share of the unexplained under a glare to ask about the glare."""
PARTLY_COVERED = 0.25
"""The share of hidden samples above which a square is partly covered."""
PARTLY_COVERED_SQUARES = 6
"""The minimum number of connected partly covered squares of a tile that lies between squares."""
OTHER_FACE = 1.0
"""The mean log-density on its coat below which a tile shows its other face (under glare: at least 1.7)."""
OVERLAID_SQUARES = 2
"""The minimum number of a tile's squares below OTHER_FACE if something lies on it."""
LIKE_A_COAT = 1.0
"""The mean log-density on a coat above which a thing on the frame may be that tile."""
UNEVEN_LIGHT = 0.05
"""The unevenness of the frame's light above which changes must be explained; 0.04 without a shadow."""
TILE_MISSING = ("out-of-turn", "several-missed")
"""The events that say that a tile was not seen when it was laid."""
CHANGED_SQUARES = 2
"""The minimum number of connected squares that changed, in uneven light, of a tile that nobody saw."""
CORNERS_LESS = 4.0
"""The penalty in log-density if only a square's corners fit its empty state."""


def under_tokens(empty: Empty) -> Float32:
    """The fit of squares to their empty state, with or without a round token, shape (rows, cols)."""
    return np.asarray(np.maximum(empty.whole, empty.corners - CORNERS_LESS), dtype=np.float32)


def obstacle(view: BoardView, seen: Seen, coats: Iterable[Coat]) -> str:
    """Name the obstacle to reading a view's last picture: `blurred`, `markers`, or a thing over the frame."""
    if view.is_blurred():
        return "blurred"
    if view.is_lost:
        return "markers"
    return occlusion_of_frame(
        lambda: seen.appearance, seen.empty.whole, coats, view.covered_markers, seen.in_picture
    )


def occlusion_of_frame(
    frame: Callable[[], Appearance],
    empty: Float32,
    coats: Iterable[Coat],
    markers: Sequence[Float64] = (),
    in_picture: Mask | None = None,
) -> str:
    """Name the thing over the frame: `hand`, `tile-off-bed`, `marker-covered`, or empty for tails alone.

    `frame`: what gives the picture's look; it is asked only if something lies on the frame. The look and
    `empty` include MARGIN squares of frame around the grid. `markers`: the corners in squares of markers that
    should be seen but are not, shape (4, 2) each. `in_picture`: the squares that the picture shows, by
    default all.
    """
    around = np.ones(empty.shape, dtype=bool) if in_picture is None else in_picture.copy()
    around[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
    hands = _hands_over(around, empty)
    hand = bool(hands.any())
    if hand and _only_near(hands, markers):
        return "marker-covered"
    # Each arm of a tile may hide a separate square.
    if (hand or int((empty[around] < FRAME_HIDDEN).sum()) >= FRAME_SQUARES) and _like_a_tile(
        frame(), around & (empty < FRAME_TOUCHED), coats
    ):
        return "tile-off-bed"
    return "hand" if hand else ""


def _hands_over(around: Mask, empty: Float32) -> Mask:
    """The squares of the frame that are under hands, or things as large."""
    hands = np.zeros(around.shape, dtype=bool)
    touched = around & (empty < FRAME_TOUCHED)
    count, labels = cv2.connectedComponents(touched.astype(np.uint8), connectivity=8)
    for number in range(1, count):
        together = labels == number
        hidden = bool((empty[together] < FRAME_HIDDEN).any())
        if int(together.sum()) >= FRAME_SQUARES - hidden:
            hands |= together
    return hands


def _only_near(squares: Mask, markers: Sequence[Float64]) -> bool:
    """True if each of the squares, which include the frame, is near one of these markers."""
    centres = np.argwhere(squares)[:, ::-1] + 0.5 - MARGIN
    near = np.zeros(len(centres), dtype=bool)
    for marker in markers:
        near |= np.linalg.norm(centres - marker.mean(axis=0), axis=1) < NEAR_MARKER
    return bool(near.all())


def _like_a_tile(frame: Appearance, touched: Mask, coats: Iterable[Coat]) -> bool:
    """True if all that lies on the frame has the colours of one tile's coat."""
    return any(float(coat.colour_likelihood(frame)[touched].min()) > LIKE_A_COAT for coat in coats)


def occlusion_of_board(
    scene: Scene,
    seen: Evidence,
    empty: Empty,
    tiles: Sequence[Tile],
    before: Sequence[Tile],
    glare: Mask | None = None,
) -> str:
    """Name the thing that the believed tiles do not explain; empty without one.

    The words: `flipped`, `overlap`, `glare`, `unexplained`. `empty`, shape (rows, cols): the fit of squares
    and their corners to empty ones. `glare`, of the same shape: the squares under a glare.
    """
    known = {tile.squares for tile in before}
    gone = known - {tile.squares for tile in tiles}
    over_gone = any(cells & {cell for tile in tiles for cell in tile.cells} for _, _, cells in gone)
    hidden_by_glare = np.zeros(empty.whole.shape, dtype=bool) if glare is None else glare
    turned = [tile for tile in tiles if tile.squares not in known and _shows_other_face(scene, seen, tile)]
    if turned:
        if over_gone or any(_is_overlaid(scene, seen, tile) for tile in tiles if tile.squares in known):
            return "overlap"
        share = np.mean([hidden_by_glare[cell] for tile in turned for cell in tile.cells])
        return "flipped" if share < MOST_OF_IT else "glare"
    left = ~scene.blocked_mask
    for row, col in (cell for tile in tiles for cell in tile.cells):
        left[row, col] = False
    names = {(tile.owner, tile.kind) for tile in tiles}
    missing = [kind for owner, kind in seen.tiles if (owner, kind) not in names]
    if could_hide_a_tile(scene, left & empty.mirrored, missing):
        return "unexplained"
    certain = seen.covered.reshape(scene.rows, scene.cols) > CLEARLY_COVERED
    full = _largest(left & certain & (empty.corners < FREE_CORNERS))
    partly = _largest(left & (empty.hidden > PARTLY_COVERED))
    fully = int(full.sum()) >= (1 if gone else STRAY_SQUARES)
    if not fully and int(partly.sum()) < PARTLY_COVERED_SQUARES:
        return ""
    if over_gone or any(_is_overlaid(scene, seen, tile) for tile in tiles):
        return "overlap"
    unexplained = full if fully else partly
    return "unexplained" if hidden_by_glare[unexplained].mean() < MOST_OF_IT else "glare"


def could_hide_a_tile(scene: Scene, mirrored: Mask, kinds: Iterable[Kind]) -> bool:
    """True if a tile of one of these kinds, either face up, could lie wholly on mirrored squares.

    Its back may be as plain as a reflection. `mirrored` shape (rows, cols).
    """
    squares = mirrored.astype(np.uint8)
    for shape in (shape for kind in set(kinds) for shape in scene.shapes[kind]):
        outline = np.zeros((shape.rows, shape.cols), dtype=np.uint8)
        for row, col in shape.squares:
            outline[row, col] = 1
        for side in (outline, np.ascontiguousarray(outline[:, ::-1])):
            if cv2.erode(squares, side, borderType=cv2.BORDER_CONSTANT, borderValue=0).any():
                return True
    return False


def is_change_unexplained(uneven: float, changed: Mask, estimate: Estimate, before: Sequence[Tile]) -> bool:
    """True if in uneven light a tile may have been missed.

    So it is where something new shows and no tile was laid or taken away, or where the turns say that a tile
    is missing. `uneven`: how uneven the light is. `changed` shape (rows, cols): the squares that show
    something new since the tiles `before` were believed. Squares beside a tile may show its tail or its
    shadow.
    """
    if uneven <= UNEVEN_LIGHT:
        return False
    if estimate.event in TILE_MISSING:
        return True
    near = np.zeros(changed.shape, dtype=np.uint8)
    for _, _, cells in {tile.squares for tile in estimate.tiles} ^ {tile.squares for tile in before}:
        for cell in cells:
            near[cell] = 1
    near = np.asarray(cv2.dilate(near, np.ones((3, 3), np.uint8)), dtype=np.uint8)
    return int(_largest(changed & (near == 0)).sum()) >= CHANGED_SQUARES


def _largest(mask: Mask) -> Mask:
    """The largest part of the mask that hangs together."""
    count, labels, sizes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    if count == 1:
        return np.zeros(mask.shape, dtype=bool)
    return np.asarray(labels == 1 + int(sizes[1:, cv2.CC_STAT_AREA].argmax()), dtype=bool)


def _at(scene: Scene, tile: Tile) -> list[int]:
    return [row * scene.cols + col for row, col in tile.cells]


def _shows_other_face(scene: Scene, seen: Evidence, tile: Tile) -> bool:
    coat = seen.coats.get((tile.owner, tile.kind))
    return coat is not None and float(coat[_at(scene, tile)].mean()) < OTHER_FACE


def _is_overlaid(scene: Scene, seen: Evidence, tile: Tile) -> bool:
    coat = seen.coats.get((tile.owner, tile.kind))
    return coat is not None and int((coat[_at(scene, tile)] < OTHER_FACE).sum()) >= OVERLAID_SQUARES
