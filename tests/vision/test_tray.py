"""Dice in the tray beside the bed, by `companion read-bed` and `companion evaluate`, on drawn pictures."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import msgspec
import pytest

from companion.commands.read_bed import with_dice
from companion.games.registry import game
from companion.games.watching import Die, Observation
from companion.simulator.acting import thrown
from companion.simulator.table_scene import on_a_table
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from tests.conftest import Companion
from tests.drawn import draw

BED = game("this-bed-is-mine")
SCENE = msgspec.convert(on_a_table(BED.scene(BED.start(BED.options({}), 2)) or {}), Scene, strict=False)
THROWS = ((("white", 5), ("red", 2)), (("blue", 6), ("green", 4)), ())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty bed, then a picture after each throw, with the truth."""
    made = tmp_path_factory.mktemp("tray")
    (made / "scene.json").write_bytes(msgspec.json.encode(SCENE))
    lines, truth = [{"image": "0.png", "role": "empty"}], []
    cv2.imwrite(str(made / "0.png"), draw(SCENE))
    for number, dice in enumerate(THROWS, start=1):
        lying = [{"value": value, "colour": colour} for colour, value in dice]
        cv2.imwrite(str(made / f"{number}.png"), draw(SCENE, dice=thrown(lying, SCENE) if lying else ()))
        lines.append({"image": f"{number}.png", "role": "watch"})
        truth.append({"image": f"{number}.png", "event": "dice", "tiles": [], "dice": lying, "hand": False})
    (made / "pictures.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (made / "truth.jsonl").write_text("\n".join(map(json.dumps, truth)))
    return made


def test_the_dice_in_the_tray_are_told_with_the_bed(companion: Companion, folder: Path) -> None:
    lines = [json.loads(line) for line in companion("read-bed", folder).out.splitlines()]
    assert [sorted((die["colour"], die["value"]) for die in line["dice"]) for line in lines] == [
        sorted(dice) for dice in THROWS
    ]
    assert all("dice" in line["ms"] for line in lines)
    x, y, width, height = lines[0]["dice"][0]["box"]
    assert 0 <= x < x + width <= 1280
    assert 0 <= y < y + height <= 960


def test_evaluate_counts_dice(companion: Companion, folder: Path) -> None:
    score = json.loads(companion("evaluate", folder, "--json").out)
    assert (score["dice"], score["dice_right"], score["dice_made_up"], score["colours_right"]) == (4, 4, 0, 4)
    assert "dice right      4 of 4" in companion("evaluate", folder).out


def test_a_wrong_throw_is_counted(companion: Companion, folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    lying = [json.loads(line) for line in (folder / "truth.jsonl").read_text().splitlines()]
    lying[0]["dice"][0]["value"] = 1
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, lying)))
    right, wrong = (json.loads(companion("evaluate", at, "--json").out) for at in (folder, tmp_path))
    assert (right["throws_silently_wrong"], wrong["throws_silently_wrong"]) == (0, 1)
    assert (wrong["dice_right"], wrong["dice_made_up"]) == (3, 1)


class CountingReader:
    """Stands in for the reader of dice: it counts how often it is asked, and sees one die."""

    asked = 0

    def read_dice(self, picture: Picture, box: object = None, **_: object) -> Observation:
        """One white three."""
        self.asked += 1
        unsure = self.asked > 1
        return Observation(dice=(Die(3, "white"),), unsure=unsure, why="dice" if unsure else "")


@pytest.mark.parametrize("why", ["hand", "blurred", "markers"])
def test_dice_are_not_read_in_a_picture_that_must_be_waited_out(why: str) -> None:
    bed, dice = TileReader(SCENE), CountingReader()
    bed.see_empty(draw(SCENE))
    reading = with_dice(Observation(unsure=True, why=why), dice, bed, draw(SCENE))  # type: ignore[arg-type]
    assert (reading.unsure, reading.why, reading.dice, dice.asked) == (True, why, (), 0)


def test_dice_are_read_beside_a_bed_that_is_sure_or_not() -> None:
    bed, dice = TileReader(SCENE), CountingReader()
    bed.see_empty(draw(SCENE))
    sure, asked = (
        with_dice(Observation(unsure=bool(why), why=why), dice, bed, draw(SCENE))  # type: ignore[arg-type]
        for why in ("", "not-told-apart")
    )
    assert (sure.unsure, sure.why, sure.values) == (False, "", (3,))
    assert (asked.unsure, asked.why, asked.values) == (True, "not-told-apart", (3,))
    third = with_dice(Observation(), dice, bed, draw(SCENE))  # type: ignore[arg-type]
    assert (third.unsure, third.why) == (False, "dice")


def test_where_the_bed_was_never_placed_no_tray_is_looked_for() -> None:
    dice = CountingReader()
    reading = with_dice(Observation(), dice, TileReader(SCENE), draw(SCENE))  # type: ignore[arg-type]
    assert (reading.dice, dice.asked) == ((), 0)
