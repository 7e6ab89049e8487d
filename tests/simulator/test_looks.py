"""Any game's things are drawn: whoever has no look of their own has a plain one, made from their names."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from companion.games.watching import Tile
from companion.simulator.acting import Pace, acted, lessons
from companion.simulator.coats import colour_of
from companion.simulator.draw import Marker, Table
from companion.simulator.hands import Hand, hand_drawing
from companion.simulator.kitchen import pawn
from companion.simulator.looks import coat_of
from companion.simulator.pieces import marker, tile_body, tile_tail
from companion.simulator.table_scene import TableScene, board_of, on_board
from companion.simulator.view import view_of
from tests.drawn import draw
from tests.simulator.test_draw import at_square, change

SHAPES = {"I3": ("###",), "T4": ("###", ".#.")}
SCENE = TableScene(rows=9, cols=9, owners=("red", "green", "blue"), tile_shapes=SHAPES)
VIEW = view_of(9, 9)


def test_a_tile_of_any_owner_and_kind_covers_its_squares_and_no_others() -> None:
    tile = on_board(Tile("green", "T4", 1, 3, 3), SCENE)
    assert set(tile.cells) == {(3, 4), (4, 4), (5, 4), (4, 3)}
    changed = change(draw(SCENE), draw(SCENE, (tile,)))
    assert all(at_square(changed, *square, VIEW) > 12 for square in tile.cells)
    others = {(row, col) for row in range(9) for col in range(3)} - set(tile.cells)
    assert max(at_square(changed, *square, VIEW) for square in others) < 6


@pytest.mark.parametrize(("owner", "channel"), [("blue", 0), ("green", 1), ("red", 2)])
def test_an_owner_called_by_a_colour_has_tiles_and_a_marker_of_it(owner: str, channel: int) -> None:
    assert int(np.argmax(coat_of(owner, "I3").base)) == channel
    middle = marker(owner)[24, 24]
    assert int(np.argmax(middle[:3])) == channel


def test_names_that_are_no_colours_give_colours_that_differ() -> None:
    names = ("north", "east", "south", "west")
    assert all(
        np.abs(np.subtract(colour_of(one), colour_of(other))).max() > 30
        for one, other in combinations(names, 2)
    )
    assert colour_of("north") == colour_of("north")


def test_tiles_without_a_look_of_their_own_have_no_tail_and_no_face() -> None:
    assert tile_tail("green", "T4", SHAPES["T4"], 0) is None
    assert tile_tail("cat", 4, SHAPES["T4"], 0) is not None


def test_two_kinds_of_one_owner_differ() -> None:
    bodies = [tile_body("green", kind, ("###",), 0)[..., :3].astype(int) for kind in ("I3", "T4", "X")]
    assert min(np.abs(one - other).mean() for one, other in combinations(bodies, 2)) > 10


def test_a_digit_beyond_those_that_a_look_has_coats_for_shares_one() -> None:
    assert coat_of("cat", 10) == coat_of("cat", 1)


def test_hands_wear_what_their_owner_wears_or_the_usual() -> None:
    assert not np.array_equal(hand_drawing("cat"), hand_drawing("dog"))
    assert np.array_equal(hand_drawing("green"), hand_drawing(""))


def test_the_first_owner_sits_at_the_bottom_and_the_others_at_the_top() -> None:
    assert [SCENE.is_far(owner) for owner in ("red", "green", "blue", "nobody")] == [False, True, True, False]
    for owner in ("red", "green"):
        tile = on_board(Tile(owner, "I3", 0, 4, 3), SCENE)
        way = list(acted(Table(), Table((tile,)), SCENE, Pace(reach=3)))
        hands = [table.hand for table in way if table.hand is not None]
        assert all((hand.owner, hand.far) == (owner, owner == "green") for hand in hands)
        assert hands[-1].y > 9 if owner == "red" else hands[-1].y < 0


def test_a_hand_lays_a_tile_by_its_middle_from_either_side() -> None:
    middles = []
    for owner in ("red", "green"):
        tile = on_board(Tile(owner, "T4", 1, 3, 2), SCENE)
        assert {row for row, _ in tile.cells} == {3, 4, 5}
        assert {col for _, col in tile.cells} == {2, 3}
        way = acted(Table(), Table((tile,)), SCENE, Pace(reach=3))
        laid = [table.hand for table in way if table.hand is not None and table.hand.holds][-1]
        assert laid.holds_at == pytest.approx((3, 2))
        middles.append((laid.x, laid.y))
    (near_x, near_y), (far_x, far_y) = middles
    assert near_x == far_x == pytest.approx(3.0)
    # The fingers point away from whom they belong to, by as much on both sides.
    assert (near_y + far_y) / 2 == pytest.approx(4.5)


def test_a_far_hand_comes_from_the_top_row() -> None:
    hands = (Hand(4.5, 4.5, "green", lean=0, far=far) for far in (False, True))
    near, far = (change(draw(SCENE), draw(SCENE, hand=hand)) for hand in hands)
    assert at_square(near, 8, 4, VIEW) > 12 > at_square(near, 0, 4, VIEW)
    assert at_square(far, 0, 4, VIEW) > 12 > at_square(far, 8, 4, VIEW)


def test_each_owners_tiles_are_shown_in_lessons_of_their_own() -> None:
    shown = [[(tile.owner, tile.kind) for tile in lesson.tiles] for lesson in lessons(SCENE)]
    assert shown == [[(owner, "I3"), (owner, "T4")] for owner in ("red", "green", "blue")]


def test_lessons_lie_off_blocked_squares() -> None:
    board = board_of({"rows": 9, "cols": 9, "pillows": [[[2, 3]]], "owners": ["red"], "tile_shapes": SHAPES})
    squares = {square for lesson in lessons(board) for tile in lesson.tiles for square in tile.cells}
    assert squares
    assert (2, 3) not in squares


def test_a_pawn_of_any_kind_has_a_colour_that_follows_from_its_name() -> None:
    green, mouse = ([ink for _, _, ink in pawn(kind)] for kind in ("green", "mouse"))
    assert all(int(np.argmax(ink)) == 1 for ink in green)
    assert max(max(ink) - min(ink) for ink in mouse) < 10, "mice are grey"


def test_a_marker_of_any_owner_lies_on_its_square() -> None:
    changed = change(draw(SCENE), draw(SCENE, markers=(Marker("green", 6, 2),)))
    assert at_square(changed, 6, 2, VIEW) > 20 > at_square(changed, 2, 6, VIEW)


@pytest.mark.parametrize("owner", ["cat", "dog"])
def test_a_paw_is_in_the_middle_of_its_marker(owner: str) -> None:
    drawing = marker(owner)[..., :3].astype(int)
    side = len(drawing)
    across, down = np.meshgrid(*2 * [(np.arange(side) + 0.5) / side - 0.5])
    within = np.hypot(across, down) < 0.3
    ground = np.median(drawing[within], axis=0)
    paw = within & (np.abs(drawing - ground).max(axis=-1) > 30)
    assert 0.1 < paw[within].mean() < 0.5
    assert across[paw].mean() == pytest.approx(0, abs=0.03)
    assert down[paw].mean() == pytest.approx(0, abs=0.1)
