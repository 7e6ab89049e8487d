"""`companion read-bed` and `companion evaluate` on folders that are drawn here."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import msgspec
import pytest

from companion.games.watching import Tile
from tests.conftest import Companion
from tests.vision.drawn import LESSONS, SCENE, picture

GAME = (Tile("cat", 4, 0, 6, 4), Tile("dog", 8, 1, 11, 4))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short game and its truth."""
    made = tmp_path_factory.mktemp("game")
    (made / "scene.json").write_bytes(msgspec.json.encode(SCENE))
    lines, truth = [{"image": "00.png", "role": "empty"}], []
    cv2.imwrite(str(made / "00.png"), picture(noise=100))
    for number, lesson in enumerate(LESSONS, start=1):
        name = f"{number:02}.png"
        cv2.imwrite(str(made / name), picture(lesson, noise=number))
        lines.append({"image": name, "role": "teach", "tiles": msgspec.to_builtins(lesson)})
    for laid in (1, 2):
        name = f"1{laid}.png"
        cv2.imwrite(str(made / name), picture(GAME[:laid], noise=50 + laid))
        lines.append({"image": name, "role": "watch"})
        tiles = [{**msgspec.to_builtins(tile), "cells": SCENE.cells_of(tile)} for tile in GAME[:laid]]
        truth.append({"image": name, "event": "place", "tiles": tiles, "hand": False})
    (made / "pictures.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (made / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    return made


def copied(folder: Path, to: Path) -> Path:
    for file in folder.iterdir():
        (to / file.name).write_bytes(file.read_bytes())
    return to


def test_a_line_a_picture(companion: Companion, folder: Path) -> None:
    done = companion("read-bed", folder)
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 0
    assert [line["image"] for line in lines] == ["11.png", "12.png"]
    last = {(tile["owner"], tile["digit"], tile["turns"]) for tile in lines[1]["tiles"]}
    assert last == {("cat", 4, 0), ("dog", 8, 1)}
    assert set(lines[0]) == {"image", "unsure", "why", "tiles", "alternatives", "covered", "dice", "ms"}


def test_the_truth_is_never_read(companion: Companion, folder: Path, tmp_path: Path) -> None:
    made = copied(folder, tmp_path)
    before = companion("read-bed", made).out
    (made / "truth.jsonl").write_text("nonsense")
    after = companion("read-bed", made).out
    assert [json.loads(a)["tiles"] for a in after.splitlines()] == [
        json.loads(b)["tiles"] for b in before.splitlines()
    ]


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        pytest.param("scene.json", "{", "no scene", id="broken scene"),
        pytest.param("pictures.jsonl", "{}", "line 1", id="broken line"),
        pytest.param("pictures.jsonl", "", "nothing to read", id="no pictures"),
        pytest.param("00.png", "no picture", "not a picture", id="broken picture"),
    ],
)
def test_unreadable_input_is_one_sentence(
    companion: Companion, folder: Path, tmp_path: Path, file: str, text: str, says: str
) -> None:
    made = copied(folder, tmp_path)
    (made / file).write_text(text)
    done = companion("read-bed", made)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_missing_picture_is_named(companion: Companion, folder: Path, tmp_path: Path) -> None:
    made = copied(folder, tmp_path)
    (made / "00.png").unlink()
    done = companion("read-bed", made)
    assert done.status == 2
    assert "00.png" in done.err


def test_evaluate_counts(companion: Companion, folder: Path) -> None:
    done = companion("evaluate", folder, "--json")
    score = json.loads(done.out)
    assert (score["pictures"], score["exact"], score["silently_wrong"], score["tiles_right"]) == (2, 2, 0, 3)
    assert "exact           2 of 2" in companion("evaluate", folder).out


def test_evaluate_without_a_truth_says_so(companion: Companion, folder: Path, tmp_path: Path) -> None:
    made = copied(folder, tmp_path)
    (made / "truth.jsonl").unlink()
    done = companion("evaluate", made)
    assert done.status == 2
    assert "truth" in done.err
