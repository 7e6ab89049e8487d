"""A folder of pictures as a camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.camera.folder import FolderCamera
from hardware.camera.frame import BrokenPicture, CameraError
from tests.camera.conftest import Clock

MakeFolder = Callable[..., Path]
TILE = {"owner": "cat", "digit": 1, "turns": 0, "row": 2, "col": 0, "cells": [[2, 0], [3, 0]]}


def levels(camera: FolderCamera) -> list[int]:
    """The grey of each picture that is left."""
    matches = []
    while frame := camera.read_frame():
        matches.append(round(int(frame.picture[30, 40, 0]) / 10) * 10)
    return matches


def test_pictures_come_in_the_order_that_pictures_jsonl_tells(folder: MakeFolder) -> None:
    lines = [{"image": "b.png", "role": "empty"}, {"image": "a.png", "role": "watch"}]
    camera = FolderCamera(folder(["a.png", "b.png", "c.png"], lines))
    assert len(camera) == 2
    assert levels(camera) == [70, 40]


def test_a_folder_of_just_pictures_plays_them_by_name(folder: MakeFolder) -> None:
    camera = FolderCamera(folder(["2.jpg", "1.png", "3.JPG"]))
    frame = camera.read_frame()
    assert frame is not None
    assert (frame.name, frame.note) == ("1.png", None)
    assert levels(camera) == [40, 100]


def test_a_note_is_the_pictures_line(folder: MakeFolder) -> None:
    corners = [[1.5, 2], [60, 2], [60, 50], [1, 50]]
    lines = [{"image": "a.png", "role": "teach", "tiles": [TILE], "covered": [[1, 2]], "corners_px": corners}]
    frame = FolderCamera(folder(["a.png"], lines)).read_frame()
    assert frame is not None
    assert frame.note is not None
    assert (frame.name, frame.note.role) == ("a.png", "teach")
    assert frame.note.tiles[0].cells == ((2, 0), (3, 0))
    assert frame.note.covered == ((1, 2),)
    assert frame.note.corners_px == tuple(map(tuple, corners))


def test_the_scene_comes_as_it_stands(folder: MakeFolder) -> None:
    assert FolderCamera(folder(["a.png"], scene={"rows": 9, "side": "B"})).scene == {"rows": 9, "side": "B"}
    (folder([]) / "scene.json").unlink()
    assert FolderCamera(folder(["a.png"])).scene is None


def test_a_truth_is_never_looked_at(folder: MakeFolder) -> None:
    path = folder(["a.png"], [{"image": "a.png", "role": "watch"}], {"rows": 9})
    (path / "truth.jsonl").mkdir()
    assert FolderCamera(path).read_frame() is not None


def test_the_first_picture_comes_at_once_and_the_others_at_their_pace(
    folder: MakeFolder, clock: Clock
) -> None:
    camera = FolderCamera(folder(["1.png", "2.png", "3.png"]), 2.0, clock=clock, sleep=clock.sleep)
    at = []
    while frame := camera.read_frame():
        at.append(frame.at_s - 100)
        clock.now_s += 0.5
    assert at == [0, 2, 4]


def test_its_replacement_goes_on_where_it_was(folder: MakeFolder) -> None:
    camera = FolderCamera(folder(["1.png", "2.png"]))
    camera.open()
    camera.read_frame()
    camera.close()
    again = camera.replacement()
    again.open()
    assert levels(again) == [70]


@pytest.mark.parametrize(
    "content", [b"", b"not a picture", b"\xff\xd8\xff\xe0 cut off"], ids=["empty", "text", "cut"]
)
def test_a_broken_picture_is_named_and_the_next_goes_on(folder: MakeFolder, content: bytes) -> None:
    path = folder(["1.png", "2.png"])
    (path / "1.png").write_bytes(content)
    camera = FolderCamera(path)
    with pytest.raises(BrokenPicture, match=r"1\.png is no picture"):
        camera.read_frame()
    assert levels(camera) == [70]


def test_a_missing_picture_is_named(folder: MakeFolder) -> None:
    camera = FolderCamera(folder(["1.png"], [{"image": "9.png", "role": "watch"}]))
    with pytest.raises(BrokenPicture, match=r"9\.png cannot be read"):
        camera.read_frame()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="There is no folder"):
        FolderCamera(tmp_path / "nowhere")


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="There is no picture in"):
        FolderCamera(tmp_path)


@pytest.mark.parametrize(
    "line",
    ["nonsense", '{"image": "a.png", "role": "dance"}', '{"role": "watch"}'],
    ids=["text", "role", "no image"],
)
def test_nonsense_in_pictures_jsonl_is_named_by_its_line(folder: MakeFolder, line: str) -> None:
    path = folder(["a.png"], [{"image": "a.png", "role": "empty"}])
    with (path / "pictures.jsonl").open("a") as lines:
        lines.write(line + "\n")
    with pytest.raises(CameraError, match=r"pictures\.jsonl, line 2"):
        FolderCamera(path)


@pytest.mark.parametrize("text", ["{", "[1, 2]"], ids=["no json", "no object"])
def test_a_broken_scene_is_named(folder: MakeFolder, text: str) -> None:
    path = folder(["a.png"])
    (path / "scene.json").write_text(text)
    with pytest.raises(CameraError, match=r"scene\.json"):
        FolderCamera(path)


def test_a_scene_that_cannot_be_read_is_named(folder: MakeFolder) -> None:
    path = folder(["a.png"])
    (path / "scene.json").mkdir()
    with pytest.raises(CameraError, match=r"scene\.json cannot be read"):
        FolderCamera(path)
