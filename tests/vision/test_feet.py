"""A tile's foot is where its tail sticks out; whose tiles are alike is guessed by their colours."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.arrays import Float32
from hardware.vision.board.feet import PX, Ends
from lab.feet import fitted
from tests.vision.drawn import SCENE

NINE = Tile("", 9, 0, 5, 4, SCENE.cells_of(Tile("", 9, 0, 5, 4)))
OTHERS = tuple(
    Tile("", kind, 0, row, col, SCENE.cells_of(Tile("", kind, 0, row, col)))
    for kind, row, col in ((8, 0, 0), (3, 0, 8), (8, 11, 8))
)
COATS = {0: (-1.0, 0.3, -0.2), 1: (-1.4, -0.2, 0.3), 2: (-1.0, 0.28, -0.18), 3: (-0.98, 0.3, -0.2)}


def drawn(tail: int) -> Float32:
    """Four tiles in plain coats; the 9's tail sticks out of its lower end, or its upper one (-1)."""
    seen = np.zeros(((SCENE.rows + 2) * PX, (SCENE.cols + 2) * PX, 3), np.float32)
    for number, tile in enumerate((NINE, *OTHERS)):
        for row, col in tile.cells:
            seen[(row + 1) * PX : (row + 2) * PX, (col + 1) * PX : (col + 2) * PX] = COATS[number]
    edge, middle = ((NINE.row + 6) * PX, (NINE.col + 2) * PX + PX // 2)
    part = slice(edge, edge + PX // 2) if tail > 0 else slice(edge - 5 * PX - PX // 2, edge - 5 * PX)
    seen[part, middle - 3 : middle + 3] = COATS[0]
    return seen + np.random.default_rng(1).normal(0, 0.02, seen.shape).astype(np.float32)


@pytest.mark.parametrize("tail", [1, -1], ids=["at its foot", "at its head"])
def test_the_tail_tells_a_nine_from_a_six(tail: int) -> None:
    assert tail * Ends(drawn(tail), SCENE, (NINE, *OTHERS)).nats(NINE) > 1


def test_tiles_of_one_colour_are_taken_for_one_sides_but_never_two_of_a_kind() -> None:
    tiles = (NINE, *OTHERS)
    heaps = Ends(drawn(1), SCENE, tiles).alike(tiles)
    assert sorted(map(sorted, heaps)) in ([[0, 2], [1, 3]], [[0, 2, 3], [1]])
    assert not any({1, 3} <= set(heap) for heap in heaps), "they are both an 8"


def test_weights_speak_for_what_the_foot_has_more_of() -> None:
    examples = np.random.default_rng(2).normal((0.5, 0), 1, (200, 2))
    more, nothing = fitted(examples, 10.0)
    assert more > 3 * abs(nothing)
