"""The frame that every camera gives, and the protocol that makes a class a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import msgspec

from companion.errors import MendableError
from hardware.arrays import Gray, Picture
from hardware.vision.board.scene import PictureLine


class CameraError(MendableError):
    """A camera or its source cannot be used. The text is one sentence that says how to mend it."""


class CameraGone(CameraError):
    """The camera gives no pictures now. It may come back by itself, so try again."""


class BrokenPicture(CameraError):
    """One picture cannot be used. The next `read` goes on with the picture after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture and when it was taken."""

    picture: Picture
    at_s: float
    """Seconds on the monotonic clock."""
    name: str = ""
    """The picture's file, with the time in it for a video; empty for a real camera."""
    note: PictureLine | None = None
    """What pictures.jsonl says of the picture; None for a source without one."""
    small: Gray | None = None
    """The same moment in gray and in less detail, from a camera with a second stream.

    `picture` may then be older than `small`, as long as nothing has moved since.
    """


class LockedControls(msgspec.Struct, frozen=True):
    """Exposure, white balance and focus at which a camera stays, so that its pictures remain comparable.

    None marks a control that the camera does not have.
    """

    exposure_us: int | None = None
    """Exposure time in microseconds."""
    gain: float | None = None
    """Analogue gain of the sensor; 1 is none."""
    colours: tuple[float, float] | None = None
    """White balance: the gains of red and of blue."""
    focus: float | None = None
    """Lens position in dioptres; 0 is infinity."""


class Camera(Protocol):
    """A source of frames. One thread uses it; `close` may be called twice."""

    @property
    def live(self) -> bool:
        """Whether only the newest frame counts, so that older ones may be dropped. False for files."""

    @property
    def scene(self) -> dict[str, Any] | None:
        """The content of the source's scene.json; None where it has none."""

    def open(self) -> None:
        """Open the device or the file. Raises `CameraError`; `CameraGone` where a later try may succeed."""

    def read(self) -> Frame | None:
        """Wait for the next frame and return it; None after the last. Raises `CameraError`."""

    def close(self) -> None:
        """Release the device or the file."""

    def replacement(self) -> Camera:
        """A closed camera on the same source, to use in place of one that hangs."""


@runtime_checkable
class LockableCamera(Protocol):
    """A camera that can lock focus, exposure and white balance."""

    locked: LockedControls | None
    """What `open` sets and leaves alone; None while the camera adjusts everything itself."""

    def lock_controls(self) -> LockedControls:
        """Lock every control at its value in the newest frame; return those values. Raises `CameraError`."""
