"""A finished board of another game, read from one drawn photograph of which nothing was shown."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.commands.read_bed import strangers
from companion.games.watching import Observation
from tests.conftest import Companion
from tests.polyomino.photographs import SIDE, draw

SEED = 2
"""A board whose photograph is clear."""
SET_ASIDE = range(101, 113)
"""Boards that nothing was chosen by."""


@pytest.fixture(scope="module")
def clear(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a clear photograph."""
    folder = tmp_path_factory.mktemp("polyomino") / "clear"
    draw(folder, SEED)
    return folder


def truth_of(folder: Path) -> list[dict[str, Any]]:
    """The pieces that lie there."""
    tiles: list[dict[str, Any]] = json.loads((folder / "truth.jsonl").read_text())["tiles"]
    return tiles


def outlines(tiles: list[dict[str, Any]]) -> set[tuple[str, frozenset[tuple[int, int]]]]:
    """Each piece by its kind and squares."""
    return {(tile["digit"], frozenset(map(tuple, tile["cells"]))) for tile in tiles}


def coats(tiles: list[dict[str, Any]]) -> dict[tuple[int, int], int]:
    """The coat on each square."""
    return {tuple(cell): tile["coat"] for tile in tiles for cell in tile["cells"]}


def test_each_piece_is_read_with_a_number_for_its_coat(companion: Companion, clear: Path) -> None:
    done = companion("read-bed", clear)
    [line] = done.lines
    assert done.status == 0
    assert (line["unsure"], line["why"]) == (False, "")
    assert outlines(line["tiles"]) == outlines(truth_of(clear))
    assert {tile["owner"] for tile in line["tiles"]} == {""}
    lies, seen = coats(truth_of(clear)), coats(line["tiles"])
    assert len({(lies[cell], seen[cell]) for cell in lies}) == 4


def test_a_reflection_over_pieces_is_asked_about(clear: Path, tmp_path: Path) -> None:
    for name in ("scene.json", "pictures.jsonl"):
        (tmp_path / name).write_bytes((clear / name).read_bytes())
    picture = cv2.imread(str(clear / "photo.png"))
    assert picture is not None
    corners = np.array(json.loads((clear / "pictures.jsonl").read_text())["corners_px"])
    middle = tuple(int(px) for px in corners.mean(axis=0))
    cv2.circle(picture, middle, 60, (255, 255, 255), -1)
    cv2.imwrite(str(tmp_path / "photo.png"), picture)
    [(reading, _)] = strangers(tmp_path)
    assert reading.unsure


@pytest.mark.slow
def test_boards_that_were_set_aside_are_read_right_or_asked_about(tmp_path: Path) -> None:
    squares, pieces, pairs = [], [], []
    for seed in SET_ASIDE:
        folder = tmp_path / str(seed)
        draw(folder, seed)
        [(reading, alike)] = strangers(folder)
        tiles, truth = told(reading, alike), truth_of(folder)
        lies, seen = coats(truth), coats(tiles)
        board = [(row, col) for row in range(SIDE) for col in range(SIDE)]
        squares += [(cell in lies) == (cell in seen) for cell in board]
        pieces += [piece in outlines(tiles) for piece in outlines(truth)]
        both = [cell for cell in lies if cell in seen]
        right = [(lies[a] == lies[b]) == (seen[a] == seen[b]) for a, b in combinations(both, 2)]
        pairs += right
        assert reading.unsure or (outlines(tiles) == outlines(truth) and all(right)), seed
    assert np.mean(squares) >= 0.98
    assert np.mean(pieces) >= 0.8
    assert np.mean(pairs) >= 0.95


def told(reading: Observation, alike: tuple[tuple[int, ...], ...]) -> list[dict[str, Any]]:
    """The tiles of a reading with the numbers of their coats."""
    coat_of = {number: coat for coat, numbers in enumerate(alike) for number in numbers}
    return [{**msgspec.to_builtins(tile), "coat": coat_of[n]} for n, tile in enumerate(reading.tiles or ())]
