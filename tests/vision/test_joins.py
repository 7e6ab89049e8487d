"""Whether squares side by side belong to one tile: by their coats and by the line between them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hardware.arrays import Float64, Picture
from hardware.vision.board.joins import Network, joined, network, pairs
from hardware.vision.board.scene import Scene
from hardware.vision.register.homography import Homography
from hardware.vision.register.lens import Lens

ROWS, COLS, PX = 5, 6, 40
SCENE = Scene(rows=ROWS, cols=COLS)
TILE = frozenset({(1, 1), (1, 2), (2, 2), (3, 2), (3, 3)})


def board(*, turn: int = 0) -> Picture:
    """A bed with lines and one tile with a grain of its own, from straight above; turned in quarters."""
    random = np.random.default_rng(5)
    flat = np.full((ROWS * PX, COLS * PX, 3), (120, 170, 130), dtype=np.uint8)
    for at in range(0, COLS * PX, PX):
        flat[:, max(at - 1, 0) : at + 1] = (80, 120, 90)
    for at in range(0, ROWS * PX, PX):
        flat[max(at - 1, 0) : at + 1] = (80, 120, 90)
    grain = cv2.resize(random.random((ROWS * 8, COLS * 8)).astype(np.float32), (COLS * PX, ROWS * PX))
    coat = (40 + 150 * grain[..., None] * np.array([0.4, 0.7, 1.0])).astype(np.uint8)
    for row, col in TILE:
        at = slice(row * PX, (row + 1) * PX), slice(col * PX, (col + 1) * PX)
        flat[at] = coat[at]
    framed = cv2.copyMakeBorder(flat, 80, 80, 80, 80, cv2.BORDER_CONSTANT, value=(170, 190, 205))
    noisy = framed + random.normal(0, 2, framed.shape)
    return np.rot90(np.clip(noisy, 0, 255).astype(np.uint8), -turn).copy()


def from_above(picture: Picture) -> Homography:
    """The homography of a camera straight above."""
    matrix = np.array([[PX, 0, 79.5], [0, PX, 79.5], [0, 0, 1]], dtype=np.float64)
    return Homography(matrix, Lens(picture.shape[1], picture.shape[0]))


@pytest.fixture(scope="module")
def log_odds() -> Float64:
    """Of all pairs on the drawn board."""
    picture = board()
    return joined(picture, SCENE, from_above(picture), 0.9)


def inside() -> Float64:
    """For each of the pairs: how many of its squares the tile covers, 0 to 2."""
    squares = [[divmod(int(square), COLS) in TILE for square in pair] for pair in pairs(ROWS, COLS)]
    return np.array(squares).sum(axis=1).astype(np.float64)


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


def test_squares_of_one_tile_are_joined_and_a_tiles_edge_is_not(log_odds: Float64) -> None:
    of_tile = inside()
    assert (log_odds[of_tile == 2] > 0).all()
    assert (log_odds[of_tile == 1] < 0).all()


def test_bare_squares_are_not_joined_over_a_line_of_the_bed(log_odds: Float64) -> None:
    assert (log_odds[inside() == 0] < 0).mean() > 0.9


def test_a_pair_below_is_judged_as_one_beside() -> None:
    picture = board(turn=1)
    turned = Scene(rows=COLS, cols=ROWS)
    log_odds = joined(picture, turned, from_above(picture), 0.9)
    of_tile = {(col, ROWS - 1 - row) for row, col in TILE}
    covered = np.array(
        [[divmod(int(square), ROWS) in of_tile for square in pair] for pair in pairs(COLS, ROWS)]
    ).sum(axis=1)
    assert (log_odds[covered == 2] > 0).all()
    assert (log_odds[covered == 1] < 0).all()


def test_the_network_gives_log_odds_of_two_layers() -> None:
    small = Network(
        mean=np.array([1.0, 0.0]),
        spread=np.array([2.0, 1.0]),
        inner=np.array([[1.0], [0.5]]),
        inner_bias=np.array([0.25]),
        outer=np.array([3.0]),
        outer_bias=np.array(-1.0),
    )
    # (3 - 1) / 2 · 1 + 4 · 0.5 + 0.25 = 3.25
    assert small.logits(np.array([[3.0, 4.0]])) == pytest.approx(3 * np.tanh(3.25) - 1)


def test_the_network_that_comes_with_the_reader_fits_the_features(log_odds: Float64) -> None:
    assert np.isfinite(log_odds).all()
    assert network().mean.shape == network().spread.shape == (len(network().inner),)
    assert (network().spread > 0).all()
