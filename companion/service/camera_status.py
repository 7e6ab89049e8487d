"""The camera's last reading, published by the vision loop as a frozen value, so pages need no lock."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Literal

import msgspec

from companion import machine
from companion.games.watching import Kind, Observation, Tile, Verdict
from companion.service.setup.drift import Drift
from hardware import pictures
from hardware.camera import health
from hardware.camera.frame import Frame
from hardware.vision.board import overlay
from hardware.vision.board.scene import Scene, lesson_groups, teaching_places
from hardware.vision.register.homography import Homography

Point = tuple[float, float]
"""A point in px of the picture: x right, y down."""

Needs = Literal["", "empty", "teach", "markers"]
"""The next step of the set-up: show the empty board, teach the tiles, or uncover the markers; or empty."""


class CameraState(msgspec.Struct, frozen=True):
    """The camera's status.

    `kind` is the camera's condition, `busy` where it would be slow but the machine has too much to do;
    `since_s` is its age in seconds. `needs` is the next step of the set-up.
    `unsure` is true while a person must be asked about the newest reading; `why` is the obstacle (a key
    `why.<why>` in the messages). `source` is the camera's name as given, `fps` the pictures read per second,
    `taught` the known digits of each owner. `drift` is the change at the table since the set-up.
    """

    kind: Literal[
        "ok", "starting", "unplugged", "frozen", "black", "overexposed", "slow", "busy", "ended", "none"
    ]
    since_s: float = 0.0
    needs: Needs = ""
    unsure: bool = False
    why: str = ""
    source: str = ""
    fps: float = 0.0
    taught: dict[str, tuple[Kind, ...]] = {}
    drift: Drift = Drift()


GIVES_PICTURES = frozenset({"ok", "slow", "busy"})
"""The kinds of `CameraState` in which pictures are read."""


@dataclass(slots=True)
class Readings:
    """Counts of readings since the camera began: one thread counts, any thread reads.

    `pictures` is the number of read pictures, `outcomes` counts the table's verdicts.
    """

    pictures: int = 0
    outcomes: Counter[Verdict] = field(default_factory=Counter)
    _stages: dict[str, Histogram] = field(default_factory=dict)

    @property
    def stages(self) -> dict[str, Histogram]:
        """The times of each stage of reading the board, by name."""
        return dict(self._stages)

    def count_stages(self, stages_ms: dict[str, float]) -> None:
        """Count a reading of the board, with the milliseconds of each stage."""
        for stage, took_ms in stages_ms.items():
            self._stages.setdefault(stage, Histogram()).add(took_ms / 1000)


class OverlayTile(msgspec.Struct, frozen=True):
    """A read tile. `polygon` is its outline in px of the picture; `confidence` is from 0 to 1."""

    owner: str
    kind: Kind = msgspec.field(name="digit")
    polygon: tuple[Point, ...]
    confidence: float


class Overlay(msgspec.Struct, frozen=True):
    """The reading, to draw over the picture of `width` × `height` px.

    `grid` has a polyline in px for each line between squares, and is empty without a located bed.
    """

    width: int
    height: int
    grid: tuple[tuple[Point, ...], ...] = ()
    tiles: tuple[OverlayTile, ...] = ()


class Lesson(msgspec.Struct, frozen=True):
    """Tiles of one owner to show together, with their outlines in px of the picture.

    There are no outlines without a located bed.
    """

    owner: str
    kinds: tuple[Kind, ...] = msgspec.field(name="digits")
    outlines: tuple[tuple[Point, ...], ...] = ()


BOUNDS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of a histogram's buckets, in seconds."""


