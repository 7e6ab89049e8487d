"""A short game of This Bed Is Mine as a folder of drawn pictures, with its truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.watching import Tile
from hardware.vision.board.scene import Scene
from lab.dice.drawing import draw_picture
from tests.vision.drawn import LESSONS, SCENE, picture

CAT_4, DOG_8 = Tile("cat", 4, 0, 6, 4), Tile("dog", 8, 1, 11, 4)
GAME = (CAT_4, DOG_8)
TRAY_SCENE: Scene = msgspec.structs.replace(SCENE, tray_in_cells_at_table_height=(14.6, 0.0, 18.5, 6.0))
"""The drawn bed with a tray to its right, as far as the pictures reach."""
THROW_SEED, THROW = 28, (4, 1)
"""A drawn throw of two plain white dice, and what they show."""


class PictureFolder:
    """A folder of pictures that grows by a line a picture."""

    def __init__(self, path: Path, scene: Scene = SCENE) -> None:
        self.path, self.scene = path, scene
        self._count = 0
        path.mkdir(parents=True, exist_ok=True)
        (path / "scene.json").write_bytes(msgspec.json.encode(scene))
        self.add("empty", picture(noise=100, scene=scene))
        for number, lesson in enumerate((LESSONS[0], LESSONS[3]), start=1):
            shot = picture(lesson, noise=number, scene=scene)
            self.add("teach", shot, tiles=[as_line(tile) for tile in lesson])

    def add(self, role: str, shot: np.ndarray, **line: Any) -> str:
        """Write a picture and its line of pictures.jsonl; returns its name."""
        name = f"{self._count:02}.png"
        self._count += 1
        cv2.imwrite(str(self.path / name), shot)
        self._append("pictures.jsonl", {"image": name, "role": role, **line})
        return name

    def watch(self, shot: np.ndarray, truth: tuple[Tile, ...], **line: Any) -> str:
        """Write a picture to read, and what truly lies in it."""
        name = self.add("watch", shot)
        tiles = [{**as_line(tile), "cells": self.scene.cells_of(tile)} for tile in truth]
        self._append("truth.jsonl", {"image": name, "tiles": tiles, **line})
        return name

    def _append(self, file: str, line: dict[str, Any]) -> None:
        with (self.path / file).open("a") as lines:
            lines.write(json.dumps(line) + "\n")


def as_line(tile: Tile) -> dict[str, Any]:
    """A tile as a line of pictures.jsonl or truth.jsonl writes it."""
    plain: dict[str, Any] = msgspec.to_builtins(tile)
    return plain


def with_throw(shot: np.ndarray) -> np.ndarray:
    """The picture with two dice in the tray."""
    dice = draw_picture(THROW_SEED, (230, 330), count=2, edge_px=(30, 40), tilt_deg=(5, 30), odd_dice=0.0)
    assert tuple(die.value for die in dice.dice) == THROW
    shown = shot.copy()
    shown[60:390, 1045:1275] = dice.image
    return shown


def with_sleeve(shot: np.ndarray) -> np.ndarray:
    """The picture with a dark sleeve from its left edge to the middle of the bed."""
    shown = shot.copy()
    cv2.line(shown, (0, 500), (600, 480), (30, 30, 30), 130)
    return shown


@pytest.fixture(scope="session")
def drawn_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short game: an empty bed, nine tiles taught, one tile laid, then another."""
    made = PictureFolder(tmp_path_factory.mktemp("drawn") / "game")
    for laid in (1, 2):
        made.watch(picture(GAME[:laid], noise=50 + laid), GAME[:laid])
    return made.path


@pytest.fixture(scope="session")
def drawn_throw(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which dice lie in the tray: in the clear, then with a sleeve over the bed."""
    made = PictureFolder(tmp_path_factory.mktemp("drawn") / "throw", TRAY_SCENE)
    dice = [{"value": value, "colour": "white"} for value in THROW]
    first, second = (picture((CAT_4,), noise=noise, scene=TRAY_SCENE) for noise in (51, 52))
    made.watch(with_throw(first), (CAT_4,), dice=dice)
    made.watch(with_sleeve(with_throw(second)), (CAT_4,), dice=dice, hand=True)
    return made.path


@pytest.fixture
def own_game(drawn_game: Path, tmp_path: Path) -> Path:
    """The short game in a folder of the test's own, to break something in it."""
    made = tmp_path / "game"
    made.mkdir()
    for file in drawn_game.iterdir():
        (made / file.name).write_bytes(file.read_bytes())
    return made
