"""Beds and boards as files describe them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.commands.read_bed import PhotographedBed
from companion.games.watching import Tile
from hardware.vision.board.scene import (
    Scene,
    check_scene,
    read_picture_lines,
    read_scene,
    read_scene_as,
    turn_squares,
)
from hardware.vision.errors import SceneError

SEVEN = ("###", "..#", "..#", "..#", "..#")


def test_a_shape_turns_clockwise() -> None:
    scene = Scene(rows=9, cols=9, tile_shapes={7: SEVEN})
    turned = scene.cells_of(Tile("cat", 7, 1, 2, 3))
    assert set(turned) == {(2, 7), (3, 7), (4, 7), (4, 3), (4, 4), (4, 5), (4, 6)}


def test_placements_stay_on_the_bed_and_off_the_pillows() -> None:
    scene = Scene(rows=5, cols=4, tile_shapes={1: ("#", "#", "#")}, blocked=(((0, 0), (1, 0)),))
    places = scene.placements[1]
    squares = {tuple(sorted(map(int, at))) for at in places.squares}
    assert (8, 12, 16) in squares
    assert not any(square in at for at in squares for square in (0, 4))
    assert all(mask.bit_count() == 3 for mask in places.masks)


def test_unknown_keys_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text('{"rows": 3, "cols": 4, "camera": "telephone"}')
    assert read_scene(tmp_path).squares == 12


@pytest.mark.parametrize(
    ("scene", "says"),
    [
        pytest.param(None, "cannot be read", id="missing"),
        pytest.param("{", "is no scene", id="broken"),
        pytest.param('{"rows": 3}', "cols", id="a hole in it"),
        pytest.param('{"rows": 0, "cols": 4}', "1 to 256", id="no rows"),
        pytest.param('{"rows": 4, "cols": 4, "pillows": [[[9, 9]]]}', "pillow", id="pillow off the bed"),
        pytest.param('{"rows": 4, "cols": 4, "tile_shapes": {"1": [".."]}}', "tile 1", id="empty shape"),
        pytest.param('{"rows": 4, "cols": 4, "markers_in_cells": {"0": [[0, 0]]}}', "marker 0", id="marker"),
    ],
)
def test_a_scene_that_cannot_be_used_is_refused(tmp_path: Path, scene: str | None, says: str) -> None:
    if scene is not None:
        (tmp_path / "scene.json").write_text(scene)
    with pytest.raises(SceneError, match=says):
        read_scene(tmp_path)


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SceneError, match="no folder"):
        read_scene(tmp_path / "nowhere")


def test_the_line_that_is_wrong_is_named(tmp_path: Path) -> None:
    good = json.dumps({"image": "a.jpg", "role": "watch"})
    (tmp_path / "pictures.jsonl").write_text(f"{good}\n\nnonsense\n")
    with pytest.raises(SceneError, match="line 3"):
        read_picture_lines(tmp_path)


def test_three_corners_are_refused(tmp_path: Path) -> None:
    line = {"image": "a.jpg", "role": "watch", "corners_px": [[0, 0], [1, 0], [1, 1]]}
    (tmp_path / "pictures.jsonl").write_text(json.dumps(line))
    with pytest.raises(SceneError, match="four corners"):
        read_picture_lines(tmp_path)


def test_a_sound_scene_passes() -> None:
    check_scene(Scene(rows=64, cols=64))


SQUARES = st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=6)
"""Some squares in a box of 3 × 4."""


def drawing(squares: set[tuple[int, int]]) -> tuple[str, ...]:
    """A shape as scene.json draws it, its box no larger than it must be."""
    rows, cols = ({square[axis] for square in squares} for axis in (0, 1))
    return tuple(
        "".join("#" if (row, col) in squares else "." for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


@settings(deadline=None)
@given(SQUARES, st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)), max_size=4))
def test_placements_are_every_way_to_lie_on_free_squares(
    squares: set[tuple[int, int]], blocked: set[tuple[int, int]]
) -> None:
    scene = Scene(rows=4, cols=5, tile_shapes={1: drawing(squares)}, blocked=(tuple(blocked),))
    expected = []
    for turns in range(4):
        # Turned a quarter clockwise, what was down is left and what was right is down.
        turned = {{0: (r, c), 1: (c, -r), 2: (-r, -c), 3: (-c, r)}[turns] for r, c in squares}
        for down in range(-4, 9):
            for right in range(-4, 9):
                at = {(r + down, c + right) for r, c in turned}
                if all(0 <= r < 4 and 0 <= c < 5 for r, c in at) and not at & blocked:
                    expected.append((turns, frozenset(at)))
    places = scene.placements[1]
    tiles = [places.tile("red", number, scene.cols) for number in range(len(places.masks))]
    assert sorted((tile.turns, sorted(tile.cells)) for tile in tiles) == sorted(
        (turns, sorted(at)) for turns, at in expected
    )
    assert all(set(scene.cells_of(tile)) == set(tile.cells) for tile in tiles)
    assert all(
        mask == sum(1 << row * 5 + col for row, col in tile.cells)
        for mask, tile in zip(places.masks, tiles, strict=True)
    )


@settings(deadline=None)
@given(SQUARES, st.integers(0, 3), st.integers(0, 3))
def test_turns_add_up(squares: set[tuple[int, int]], one: int, two: int) -> None:
    box = (3, 4) if one % 2 == 0 else (4, 3)
    step_by_step = turn_squares(turn_squares(list(squares), 3, 4, one), *box, two)
    assert step_by_step == turn_squares(list(squares), 3, 4, one + two)


def test_blocked_squares_are_written_as_pillows() -> None:
    scene = msgspec.json.decode(b'{"rows": 2, "cols": 2, "pillows": [[[0, 1]]]}', type=Scene)
    assert scene.blocked == (((0, 1),),)
    assert scene.blocked_mask.tolist() == [[False, True], [False, False]]
    assert msgspec.to_builtins(scene)["pillows"] == (((0, 1),),)


def test_kinds_written_as_digits_are_numbers_and_names_stay() -> None:
    scene = msgspec.json.decode(
        b'{"rows": 2, "cols": 2, "tile_shapes": {"7": ["#"], "ell": ["#"]}}', type=Scene
    )
    assert list(scene.shapes) == [7, "ell"]


def test_a_tile_of_an_unknown_kind_keeps_its_own_cells() -> None:
    scene = Scene(rows=2, cols=2)
    assert scene.cells_of(Tile("red", 3, 0, 0, 0, ((1, 1),))) == ((1, 1),)


def test_a_scene_that_knows_more_is_read_from_the_same_file(tmp_path: Path) -> None:
    (tmp_path / "scene.json").write_text('{"rows": 3, "cols": 4, "first_player": "dog"}')
    scene = read_scene_as(tmp_path, PhotographedBed)
    assert (scene.rows, scene.first_player) == (3, "dog")
    assert not hasattr(read_scene(tmp_path), "first_player")


def test_the_value_that_is_wrong_is_named_after_markers_that_are_right(tmp_path: Path) -> None:
    markers = {"0": [[0, 0], [1, 0], [1, 1], [0, 1]]}
    scene = {"rows": 3, "cols": 4, "markers_in_cells": markers, "owners": ["cat", "dog"]}
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    with pytest.raises(SceneError, match="“owners” must be"):
        read_scene_as(tmp_path, PhotographedBed)
