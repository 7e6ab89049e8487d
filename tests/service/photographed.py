"""A finished bed as its photos would be read: plain pictures, and a reader that says what a test tells it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from time import monotonic, sleep
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games.this_bed_is_mine.tests.table import tiles as bed_tiles
from companion.games.watching import Alternative, Observation, Tile
from companion.service.photos.drafts import PhotoDraft, PhotoDrafts
from hardware.arrays import Picture
from hardware.vision.board.corners import BoardCorners
from hardware.vision.board.photos import CoatGroup, PhotosReading, PlacedPhoto
from hardware.vision.board.scene import Scene

CORNERS = ((100.0, 60.0), (700.0, 60.0), (700.0, 860.0), (100.0, 860.0))
"""Where the bed lies in each of the pictures."""

PATIENCE_S = 20.0


def picture(width: int = 800, height: int = 920) -> Picture:
    """A photo of nothing in particular: a grey board on a dark table."""
    drawn = np.full((height, width, 3), 40, np.uint8)
    drawn[60:860, 100:700] = (120, 150, 140)
    for n in range(60, 861, 50):
        drawn[n : n + 2, 100:700] = 90
    return drawn


def jpeg(width: int = 800, height: int = 920) -> bytes:
    """The same as a telephone would send it."""
    return bytes(cv2.imencode(".jpg", picture(width, height))[1])


def seen(written: str, scene: Scene, **changed: Any) -> tuple[Tile, ...]:
    """Tiles in the game's notation as vision gives them."""
    plain = (Tile(t.owner, t.digit, t.turns, t.row, t.col, **changed) for t in bed_tiles(written))
    return tuple(Tile(t.owner, t.kind, t.turns, t.row, t.col, scene.cells_of(t), t.confidence) for t in plain)


class Reads:
    """Stands in for the reader of photos. `lying` in the game's notation; `doubtful` and `others` as numbers
    and boards; `coats`: numbers of tiles that look alike and whose owner nobody knows."""

    def __init__(self, lying: str = "c4@5,3 d9@0,0 c9@11,0 d8@11,5") -> None:
        self.lying = lying
        self.doubtful: tuple[int, ...] = ()
        self.others: tuple[str, ...] = ()
        self.coats: tuple[tuple[int, ...], ...] = ()
        self.why = ""
        self.fault: Exception | None = None
        self.corners: list[Any] = []
        self.may_go_on = Event()
        self.may_go_on.set()

    def __call__(
        self, pictures: Sequence[Picture], scene: Scene, corners: Sequence[Any], **_: object
    ) -> PhotosReading:
        self.corners = list(corners)
        assert self.may_go_on.wait(PATIENCE_S)
        if self.fault is not None:
            raise self.fault
        tiles = list(seen(self.lying, scene))
        for group in self.coats:
            for n in group:
                tiles[n] = Tile("", *tiles[n].place[1:], tiles[n].cells)
        board = Observation(
            unsure=bool(self.doubtful or self.why),
            why=self.why,
            tiles=tuple(tiles),
            alternatives=tuple(Alternative(seen(other, scene), 0.1) for other in self.others),
        )
        photos = tuple(PlacedPhoto(BoardCorners(CORNERS, "markers", certain=True)) for _ in pictures)
        crops = tuple(pictures[0][100:160, 200:260] for _ in range(len(tiles)))
        coats = tuple(CoatGroup(group, crops[: len(group)]) for group in self.coats)
        return PhotosReading(board, self.doubtful, photos, coats)


class Finds:
    """Stands in for the finder of corners."""

    def __init__(self) -> None:
        self.at = BoardCorners(CORNERS, "markers", certain=True)

    def __call__(self, _: Picture, __: Scene) -> BoardCorners:
        return self.at


@pytest.fixture
def reads() -> Reads:
    """The reader of photos."""
    return Reads()


@pytest.fixture
def finds() -> Finds:
    """The finder of corners."""
    return Finds()


def is_read(photos: PhotoDrafts, number: int) -> PhotoDraft:
    """The draft once its reading has ended."""
    ends = monotonic() + PATIENCE_S
    while (draft := photos.draft(number)).stage in ("waiting", "reading"):
        assert monotonic() < ends
        sleep(0.01)
    return draft
