"""Evidence: the support of a picture for each tile on each square, by the coats shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import cv2
import msgspec
import numpy as np

from companion.games.watching import Kind, Tile
from hardware.arrays import Float32, Mask
from hardware.vision.board.appearance import Appearance, Coat
from hardware.vision.board.illumination import SAMPLES, side_by_side
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import ANY_PLACE, Board, Choice, TileName, best_boards, choice_of, mask_of
from hardware.vision.register.rectify import MARGIN

NATS_A_SQUARE = 2.0
"""The weight of a square's mean log-density; its samples are correlated, so it is far less than 64."""
MOST_A_SQUARE = 18.0
"""The most evidence of a square for or against being covered, in nats."""
NATS_A_COAT = 0.55
"""The weight of the mean log-density of a square's coat."""
WORST_COAT = 10.0
"""The most evidence of a square against a coat, in nats."""
UNKNOWN_COAT = 1.5
STAYS = 4.0
"""The bonus of a tile that lies where it lay before, in nats."""
REACH = 3
"""The maximum shift of a square in samples: a careless tile, seen aslant, and its turn."""
SHIFTS = 2 * REACH + 1


class Evidence(msgspec.Struct, frozen=True):
    """A picture's evidence on every square, in nats.

    `moved` shape (SHIFTS, SHIFTS, squares): for each square being covered, against being empty, moved down
    and across by each shift. `tiles`: the same for each tile. `coats` shape (squares,): each coat's mean
    log-density. `samples`: each sample's log-density on each coat, shape ((rows + 2 MARGIN) SAMPLES, (cols +
    2 MARGIN) SAMPLES).
    """

    moved: Float32
    tiles: dict[TileName, Float32]
    coats: dict[TileName, Float32]
    samples: dict[TileName, Float32] = {}

    @property
    def covered(self) -> Float32:
        """The evidence for each square, in its place, being covered by anything, shape (squares,)."""
        return np.asarray(self.moved[REACH, REACH], dtype=np.float32)


def evidence(
    scene: Scene,
    owners: tuple[str, ...],
    coats: dict[TileName, Coat],
    empty: Float32,
    look: Appearance,
    unknown: Float32,
    level: int = 0,
) -> Evidence:
    """Weigh the evidence for each coat on each square against the square being empty.

    `empty`, side by side: each sample's log-density on the empty board. `unknown` shape (rows, cols): the fit
    of squares to a tile whose coat was never shown. `level`: the level of blur of the coats. All but
    `unknown` include the frame.
    """
    flat = Appearance(side_by_side(look.colours), np.stack([side_by_side(bins) for bins in look.grains]))
    samples = {tile: coat.colours_fit(flat.colours) for tile, coat in coats.items()}
    bare = shifted_means(empty)
    never_shown = np.broadcast_to(np.maximum(unknown.ravel(), UNKNOWN_COAT), bare.shape)
    colour = {tile: shifted_means(fits) for tile, fits in samples.items()}
    both = {
        tile: colour[tile] + shifted_means(coat.grain_samples(flat, level)) for tile, coat in coats.items()
    }
    likeliest = reduce(np.maximum, colour.values(), never_shown)
    moved = np.clip(NATS_A_SQUARE * (likeliest - bare), -MOST_A_SQUARE, MOST_A_SQUARE)
    best = reduce(np.maximum, both.values(), never_shown)
    every = [(owner, kind) for owner in owners for kind in scene.placements]
    tiles = {}
    for tile in every:
        nats = moved + np.maximum(NATS_A_COAT * (both.get(tile, never_shown) - best), -WORST_COAT)
        # Without colours of its own a tile would fit its neighbours' edges: it is not looked for beside.
        tiles[tile] = nats if tile in coats else np.broadcast_to(nats[REACH, REACH], nats.shape)
    return Evidence(moved, tiles, {tile: means[REACH, REACH] for tile, means in colour.items()}, samples)


def shifted_means(samples: Float32) -> Float32:
    """The mean of each square's samples, with the square moved down and across by -REACH to REACH samples.

    `samples`, side by side, include the frame. Returns shape (SHIFTS, SHIFTS, rows × cols).
    """
    rows, cols = (side // SAMPLES - 2 * MARGIN for side in samples.shape)
    means = cv2.boxFilter(samples, -1, (SAMPLES, SAMPLES), anchor=(0, 0), borderType=cv2.BORDER_REPLICATE)
    first = means[MARGIN * SAMPLES - REACH :, MARGIN * SAMPLES - REACH :]
    down, across = first.strides
    shifted = np.lib.stride_tricks.as_strided(
        first, (SHIFTS, SHIFTS, rows, cols), (down, across, SAMPLES * down, SAMPLES * across)
    )
    return np.asarray(shifted.reshape(SHIFTS, SHIFTS, rows * cols), dtype=np.float32)


def likely_boards(
    scene: Scene,
    seen: Evidence,
    believed: Sequence[Tile],
    keep: int,
    look: Callable[[Choice, int], float] | None = None,
    allowed: Mapping[Kind, Mask] | None = None,
) -> list[Board]:
    """The boards that explain the evidence best, the best first; `believed` tiles get a bonus for staying.

    `look`: the nats added by the face of a tile in one of its places. `allowed`: each kind's possible places.
    """
    stay = ANY_PLACE + STAYS
    lying = {(tile.owner, tile.kind): {mask_of(tile.cells, scene.cols): stay} for tile in believed}
    choices = []
    for (owner, kind), nats in seen.tiles.items():
        stays, mine = lying.get((owner, kind), {}), None if allowed is None else allowed[kind]
        choices.append(choice_of(scene, owner, scene.placements[kind], nats, stays, mine))
    most = np.max(np.stack([nats.max(axis=(0, 1)) for nats in seen.tiles.values()]), axis=0)
    return best_boards(choices, np.maximum(most, 0).astype(np.float64), scene.cols, keep, look)


def places_since(
    scene: Scene, believed: Sequence[Tile], changed: Mask, *, over_unchanged: bool
) -> dict[Kind, Mask]:
    """Each kind's possible places since `believed`, shape (N,).

    They have a square that shows something new, or are a believed tile's squares. `changed` shape (squares,):
    the squares that show something new. `over_unchanged`: allow squares of a believed tile that shows nothing
    new.
    """
    masks = {mask_of(tile.cells, scene.cols) for tile in believed}
    kept = np.zeros(scene.squares, dtype=bool)
    for squares in ([row * scene.cols + col for row, col in tile.cells] for tile in believed):
        kept[squares] |= not over_unchanged and not changed[squares].any()
    allowed: dict[Kind, Mask] = {}
    for kind, places in scene.placements.items():
        mine = np.asarray(changed[places.squares].any(axis=1) & ~kept[places.squares].any(axis=1))
        for mask in masks:
            mine[places.numbers_of.get(mask, [])] = True
        allowed[kind] = mine
    return allowed
