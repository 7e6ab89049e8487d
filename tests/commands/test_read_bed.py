"""`companion read-bed` on folders that are drawn here."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.commands import read_bed
from companion.games.watching import Observation
from tests.commands.conftest import THROW
from tests.conftest import Companion


def test_each_watched_picture_is_a_line(companion: Companion, drawn_game: Path) -> None:
    done = companion("read-bed", drawn_game)
    first, last = done.lines
    assert done.status == 0
    assert (first["image"], last["image"]) == ("03.png", "04.png")
    tiles = {(tile["owner"], tile["digit"], tile["turns"]) for tile in last["tiles"]}
    assert tiles == {("cat", 4, 0), ("dog", 8, 1)}
    assert set(first) == {"image", "unsure", "why", "tiles", "alternatives", "covered", "dice", "ms"}


def test_the_truth_is_never_read(companion: Companion, own_game: Path) -> None:
    before = [line["tiles"] for line in companion("read-bed", own_game).lines]
    (own_game / "truth.jsonl").write_text("nonsense")
    assert [line["tiles"] for line in companion("read-bed", own_game).lines] == before


def test_dice_are_read_in_the_clear_and_not_with_a_hand_over_the_bed(
    companion: Companion, drawn_throw: Path
) -> None:
    clear, under_a_hand = companion("read-bed", drawn_throw).lines
    assert sorted(die["value"] for die in clear["dice"]) == sorted(THROW)
    assert {die["colour"] for die in clear["dice"]} == {"white"}
    assert "dice" in clear["ms"], "reading them took some time, which is told"
    assert (under_a_hand["unsure"], under_a_hand["why"]) == (True, "hand")
    assert under_a_hand["dice"] == []
    assert "dice" not in under_a_hand["ms"], "a throw that a hand may still be making is not looked for"


@pytest.mark.parametrize(
    ("bed", "dice", "said"), [("", "dice", "dice"), ("moved", "", "moved"), ("", "", "")]
)
def test_the_why_is_that_of_the_dice_if_the_bed_has_none(
    monkeypatch: pytest.MonkeyPatch, bed: str, dice: str, said: str
) -> None:
    monkeypatch.setattr(read_bed, "read_tray", lambda *_: Observation(dice=(), why=dice))
    given: Any = SimpleNamespace(homography="found", scene=None)
    read: Any = None
    assert read_bed.with_dice(Observation(why=bed), read, given, read).why == said


def test_without_a_tray_no_dice_are_looked_for(companion: Companion, drawn_game: Path) -> None:
    assert [line["dice"] for line in companion("read-bed", drawn_game).lines] == [[], []]


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        pytest.param("scene.json", "{", "no scene", id="broken-scene"),
        pytest.param("scene.json", "[]", "no scene", id="a-list-for-a-scene"),
        pytest.param("pictures.jsonl", "{}", "line 1", id="broken-line"),
        pytest.param("pictures.jsonl", "", "nothing to read", id="no-pictures"),
        pytest.param(
            "pictures.jsonl", '{"image": "00.png", "role": "empty"}', "nothing to read", id="nothing-watched"
        ),
        pytest.param("00.png", "no picture", "is no picture", id="broken-picture"),
        pytest.param("00.png", "", "is no picture", id="picture-without-a-byte"),
    ],
)
def test_unreadable_input_is_one_sentence(
    companion: Companion, own_game: Path, file: str, text: str, says: str
) -> None:
    (own_game / file).write_text(text)
    done = companion("read-bed", own_game)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_missing_picture_is_named(companion: Companion, own_game: Path) -> None:
    (own_game / "00.png").unlink()
    done = companion("read-bed", own_game)
    assert done.status == 2
    assert "00.png" in done.err


def test_a_folder_in_place_of_a_picture_is_named(companion: Companion, own_game: Path) -> None:
    (own_game / "00.png").unlink()
    (own_game / "00.png").mkdir()
    done = companion("read-bed", own_game)
    assert done.status == 2
    assert "00.png" in done.err


@pytest.mark.parametrize("name", ["no-such-folder", "scene.json"])
def test_what_is_no_folder_is_named(companion: Companion, own_game: Path, name: str) -> None:
    done = companion("read-bed", own_game / name)
    assert (done.status, done.out) == (2, "")
    assert name in done.err


def test_a_picture_that_fails_later_leaves_the_lines_before_it(companion: Companion, own_game: Path) -> None:
    (own_game / "04.png").write_bytes(b"")
    done = companion("read-bed", own_game)
    assert done.status == 2
    assert [line["image"] for line in done.lines] == ["03.png"]
    assert "04.png" in done.err


@pytest.mark.parametrize(
    ("place", "says"),
    [
        pytest.param({"digit": 12, "row": 0, "col": 0}, "no tile 12", id="a-tile-the-scene-lacks"),
        pytest.param({"digit": 4, "row": 90, "col": 0}, "off the board", id="a-tile-off-the-board"),
    ],
)
def test_a_lesson_with_a_tile_that_cannot_lie_there_is_one_sentence(
    companion: Companion, own_game: Path, place: dict[str, int], says: str
) -> None:
    path = own_game / "pictures.jsonl"
    empty, _, *watched = path.read_text().splitlines()
    lesson = {"image": "00.png", "role": "teach", "tiles": [{"owner": "cat", "turns": 0, **place}]}
    path.write_text("\n".join([empty, json.dumps(lesson), *watched]))
    done = companion("read-bed", own_game)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert done.err.count("\n") == 1


def test_a_bed_of_which_nothing_was_shown_has_coats_in_place_of_owners(
    companion: Companion, own_game: Path
) -> None:
    lines = (own_game / "pictures.jsonl").read_text().splitlines()
    watched = [line for line in lines if json.loads(line)["role"] == "watch"]
    (own_game / "pictures.jsonl").write_text("\n".join(watched))
    done = companion("read-bed", own_game)
    assert done.status == 0, done
    assert len(done.lines) == len(watched)
    assert all(line["unsure"] for line in done.lines), "the board is not finished"
    assert all("coat" in tile and not tile["owner"] for line in done.lines for tile in line["tiles"])
