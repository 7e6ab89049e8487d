"""The virtual camera's faults by name, switchable while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from threading import Lock

import cv2
import numpy as np

from hardware.arrays import Picture
from hardware.camera.frame import CameraError


class Fault(StrEnum):
    """A named fault."""

    UNPLUGGED = "unplugged"
    FROZEN = "frozen"
    """The same picture again and again."""
    BLACK = "black"
    OVEREXPOSED = "overexposed"
    """The sun shines into the lens."""
    BLURRED = "blurred"
    MARKER_COVERED = "marker-covered"
    """A cup of coffee stands on the first marker."""
    CUP_ON_MARKER = "cup-on-marker"
    """A cup stands on the last marker and the frame beside it."""
    BUMPED = "bumped"
    """The camera was knocked, and stays that way."""
    HAND_STAYS = "hand-stays"
    SLOW = "slow"


HIDING = frozenset({Fault.UNPLUGGED, Fault.FROZEN, Fault.BLACK, Fault.OVEREXPOSED, Fault.HAND_STAYS})
"""Faults that hide everything, so that the virtual players wait."""

BLUR_PX = 7.0
"""The standard deviation of the blur."""
OVEREXPOSED_GAIN = 3.2
OVEREXPOSED_LIFT = 120


class Faults:
    """The active faults. Safe from any thread."""

    def __init__(self, on: Iterable[str] = ()) -> None:
        """Raises `CameraError` for an unknown name."""
        self._lock = Lock()
        self._on: set[Fault] = set()
        for name in on:
            self.add(name)

    def add(self, name: str) -> None:
        """Switch a fault on. Raises `CameraError` for an unknown name."""
        with self._lock:
            self._on.add(_fault(name))

    def discard(self, name: str) -> None:
        """Switch a fault off if it is on. Raises `CameraError` for an unknown name."""
        with self._lock:
            self._on.discard(_fault(name))

    def clear(self) -> None:
        """Switch all faults off."""
        with self._lock:
            self._on.clear()

    def active(self) -> frozenset[Fault]:
        """The active faults."""
        with self._lock:
            return frozenset(self._on)

    def __contains__(self, name: object) -> bool:
        return name in self.active()

    def __iter__(self) -> Iterator[Fault]:
        return iter(sorted(self.active()))

    def __len__(self) -> int:
        return len(self.active())


def spoiled(picture: Picture, faults: frozenset[Fault]) -> Picture:
    """The picture with these faults of lens and light."""
    if Fault.BLURRED in faults:
        small = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), BLUR_PX / 2)
        picture = np.asarray(cv2.resize(soft, (picture.shape[1], picture.shape[0])), np.uint8)
    if Fault.OVEREXPOSED in faults:
        picture = np.asarray(
            cv2.convertScaleAbs(picture, alpha=OVEREXPOSED_GAIN, beta=OVEREXPOSED_LIFT), np.uint8
        )
    if Fault.BLACK in faults:
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=0.025), np.uint8)
    return picture


def _fault(name: str) -> Fault:
    try:
        return Fault(name)
    except ValueError:
        raise CameraError(f"There is no fault {name!r}; there are: {', '.join(Fault)}.") from None
