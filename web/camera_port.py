"""What the pages may ask the vision loop: plain values only, no pixels, no threads.

`create_app` gets an object that follows this protocol, or None without a camera. The object wakes the pages
through `Table.notify()` whenever its state changes.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from companion.games.watching import Kind

Point = tuple[float, float]
"""A point in px of the picture: x right, y down."""

Needs = Literal["", "empty", "teach", "markers"]
"""The next step of the set-up: show the empty board, teach the tiles, or uncover the markers; empty: none."""


class CameraState(msgspec.Struct, frozen=True):
    """The camera's status.

    `kind` is the camera's condition, `since_s` the seconds since it began. `needs` is the next step of the
    set-up (empty if there is none). `unsure` is true while a person must be asked about the newest reading;
    `why` then gives the obstacle (a key `why.<why>` in the messages). `source` is the camera's name as given,
    `fps` the pictures read per second, `taught` the known digits of each owner.
    """

    kind: Literal["ok", "starting", "unplugged", "frozen", "black", "overexposed", "slow", "ended", "none"]
    since_s: float = 0.0
    needs: Needs = ""
    unsure: bool = False
    why: str = ""
    source: str = ""
    fps: float = 0.0
    taught: dict[str, tuple[Kind, ...]] = {}


class OverlayTile(msgspec.Struct, frozen=True):
    """A tile in the reading. `polygon` is its outline in px of the picture; `confidence` is from 0 to 1."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    polygon: tuple[Point, ...]
    confidence: float


class Overlay(msgspec.Struct, frozen=True):
    """The reading, to draw over the picture of `width` × `height` px.

    `grid` has a polyline in px for each line between squares; it is empty while no bed is found.
    """

    width: int
    height: int
    grid: tuple[tuple[Point, ...], ...] = ()
    tiles: tuple[OverlayTile, ...] = ()


class Lesson(msgspec.Struct, frozen=True):
    """Tiles of one owner to show together, with the outline in px of the picture where each must lie.

    There are no outlines while the bed is not found in the picture.
    """

    owner: str
    kinds: tuple[Kind, ...] = msgspec.field(name="digits")
    outlines: tuple[tuple[Point, ...], ...] = ()


class CameraPort(Protocol):
    """The vision loop for the pages. Safe from any thread.

    Only `remember_empty` and `teach` wait: until the current picture has been read. A request that cannot be
    met raises a `CompanionError`, and the page shows its sentence.
    """

    def state(self) -> CameraState:
        """The camera's current status."""

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None before the first."""

    def overlay(self) -> Overlay:
        """The newest reading."""

    def crop(self) -> bytes | None:
        """The part of the picture that an unsure sighting asks about, as JPEG; None without one."""

    def remember_empty(self) -> None:
        """Take the newest picture as the empty bed."""

    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that make all tiles known; none if the game has no tiles."""

    def teach(self, owner: str, kinds: tuple[Kind, ...]) -> None:
        """Learn these tiles of `owner` from the newest picture, where each lies as in its lesson."""

    def corners(self, corners_px: tuple[Point, Point, Point, Point]) -> None:
        """Set the grid's corners that a person tapped, in px: the top left first, then clockwise."""
