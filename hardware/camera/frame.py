"""What every camera gives, and the few methods that make something a camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import msgspec

from companion.errors import MendableError
from hardware.arrays import Gray, Picture
from hardware.vision.board.scene import PictureLine


class CameraError(MendableError):
    """A camera or its source cannot be used; the text says in one sentence how to mend it."""


class CameraGone(CameraError):
    """The camera gives no pictures now and may come back by itself: worth trying again."""


class BrokenPicture(CameraError):
    """This one picture cannot be used; the next `read` goes on with the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture and when it was taken.

    `at_s` is seconds of the monotonic clock. `name` is a file's name where the picture is a file's (or a
    place in it), else empty. `note` is what the source itself tells of the picture before anyone reads it
    (its role; the tiles shown, the squares covered, the grid's corners), None from a real camera. `small`
    is what the same moment looks like in grey and in less detail, from a camera that gives it besides; then
    `picture` may be a little older, as long as nothing has moved since.
    """

    picture: Picture
    at_s: float
    name: str = ""
    note: PictureLine | None = None
    small: Gray | None = None


class Hold(msgspec.Struct, frozen=True):
    """What a camera holds fast so that colours and edges stay comparable; None: it has no such thing.

    `exposure_us`, `gain` (of the sensor), `colours` (gains of red and blue), `focus` (dioptres).
    """

    exposure_us: int | None = None
    gain: float | None = None
    colours: tuple[float, float] | None = None
    focus: float | None = None


class Camera(Protocol):
    """A source of frames. Used from one thread; `close` may be called twice."""

    @property
    def live(self) -> bool:
        """Whether time goes on without us: only the newest frame counts, and older ones may be dropped."""

    @property
    def scene(self) -> dict[str, Any] | None:
        """The bed as the source tells it (a scene.json's content), or None."""

    def open(self) -> None:
        """Begin. Raises `CameraError`; `CameraGone` when it is worth trying again."""

    def read(self) -> Frame | None:
        """The next frame, waiting for it; None: the source has no more. Raises `CameraError`."""

    def close(self) -> None:
        """Let go of the device or the file."""

    def anew(self) -> Camera:
        """A camera on the same source to put in this one's place, should this one hang."""


@runtime_checkable
class HoldsFast(Protocol):
    """A camera that can hold focus, exposure and white balance."""

    held: Hold | None
    """What to hold from `open` on; None: all is found by the camera itself."""

    def hold(self) -> Hold:
        """Hold all of it as it was in the newest frame, and say what that is. Raises `CameraError`."""
