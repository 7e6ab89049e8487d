"""The frame that every camera returns, and the protocol of a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import msgspec

from companion.errors import UserError
from hardware.arrays import Gray, Picture
from hardware.vision.board.scene import PictureLine


class CameraError(UserError):
    """A camera or its source cannot be used. The text is one sentence that says how to mend it."""


class CameraGone(CameraError):
    """The camera gives no pictures at the moment. It may come back by itself, so try again."""


class BrokenPicture(CameraError):
    """One picture cannot be used. The next `read_frame` continues with the picture after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture, and the time when it was taken."""

    picture: Picture
    at_s: float
    """Seconds on the monotonic clock."""
    name: str = ""
    """The picture's file, and for a video the time in it; empty for a real camera."""
    note: PictureLine | None = None
    """The picture's line in pictures.jsonl; None for a source without one."""
    small: Gray | None = None
    """The same moment in gray and with fewer px, from a camera with a second stream.

    `picture` may then be older than `small`, as long as nothing has moved since.
    """


class LockedControls(msgspec.Struct, frozen=True):
    """The locked exposure, white balance and focus of a camera, which keep its pictures comparable.

    None marks a control that the camera does not have.
    """

    exposure_us: int | None = None
    """Exposure time in microseconds."""
    gain: float | None = None
    """The sensor's analogue gain, as a factor."""
    colours: tuple[float, float] | None = None
    """The gains of red and blue for white balance."""
    focus: float | None = None
    """Lens position in dioptres; 0 is infinity."""


class Camera(Protocol):
    """A source of frames. One thread uses it; `close` may be called twice."""

    @property
    def live(self) -> bool:
        """True if only the newest frame counts, so that older ones may be dropped. False for files."""

    @property
    def scene(self) -> dict[str, Any] | None:
        """The content of the source's scene.json, if it has one."""

    def open(self) -> None:
        """Open the device or the file.

        Raises `CameraError`, or `CameraGone` if a later attempt may succeed.
        """

    def read_frame(self) -> Frame | None:
        """Wait for the next frame and return it; None after the last. Raises `CameraError`."""

    def close(self) -> None:
        """Release the device or the file."""

    def replacement(self) -> Camera:
        """A closed camera on the same source, to replace one that hangs."""


@runtime_checkable
class LockableCamera(Protocol):
    """A camera that can lock focus, exposure and white balance."""

    locked: LockedControls | None
    """The controls that `open` locks; None while the camera adjusts everything itself."""

    def lock_controls(self) -> LockedControls:
        """Lock every control at its value in the newest frame. Returns the values. Raises `CameraError`."""
