"""How likely each tile lies each way: coats once shown, and the squares they would cover."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.vision.coats import Boxes, Coat, colour_boxes, grain_boxes
from hardware.vision.light import Colours, Light
from hardware.vision.scene import Scene, TilePlaced
from hardware.vision.search import Board, Candidate, best_boards, candidates_of

Nats = NDArray[np.float32]
Tile = tuple[str, int]

NATS_A_SQUARE = 2.0
"""How much a square's mean log-density counts: its samples err together, so it is worth far less than 64 of them."""
MOST_A_SQUARE = 12.0
"""No square says more than this for or against being covered."""
NATS_A_COAT = 1.0
WORST_COAT = 8.0
"""How much a square's coat counts, and the most that a square can say against a coat."""


class Evidence(msgspec.Struct, frozen=True):
    """What a picture says of every square, in nats, flat over rows × cols.

    `covered`: for being covered by anything against being empty; `tiles`: for being covered by each tile
    against being empty.
    """

    covered: Nats
    tiles: dict[Tile, Nats]


def evidence(scene: Scene, coats: dict[Tile, Coat], empty: Nats, colours: Boxes, grains: Boxes) -> Evidence:
    """Weighs each square's coats against its being empty.

    `empty` shape (rows, cols), `colours` and `grains` shape (rows, cols, samples).
    """
    likely = {tile: coat.likelihood(colours, grains).ravel() for tile, coat in coats.items()}
    best = np.max(np.stack(list(likely.values())), axis=0)
    covered = np.clip(NATS_A_SQUARE * (best - empty.ravel()), -MOST_A_SQUARE, MOST_A_SQUARE)
    tiles = {tile: covered + np.maximum(NATS_A_COAT * (own - best), -WORST_COAT) for tile, own in likely.items()}
    return Evidence(covered, tiles)


def likely_boards(scene: Scene, seen: Evidence, keep: int) -> list[Board]:
    """The boards that explain the evidence best, best first."""
    best = np.maximum(np.max(np.stack(list(seen.tiles.values())), axis=0), 0)
    choices = [
        candidates_of(scene, owner, scene.placements[digit], nats, best) for (owner, digit), nats in seen.tiles.items()
    ]
    return best_boards(choices, best, keep)
