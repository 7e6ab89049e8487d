"""A camera that hangs sideways or upside down: its pictures, turned upright."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera.frame import Camera, Frame, Hold, HoldsFast

TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
"""By how many degrees, clockwise."""


class TurnedCamera:
    """The pictures of `camera`, turned clockwise by so many degrees (a key of `TURNS`)."""

    def __init__(self, camera: Camera, degrees: int) -> None:
        self.camera, self.degrees = camera, degrees
        self._before: tuple[Picture, Picture] | None = None

    @property
    def live(self) -> bool:
        """As the camera itself."""
        return self.camera.live

    @property
    def scene(self) -> dict[str, Any] | None:
        """As the camera itself tells it."""
        return self.camera.scene

    @property
    def held(self) -> Hold | None:
        """What the camera holds fast."""
        return self.camera.held if isinstance(self.camera, HoldsFast) else None

    @held.setter
    def held(self, held: Hold | None) -> None:
        if isinstance(self.camera, HoldsFast):
            self.camera.held = held

    def hold(self) -> Hold:
        """Let the camera hold fast what it can."""
        return self.camera.hold() if isinstance(self.camera, HoldsFast) else Hold()

    def open(self) -> None:
        """Begin."""
        self.camera.open()

    def read(self) -> Frame | None:
        """The next frame, turned."""
        frame = self.camera.read()
        if frame is None:
            return None
        if self._before is None or self._before[0] is not frame.picture:
            self._before = frame.picture, self._turned(frame.picture)
        small = None if frame.small is None else self._turned(frame.small)
        return replace(frame, picture=self._before[1], small=small)

    def close(self) -> None:
        """Let go of it."""
        self.camera.close()

    def anew(self) -> TurnedCamera:
        """Another one on the same source, turned the same."""
        return TurnedCamera(self.camera.anew(), self.degrees)

    def _turned(self, picture: Picture | Gray) -> Picture | Gray:
        return np.asarray(cv2.rotate(picture, TURNS[self.degrees]), np.uint8)
