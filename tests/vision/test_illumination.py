"""The illumination model: what light does to a picture is taken out, and what was laid stays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.arrays import Float32, Picture
from hardware.vision.board.foreground import CoveredSquares, Empty, empty_likelihood, sample_likelihood
from hardware.vision.board.illumination import (
    SAMPLES,
    fit_illumination,
    samples,
    steepness,
    unevenness,
)
from hardware.vision.board.occlusions import under_tokens
from hardware.vision.board.scene import Scene
from hardware.vision.errors import PictureError

BOARD = Scene(rows=6, cols=5)
ROWS, COLS = 8, 7
"""With the frame."""


def rectified(gain: float = 1.0, warm: float = 0.0, slope: float = 0.0, seed: int = 1) -> Picture:
    """A board of coloured squares under some light: brighter, warmer, or from one side."""
    squares = np.random.default_rng(7).integers(70, 170, (ROWS, COLS, 3)).astype(float)
    flat = np.kron(squares, np.ones((24, 24, 1)))
    across = np.linspace(1 - slope, 1 + slope, flat.shape[1])[None, :, None]
    tint = np.array([1 - warm, 1.0, 1 + warm])
    noise = np.random.default_rng(seed).normal(0, 1.5, flat.shape)
    return np.clip(gain * across * tint * flat + noise, 0, 255).astype(np.uint8)


def sampled(view: Picture) -> Float32:
    """Its samples."""
    return samples(view, BOARD)


REFERENCE = sampled(rectified())
TRUST = np.ones((ROWS, COLS))


def test_samples_are_luma_and_two_chromas_of_each_square() -> None:
    gray = np.full((ROWS * 24, COLS * 24, 3), 100, dtype=np.uint8)
    colours = samples(gray, BOARD)
    assert colours.shape == (ROWS, COLS, SAMPLES**2, 3)
    assert np.allclose(colours, (np.log(164), 0, 0))
    gray[24:48, 48:72] = (200, 100, 50)
    own = samples(gray, BOARD)[1, 2]
    assert np.allclose(own[:, 1], np.log(264 / 164), atol=1e-5)
    assert np.allclose(own[:, 2], np.log(114 / 164), atol=1e-5)


def test_a_flat_board_has_no_steep_places_and_an_edge_has() -> None:
    gray = np.full((ROWS * 24, COLS * 24, 3), 100, dtype=np.uint8)
    assert steepness(samples(gray, BOARD)).max() == 0
    gray[:, 84:] = 160
    steep = steepness(samples(gray, BOARD))[..., 0]
    # Half of the step to the sample before, half of that to the sample after.
    assert steep[:, 3].max() == pytest.approx(np.log(224 / 164) / 2, abs=1e-3)
    assert steep[:, 0].max() == 0


@settings(max_examples=25, deadline=None)
@given(st.floats(0.7, 1.3), st.floats(-0.1, 0.1), st.floats(-0.15, 0.15))
def test_under_other_light_an_empty_board_stays_empty(gain: float, warm: float, slope: float) -> None:
    seen = sampled(rectified(gain, warm, slope, seed=2))
    light = fit_illumination(REFERENCE, seen, TRUST)
    expected = light.expected(REFERENCE)
    assert np.abs(np.median(seen - expected, axis=(0, 1, 2))).max() < 0.02
    empty = empty_likelihood(seen, expected, steepness(REFERENCE), light)
    assert empty.whole.min() > 0


@settings(max_examples=15, deadline=None)
@given(st.floats(0.75, 1.25), st.floats(-0.08, 0.08), st.integers(0, 10**6))
def test_under_other_light_what_was_laid_is_foreground(gain: float, warm: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    covered = random.random((6, 5)) < 0.4
    view = rectified(gain, warm, seed=seed + 3)
    lit = gain * np.array([1 - warm, 1.0, 1 + warm])
    for row, col in np.argwhere(covered):
        at = slice((row + 1) * 24, (row + 2) * 24), slice((col + 1) * 24, (col + 2) * 24)
        view[at] = np.clip(np.array((30, 60, 230)) * lit, 0, 255)
    seen = sampled(view)
    light = fit_illumination(REFERENCE, seen, TRUST)
    empty = empty_likelihood(seen, light.expected(REFERENCE), steepness(REFERENCE), light)
    assert np.array_equal(empty.inner(1).whole < 0, covered)


def test_tiles_of_one_colour_all_over_the_board_are_not_taken_for_another_light() -> None:
    """All but three inner squares are covered; the printed frame around them shows that the light stayed."""
    view = rectified(seed=4)
    for row, col in np.argwhere(np.arange(30).reshape(6, 5) > 2):
        view[(row + 1) * 24 : (row + 2) * 24, (col + 1) * 24 : (col + 2) * 24] = (120, 122, 121)
    seen = sampled(view)
    light = fit_illumination(REFERENCE, seen, TRUST, framed=True)
    assert np.abs(light.change[1:10]).max() < 0.05
    empty = (
        empty_likelihood(seen, light.expected(REFERENCE), steepness(REFERENCE), light).inner(1).whole.ravel()
    )
    assert empty[:3].min() > 0 > np.median(empty[3:])


def test_a_light_that_did_change_is_followed_with_a_frame_too() -> None:
    seen = sampled(rectified(1.1, 0.08, seed=2))
    light = fit_illumination(REFERENCE, seen, TRUST, framed=True)
    assert np.abs(np.median(seen - light.expected(REFERENCE), axis=(0, 1, 2))).max() < 0.02


def test_squares_that_are_not_trusted_say_nothing_of_the_light() -> None:
    seen = sampled(rectified(0.8, seed=2))
    trust = TRUST.copy()
    trust[2:6, 2:5] = 0
    spoiled = seen.copy()
    spoiled[2:6, 2:5] += 0.5
    clean = fit_illumination(REFERENCE, seen, trust)
    same = fit_illumination(REFERENCE, spoiled, trust)
    assert np.allclose(clean.change, same.change)
    assert np.allclose(clean.shift, (np.log(0.8), 0, 0), atol=0.09)


def test_the_light_of_the_picture_before_is_kept_while_it_holds() -> None:
    seen = sampled(rectified(0.9, seed=2))
    first = fit_illumination(REFERENCE, seen, TRUST)
    again = fit_illumination(REFERENCE, sampled(rectified(0.9, seed=3)), TRUST, first)
    other = fit_illumination(REFERENCE, sampled(rectified(1.25, seed=3)), TRUST, first)
    assert np.abs(again.shift - first.shift).max() < 0.01
    assert other.shift[0] - first.shift[0] > 0.15


def test_colours_that_are_no_numbers_are_refused() -> None:
    broken = np.full_like(REFERENCE, np.nan)
    with pytest.raises(PictureError, match="show the empty board again"):
        fit_illumination(broken, REFERENCE, TRUST)


def test_a_shadow_over_a_square_leaves_it_empty_and_a_thing_on_it_does_not() -> None:
    light = fit_illumination(REFERENCE, sampled(rectified(seed=2)), TRUST)
    steep = steepness(REFERENCE)
    shadow, thing = REFERENCE.copy(), REFERENCE.copy()
    shadow[3, 3, :, 0] -= 0.3
    thing[3, 3, :, 1] += 0.3
    expected = light.expected(REFERENCE)
    assert empty_likelihood(shadow, expected, steep, light).whole[3, 3] > 0
    assert empty_likelihood(thing, expected, steep, light).whole[3, 3] < 0
    flat = steep[3, 3].max(axis=-1) < 0.05
    fits = sample_likelihood(thing, expected, steep, light)[3, 3]
    assert flat.sum() > 30
    assert (fits[flat] < 0).all()


def test_a_round_token_leaves_the_corners_of_its_square_free() -> None:
    light = fit_illumination(REFERENCE, sampled(rectified(seed=2)), TRUST)
    token, tile = REFERENCE.copy(), REFERENCE.copy()
    y, x = np.divmod(np.arange(SAMPLES**2), SAMPLES)
    middle = np.hypot(y - 3.5, x - 3.5) < 2.9
    token[3, 3, middle] += 0.6
    tile[3, 3] += 0.6
    steep, expected = steepness(REFERENCE), light.expected(REFERENCE)
    on_token, on_tile = (empty_likelihood(each, expected, steep, light) for each in (token, tile))
    assert on_token.whole[3, 3] < on_token.corners[3, 3] - 4
    assert under_tokens(on_token)[3, 3] > under_tokens(on_tile)[3, 3] + 1
    assert on_token.hidden[3, 3] == pytest.approx(middle.mean(), abs=0.2)


def test_the_frame_is_left_out_of_the_inner_squares() -> None:
    numbers = np.arange(ROWS * COLS, dtype=np.float32).reshape(ROWS, COLS)
    samples = numbers[..., None] + np.zeros(64, np.float32)
    inner = Empty(numbers, numbers + 1, numbers + 2, samples, numbers > 0).inner(1)
    assert inner.samples.shape == (6, 5, 64)
    assert inner.whole.shape == (6, 5)
    assert (inner.whole[0, 0], inner.corners[0, 0], inner.hidden[0, 0]) == (8, 9, 10)


def test_before_anything_lay_there_nothing_is_known_of_what_may() -> None:
    look = type("Nothing", (), {"colours": None, "grains": None})()
    empty = np.full((2, 2), 3.0, dtype=np.float32)
    coat = CoveredSquares().coat(empty, REFERENCE[:2, :2], look, np.zeros((2, 2), dtype=bool))
    assert (coat == coat[0, 0]).all()
    assert coat[0, 0] < 0


class TestUnevenLight:
    """Whether a shadow ends on the frame."""

    ALL = np.ones((ROWS, COLS), dtype=bool)

    def off(self, shadow: float = 0.0, chroma: float = 0.0) -> Float32:
        """What a shadow over the left half, in luma and a chroma, leaves unexplained on an empty board."""
        off = np.zeros_like(REFERENCE)
        off[:, : COLS // 2, :, 0] = shadow
        off[:, : COLS // 2, :, 1] = chroma
        return off

    def test_even_light_is_even(self) -> None:
        assert unevenness(self.off(), self.ALL) == 0

    def test_a_shadow_over_a_part_of_the_frame_makes_it_uneven(self) -> None:
        assert unevenness(self.off(-0.3), self.ALL) == pytest.approx(0.3)

    def test_what_has_another_colour_is_no_shadow(self) -> None:
        assert unevenness(self.off(-0.3, chroma=0.2), self.ALL) == 0

    def test_what_lies_on_the_board_alone_is_no_shadow(self) -> None:
        off = np.zeros_like(REFERENCE)
        off[1:-1, 1:-1, :, 0] = -0.3
        assert unevenness(off, self.ALL) == 0

    def test_a_picture_that_shows_none_of_the_frame_says_nothing(self) -> None:
        inside = self.ALL.copy()
        inside[[0, -1]] = inside[:, [0, -1]] = False
        assert unevenness(self.off(-0.3), inside) == 0
