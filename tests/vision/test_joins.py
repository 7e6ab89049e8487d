"""The labels of a board's squares: covered or bare, and of one tile or not."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.vision.board import unshown
from hardware.vision.board.unshown import EDGE, SQUARE, Network, SquaresSeen, network, pairs, squares_seen
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens
from tests.vision.drawn import SCENE, grid_corners_px
from tests.vision.test_unshown import COATS, plain_bed

ROWS, COLS = SCENE.rows, SCENE.cols


@pytest.fixture(scope="module")
def seen() -> SquaresSeen:
    """A drawn bed with four tiles."""
    homography = homography_from_corners(SCENE, grid_corners_px(), Lens(1280, 960))
    return squares_seen(plain_bed(), SCENE, homography, 0.9)


def tile_of() -> dict[int, int]:
    """The tile on each covered square."""
    return {
        row * COLS + col: number for number, tile in enumerate(COATS) for row, col in SCENE.cells_of(tile)
    }


def test_each_two_squares_side_by_side_are_a_pair_once() -> None:
    every = [tuple(pair) for pair in pairs(ROWS, COLS)]
    expected = {
        (row * COLS + col, (row + down) * COLS + col + 1 - down)
        for row in range(ROWS)
        for col in range(COLS)
        for down in (0, 1)
        if row + down < ROWS and col + 1 - down < COLS
    }
    assert len(every) == len(set(every))
    assert set(every) == expected


def test_squares_of_one_tile_are_joined_and_others_are_not(seen: SquaresSeen) -> None:
    tiles = tile_of()
    same = np.array([a in tiles and tiles[a] == tiles.get(b) for a, b in pairs(ROWS, COLS).tolist()])
    assert (seen.joined[same] > 0).mean() > 0.9
    assert (seen.joined[~same] < 0).mean() > 0.95


def test_squares_under_tiles_are_covered(seen: SquaresSeen) -> None:
    covered = np.isin(np.arange(SCENE.squares), list(tile_of()))
    assert ((seen.covered > 0) == covered).mean() > 0.95


def test_a_mirrored_or_turned_board_is_seen_as_the_same_board() -> None:
    shown = np.random.default_rng(1).normal(size=(2 * EDGE + 2 * SQUARE, 4, 3))
    shown[:EDGE, :, -1] = shown[EDGE : 2 * EDGE, -1] = 0
    said = unshown._summed(shown, unshown.WAYS - 1)
    mirrored = unshown._summed(unshown.mirrored(shown, unshown.LINES_RIGHT), unshown.WAYS - 1)
    np.testing.assert_allclose(unshown.mirrored(mirrored, unshown.ANSWERS_RIGHT), said)
    transposed = unshown._summed(unshown.transposed(shown, unshown.TRANSPOSED), unshown.WAYS - 1)
    np.testing.assert_allclose(unshown.transposed(transposed, unshown.ANSWERS_TRANSPOSED), said)


def test_the_network_adds_what_the_squares_around_say() -> None:
    sum_of_all = np.ones((1, 1, 3, 3))
    small = Network(
        mean=np.array([1.0]),
        spread=np.array([2.0]),
        first=np.array([[1.0]]),
        first_bias=np.array([0.5]),
        layers=sum_of_all[None],
        biases=np.array([[0.0]]),
        last=np.array([[3.0]]),
        last_bias=np.array([-1.0]),
    )
    alone = np.full((1, 3, 3), -9.0)
    alone[0, 1, 1] = 4.0
    # (4 - 1) / 2 + 0.5 = 2 on the middle square; it and those around get 2 more.
    answers = small.answers(alone)[0]
    assert answers[1, 1] == pytest.approx(3 * 4 - 1)
    assert answers[0, 0] == pytest.approx(3 * 2 - 1)


def test_the_network_that_comes_with_the_reader_fits_the_features(seen: SquaresSeen) -> None:
    assert np.isfinite(seen.joined).all()
    assert len(network().mean) == len(network().spread) == 2 * EDGE + 2 * SQUARE
    assert (network().spread > 0).all()
