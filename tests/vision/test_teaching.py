"""Where tiles are laid when the camera is shown their coats."""

from __future__ import annotations

import pytest

from hardware.vision.board.scene import Scene, lesson_groups, teaching_places
from hardware.vision.errors import SceneError

BAR = ("#", "#", "#", "#", "#")
BED = Scene(rows=11, cols=5, tile_shapes={1: BAR, 2: BAR, 3: BAR, 4: BAR, 5: BAR, 6: BAR, 7: BAR})


def test_tiles_are_laid_apart_and_off_the_pillows() -> None:
    bed = Scene(rows=11, cols=5, tile_shapes=BED.tile_shapes, blocked=(((0, 0), (0, 1)),))
    places = teaching_places(bed, "cat", (1, 2, 3))
    squares = [square for tile in places for square in tile.cells]
    assert len(squares) == len(set(squares)) == 15
    assert not {(0, 0), (0, 1)} & set(squares)
    for tile in places:
        others = [square for other in places if other is not tile for square in other.cells]
        assert not {(row, col + 1) for row, col in tile.cells} & set(others)


def test_a_side_is_shown_in_few_lesson_groups() -> None:
    assert lesson_groups(BED, "cat") == ((1, 2, 3, 4, 5, 6), (7,))


def test_too_many_at_once_are_refused() -> None:
    with pytest.raises(SceneError, match="show fewer"):
        teaching_places(BED, "cat", range(1, 8))


def test_a_tile_that_is_not_in_the_set_is_refused() -> None:
    with pytest.raises(SceneError, match="no tile 9"):
        teaching_places(BED, "cat", (9,))
