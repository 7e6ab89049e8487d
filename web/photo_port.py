"""What the pages may ask of whatever reads photos of boards: plain values only, no pixels, no threads.

`create_app` gets an object that follows this protocol, or None where no photo can be read.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol

import msgspec

from companion.games.watching import Dice, Kind, Observation, Square
from companion.play.entries import MatchRecord
from web.camera_port import Point

FourPoints = tuple[Point, Point, Point, Point]
"""The corners of a board in px of a photo: the board's own top left first, then clockwise."""


class PhotoGrid(msgspec.Struct, frozen=True):
    """The squares of the board, and groups of squares by which a person sees which side is up."""

    rows: int
    cols: int
    landmarks: tuple[tuple[Square, ...], ...] = ()


class PhotoView(msgspec.Struct, frozen=True):
    """A photo of `width` × `height` px, and where the board's corners lie in it.

    `name` stays the same for as long as the photo is there. `source`: printed markers, the board's own edges,
    a person, or a guess to start dragging from. `certain`: a person need not set them.
    """

    name: int
    width: int
    height: int
    corners_px: FourPoints
    source: Literal["markers", "edges", "person", "guess"]
    certain: bool


class PlacedTile(msgspec.Struct, frozen=True):
    """A tile that lies, or may lie, on the board; `row` and `col` are the top left of its shape's box."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    turns: int
    row: int
    col: int


class ReadTile(PlacedTile, frozen=True):
    """A tile that was read. `owner` is empty where nobody said yet whose it is.

    `unsure`: a person must look at it; `others` are what it may be instead, the likeliest first.
    """

    unsure: bool = False
    others: tuple[PlacedTile, ...] = ()


class Coat(msgspec.Struct, frozen=True):
    """Tiles that look alike, by their numbers in the reading: one answer says whose all of them are."""

    tiles: tuple[int, ...]


class BoardRead(msgspec.Struct, frozen=True):
    """What the photos show. `why`: a key `why.<why>` of what is in the way, empty if nothing is."""

    tiles: tuple[ReadTile, ...] = ()
    coats: tuple[Coat, ...] = ()
    why: str = ""


class PhotoDraft(msgspec.Struct, frozen=True):
    """Photos of one finished board on their way to its score.

    `fault` says why the last reading failed: a key `photo-fault.<fault>` of the shared messages.
    """

    id: int
    game: str
    options: dict[str, Any]
    grid: PhotoGrid
    owners: tuple[str, ...]
    photos: tuple[PhotoView, ...] = ()
    stage: Literal["photos", "waiting", "reading", "read"] = "photos"
    read: BoardRead | None = None
    fault: str = ""


class PhotoPort(Protocol):
    """Reads photos of boards and dice. Safe from any thread. All of it raises `PhotoError`.

    Photos are held for a while, in memory alone, under a number that nobody guesses. Only `add`, `small`
    and `throw` wait: for the photo to be decoded, or read.
    """

    def begin(self, game: str, options: dict[str, Any]) -> PhotoDraft:
        """Begin with no photo of a board of that game. Raises `MoveError` for unfit options."""

    def draft(self, number: int) -> PhotoDraft:
        """How that draft stands."""

    def add(self, number: int, photo: bytes, *, real_table: bool = False) -> PhotoDraft:
        """Take one more photo, a JPEG, PNG or WebP. `real_table`: a person says that it shows no screen."""

    def remove(self, number: int, photo: int) -> PhotoDraft:
        """Take a photo out again, by its name."""

    def set_corners(self, number: int, photo: int, corners_px: FourPoints) -> PhotoDraft:
        """Say where the board's corners lie in the photo of that name."""

    def read(self, number: int) -> PhotoDraft:
        """Begin to read the photos together; `draft` says when that is done."""

    def picture(self, number: int, photo: int) -> bytes:
        """The photo of that name as JPEG, upright, with nothing beside its pixels."""

    def crop(self, number: int, tile: int) -> bytes:
        """The part of a photo that shows a tile of the reading, as JPEG."""

    def keep(self, number: int, record: MatchRecord) -> None:
        """Keep the photos with a match."""

    def kept(self, record: MatchRecord) -> tuple[int, ...]:
        """The numbers of the photos that are kept of a match."""

    def kept_picture(self, record: MatchRecord, n: int) -> bytes:
        """A photo that is kept of a match, as JPEG."""

    def remove_kept(self, record: MatchRecord) -> None:
        """Delete the photos of a match."""

    def drop(self, number: int) -> None:
        """Forget a draft and its photos; one that is gone is no fault."""

    def small(self, photo: bytes) -> bytes:
        """A small picture of the same as JPEG, upright, with nothing beside its pixels."""

    def throw(self, dice: Dice, photo: bytes) -> Observation:
        """The throw of these dice that a photo shows."""
