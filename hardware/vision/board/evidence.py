"""Evidence: how much a picture supports each tile on each square, by the coats that were shown."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from companion.games.watching import Tile
from hardware.arrays import Float32
from hardware.vision.board.appearance import Coat, Look
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, TileName, best_boards, candidates_of, mask_of

NATS_A_SQUARE = 2.0
"""The weight of a square's mean log-density; its samples are correlated, so it is far less than 64."""
MOST_A_SQUARE = 12.0
"""The maximum evidence of a square for or against being covered, in nats."""
NATS_A_COAT = 0.55
"""The weight of the mean log-density of a square's coat."""
WORST_COAT = 8.0
"""The maximum evidence of a square against a coat, in nats."""
UNKNOWN_COAT = 1.5
"""The mean log-density of a coat that was never shown."""
STAYS = 4.0
"""The bonus of a tile that lies where it lay before, in nats."""


class Evidence(msgspec.Struct, frozen=True):
    """A picture's evidence on every square, in nats, shape (rows × cols,) each.

    `covered`: for being covered by anything, against being empty. `tiles`: for being covered by each tile,
    against being empty. `coats`: each coat's mean log-density.
    """

    covered: Float32
    tiles: dict[TileName, Float32]
    coats: dict[TileName, Float32]


def evidence(
    scene: Scene,
    owners: tuple[str, ...],
    coats: dict[TileName, Coat],
    empty: Float32,
    look: Look,
    unknown: Float32,
    level: int = 0,
) -> Evidence:
    """Weigh the evidence for each coat on each square against the square being empty.

    `empty`, `unknown` shape (rows, cols): mean log-densities of the squares as empty, and as covered by a
    tile whose coat was never shown. `level`: the level of the coats that matches the picture's blur.
    """
    unknown = np.maximum(unknown.ravel(), UNKNOWN_COAT)
    colour = {tile: coat.colour_likelihood(look).ravel() for tile, coat in coats.items()}
    both = {tile: colour[tile] + coat.grain_likelihood(look, level).ravel() for tile, coat in coats.items()}
    likeliest = np.max(np.stack([unknown, *colour.values()]), axis=0)
    covered = np.clip(NATS_A_SQUARE * (likeliest - empty.ravel()), -MOST_A_SQUARE, MOST_A_SQUARE)
    best = np.max(np.stack([unknown, *both.values()]), axis=0)
    every = [(owner, kind) for owner in owners for kind in scene.placements]
    own = {tile: both.get(tile, unknown) for tile in every}
    tiles = {tile: covered + np.maximum(NATS_A_COAT * (own[tile] - best), -WORST_COAT) for tile in every}
    return Evidence(covered, tiles, colour)


def likely_boards(scene: Scene, seen: Evidence, believed: Sequence[Tile], keep: int) -> list[Board]:
    """The boards that explain the evidence best, the best first; `believed` tiles get a bonus for staying."""
    best = np.maximum(np.max(np.stack(list(seen.tiles.values())), axis=0), 0)
    lying = {(tile.owner, tile.kind): {mask_of(tile.cells, scene.cols): STAYS} for tile in believed}
    choices = [
        candidates_of(owner, scene.placements[kind], nats, best, lying.get((owner, kind), {}))
        for (owner, kind), nats in seen.tiles.items()
    ]
    return best_boards(choices, best, scene.cols, keep)
