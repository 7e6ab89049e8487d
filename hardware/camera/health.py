"""Judges a camera by its frames, and by the time without one. All times are passed in."""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import ClassVar

import msgspec

from hardware.camera.frame import Frame
from hardware.light import STEP_PX, Exposure, levels_of


class Condition(StrEnum):
    """The condition of a camera."""

    OK = "ok"
    """The camera delivers readable pictures."""
    STARTING = "starting"
    """The camera is being opened, and has not delivered a picture yet."""
    UNPLUGGED = "unplugged"
    """The camera delivers no pictures; the watcher keeps trying to open it."""
    FROZEN = "frozen"
    """The camera keeps delivering the same picture, bit for bit."""
    BLACK = "black"
    """Nearly the whole picture is black."""
    OVEREXPOSED = "overexposed"
    """Most of the picture is white."""
    SLOW = "slow"
    """The camera delivers readable pictures, but too few."""
    ENDED = "ended"
    """The folder or the file has ended."""


READABLE = frozenset({Condition.OK, Condition.SLOW})
"""The conditions in which pictures are read."""


class CameraState(msgspec.Struct, frozen=True):
    """A camera's condition and how to mend it."""

    condition: Condition
    since_s: float
    """Seconds on the monotonic clock when the condition began."""
    says: str = ""
    """One sentence on how to mend it, or empty."""


class Timeouts(msgspec.Struct, frozen=True):
    """The times allowed for each step of a camera, in seconds.

    By default, a fault is noticed within 2 s, and a camera that came back is used within 10 s, even if it
    needs a few seconds to open.
    """

    default: ClassVar[Timeouts]

    silence_s: float = 1.6
    """Time without a picture until the camera counts as unplugged."""
    open_s: float = 25.0
    """Time allowed for opening; the smallest Pi needs many seconds to load its camera's program."""
    start_s: float = 6.0
    """Time allowed from opening to the first picture; a stream waits for its key frame."""
    same_s: float = 1.2
    """Time of identical pictures until the camera counts as frozen."""
    slow_s: float = 1.0
    """Time between two pictures above which the camera counts as slow, until it keeps below for as long."""
    dark_s: float = 0.8
    """Time of black or white pictures that is longer than a shadow or a flash."""
    retry_s: float = 0.5
    """Pause before the first retry of a failed camera; each further pause doubles."""
    longest_retry_s: float = 3.0
    refresh_s: float = 4.0
    tick_s: float = 0.1


Timeouts.default = Timeouts()

FEW_PICTURES = "Only a few pictures come from the camera: look at its cable, its USB port and the network."
SAME_PICTURE = "The camera gives one and the same picture: unplug it and plug it in again."
CONDITIONS = {Exposure.BLACK: Condition.BLACK, Exposure.OVEREXPOSED: Condition.OVEREXPOSED}
"""The light in which a picture cannot be read."""


class Health:
    """The state of one camera, updated by a call for each event.

    Every `now_s` is in seconds on one monotonic clock. Frames with a name come from files, so equal ones do
    not count as frozen.
    """

    def __init__(self, now_s: float, timeouts: Timeouts = Timeouts.default) -> None:
        self._timeouts = timeouts
        self._state = CameraState(Condition.STARTING, now_s)
        self._opening_s = now_s
        self._opened = False
        self._last_event_s: float | None = None
        self._is_paused = False
        self._same_since_s = now_s
        self._last_gap_s = -inf
        self._fingerprint = b""
        self._light_since: tuple[Condition, float] = (Condition.OK, now_s)

    @property
    def state(self) -> CameraState:
        """The state after the last event."""
        return self._state

    def opening(self, now_s: float) -> None:
        """The camera is being opened or reopened."""
        self._opening_s, self._last_event_s, self._is_paused, self._opened = now_s, None, False, False
        if self._state.condition is Condition.ENDED:
            self._set(Condition.STARTING, now_s)

    def opened(self, now_s: float) -> None:
        """The camera is open, and its first picture is expected."""
        self._opening_s, self._opened = now_s, True

    def frame_came(self, frame: Frame, now_s: float) -> bool:
        """A frame came; returns True if it is worth reading."""
        if self._last_event_s is not None and now_s - self._last_event_s > self._timeouts.slow_s:
            self._last_gap_s = now_s
        self._last_event_s = now_s
        newest = frame.picture if frame.small is None else frame.small
        # Equal for identical pictures; a live sensor's noise changes it with every frame.
        key = newest[::STEP_PX, ::STEP_PX].tobytes()
        if key != self._fingerprint or frame.name:
            self._fingerprint, self._same_since_s = key, now_s
        light = CONDITIONS.get(levels_of(newest).exposure, Condition.OK)
        if light is not self._light_since[0]:
            self._light_since = (light, now_s)
        # Exposure comes first, because all-black or all-white pictures are identical without being frozen.
        if light is not Condition.OK:
            if self._is_lasting(now_s):
                self._set(light, now_s)
        elif now_s - self._same_since_s >= self._timeouts.same_s:
            self._set(Condition.FROZEN, now_s, SAME_PICTURE)
        elif now_s - self._last_gap_s <= self._timeouts.slow_s and not frame.name:
            self._set(Condition.SLOW, now_s, FEW_PICTURES)
        else:
            self._set(Condition.OK, now_s)
        return bool(frame.name) or (light is Condition.OK and self._state.condition in READABLE)

    def _is_lasting(self, now_s: float) -> bool:
        """True if a black or white picture is more than a flash: it lasted, or it is the first picture."""
        first = self._state.condition in (Condition.STARTING, Condition.UNPLUGGED)
        return first or now_s - self._light_since[1] >= self._timeouts.dark_s

    def failed(self, says: str, now_s: float) -> None:
        """The camera failed to open, or raised an error instead of a frame; `says` is how to mend it."""
        self._last_event_s = now_s
        self._set(Condition.UNPLUGGED, now_s, says)

    def paused(self) -> None:
        """The camera is closed until the next attempt, so its silence means nothing."""
        self._is_paused = True

    def ended(self, now_s: float) -> None:
        """The source has ended."""
        self._set(Condition.ENDED, now_s)

    def tick(self, now_s: float) -> bool:
        """Check the timeouts; returns True if the camera must be replaced."""
        if self._is_paused or self._state.condition is Condition.ENDED:
            return False
        if self._state.condition is Condition.FROZEN:
            return now_s - max(self._opening_s, self._state.since_s) > self._timeouts.refresh_s
        if self._last_event_s is None:
            allowed_s = self._timeouts.start_s if self._opened else self._timeouts.open_s
            late = now_s - self._opening_s > allowed_s
        else:
            late = now_s - self._last_event_s > self._timeouts.silence_s
        if late:
            self._set(Condition.UNPLUGGED, now_s, "No picture comes from the camera: check its cable.")
        return late

    def _set(self, condition: Condition, now_s: float, says: str = "") -> None:
        if (condition, says) != (self._state.condition, self._state.says):
            same = condition is self._state.condition
            self._state = CameraState(condition, self._state.since_s if same else now_s, says)
