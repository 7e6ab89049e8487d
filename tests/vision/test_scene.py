"""Beds and boards as files describe them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.watching import Tile
from hardware.vision.board.scene import Scene, check_scene, read_picture_lines, read_scene
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
