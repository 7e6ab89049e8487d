"""Tiles between squares, by the poses in which their faces fit best."""

from __future__ import annotations

import pytest

from companion.games.watching import Tile
from hardware.vision.board.faces import Likeness, Shift, between_squares, lean_of

TILES = [Tile("cat", kind, 0, 2 * kind, 0) for kind in range(1, 7)]


def looks(*shifts: Shift, nats: float = 5.0) -> list[Likeness]:
    """How the tiles' faces were found: each shifted across and down."""
    return [Likeness(nats, (across, down, 0.0)) for across, down in shifts]


def between(shown: list[Likeness], around_the_others: Shift) -> list[Tile]:
    """The tiles between squares, if a face that is compared again lies `around_the_others`."""

    def again(tile: Tile, look: Likeness, lean: Shift) -> Likeness:
        return Likeness(look.nats, (*around_the_others, 0.0), lean)

    return between_squares(TILES, dict(zip(TILES, shown, strict=True)).__getitem__, again)


@pytest.mark.parametrize(
    ("shown", "lean"),
    [
        pytest.param(looks(), (0, 0), id="none"),
        pytest.param(looks(*[(2, 0)] * 4), (0, 0), id="too few"),
        pytest.param(looks((2, 0), (1, 0), (2, -1), (3, 0), (2, 0)), (2, 0), id="their median"),
        pytest.param(looks(*[(3, -3)] * 5), (2, -2), id="no more than a tile's thickness makes"),
        pytest.param(looks(*[(2, 0)] * 5, nats=0.1), (0, 0), id="faces that do not show"),
        pytest.param([None, *looks(*[(1, 1)] * 5)], (1, 1), id="one that was not compared"),
    ],
)
def test_from_the_side_all_tiles_lie_off_together(shown: list[Likeness], lean: Shift) -> None:
    assert lean_of(shown) == lean


def test_a_tile_that_lies_as_the_others_do_is_not_between_squares() -> None:
    aslant = looks((2, 0), (2, 0), (1, 0), (2, 1), (2, 0), (3, 0))
    assert between(aslant, (3, 0)) == []
    assert between(aslant, (5, 0)) == [TILES[5]]


def test_a_tile_far_from_where_the_others_lie_is_between_squares() -> None:
    aslant = looks((2, 0), (2, 0), (2, 0), (2, 0), (2, 0), (-1, 0))
    assert between(aslant, (-1, 0)) == [TILES[5]]


def test_seen_from_above_the_squares_count() -> None:
    above = looks((0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 3))
    assert between(above, (0, 0)) == [TILES[5]]
    assert between([*above[:5], *looks((0, 3), nats=0.5)], (0, 0)) == [], "its face does not show"
