"""What a glossy board mirrors: a wall in one plain colour, as wide as several squares, or a lamp: a glare.

A wall hides the board's print but no tile: tiles lie above the cover that mirrors. A glare hides anything.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from companion.games.watching import Kind
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.foreground import CORNERS, FOREGROUND, Empty, plain_likelihood
from hardware.vision.board.illumination import LOGARITHMS, SAMPLES, Illumination, side_by_side
from hardware.vision.board.scene import Scene
from hardware.vision.register.rectify import INNER, MARGIN

WINDOW = SAMPLES + 1
"""The samples along each side of a plain place: wider than the arm of a tile, so that none fits into it."""
PLAIN = 0.009
"""The standard deviation of each colour (logarithms) below which a place is plain.

In the 38 rendered pictures of whole boards, no place on tiles is below 0.010. The four with a mirrored wall
have 8 to 94 places below 0.008.
"""
HIDDEN_SHARE = 0.5
"""The minimum share of such a place's samples that do not fit the empty board."""
LEAST_PLACES = 8
"""The minimum number of plain places of one colour."""
SAME = np.array([0.015, 0.01, 0.01], dtype=np.float32)
"""The maximum distance of plain places of one colour (logarithms)."""
PRICE = 1.0
"""The cost in log-density of a sample that shows a mirrored colour, not the empty board."""
BURNT = float(LOGARITHMS[240])
"""The luma (logarithm) from which on a sample is burnt out."""
BRIGHTER = 0.1
"""The luma (logarithm) by which it must be brighter than the empty board there."""
BURNT_SHARE = 0.3
"""The share of a square's samples that are burnt out if it lies under a glare."""
MIRRORED_SHARE = 0.5
"""The share of a square's samples above which it shows what is mirrored."""


def with_mirrored(scene: Scene, colours: Float32, empty: Empty, noise: Float64) -> Empty:
    """How well squares fit their empty state if the board mirrors a plain colour in places.

    `colours` shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3), as the picture shows them; `empty` of the
    same squares. `noise` shape (3,).
    """
    colour = None if _has_wide_tiles(scene) else _mirrored_colour(scene, colours, empty)
    if colour is None:
        return empty
    # The frame mirrors nothing: what is plain there reaches in, as an arm does.
    fits = np.where(_on_board(scene)[..., None], plain_likelihood(colours - colour, noise) - PRICE, -np.inf)
    better = np.maximum(empty.samples, fits).astype(np.float32)
    mirrored = ((fits > empty.samples) & (fits > FOREGROUND)).mean(axis=-1) > MIRRORED_SHARE
    return Empty(
        whole=np.maximum(empty.whole, better.mean(axis=-1)),
        corners=np.maximum(empty.corners, np.sort(better[..., CORNERS].mean(axis=-1), axis=-1)[..., -2]),
        hidden=np.asarray((better < FOREGROUND).mean(axis=-1), dtype=np.float32),
        samples=better,
        mirrored=mirrored,
    )


def glaring(colours: Float32, reference: Float32, light: Illumination) -> Mask:
    """The squares of the board under a glare, shape (rows, cols).

    `colours` and `reference`, shape (rows + 2 MARGIN, cols + 2 MARGIN, samples, 3): the picture and the empty
    board. `light`: the change between them.
    """
    burnt = colours[INNER][..., 0] > BURNT
    if burnt.any():
        burnt &= colours[INNER][..., 0] > light.expected(reference)[INNER][..., 0] + BRIGHTER
    return np.asarray(burnt.mean(axis=-1) > BURNT_SHARE, dtype=bool)


def could_hide_a_tile(scene: Scene, mirrored: Mask, kinds: Iterable[Kind]) -> bool:
    """Whether a tile of one of these kinds, either face up, could lie wholly on mirrored squares.

    Its back may be as plain as what a board mirrors. `mirrored` shape (rows, cols).
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


def _has_wide_tiles(scene: Scene) -> bool:
    """Whether a tile has room for a plain place: a block of two by two squares."""
    for turned in scene.shapes.values():
        squares = set(turned[0].squares)
        if any({(r + 1, c), (r, c + 1), (r + 1, c + 1)} <= squares for r, c in squares):
            return True
    return False


def _on_board(scene: Scene) -> Mask:
    """The squares, including the frame's, on which a tile may lie."""
    return np.pad(~scene.blocked_mask, MARGIN)


def _mirrored_colour(scene: Scene, colours: Float32, empty: Empty) -> Float32 | None:
    """The plain colour, shape (3,), of most places that do not fit the empty board; None if there is none."""
    unlike = (side_by_side(empty.samples) < FOREGROUND).astype(np.float32)
    hidden = cv2.blur(unlike, (WINDOW, WINDOW)) > HIDDEN_SHARE
    hidden &= np.kron(_on_board(scene), np.ones((SAMPLES, SAMPLES), dtype=bool))
    # Luma alone rules out most pictures.
    luma, spread = _mean_and_spread(side_by_side(colours[..., 0]))
    hidden &= (spread < PLAIN**2) & (luma < BURNT)
    if int(hidden.sum()) < LEAST_PLACES:
        return None
    mean, spread = _mean_and_spread(side_by_side(colours))
    plain = mean[hidden & (spread.max(axis=-1) < PLAIN**2)]
    if len(plain) < LEAST_PLACES:
        return None
    alike = (np.abs(plain[:, None] - plain[None]) < SAME).all(axis=-1)
    most = alike[int(alike.sum(axis=1).argmax())]
    return np.median(plain[most], axis=0).astype(np.float32) if int(most.sum()) >= LEAST_PLACES else None


def _mean_and_spread(picture: Float32) -> tuple[Float32, Float32]:
    """The mean and the variance of each sample's surroundings, shape of `picture`."""
    # Luma is about 5: beside its square, the noise would be lost in rounding.
    middle = picture.mean(axis=(0, 1))
    off = picture - middle
    mean = cv2.blur(off, (WINDOW, WINDOW))
    spread = cv2.blur(off * off, (WINDOW, WINDOW)) - mean * mean
    return np.asarray(mean + middle, dtype=np.float32), np.asarray(spread, dtype=np.float32)
