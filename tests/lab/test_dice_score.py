"""`companion evaluate` on photographs of dice: a scripted reader, so that the counting itself is held."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.games.watching import Die, Observation
from lab import dice_score
from tests.conftest import Companion


def die(value: int, x: int) -> Die:
    return Die(value, "white", (x, 20, 10, 10), 0.9)


TRUTH = (
    {"image": "0.png", "group": "a", "pips": [5, 2], "boxes": [[10, 10, 30, 30, 5], [60, 10, 30, 30, 2]]},
    {"image": "1.png", "group": "a", "pips": [3], "boxes": [[10, 10, 30, 30, 3]]},
    {"image": "2.png", "group": "b", "pips": [3], "boxes": [[10, 10, 30, 30, 3]]},
    {"image": "3.png", "group": "b", "pips": [6, 6], "licence": "none"},
)
READ = (
    Observation(dice=(die(5, 20), die(2, 70)), unsure=False),
    Observation(dice=(die(3, 20), die(1, 80)), unsure=True),
    Observation(dice=(die(3, 80),), unsure=False),
    Observation(dice=(die(6, 5),), unsure=False),
)


class ScriptedReader:
    def __init__(self) -> None:
        self._left = list(READ)

    def read_dice(self, picture: object) -> Observation:
        return self._left.pop(0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(dice_score, "DiceReader", ScriptedReader)
    for line in TRUTH:
        cv2.imwrite(str(tmp_path / str(line["image"])), np.full((60, 100, 3), 128, np.uint8))
    (tmp_path / "truth.jsonl").write_text("\n".join(map(json.dumps, TRUTH)))
    return tmp_path


def test_each_source_has_its_figures(companion: Companion, folder: Path) -> None:
    a, b = (json.loads(line) for line in companion("evaluate", folder, "--json").out.splitlines())
    assert (a["source"], a["photos"], a["exact"], a["asked"], a["silently_wrong"]) == ("a", 2, 1, 1, 0)
    assert (a["dice"], a["dice_right"], a["dice_made_up"]) == (3, 3, 1)
    assert (b["source"], b["photos"], b["exact"], b["asked"], b["silently_wrong"]) == ("b", 2, 1, 0, 1)
    assert (b["dice"], b["dice_right"], b["dice_made_up"]) == (3, 1, 1)


def test_it_is_told_in_words(companion: Companion, folder: Path) -> None:
    output = companion("evaluate", folder).out
    assert "dice right      3 of 3 (100.0 %), 1 made up" in output
    assert "silently wrong  1 of 2 (50.0 %)" in output


def test_a_broken_truth_is_said(companion: Companion, tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text('{"image": "a.png"}\n')
    done = companion("evaluate", tmp_path)
    assert done.status == 2
    assert "pips" in done.err