class Histogram:
    """Counts of durations by `BOUNDS_S`. One thread adds, any thread reads."""

    def __init__(self) -> None:
        self._counts = (0,) * (len(BOUNDS_S) + 1)
        self._sum_s = 0.0

    def add(self, duration_s: float) -> None:
        """Count one duration."""
        bucket = bisect_left(BOUNDS_S, duration_s)
        self._counts = (*self._counts[:bucket], self._counts[bucket] + 1, *self._counts[bucket + 1 :])
        self._sum_s += duration_s

    def samples(self) -> Iterator[tuple[str, dict[str, str], float]]:
        """Samples by the end of their name, labels and value."""
        sums = list(accumulate(self._counts))
        for bound, count in zip((*map(repr, BOUNDS_S), "+Inf"), sums, strict=True):
            yield "_bucket", {"le": bound}, count
        yield "_sum", {}, self._sum_s
        yield "_count", {}, sums[-1]


CROP_MARGIN_SQUARES = 1.5


class CameraStatus(msgspec.Struct, frozen=True, eq=False):
    """The newest read frame and its reading. It never changes; the next one replaces it.

    `match` is the number of its match. `owners` are the owners of tiles to teach, `taught` the known kinds of
    each. `drift` is the change at the table since the set-up. `reading` is the reading of the board, `tiles`
    its tiles, `fps` the pictures read per second.
    """

    match: int
    scene: Scene
    owners: tuple[str, ...] = ()
    taught: dict[str, tuple[Kind, ...]] = {}
    frame: Frame | None = None
    homography: Homography | None = None
    reading: Observation | None = None
    tiles: tuple[Tile, ...] = ()
    needs: Needs = ""
    fps: float = 0.0
    drift: Drift = Drift()

    def state(self, camera: health.CameraState, now_s: float, source: str) -> CameraState:
        """The camera's state for the pages; `camera` is its condition at `now_s`."""
        reading = self.reading
        return CameraState(
            kind="busy"
            if camera.condition is health.Condition.SLOW and machine.is_busy()
            else camera.condition.value,
            since_s=round(max(0.0, now_s - camera.since_s), 1),
            needs=self.needs,
            unsure=bool(reading and reading.unsure),
            why=reading.why if reading else "",
            source=source,
            fps=self.fps,
            taught=self.taught,
            drift=self.drift,
        )

    def overlay(self) -> Overlay:
        """The grid and the tiles of the reading, in px of the frame."""
        if self.frame is None:
            return Overlay(0, 0)
        height, width = self.frame.picture.shape[:2]
        homography = self.homography
        if homography is None:
            return Overlay(width, height)
        return Overlay(
            width,
            height,
            overlay.grid_lines(self.scene, homography),
            tuple(
                OverlayTile(t.owner, t.kind, overlay.outline(t.cells, homography), t.confidence)
                for t in self.tiles
            ),
        )

    def crop(self) -> bytes | None:
        """The part of the frame that an unsure reading asks about, as JPEG, or None."""
        if self.frame is None or self.homography is None or self.reading is None or not self.reading.unsure:
            return None
        # Those on which the alternative boards differ from the believed one.
        believed = {tile.squares for tile in self.reading.tiles or ()}
        others = ({tile.squares for tile in other.tiles} for other in self.reading.alternatives)
        squares = {cell for other in others for _, _, cells in other ^ believed for cell in cells}
        if not squares:
            return None
        return pictures.jpeg(overlay.crop(self.frame.picture, self.homography, squares, CROP_MARGIN_SQUARES))

    def lessons(self) -> tuple[Lesson, ...]:
        """The tiles to teach, grouped as they fit on the board, with their outlines in the frame."""
        return tuple(
            Lesson(owner, kinds, self._outlines(owner, kinds))
            for owner in self.owners
            for kinds in lesson_groups(self.scene, owner)
        )

    def _outlines(self, owner: str, kinds: tuple[Kind, ...]) -> tuple[tuple[Point, ...], ...]:
        homography = self.homography
        if homography is None:
            return ()
        places = teaching_places(self.scene, owner, kinds)
        return tuple(overlay.outline(tile.cells, homography) for tile in places)
