"""What the camera's tests need: a clock that only sleeping moves, folders of pictures, a bed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.simulator.sources import virtual_camera
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene
from tests.camera.cameras import noisy as noisy


class Clock:
    """A clock that stands still until somebody sleeps by it."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.slept_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        """Let time go by at once."""
        self.now_s += seconds
        self.slept_s += seconds


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own."""
    return Clock()


def plain(level: int, size: tuple[int, int] = (60, 80)) -> Picture:
    """A small picture of one grey."""
    return np.full((*size, 3), level, np.uint8)


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Makes a folder of small pictures, each of another grey; with lines and a scene if they are states."""

    def make(
        names: Sequence[str],
        lines: Sequence[dict[str, Any]] | None = None,
        scene: dict[str, Any] | None = None,
    ) -> Path:
        for number, name in enumerate(names):
            cv2.imwrite(str(tmp_path / name), plain(40 + 30 * number))
        if lines is not None:
            (tmp_path / "pictures.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        if scene is not None:
            (tmp_path / "scene.json").write_text(json.dumps(scene))
        return tmp_path

    return make


@pytest.fixture(scope="session")
def bed() -> Scene:
    """The scene of side A on the virtual table."""
    return virtual_camera("virtual").table.scene


@pytest.fixture(scope="session")
def dream_bed() -> Scene:
    """The scene of side B on the virtual table."""
    return virtual_camera("virtual?board=b").table.scene
