"""The virtual table's pictures: what lies on the table is seen to lie there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.watching import Tile
from companion.simulator.acting import thrown
from companion.simulator.dice import FACE_PX, PIPS, SIDE_FACES, Die
from companion.simulator.draw import Light, Marker, shape_of_cells
from companion.simulator.hands import Hand
from companion.simulator.pieces import tile_body
from companion.simulator.table_scene import TableScene
from companion.simulator.view import TABLE_Z, View, view_of
from hardware.arrays import Picture
from hardware.vision.board.scene import turn_squares
from tests.drawn import draw

VIEW = View()


def laid(bed: TableScene, owner: str, digit: int, turns: int, row: int, col: int) -> Tile:
    """A tile with its squares."""
    tile = Tile(owner, digit, turns, row, col)
    return Tile(owner, digit, turns, row, col, bed.cells_of(tile))


def change(before: Picture, after: Picture) -> NDArray[np.float64]:
    """How much each px changed, 0 to 255, without noise."""
    soft = [cv2.GaussianBlur(each, (0, 0), 2).astype(float) for each in (before, after)]
    return np.asarray(np.abs(soft[1] - soft[0]).max(axis=2))


def at_square(values: NDArray[np.float64], row: int, col: int, view: View = VIEW) -> float:
    """The median of the px in the middle of a square."""
    points = [(col + 0.5 + x, row + 0.5 + y, 0.1) for x in (-0.2, 0, 0.2) for y in (-0.2, 0, 0.2)]
    px = np.round(view.project(np.array(points))).astype(int)
    return float(np.median(values[px[:, 1], px[:, 0]]))


def markers_in(picture: Picture) -> dict[int, NDArray[np.float64]]:
    """The markers that a reader finds: their corners in px by id."""
    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(family).detectMarkers(picture)
    # OpenCV 4 gives ids of shape (N, 1), OpenCV 5 of shape (N,).
    return {} if ids is None else dict(zip(ids.ravel().tolist(), (c[0] for c in corners), strict=True))


def test_all_four_markers_are_found_where_the_view_puts_them(bed: TableScene) -> None:
    markers = markers_in(draw(bed))
    assert sorted(markers) == [0, 1, 2, 3]
    for marker, corners in bed.markers_in_cells.items():
        at = VIEW.project(np.array([(*corner, 0) for corner in corners]))
        assert np.abs(markers[marker] - at).max() < 2.0


def test_the_picture_is_as_large_as_a_cameras(bed: TableScene) -> None:
    picture = draw(bed)
    assert (picture.shape, picture.dtype) == ((960, 1280, 3), np.uint8)


def test_the_same_table_gives_the_same_picture(bed: TableScene) -> None:
    tiles = (laid(bed, "cat", 4, 1, 6, 4), laid(bed, "dog", 9, 2, 0, 0))
    first = draw(bed, tiles, thrown([3, 5], bed))
    draw(bed, tiles[:1])
    draw(bed, (), hand=Hand(5, 5))
    assert np.array_equal(draw(bed, tiles, thrown([3, 5], bed)), first)


def test_a_picture_given_away_is_ours_no_more(bed: TableScene) -> None:
    first = draw(bed)
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(draw(bed), kept)


def test_the_noise_of_two_pictures_differs_but_little(bed: TableScene) -> None:
    first, second = (draw(bed, light=Light(noise=number)).astype(int) for number in (1, 2))
    assert 0.3 < np.abs(first - second).mean() < 4


def test_more_light_is_brighter_and_warm_light_redder(bed: TableScene) -> None:
    usual = draw(bed).astype(float).mean(axis=(0, 1))
    assert (draw(bed, light=Light(gain=1.1)).astype(float).mean(axis=(0, 1)) > usual).all()
    blue, _, red = draw(bed, light=Light(warmth=0.05)).astype(float).mean(axis=(0, 1)) - usual
    assert blue < 0 < red


@pytest.mark.parametrize("digit", range(1, 10))
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_tile_covers_its_squares_and_only_its_tail_and_shadow_others(
    bed: TableScene, digit: int, turns: int
) -> None:
    tile = laid(bed, ("cat", "dog")[turns % 2], digit, turns, 6, 4)
    changed = change(draw(bed), draw(bed, (tile,)))
    for square in tile.cells:
        assert at_square(changed, *square) > 12, square
    away = [
        (row, col)
        for row in range(bed.rows)
        for col in range(bed.cols)
        if not 4 <= row <= 12 or not 2 <= col <= 10
    ]
    assert max(at_square(changed, *square) for square in away) < 6


def test_a_tail_sticks_out_of_the_foot(bed: TableScene) -> None:
    empty = draw(bed)
    upright = change(empty, draw(bed, (laid(bed, "cat", 8, 0, 6, 4),)))
    upside_down = change(empty, draw(bed, (laid(bed, "cat", 8, 2, 6, 4),)))

    def beside(values: NDArray[np.float64], row: int) -> float:
        return max(at_square(values, row, col) for col in (4, 5, 6))

    above, below = 5, 11
    assert beside(upright, below) > 15 > beside(upright, above)
    assert beside(upside_down, above) > 15


def test_every_tile_has_a_coat_of_its_own() -> None:
    coats = [
        cv2.GaussianBlur(tile_body(owner, digit, ("###",) * 5, 0)[..., :3], (0, 0), 3).astype(float)
        for owner in ("cat", "dog")
        for digit in range(1, 10)
    ]
    apart = [np.abs(a - b).mean() for n, a in enumerate(coats) for b in coats[n + 1 :]]
    assert min(apart) > 10


def test_the_dream_bed_shows_pillows_and_toys(bed: TableScene, dream_bed: TableScene) -> None:
    changed = change(draw(bed), draw(dream_bed))
    for pillow in dream_bed.blocked:
        for square in pillow:
            assert at_square(changed, *square) > 12
    for kind, squares in dream_bed.pictures.items():
        drawn = [at_square(changed, *square) for square in squares]
        assert np.median(drawn) > 12, kind


def test_a_hand_covers_what_is_under_it_and_carries_a_tile(bed: TableScene) -> None:
    empty = draw(bed)
    changed = change(empty, draw(bed, hand=Hand(6, 8)))
    assert at_square(changed, 10, 6) > 20
    assert at_square(changed, 2, 2) < 4
    tile = laid(bed, "dog", 8, 0, 0, 0)
    carried = change(empty, draw(bed, hand=Hand(6.5, 2, "dog", far=True, holds=tile, holds_at=(4.5, 5.2))))
    assert at_square(carried, 6, 5) > 12


def test_a_hand_may_be_wholly_out_of_the_picture(bed: TableScene) -> None:
    assert np.array_equal(draw(bed, hand=Hand(6, 60)), draw(bed))


def test_markers_lie_on_their_squares(bed: TableScene) -> None:
    changed = change(draw(bed), draw(bed, markers=(Marker("cat", 3, 3), Marker("dog", 9, 9))))
    assert at_square(changed, 3, 3) > 20
    assert at_square(changed, 9, 9) > 20
    assert at_square(changed, 6, 6) < 4


def test_a_cup_on_a_marker_hides_it(bed: TableScene) -> None:
    x, y = np.mean(bed.markers_in_cells[0], axis=0)
    assert sorted(markers_in(draw(bed, cup=(x, y)))) == [1, 2, 3]


def test_another_view_is_another_picture_of_the_same_table(bed: TableScene) -> None:
    view = replace(VIEW, roll=-6.0, tilt=25.0)
    markers = markers_in(draw(bed, view=view))
    assert sorted(markers) == [0, 1, 2, 3]
    at = view.project(np.array([(*corner, 0) for corner in bed.markers_in_cells[2]]))
    assert np.abs(markers[2] - at).max() < 2.0


def test_the_lens_bends_straight_lines() -> None:
    edge = VIEW.project(np.array([(x, -9.0, TABLE_Z) for x in (-8.0, 7.4, 22.0)]))
    straight = edge[0] + (edge[2] - edge[0]) * (edge[1, 0] - edge[0, 0]) / (edge[2, 0] - edge[0, 0])
    assert abs(straight[1] - edge[1, 1]) > 3


@pytest.mark.parametrize(("rows", "cols"), [(16, 12), (14, 14), (20, 20), (8, 30), (64, 64)])
def test_a_bed_of_any_size_is_in_the_picture_with_its_tray(rows: int, cols: int) -> None:
    view = view_of(rows, cols)
    corners = view.project(
        np.array([(-2.2, -2.2, 0), (cols + 9.5, rows / 2, TABLE_Z), (cols, rows + 2.2, 0)])
    )
    assert (corners > 5).all()
    assert (corners < (view.width - 5, view.height - 5)).all()


def pips_seen(die: Die, bed: TableScene) -> int:
    """How many pips a die's upper face shows, counted on the face seen square-on."""
    picture = draw(bed, dice=(die,))
    angle, half, top = np.radians(die.degrees), die.size / 2, TABLE_Z + die.size
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ turn.T + (die.x, die.y)
    corners = VIEW.project(np.column_stack([flat, np.full(4, top)])).astype(np.float32)
    own = np.array([(0, 0), (FACE_PX, 0), (FACE_PX, FACE_PX), (0, FACE_PX)], np.float32)
    face = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, own), (FACE_PX, FACE_PX))
    grey = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)[8:-8, 8:-8].astype(int)
    ground = np.median(grey)
    spots = (np.abs(grey - ground) > 0.5 * np.abs(grey - ground).max()).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(spots)
    return sum(1 for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] > 20)


