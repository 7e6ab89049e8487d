"""A camera that hangs sideways or upside down, its pictures turned upright."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera.frame import Camera, Frame, LockableCamera, LockedControls

TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}
"""OpenCV's rotation for each number of degrees, clockwise."""


def turned(picture: Picture | Gray, degrees: int) -> Picture | Gray:
    """A picture turned clockwise by `degrees`, a key of `TURNS`."""
    return np.asarray(cv2.rotate(picture, TURNS[degrees]), np.uint8)


class TurnedCamera:
    """The pictures of `camera`, turned clockwise by `degrees` (a key of `TURNS`)."""

    def __init__(self, camera: Camera, degrees: int) -> None:
        self.camera, self.degrees = camera, degrees
        self._last: tuple[Picture, Picture] | None = None

    @property
    def live(self) -> bool:
        """Whether the camera inside is live."""
        return self.camera.live

    @property
    def scene(self) -> dict[str, Any] | None:
        """The scene of the camera inside."""
        return self.camera.scene

    @property
    def locked(self) -> LockedControls | None:
        """The locked controls of the camera inside; None where it cannot lock them."""
        return self.camera.locked if isinstance(self.camera, LockableCamera) else None

    @locked.setter
    def locked(self, locked: LockedControls | None) -> None:
        if isinstance(self.camera, LockableCamera):
            self.camera.locked = locked

    def lock_controls(self) -> LockedControls:
        """Lock the controls of the camera inside, where it can."""
        return self.camera.lock_controls() if isinstance(self.camera, LockableCamera) else LockedControls()

    def open(self) -> None:
        """Open the camera inside."""
        self.camera.open()

    def read(self) -> Frame | None:
        """The next frame, turned."""
        frame = self.camera.read()
        if frame is None:
            return None
        if self._last is None or self._last[0] is not frame.picture:
            self._last = frame.picture, self._turned(frame.picture)
        small = None if frame.small is None else self._turned(frame.small)
        return replace(frame, picture=self._last[1], small=small)

    def close(self) -> None:
        """Close the camera inside."""
        self.camera.close()

    def replacement(self) -> TurnedCamera:
        """A closed camera on the same source, turned the same way."""
        return TurnedCamera(self.camera.replacement(), self.degrees)

    def _turned(self, picture: Picture | Gray) -> Picture | Gray:
        return turned(picture, self.degrees)
