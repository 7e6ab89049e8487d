"""What the pages may ask of the vision loop: plain values only, no pixels, no threads.

The roof hands an object that keeps this protocol to `create_app`, or None where no camera watches.
It wakes the pages through `Table.notify()` whenever its state changes.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from companion.games.watching import Kind

Point = tuple[float, float]
"""x right and y down, in px of the picture."""

Needs = Literal["", "empty", "teach", "markers"]
"""The next step of setting up: show the empty board, teach the tiles, uncover the markers; empty: none."""


class CameraState(msgspec.Struct, frozen=True):
    """The camera's status.

    `kind` is what the picture is like, `since_s` for how many seconds it has been so. `needs` is the
    step of setting up that is still to be done (empty: none). `unsure` is true while a person would
    have to be asked about the newest reading; `why` then says what is in the way (a key `why.<why>`
    in the words). `source` is the camera's name as given, `fps` pictures read a second, `taught` the
    digits known by owner.
    """

    kind: Literal["ok", "starting", "unplugged", "frozen", "black", "overexposed", "ended", "none"]
    since_s: float = 0.0
    needs: Needs = ""
    unsure: bool = False
    why: str = ""
    source: str = ""
    fps: float = 0.0
    taught: dict[str, tuple[Kind, ...]] = {}


class OverlayTile(msgspec.Struct, frozen=True):
    """A tile as read: `polygon` is its outline in px of the picture, `confidence` from 0 to 1."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    polygon: tuple[Point, ...]
    confidence: float


class Overlay(msgspec.Struct, frozen=True):
    """What was read, to be drawn over the picture of `width` × `height` px.

    `grid` holds polylines in px, one for each line between squares; empty while no bed is found.
    """

    width: int
    height: int
    grid: tuple[tuple[Point, ...], ...] = ()
    tiles: tuple[OverlayTile, ...] = ()


class Lesson(msgspec.Struct, frozen=True):
    """Tiles of one owner to be shown at once: where each is to lie, as an outline in px of the picture.

    No outlines while the bed is not found in the picture.
    """

    owner: str
    kinds: tuple[Kind, ...] = msgspec.field(name="digits")
    outlines: tuple[tuple[Point, ...], ...] = ()


class CameraPort(Protocol):
    """The vision loop as pages use it. Safe from any thread.

    Only `remember_empty` and `teach` wait, until the picture that is being read has been read.

    A request that cannot be done raises a `CompanionError` whose sentence is shown.
    """

    def state(self) -> CameraState:
        """The camera's status now."""

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None before the first."""

    def overlay(self) -> Overlay:
        """What was read in the newest picture that was read."""

    def crop(self) -> bytes | None:
        """The part of the picture that an unsure sighting asks about, as JPEG; None without one."""

    def remember_empty(self) -> None:
        """Take the newest picture as that of the empty bed."""

    def lessons(self) -> tuple[Lesson, ...]:
        """What is to be shown once so that all tiles are known; none where the game has no tiles."""

    def teach(self, owner: str, kinds: tuple[Kind, ...]) -> None:
        """The newest picture shows just these tiles of `owner`, each where its lesson says: learn them."""

    def corners(self, corners_px: tuple[Point, Point, Point, Point]) -> None:
        """The grid's corners as a person tapped them: top left first, then clockwise, in px."""
