"""What state a camera is in, told from its frames and from their staying away. Knows no clock of its own."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

import msgspec
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera.frame import Frame


class Condition(StrEnum):
    """What a camera is like now."""

    OK = "ok"
    STARTING = "starting"
    """Begun, and no picture has come yet."""
    UNPLUGGED = "unplugged"
    """It gives no pictures; it is begun anew again and again."""
    FROZEN = "frozen"
    """It gives the same picture again and again."""
    BLACK = "black"
    OVEREXPOSED = "overexposed"
    ENDED = "ended"
    """The folder or the file has no more pictures."""


class CameraState(msgspec.Struct, frozen=True):
    """A camera's condition, since when (seconds of the monotonic clock), and how to mend it if we know."""

    condition: Condition
    since_s: float
    says: str = ""


class Patience(msgspec.Struct, frozen=True):
    """How long things may take before they count, all in seconds.

    Together they keep the promise that a fault is noticed within 2 s and mended within 10 s of the
    camera's return, with room for a camera that takes some seconds to begin.
    """

    usual: ClassVar[Patience]

    silence_s: float = 1.6
    """No picture for so long: unplugged."""
    open_s: float = 25.0
    """As long may a camera take to open: the smallest Pi loads its camera's program for many seconds."""
    start_s: float = 6.0
    """As long may the first picture take once it is open (a stream waits for its key picture)."""
    same_s: float = 1.2
    """The same picture, bit for bit, for so long: frozen."""
    dark_s: float = 0.8
    """Black or white for so long: no mere flash or shadow."""
    retry_s: float = 0.5
    """A camera that is gone is begun anew after so long, then after twice that, and so on …"""
    longest_retry_s: float = 3.0
    """… but never after longer."""
    refresh_s: float = 4.0
    """A frozen camera is begun anew as often as this."""
    tick_s: float = 0.1
    """How often it is looked whether a picture has stayed away."""


Patience.usual = Patience()

BLACK_LEVEL, WHITE_LEVEL = 14, 246
"""Levels of 255: nearly all of a black picture is below the one, of an overexposed one above the other.
Tried on the virtual table, rendered beds and photographs of boards and dice: see the tests."""
ALMOST_ALL_PERCENT = 95
MOST_PERCENT = 70
"""An overexposed picture may keep some dark things: so much of it is white."""
STANDS_STILL = "The camera gives one and the same picture: unplug it and plug it in again."
STEP_PX = 8
"""Every so many px are looked at, across and down."""


def fingerprint(picture: Picture | Gray) -> bytes:
    """Something that is the same for the same picture; a sensor's noise alone makes it another."""
    return picture[::STEP_PX, ::STEP_PX].tobytes()


def light_of(picture: Picture | Gray) -> Condition:
    """`BLACK`, `OVEREXPOSED` or `OK` by the picture's levels."""
    some = picture[::STEP_PX, ::STEP_PX]
    levels, lows = (some, some) if some.ndim == 2 else (some.max(axis=2), some.min(axis=2))
    if np.percentile(levels, ALMOST_ALL_PERCENT) < BLACK_LEVEL:
        return Condition.BLACK
    if np.percentile(lows, 100 - MOST_PERCENT) > WHITE_LEVEL:
        return Condition.OVEREXPOSED
    return Condition.OK


class Health:
    """Follows one camera: told of each thing that happens and when, it knows the camera's state.

    A frame with a name is a picture that somebody put there: two alike mean nothing.
    """

    def __init__(self, now_s: float, patience: Patience = Patience.usual) -> None:
        self._patience = patience
        self._state = CameraState(Condition.STARTING, now_s)
        self._begun_s = now_s
        self._opened = False
        self._heard_s: float | None = None
        self._resting = False
        self._same_since_s = now_s
        self._print = b""
        self._light_since: tuple[Condition, float] = (Condition.OK, now_s)

    @property
    def state(self) -> CameraState:
        """The state at the last thing that was told."""
        return self._state

    def begun(self, now_s: float) -> None:
        """The camera is being opened (again)."""
        self._begun_s, self._heard_s, self._resting, self._opened = now_s, None, False, False
        if self._state.condition is Condition.ENDED:
            self._turn(Condition.STARTING, now_s)

    def opened(self, now_s: float) -> None:
        """It is open: its first picture is waited for from now on."""
        self._begun_s, self._opened = now_s, True

    def saw(self, frame: Frame, now_s: float) -> bool:
        """A frame came. Returns whether anything can be read from it."""
        self._heard_s = now_s
        newest = frame.picture if frame.small is None else frame.small
        seen = fingerprint(newest)
        if seen != self._print or frame.name:
            self._print, self._same_since_s = seen, now_s
        light = light_of(newest)
        if light is not self._light_since[0]:
            self._light_since = (light, now_s)
        # Light first: pictures that are all black or all white are alike without being frozen.
        if light is not Condition.OK:
            if self._is_lasting(now_s):
                self._turn(light, now_s)
        elif now_s - self._same_since_s >= self._patience.same_s:
            self._turn(Condition.FROZEN, now_s, STANDS_STILL)
        else:
            self._turn(Condition.OK, now_s)
        return bool(frame.name) or (light is Condition.OK and self._state.condition is Condition.OK)

    def _is_lasting(self, now_s: float) -> bool:
        """Whether a dark or white picture is no mere flash: it has lasted, or is the first thing seen."""
        first = self._state.condition in (Condition.STARTING, Condition.UNPLUGGED)
        return first or now_s - self._light_since[1] >= self._patience.dark_s

    def failed(self, says: str, now_s: float) -> None:
        """It could not be opened, or gave an error in place of a frame."""
        self._heard_s = now_s
        self._turn(Condition.UNPLUGGED, now_s, says)

    def rests(self) -> None:
        """It is left alone until it is begun again: silence means nothing."""
        self._resting = True

    def ended(self, now_s: float) -> None:
        """The source has no more pictures."""
        self._turn(Condition.ENDED, now_s)

    def tick(self, now_s: float) -> bool:
        """Time went by. Returns whether the camera is to be given up and begun anew."""
        if self._resting or self._state.condition is Condition.ENDED:
            return False
        if self._state.condition is Condition.FROZEN:
            return now_s - max(self._begun_s, self._state.since_s) > self._patience.refresh_s
        if self._heard_s is None:
            allowed_s = self._patience.start_s if self._opened else self._patience.open_s
            late = now_s - self._begun_s > allowed_s
        else:
            late = now_s - self._heard_s > self._patience.silence_s
        if late:
            self._turn(Condition.UNPLUGGED, now_s, "No picture comes from the camera: check its cable.")
        return late

    def _turn(self, condition: Condition, now_s: float, says: str = "") -> None:
        if (condition, says) != (self._state.condition, self._state.says):
            same = condition is self._state.condition
            self._state = CameraState(condition, self._state.since_s if same else now_s, says)
