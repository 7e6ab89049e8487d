"""`companion read-dice`: photos in, one JSON object a photo out."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.read_dice import read_dice
from companion.errors import UserError
from lab.dice.drawing import draw_picture


@pytest.fixture
def throw(tmp_path: Path) -> Path:
    """A photo of two dice."""
    path = tmp_path / "throw.png"
    cv2.imwrite(str(path), draw_picture(20, count=2, edge_px=(30, 40), tilt_deg=(5, 30)).image)
    return path


def test_one_object_a_photo_named_as_it_was_asked_for(throw: Path, tmp_path: Path) -> None:
    listed = tmp_path / "photos.txt"
    listed.write_text(f"{throw}\n\n{throw}\n")
    result = CliRunner().invoke(read_dice, [str(throw), "--list", str(listed)])
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [row["image"] for row in rows] == [str(throw)] * 3
    assert set(rows[0]) == {"image", "unsure", "dice", "ms"}
    assert set(rows[0]["dice"][0]) == {"value", "colour", "box", "confidence"}
    assert len(rows[0]["dice"][0]["box"]) == 4


def test_a_photo_that_is_none_is_named_after_the_others_are_read(throw: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"no picture")
    result = CliRunner().invoke(read_dice, [str(broken), str(throw)])
    assert [json.loads(line)["image"] for line in result.stdout.splitlines()] == [str(throw)]
    assert isinstance(result.exception, UserError)
    assert str(broken) in str(result.exception)


@pytest.mark.parametrize("arguments", [[], ["--list", "missing.txt"]], ids=["no photo", "no list"])
def test_nothing_to_read_is_said(arguments: list[str]) -> None:
    result = CliRunner().invoke(read_dice, arguments)
    assert isinstance(result.exception, UserError)


def test_a_picture_of_nothing_holds_no_dice(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    cv2.imwrite(str(path), np.full((240, 320, 3), 128, np.uint8))
    row = json.loads(CliRunner().invoke(read_dice, [str(path)]).stdout)
    assert (row["dice"], row["unsure"]) == ([], False)
