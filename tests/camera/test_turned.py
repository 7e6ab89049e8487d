"""A camera that hangs any way up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardware.camera.frame import Frame, LockableCamera, LockedControls
from hardware.camera.sources import TurnedCamera


class Corner:
    """One picture again and again, white in its top left corner."""

    live = True
    scene: dict[str, Any] | None = None

    def __init__(self) -> None:
        self.locked: LockedControls | None = None
        self.picture = np.zeros((40, 60, 3), np.uint8)
        self.picture[:5, :5] = 255
        self.opened = 0
        self.last = False

    def open(self) -> None:
        self.opened += 1

    def read_frame(self) -> Frame | None:
        return None if self.last else Frame(self.picture, 1.0, small=self.picture[::2, ::2, 0])

    def lock_controls(self) -> LockedControls:
        self.locked = LockedControls(focus=2.0)
        return self.locked

    def close(self) -> None:
        self.opened -= 1

    def replacement(self) -> Corner:
        other = Corner()
        other.locked = self.locked
        return other


@pytest.mark.parametrize(
    ("degrees", "shape", "corner"),
    [(90, (60, 40), (0, -1)), (180, (40, 60), (-1, -1)), (270, (60, 40), (-1, 0))],
)
def test_the_picture_is_turned_clockwise(
    degrees: int, shape: tuple[int, int], corner: tuple[int, int]
) -> None:
    frame = TurnedCamera(Corner(), degrees).read_frame()
    assert frame is not None
    assert frame.small is not None
    assert frame.picture.shape[:2] == shape
    assert frame.picture[corner].tolist() == [255] * 3
    assert frame.small[corner] == 255
    assert frame.picture.mean() == Corner().picture.mean()


def test_a_picture_that_stays_the_same_is_turned_once() -> None:
    camera = TurnedCamera(Corner(), 180)
    first, second = camera.read_frame(), camera.read_frame()
    assert first is not None
    assert second is not None
    assert first.picture is second.picture


def test_it_locks_and_is_replaced_as_the_camera_itself() -> None:
    inner = Corner()
    camera = TurnedCamera(inner, 90)
    assert isinstance(camera, LockableCamera)
    camera.open()
    assert camera.lock_controls() == LockedControls(focus=2.0)
    again = camera.replacement()
    assert (again.locked, again.degrees, again.live, again.scene) == (
        LockedControls(focus=2.0),
        90,
        True,
        None,
    )
    camera.close()
    assert inner.opened == 0
    camera.locked = None
    assert inner.locked is None
    inner.last = True
    assert camera.read_frame() is None


def test_a_camera_that_cannot_hold_anything_is_turned_all_the_same(folder: Callable[..., Path]) -> None:
    from hardware.camera.folder import FolderCamera

    camera = TurnedCamera(FolderCamera(folder(["1.png"])), 180)
    camera.locked = LockedControls(focus=1.0)
    assert (camera.locked, camera.lock_controls()) == (None, LockedControls())
