"""What the pages may ask the vision loop: plain values only, no pixels, no threads.

`create_app` gets an object that follows this protocol, or None without a camera. The object wakes the pages
through `Table.notify()` whenever its state changes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal, Protocol

import msgspec

from companion.games.watching import Kind, Verdict
from web.accuracy_port import AccuracyNow, Report
from web.figures import Histogram

Point = tuple[float, float]
"""A point in px of the picture: x right, y down."""

Polygon = tuple[Point, ...]
"""The corners of an area in px of the picture, once around."""

Needs = Literal["", "empty", "teach", "markers"]
"""The next step of the set-up: show the empty board, teach the tiles, or uncover the markers; empty: none."""


Change = Literal["", "dark", "bright", "moved", "marker"]
"""What has changed at the table since the set-up; empty: nothing."""


class Drift(msgspec.Struct, frozen=True):
    """What has changed since the set-up, for some time already.

    `marker` is the number of the marker that is not seen any more, `since` when that was noticed (seconds
    since 1970).
    """

    what: Change = ""
    marker: int = 0
    since: int = 0


class CameraState(msgspec.Struct, frozen=True):
    """The camera's status.

    `kind` is the camera's condition, `since_s` the seconds since it began. `needs` is the next step of the
    set-up (empty if there is none). `unsure` is true while a person must be asked about the newest reading;
    `why` then gives the obstacle (a key `why.<why>` in the messages). `source` is the camera's name as given,
    `fps` the pictures read per second, `taught` the known digits of each owner. `drift` is what has changed
    at the table since the set-up.
    """

    kind: Literal["ok", "starting", "unplugged", "frozen", "black", "overexposed", "slow", "ended", "none"]
    since_s: float = 0.0
    needs: Needs = ""
    unsure: bool = False
    why: str = ""
    source: str = ""
    fps: float = 0.0
    taught: dict[str, tuple[Kind, ...]] = {}
    drift: Drift = Drift()


@dataclass(slots=True)
class Readings:
    """What was counted of the readings since the camera began: one thread counts, any thread reads.

    `pictures` is the number of pictures read, `outcomes` what the table did with the readings that it judged.
    """

    pictures: int = 0
    outcomes: Counter[Verdict] = field(default_factory=Counter)
    _stages: dict[str, Histogram] = field(default_factory=dict)

    @property
    def stages(self) -> dict[str, Histogram]:
        """The time of each stage of reading the board, by the stage's name."""
        return dict(self._stages)

    def count_stages(self, stages_ms: dict[str, float]) -> None:
        """Count one more reading of the board, with the milliseconds of each stage."""
        for stage, took_ms in stages_ms.items():
            self._stages.setdefault(stage, Histogram()).add(took_ms / 1000)


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


class MarkerCheck(msgspec.Struct, frozen=True):
    """One of the board's markers: its number, how it is seen, and where it is or should be in the picture.

    `unseen`: it is not found, and too few others are to say where it should be.
    """

    number: int
    state: Literal["seen", "covered", "outside", "unseen"]
    outline: Polygon = ()


Advice = Literal["dark", "bright", "blurred"]
"""What makes a picture hard to read."""

Hindrance = Literal["", "markers", "moving", "blurred", "hand", "tile"]
"""What keeps the camera from learning from a picture; empty: nothing."""


class PictureCheck(msgspec.Struct, frozen=True):
    """The newest picture, judged for the set-up.

    `grid` has a polyline in px for each line between squares; it is empty while the board is not located.
    `fit_px` is how far the markers lie from where the grid expects them (RMS); None with fewer than two
    markers. `by_hand`: a person has set the corners. `blocked` are the squares (row, column) that help to see
    which side of the board is up.
    """

    width: int
    height: int
    rows: int
    cols: int
    blocked: tuple[tuple[tuple[int, int], ...], ...] = ()
    advice: tuple[Advice, ...] = ()
    markers: tuple[MarkerCheck, ...] = ()
    grid: tuple[tuple[Point, ...], ...] = ()
    fit_px: float | None = None
    by_hand: bool = False
    empty_shown: bool = False


