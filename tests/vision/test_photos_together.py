"""One finished board from one to three photographs by hand, on beds that are drawn here."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.arrays import Float64
from hardware.vision.board.corners import find_corners
from hardware.vision.board.photos import read_photos
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import HomographyError, PictureError
from hardware.vision.register.homography import homography_from_corners
from hardware.vision.register.lens import Lens
from tests.vision.drawn import SCENE, grid_corners_px, lying, picture, taught_reader, turns

FROM_THE_LEFT = ((420, 90), (900, 40), (1100, 930), (330, 840))
FROM_AFAR = ((480, 250), (800, 240), (850, 700), (430, 690))
GAME = (
    Tile("cat", 4, 0, 6, 4),
    Tile("dog", 8, 1, 11, 4),
    Tile("cat", 2, 0, 6, 8),
    Tile("dog", 5, 0, 1, 1),
)
ALL = (0, 1, 2, 3)
"""The ids of all markers: a picture without them shows the bare frame."""


SQUARE_PX = 40
"""About the width of a square in the drawn pictures."""


def _outline_px(squares: tuple[tuple[int, int], ...]) -> Float64:
    """The corners of a box of squares in px of a drawn picture."""
    homography = homography_from_corners(SCENE, grid_corners_px(), Lens(1280, 960))
    (top, left), (bottom, right) = min(squares), max(squares)
    box = [(left, top), (right + 1, top), (right + 1, bottom + 1), (left, bottom + 1)]
    return homography.picture_points(np.array(box, dtype=np.float64))


@pytest.fixture(scope="module")
def shown() -> TileReader:
    """A reader that was shown the empty bed and every tile."""
    return taught_reader()


def test_corners_are_found_by_the_printed_markers() -> None:
    corners = find_corners(picture(GAME), SCENE)
    assert (corners.source, corners.certain) == ("markers", True)
    np.testing.assert_allclose(corners.corners_px, grid_corners_px(), atol=1.5)


@pytest.mark.slow
def test_without_markers_corners_are_found_by_the_boards_own_edges() -> None:
    corners = find_corners(picture(GAME, hidden=ALL), SCENE)
    assert corners.source == "edges"
    np.testing.assert_allclose(corners.corners_px, grid_corners_px(), atol=0.25 * SQUARE_PX)


@pytest.mark.slow
def test_edges_are_certain_where_a_marker_or_pillows_tell_which_way_up_the_board_lies() -> None:
    pillows = tuple(tuple((row, col) for row in (0, 1) for col in cols) for cols in (range(3), range(9, 12)))
    dream = msgspec.structs.replace(SCENE, blocked=pillows)
    bare = picture(GAME, hidden=ALL, scene=dream)
    for group in pillows:
        cv2.fillConvexPoly(bare, np.array(_outline_px(group), np.int32), (200, 190, 225))
    assert not find_corners(picture(GAME, hidden=ALL), SCENE).certain
    assert find_corners(picture(GAME, hidden=(0, 1, 3)), SCENE).certain
    for turned, shown in ((0, bare), (2, np.ascontiguousarray(np.rot90(bare, 2)))):
        corners = find_corners(shown, dream)
        assert corners.certain
        size = np.array([bare.shape[1] - 1, bare.shape[0] - 1])
        expected = np.array(grid_corners_px(dream))
        expected = size - expected if turned else expected
        np.testing.assert_allclose(corners.corners_px, expected, atol=0.3 * SQUARE_PX)


@pytest.mark.slow
def test_edges_that_a_marker_contradicts_are_none() -> None:
    moved = picture(GAME, hidden=ALL)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    moved[20:150, 1100:1230] = 230
    moved[45:125, 1125:1205] = cv2.aruco.generateImageMarker(dictionary, 3, 80)[..., None]
    assert find_corners(moved, SCENE).source == "guess"


def test_a_picture_without_a_board_gives_four_corners_to_drag_from() -> None:
    wall = np.full((480, 640, 3), 120, dtype=np.uint8)
    corners = find_corners(wall, SCENE)
    assert (corners.source, corners.certain) == ("guess", False)
    assert all(0 <= x <= 640 and 0 <= y <= 480 for x, y in corners.corners_px)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_photos_from_several_places_give_one_board(shown: TileReader, count: int) -> None:
    views = [picture(GAME, noise=1), picture(GAME, noise=2, corners=FROM_THE_LEFT)]
    views.append(picture(GAME, noise=3, corners=FROM_AFAR))
    read = read_photos(views[:count], SCENE, shown=shown)
    assert not read.reading.unsure
    assert lying(read.reading.tiles or ()) == lying(GAME)
    assert [photo.corners.source for photo in read.photos] == ["markers"] * count


def test_a_hand_in_one_photo_leaves_the_board_to_the_other(shown: TileReader) -> None:
    clear = picture(GAME, noise=5, corners=FROM_THE_LEFT)
    read = read_photos([picture(GAME, noise=4, hand=True), clear], SCENE, shown=shown)
    assert read.photos[0].why in {"hand", "tile-off-bed"}
    assert not read.photos[1].why
    assert not read.reading.unsure
    assert lying(read.reading.tiles or ()) == lying(GAME)


def test_a_photo_without_markers_is_read_by_its_corners(shown: TileReader) -> None:
    bare = picture(GAME, noise=6, hidden=ALL)
    read = read_photos([bare], SCENE, [grid_corners_px()], shown=shown)
    assert read.photos[0].corners.source == "person"
    assert lying(read.reading.tiles or ()) == lying(GAME)


def test_reading_photos_leaves_the_reader_as_it_was(shown: TileReader) -> None:
    reader = TileReader.restore(SCENE, shown.save(), turns())
    assert not reader.read_board(picture(GAME[:1], noise=7)).unsure
    read_photos([picture(GAME, noise=8, corners=FROM_AFAR)], SCENE, shown=reader)
    assert lying(reader.tiles) == lying(GAME[:1])
    assert lying(reader.read_board(picture(GAME[:2], noise=9)).tiles or ()) == lying(GAME[:2])


def test_tiles_beside_nothing_that_was_shown_are_asked_about() -> None:
    unshown = TileReader(SCENE, turns())
    unshown.see_empty(picture(noise=10))
    assert read_photos([picture(GAME, noise=11)], SCENE, shown=unshown).reading.unsure


def test_no_board_in_any_photo_is_said() -> None:
    with pytest.raises(HomographyError, match="set the four corners"):
        read_photos([np.full((480, 640, 3), 120, dtype=np.uint8)], SCENE)


@pytest.mark.parametrize("count", [0, 4])
def test_the_number_of_photos_is_one_to_three(count: int) -> None:
    with pytest.raises(PictureError, match="one, two or three"):
        read_photos([picture()] * count, SCENE)


def test_corners_are_given_for_each_photo_or_for_none() -> None:
    with pytest.raises(PictureError, match="four for each, or none"):
        read_photos([picture()], SCENE, [None, None])
