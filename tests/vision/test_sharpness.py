"""A camera out of focus: what is blurred is not read wrongly."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.watching import Alternative, Tile
from hardware.arrays import Picture
from hardware.vision.board.appearance import Appearance, colour_bins, grain_bins
from hardware.vision.board.temporal_filter import Estimate, has_twin
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens
from hardware.vision.register.markers import find_markers, to_gray
from hardware.vision.register.sharpness import (
    LEVELS,
    blur_beyond,
    blurred,
    edge_widths,
    level_of,
    usual_widths,
)
from tests.vision.drawn import SCENE, grid_corners_px, lying, picture, taught_reader, turns

FOUR = Tile("cat", 4, 0, 6, 4)
EIGHT = Tile("dog", 8, 1, 11, 4)
SQUARE_PX = homography_from_corners(SCENE, grid_corners_px(), Lens(1280, 960)).square_px(SCENE)


@pytest.fixture(scope="module")
def saved() -> bytes:
    """What a reader knows that was shown the empty bed and every tile, all of it sharp."""
    return taught_reader().save()


@pytest.fixture
def reader(saved: bytes) -> TileReader:
    """A reader that has read one tile laid."""
    made = TileReader.restore(SCENE, saved, turns())
    assert not made.read_board(picture((FOUR,), noise=1)).unsure
    return made


def _widths(seen: Picture) -> dict[int, float]:
    return edge_widths(to_gray(seen), SCENE, find_markers(to_gray(seen)))


@pytest.mark.parametrize("width_px", [0.8, 1.2, 2.0])
def test_the_blur_of_a_picture_is_measured(width_px: float) -> None:
    sharp = blurred(picture(noise=1), 0.7)  # no lens draws edges as sharp as a drawing's
    beyond = blur_beyond(_widths(blurred(sharp, width_px)), _widths(sharp))
    assert beyond * SQUARE_PX == pytest.approx(width_px, rel=0.25)


def test_dimmer_light_is_no_blur() -> None:
    assert abs(blur_beyond(_widths(picture(gain=0.6, noise=2)), _widths(picture(noise=1)))) < 0.01


def test_what_is_not_seen_says_nothing() -> None:
    assert blur_beyond({}, {0: 0.02}) == 0.0
    assert usual_widths([{0: 0.01, 1: 0.05}, {0: 0.03}, {0: 0.02}]) == {0: 0.02, 1: 0.05}
    flat = np.full((200, 200), 120, dtype=np.uint8)
    corners = np.array([(20.0, 20.0), (180.0, 20.0), (180.0, 180.0), (20.0, 180.0)])
    assert edge_widths(flat, SCENE, {0: corners, 77: corners}) == {}


@pytest.mark.parametrize(("beyond", "level"), [(-0.02, 0), (0.0, 0), (0.012, 1), (0.029, 3), (0.5, 4)])
def test_the_nearest_level_is_taken(beyond: float, level: int) -> None:
    assert level_of(beyond) == level


@pytest.mark.parametrize("width_px", [1.6, 2.5, 8.0])
def test_a_blurred_picture_is_waited_out(reader: TileReader, width_px: float) -> None:
    reading = reader.read_board(blurred(picture((FOUR, EIGHT), noise=2), width_px))
    assert (reading.unsure, reading.why) == (True, "blurred")
    assert lying(reading.tiles) == lying((FOUR,))
    sharp = reader.read_board(picture((FOUR, EIGHT), noise=3))
    assert not sharp.unsure
    assert lying(sharp.tiles) == lying((FOUR, EIGHT))


def test_a_reader_shown_a_blurred_bed_reads_it_blurred() -> None:
    made = TileReader(SCENE, turns())
    made.see_empty(blurred(picture(noise=1), 1.6))
    reading = made.read_board(blurred(picture((FOUR,), noise=2), 1.6))
    assert not reading.unsure
    assert lying(reading.tiles) == lying((FOUR,))


def test_coats_are_known_as_they_look_blurred(reader: TileReader) -> None:
    seen = blurred(picture((FOUR,), noise=2), LEVELS[3] * SQUARE_PX)
    colours, rectified = reader.view.samples(seen, None)
    look = Appearance(colour_bins(colours), grain_bins(rectified, *colours.shape[:2]))
    rows, cols = (np.array(SCENE.cells_of(FOUR)) + 1).T
    coat = reader.coats["cat", 4]
    sharp, soft = (coat.grain_likelihood(look, level)[rows, cols].mean() for level in (0, 3))
    assert soft > sharp


def test_the_picture_is_blurred_as_said() -> None:
    edge = np.zeros((40, 40, 3), dtype=np.uint8)
    edge[:, 20:] = 200
    assert blurred(edge, 0.0) is edge
    assert np.array_equal(blurred(edge, 2.0), cv2.GaussianBlur(edge, (0, 0), 2.0))


@pytest.mark.parametrize(
    ("digit", "col", "confidence", "reported"), [(9, 0, 0.08, True), (9, 0, 0.02, False), (9, 1, 0.08, False)]
)
def test_two_digits_on_the_same_squares_are_twins(
    digit: int, col: int, confidence: float, reported: bool
) -> None:
    six = Tile("cat", 6, 0, 0, 0, ((0, 0), (1, 0)), 0.9)
    other = Tile("cat", digit, 2, 0, col, ((0, col), (1, col)), confidence)
    verdict = Estimate((six,), 0.9, (Alternative((other,), confidence),), "")
    assert has_twin(verdict, 0.05) is reported
