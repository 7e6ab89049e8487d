"""What single photographs of a finished board say, and what several of them say together."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.arrays import Picture
from hardware.vision.board.photos import MOST_AGAINST, PhotoEvidence, together, unexplained
from hardware.vision.board.search import Board
from hardware.vision.board.tile_reader import TileReader
from tests.vision.drawn import SCENE, picture, taught_reader

FROM_THE_LEFT = ((420, 90), (900, 40), (1100, 930), (330, 840))


def placed(owner: str, kind: int, turns: int, row: int, col: int) -> Tile:
    """A tile with the squares that it covers."""
    tile = Tile(owner, kind, turns, row, col)
    return msgspec.structs.replace(tile, cells=SCENE.cells_of(tile))


FOUR = placed("cat", 4, 0, 6, 4)
EIGHT = placed("dog", 8, 1, 11, 4)
SIX = placed("dog", 6, 0, 1, 1)
GAME = (FOUR, EIGHT, SIX)


@pytest.fixture(scope="module")
def shown() -> TileReader:
    """A reader that was shown the empty bed and every tile."""
    return taught_reader()


@pytest.fixture(scope="module")
def photos(shown: TileReader) -> list[PhotoEvidence]:
    """Two photographs of the game, from different places."""
    return [
        weighed(shown, picture(GAME, noise=1)),
        weighed(shown, picture(GAME, noise=2, corners=FROM_THE_LEFT)),
    ]


def weighed(shown: TileReader, seen: Picture) -> PhotoEvidence:
    """A photograph, weighed by its markers."""
    return PhotoEvidence(shown, TileReader.restore(SCENE, shown.save()).view, seen, None)


def best(photo: PhotoEvidence, tile: Tile) -> set[tuple[int, int]]:
    """The squares of the place that is worth most for a tile."""
    choice = photo.choices[tile.owner, tile.kind]
    number = int(np.argmax(photo.worth((tile.owner, tile.kind))))
    return set(choice.places.tile(tile.owner, number, SCENE.cols).cells)


def test_each_tile_is_worth_most_where_it_lies(photos: list[PhotoEvidence]) -> None:
    for photo in photos:
        assert photo.why == ""
        assert [best(photo, tile) == set(tile.cells) for tile in GAME] == [True, True, True]


def test_squares_under_tiles_are_explained_and_no_others(photos: list[PhotoEvidence]) -> None:
    explained = photos[0].most().reshape(SCENE.rows, SCENE.cols)
    under = np.zeros_like(explained, dtype=bool)
    for tile in GAME:
        under[tuple(np.transpose(tile.cells))] = True
    assert explained[under].min() > 1
    assert np.median(explained[~under]) == 0


def test_no_photo_says_more_than_a_limit_against_a_place(photos: list[PhotoEvidence]) -> None:
    worth = photos[0].worth((FOUR.owner, FOUR.kind))
    assert worth.min() == MOST_AGAINST
    assert worth.max() > 0


def test_together_a_place_is_worth_the_mean_of_all_photos(photos: list[PhotoEvidence]) -> None:
    name = (EIGHT.owner, EIGHT.kind)
    expected = [
        (one + other) / 2 for one, other in zip(*(photo.worth(name) for photo in photos), strict=True)
    ]
    np.testing.assert_allclose(together(photos, name).worth, expected)


def test_the_face_of_a_tile_speaks_for_the_way_it_lies(photos: list[PhotoEvidence]) -> None:
    name = (FOUR.owner, FOUR.kind)
    places = photos[0].choices[name].places
    right = int(np.argmax(photos[0].worth(name)))
    beside = next(n for n, mask in enumerate(places.masks) if mask == places.masks[right] << 2)
    assert photos[0].face(name, right, None) > photos[0].face(name, beside, None)


def test_a_tile_that_was_never_shown_has_no_face(photos: list[PhotoEvidence]) -> None:
    assert photos[0].face(("nobody", 4), 0, None) == 0.0


def test_what_says_something_against_a_board_costs_it(photos: list[PhotoEvidence]) -> None:
    nine = msgspec.structs.replace(placed("dog", 9, 2, 1, 1), confidence=1.0)
    assert set(nine.cells) == set(SIX.cells)
    boards = [Board((FOUR, EIGHT, tile), 0.0) for tile in (SIX, nine)]
    assert (photos[0].tails(boards) <= 0).all()


class TestUnexplained:
    """What the tiles that are believed do not explain."""

    def test_the_right_board_explains_everything(self, photos: list[PhotoEvidence]) -> None:
        assert unexplained(photos, GAME, None) == ""

    def test_a_tile_that_is_not_in_the_board_is_left_over(self, photos: list[PhotoEvidence]) -> None:
        assert unexplained(photos, (FOUR, SIX), None) != ""

    def test_a_tile_that_is_not_on_the_table_is_noticed(self, photos: list[PhotoEvidence]) -> None:
        assert unexplained(photos, (*GAME, placed("cat", 9, 0, 1, 8)), None) != ""


class TestWhatKeepsAPhotoFromBeingRead:
    """Each photograph says for itself what is wrong with it."""

    def test_a_blur(self, shown: TileReader) -> None:
        smeared = cv2.GaussianBlur(picture(GAME, noise=3), (0, 0), 9)
        assert weighed(shown, np.asarray(smeared, np.uint8)).why == "blurred"

    def test_a_hand(self, shown: TileReader) -> None:
        assert weighed(shown, picture(GAME, noise=4, hand=True)).why in {"hand", "tile-off-bed"}


def test_a_glare_in_one_photo_is_explained_by_the_other(
    shown: TileReader, photos: list[PhotoEvidence]
) -> None:
    glaring = weighed(shown, picture(GAME, noise=5, glare=(640, 620)))
    assert unexplained([glaring, photos[1]], GAME, None) == ""