class EmptyCheck(msgspec.Struct, frozen=True):
    """Whether the newest picture can be taken as that of the empty board.

    `things` outlines what seems to lie on the board.
    """

    hindrance: Hindrance = ""
    things: tuple[Polygon, ...] = ()


class TileCheck(msgspec.Struct, frozen=True):
    """A tile of a lesson: where it must lie, and whether it lies there."""

    kind: Kind = msgspec.field(name="digit")
    state: Literal["right", "beside", "missing"]
    outline: Polygon


class LessonCheck(msgspec.Struct, frozen=True):
    """Whether the tiles of a lesson lie in their places in the newest picture.

    `things` outlines what lies elsewhere on the board.
    """

    hindrance: Hindrance = ""
    tiles: tuple[TileCheck, ...] = ()
    things: tuple[Polygon, ...] = ()


class LearntTile(msgspec.Struct, frozen=True):
    """A tile as the camera has learnt it: its upright picture as a `data:` address."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    picture: str


class CameraPort(Protocol):
    """The vision loop for the pages. Safe from any thread.

    Only what changes or checks the set-up waits: until the current picture has been read. A request that
    cannot be met raises a `CompanionError`, and the page shows its sentence.
    """

    def state(self) -> CameraState:
        """The camera's current status."""

    def readings(self) -> Readings:
        """What was counted of the readings since the camera began."""

    def picture(self) -> bytes | None:
        """The newest picture as JPEG; None before the first."""

    def overlay(self) -> Overlay:
        """The newest reading."""

    def crop(self) -> bytes | None:
        """The part of the picture that an unsure sighting asks about, as JPEG; None if there is none."""

    def remember_empty(self, *, sure: bool = False) -> None:
        """Take the newest picture as the empty board; `sure`: what seems to lie there is printed on it."""

    def read_whole(self) -> bool:
        """Read the whole board afresh, and ask about what the match does not hold; False where nothing
        differs."""

    def lessons(self) -> tuple[Lesson, ...]:
        """The lessons that make all tiles known; none if the game has no tiles."""

    def teach(self, owner: str, kinds: tuple[Kind, ...]) -> None:
        """Learn these tiles of `owner` from the newest picture, where each lies as in its lesson."""

    def corners(self, corners_px: tuple[Point, Point, Point, Point] | None) -> None:
        """Set the grid's corners that a person marked, in px: the top left first, then clockwise.

        None: find the board by its markers again.
        """

    def check(self) -> PictureCheck:
        """Judge the newest picture: its light and sharpness, the markers, the grid."""

    def check_empty(self) -> EmptyCheck:
        """Judge whether the newest picture shows the empty board. Meanwhile no move is read."""

    def check_lesson(self, owner: str, kinds: tuple[Kind, ...]) -> LessonCheck:
        """Judge whether these tiles lie as in their lesson. Meanwhile no move is read."""

    def learnt(self) -> tuple[LearntTile, ...]:
        """Every tile that was learnt, as it was seen."""

    def forget(self) -> None:
        """Forget the corners, the empty board and the tiles, to set the camera up again."""

    def begin_accuracy(self) -> None:
        """Begin a guided accuracy test. Meanwhile no move is read."""

    def accuracy(self) -> AccuracyNow:
        """The accuracy test as it stands."""

    def answer_accuracy(self, *, right: bool) -> None:
        """Whether the tile lies as it was asked, or the throw was read right."""

    def end_accuracy(self) -> None:
        """End the accuracy test, over or not."""

    def accuracy_reports(self) -> tuple[Report, ...]:
        """The figures of all tests, the newest first."""

    def accuracy_csv(self) -> str:
        """The same as a table."""
