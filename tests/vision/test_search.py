"""The likeliest boards, held against every board that there is on a very small one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.arrays import Float64
from hardware.vision.board.scene import Scene
from hardware.vision.board.search import Board, best_boards, candidates_of, mask_of

SMALL = Scene(rows=2, cols=3, tile_shapes={1: ("##",), 2: ("#", "#")})
TILES = (("red", 1), ("red", 2), ("green", 1))

NATS = st.lists(st.floats(-3, 6).map(lambda nats: round(nats, 2)), min_size=6, max_size=6)


def searched(nats: dict[tuple[str, int], Float64], keep: int) -> list[Board]:
    """The boards that the search gives."""
    best = np.maximum(np.max(np.stack(list(nats.values())), axis=0), 0)
    choices = [
        candidates_of(owner, SMALL.placements[kind], nats[owner, kind], best, {}) for owner, kind in TILES
    ]
    return best_boards(choices, best, SMALL.cols, keep)


def cost_of_every_board(nats: dict[tuple[str, int], Float64]) -> dict[frozenset[object], float]:
    """Each way to lay some of the tiles without an overlap: what it loses against the best on each square."""
    best = np.maximum(np.max(np.stack(list(nats.values())), axis=0), 0)
    ways = []
    for owner, kind in TILES:
        masks = sorted({tuple(sorted(map(int, at))) for at in SMALL.placements[kind].squares})
        worth = [at for at in masks if sum(nats[owner, kind][list(at)]) >= 1.0]
        ways.append([None, *((owner, kind, at) for at in worth)])
    costs = {}
    for laid in product(*ways):
        tiles = [each for each in laid if each is not None]
        squares = [square for _, _, at in tiles for square in at]
        if len(squares) == len(set(squares)):
            explained = sum(nats[owner, kind][square] for owner, kind, at in tiles for square in at)
            costs[frozenset(tiles)] = float(best.sum() - explained)
    return costs


def named(board: Board) -> frozenset[object]:
    """A board as the reckoning names it."""
    return frozenset(
        (tile.owner, tile.kind, tuple(sorted(row * SMALL.cols + col for row, col in tile.cells)))
        for tile in board.tiles
    )


@settings(max_examples=60, deadline=None)
@given(st.tuples(NATS, NATS, NATS))
def test_the_boards_come_out_in_order_of_their_cost(three: tuple[list[float], ...]) -> None:
    nats = {tile: np.array(values) for tile, values in zip(TILES, three, strict=True)}
    boards, every = searched(nats, keep=4), cost_of_every_board(nats)
    # A square where nothing is better than bare costs nothing bare, but a tile may still cover it.
    cheapest = sorted(every.values())[: len(boards)]
    assert boards
    assert [board.cost for board in boards] == pytest.approx(cheapest, abs=1e-3)
    assert all(every[named(board)] == pytest.approx(board.cost, abs=1e-3) for board in boards)


@settings(max_examples=60, deadline=None)
@given(st.tuples(NATS, NATS, NATS))
def test_no_two_tiles_of_a_board_overlap_and_none_lies_twice(three: tuple[list[float], ...]) -> None:
    nats = {tile: np.array(values) for tile, values in zip(TILES, three, strict=True)}
    for board in searched(nats, keep=6):
        squares = [square for tile in board.tiles for square in tile.cells]
        assert len(squares) == len(set(squares))
        kinds = [(tile.owner, tile.kind) for tile in board.tiles]
        assert len(kinds) == len(set(kinds))


def test_nothing_to_explain_is_the_bare_board() -> None:
    nats = {tile: np.full(6, -2.0) for tile in TILES}
    assert searched(nats, keep=4) == [Board((), 0.0)]


def test_a_tile_that_lay_there_is_cheaper() -> None:
    nats = np.full(6, 2.0)
    places = SMALL.placements[1]
    stays = {mask_of(((1, 0), (1, 1)), SMALL.cols): 4.0}
    cheaper, *others = sorted(
        candidates_of("red", places, nats, nats, stays), key=lambda candidate: candidate.cost
    )
    assert (cheaper.cost, cheaper.mask) == (-4.0, 0b011000)
    assert {candidate.cost for candidate in others} == {0.0}


def test_squares_are_the_bits_of_a_mask() -> None:
    assert mask_of([(0, 0), (1, 2)], 3) == 0b100001
    assert mask_of([], 3) == 0