@pytest.mark.parametrize("colour", ["white", "red", "blue", "black", "yellow", "green", "grey", "other"])
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_a_die_shows_its_value(bed: TableScene, value: int, colour: str) -> None:
    assert pips_seen(Die(value, colour, degrees=20.0 + value * 11), bed) == value


def test_a_die_with_five_on_every_side_looks_the_same_after_a_quarter_turn(bed: TableScene) -> None:
    first, *turned = (
        draw(bed, dice=(Die(5, degrees=20.0 + quarter * 90, size=3.0, faces=(5,)),)) for quarter in range(4)
    )
    whole = change(draw(bed), first).mean()
    for picture in turned:
        # The top's edges move by half a pixel of its drawing; a side that is drawn awry is 15 % and more.
        assert change(first, picture).mean() < 0.1 * whole


def test_opposite_faces_of_a_die_add_up_to_seven() -> None:
    for top, (front, right, back, left) in SIDE_FACES.items():
        assert front + back == 7 == right + left
        assert {top, 7 - top, front, right, back, left} == set(PIPS)


def test_thrown_dice_lie_in_the_tray_and_not_in_one_another(bed: TableScene) -> None:
    assert bed.tray_in_cells_at_table_height is not None
    x, y, right, bottom = bed.tray_in_cells_at_table_height
    for values in ([1], [1, 2], [6, 6], [3, 4, 5], [1, 2, 3, 4, 5, 6], [1] * 9):
        dice = thrown(values, bed)
        assert [die.value for die in dice] == values
        assert all(x < die.x < right and y < die.y < bottom for die in dice)
        apart = [np.hypot(a.x - b.x, a.y - b.y) for n, a in enumerate(dice) for b in dice[n + 1 :]]
        assert min(apart, default=9) > 1.15


def test_a_tile_told_by_its_squares_alone_has_their_shape() -> None:
    seven = ("###", "..#", "..#", "..#", "..#")
    squares = [(r, c) for r, line in enumerate(seven) for c, sign in enumerate(line) if sign == "#"]
    for turns in range(4):
        cells = tuple((r + 2, c + 5) for r, c in turn_squares(squares, 5, 3, turns))
        assert shape_of_cells(Tile("cat", 77, turns, 2, 5, cells)) == seven
    assert shape_of_cells(Tile("cat", 77, 0, 2, 5)) == ("#",)
