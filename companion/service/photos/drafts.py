"""Photos of finished boards on their way to a score: kept in memory for a while, read in order.

A single thread decodes and reads them, one of each phone in turn, and gives way to everything else: neither
the camera's pictures nor the pages wait for it.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from threading import Lock, get_native_id
from time import monotonic
from typing import Any, Literal, TypeVar

import cv2
import msgspec
import numpy as np

from companion import paths
from companion.errors import PhotoError
from companion.games import registry
from companion.games.watching import Dice, Observation, ScoresPhotos, Square
from companion.play.schema import MatchRecord
from companion.service.camera_status import Point
from companion.service.photos import reading as road
from companion.service.photos.kept import KeptPhotos
from companion.service.photos.reading import BoardRead, FindsCorners, Photo
from hardware import pictures
from hardware.arrays import Picture
from hardware.vision.board.corners import BoardCorners, find_corners
from hardware.vision.board.photos import MOST_PHOTOS, PhotosReading, read_photos
from hardware.vision.board.scene import Scene, scene_of
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.dice import DiceReader
from hardware.vision.errors import VisionError

_Work = tuple[Future[Any], Callable[[], Any]]

FourPoints = tuple[Point, Point, Point, Point]
"""A board's corners in px of a photo: its own top left first, then clockwise."""


class PhotoGrid(msgspec.Struct, frozen=True):
    """The squares of the board, and landmarks that show which side is up."""

    rows: int
    cols: int
    landmarks: tuple[tuple[Square, ...], ...] = ()


class PhotoView(msgspec.Struct, frozen=True):
    """A photo of `width` × `height` px, with the board's corners in it.

    `name` never changes. `source`: printed markers, the board's own edges, a person, or a guess to start
    dragging from. `certain`: a person need not set them.
    """

    name: int
    width: int
    height: int
    corners_px: FourPoints
    source: Literal["markers", "edges", "person", "guess"]
    certain: bool


class PhotoDraft(msgspec.Struct, frozen=True):
    """Photos of one finished board on their way to its score.

    `fault` is the last reading's: a key `photo-fault.<fault>` of the shared messages.
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


log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_DRAFTS = 6
"""The most drafts, with three photos of 1 MB each; the one that rested longest goes first."""

KEPT_S = 30 * 60.0
"""Seconds without a request after which a draft is forgotten."""

MOST_WAITING = 3
"""The most photos and boards of one phone that wait to be read; others are refused."""

WAIT_S = 60.0
"""The longest wait of a request for a photo or dice, in seconds."""

SMALL_PX = 240
"""The side of a card's small picture, at twice the pixels of a phone's sheet."""

NICENESS = 10

PHOTOS = "photos"
"""The folder, beside the matches, of kept photos."""


@dataclass(slots=True)
class _Draft:
    """A draft, the scene of its board, its JPEGs by name, and their reading."""

    view: PhotoDraft
    scene: Scene
    used_s: float
    jpegs: dict[int, bytes] = field(default_factory=dict)
    reading: PhotosReading | None = None


class PhotoDrafts:
    """Reads photos for the pages. `stop` ends the reading thread."""

    def __init__(
        self,
        *,
        reads: Callable[..., PhotosReading] = read_photos,
        finds: FindsCorners = find_corners,
        clock: Callable[[], float] = monotonic,
        folder: Path | None = None,
        shown: Path | None = None,
    ) -> None:
        """`folder` is for kept photos; the default is beside the matches.

        `shown` is the file of the table's camera's lessons: learnt coats are not asked for.
        """
        self._reads, self._finds, self._clock = reads, finds, clock
        self.kept = KeptPhotos(paths.home() / PHOTOS if folder is None else folder)
        self._shown = shown
        self._drafts: dict[int, _Draft] = {}
        self._lock = Lock()
        self._waiting_lock = Lock()
        self._waiting: dict[str, deque[_Work]] = {}
        """The work of each phone, the next one first; of its own, the work that is done now."""
        self._dice: DiceReader | None = None
        self._worker = ThreadPoolExecutor(1, "photos", _give_way)

    def stop(self) -> None:
        """End the thread after its current work."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        with self._waiting_lock:
            for future, _ in chain.from_iterable(self._waiting.values()):
                future.cancel()

    def begin(self, game: str, options: dict[str, Any]) -> PhotoDraft:
        """Begin a draft without photos. Raises `MoveError`, `PhotoError`."""
        number = secrets.randbits(52)  # what JavaScript still holds as a whole number
        view, scene = _bed(number, game, options)
        with self._lock:
            self._forget_old()
            self._drafts[number] = _Draft(view, scene, self._clock())
        return view

    def choose(self, number: int, options: dict[str, Any]) -> PhotoDraft:
        """Change the board that the photos are of, or house rules: they are read again.

        Raises `MoveError`, `PhotoError`.
        """
        with self._lock:
            draft = self._idle(number)
            view, draft.scene = _bed(number, draft.view.game, options)
            draft.reading = None
            return _changed(draft, options=view.options, grid=view.grid, owners=view.owners)

    def draft(self, number: int) -> PhotoDraft:
        """The draft of that number. Raises `PhotoError`."""
        with self._lock:
            return self._draft(number).view

    def add(self, number: int, photo: bytes, source: str = "") -> PhotoDraft:
        """Add a photo that the phone at address `source` sends. Raises `PhotoError`, and keeps nothing of the
        photo then."""
        with self._lock:
            scene = self._unread(number).scene
        (picture, corners), jpeg = self._in_turn(source, lambda: _taken(photo, scene, self._finds))
        height, width = picture.shape[:2]
        with self._lock:
            draft = self._unread(number)
            name = 1 + max(draft.jpegs, default=0)
            view = PhotoView(name, width, height, corners.corners_px, corners.source, corners.certain)
            draft.jpegs[name] = jpeg
            return _changed(draft, photos=(*draft.view.photos, view))

    def remove(self, number: int, photo: int) -> PhotoDraft:
        """Remove a photo by its name. Raises `PhotoError`."""
        with self._lock:
            draft = self._idle(number)
            draft.jpegs.pop(photo, None)
            draft.reading = None
            return _changed(draft, photos=tuple(view for view in draft.view.photos if view.name != photo))

    def set_corners(self, number: int, photo: int, corners_px: FourPoints) -> PhotoDraft:
        """Set the board's corners in the photo of that name. Raises `PhotoError`."""
        with self._lock:
            draft = self._idle(number)
            before = next((view for view in draft.view.photos if view.name == photo), None)
            if before is None:
                raise PhotoError("gone")
            road.corners_by_person(corners_px, before.width, before.height, draft.scene)
            draft.reading = None
            view = msgspec.structs.replace(before, corners_px=corners_px, source="person", certain=True)
            return _changed(
                draft, photos=tuple(view if other is before else other for other in draft.view.photos)
            )

    def read_photos(self, number: int, source: str = "") -> PhotoDraft:
        """Begin to read the photos together, for the phone at address `source`. Raises `PhotoError`."""
        with self._lock:
            draft = self._idle(number)
            if not draft.jpegs:
                raise PhotoError("none-yet")
            self._submit(source, lambda: self._read(draft))
            draft.view = msgspec.structs.replace(draft.view, stage="waiting", read=None, fault="")
            return draft.view

    def _read(self, draft: _Draft) -> None:
        with self._lock:
            draft.view = msgspec.structs.replace(draft.view, stage="reading")
        reading, fault = None, ""
        try:
            photos = [_photo(view, draft.jpegs[view.name]) for view in draft.view.photos]
            reading = road.read(photos, draft.scene, self._taught(draft), self._reads)
        except VisionError as error:
            log.info("The photos cannot be read: %s", error)
            fault = "unreadable"
        except Exception:
            log.exception("The photos cannot be read.")
            fault = "unreadable"
        board = None if reading is None else road.board_read(reading)
        if board is not None and not board.tiles:
            board, fault = None, "unreadable"
        with self._lock:
            draft.reading = reading
            draft.used_s = self._clock()
            stage = "photos" if board is None else "read"
            draft.view = msgspec.structs.replace(draft.view, stage=stage, read=board, fault=fault)

    def _taught(self, draft: _Draft) -> TileReader | None:
        """A reader with this table's empty board and tiles, or None."""
        rules = registry.game(draft.view.game)
        assert isinstance(rules, ScoresPhotos)  # no draft begins for any other
        if self._shown is None or not self._shown.exists():
            return None
        order = rules.turn_order(rules.start(rules.options(draft.view.options), min(rules.seat_counts)))
        try:
            reader = TileReader.restore(draft.scene, self._shown.read_bytes(), order)
        except (OSError, VisionError) as error:
            log.info("What the table's camera was shown is not used for a photo: %s", error)
            return None
        return reader if any(reader.taught().values()) else None

    def picture(self, number: int, photo: int) -> bytes:
        """The photo of that name as JPEG. Raises `PhotoError`."""
        with self._lock:
            jpeg = self._draft(number).jpegs.get(photo)
        if jpeg is None:
            raise PhotoError("gone")
        return jpeg

    def crop(self, number: int, tile: int, source: str = "") -> bytes:
        """The part of a photo with a tile of the reading, as JPEG, for the phone at address `source`. Raises
        `PhotoError`."""
        with self._lock:
            draft = self._draft(number)
            reading, jpegs, scene = draft.reading, dict(draft.jpegs), draft.scene
        if reading is None or not 0 <= tile < len(reading.reading.tiles or ()):
            raise PhotoError("gone")
        cut = road.crop_of_coat(reading, tile)
        if cut is None:
            jpeg = next(iter(jpegs.values()))
            cut = self._in_turn(source, lambda: road.crop(reading, tile, _picture(jpeg), scene))
        return pictures.jpeg(cut)

    def keep(self, number: int, record: MatchRecord) -> None:
        """Keep the photos with a match. Raises `UserError`, `PhotoError`."""
        with self._lock:
            jpegs = list(self._draft(number).jpegs.values())
        self.kept.keep(record, jpegs)

    def drop(self, number: int) -> None:
        """Forget a draft and its photos."""
        with self._lock:
            self._drafts.pop(number, None)

    def small(self, photo: bytes, source: str = "") -> bytes:
        """A small, square picture of a photo from the phone at address `source`, as JPEG. Raises
        `PhotoError`."""
        return self._in_turn(source, lambda: _small(pictures.photo(photo)))

    def throw(self, dice: Dice, photo: bytes, source: str = "") -> Observation:
        """The throw of these dice in a photo from the phone at address `source`. Raises `PhotoError`."""
        return self._in_turn(source, lambda: self._thrown(dice, photo))

    def _thrown(self, dice: Dice, photo: bytes) -> Observation:
        picture = pictures.photo(photo)
        self._dice = self._dice or DiceReader()
        thrown = self._dice.read_dice(picture, faces=dice.faces)
        if not thrown.dice:
            raise PhotoError("no-dice")
        return thrown

    # -- drafts, with the lock held -----------------------------------------------------------------------

    def _draft(self, number: int) -> _Draft:
        self._forget_old(0)
        draft = self._drafts.get(number)
        if draft is None:
            raise PhotoError("gone")
        draft.used_s = self._clock()
        return draft

    def _idle(self, number: int) -> _Draft:
        draft = self._draft(number)
        if draft.view.stage in ("waiting", "reading"):
            raise PhotoError("busy")
        return draft

    def _unread(self, number: int) -> _Draft:
        draft = self._idle(number)
        if len(draft.jpegs) >= MOST_PHOTOS:
            raise PhotoError("enough", most=MOST_PHOTOS)
        return draft

    def _forget_old(self, more: int = 1) -> None:
        """Forget old drafts, and make room for `more`."""
        by_age = sorted(self._drafts.items(), key=lambda entry: entry[1].used_s)
        too_many = len(by_age) + more - MOST_DRAFTS
        for n, (number, draft) in enumerate(by_age):
            if n < too_many or self._clock() - draft.used_s > KEPT_S:
                del self._drafts[number]

    # -- the reading thread -------------------------------------------------------------------------------

    def _in_turn(self, source: str, work: Callable[[], T]) -> T:
        """Run `work` in the reading thread and wait for it. Raises `PhotoError`."""
        try:
            return self._submit(source, work).result(WAIT_S)
        except (TimeoutError, CancelledError) as error:
            raise PhotoError("busy") from error

    def _submit(self, source: str, work: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._waiting_lock:
            of_phone = self._waiting.setdefault(source, deque())
            if len(of_phone) >= MOST_WAITING:
                raise PhotoError("busy")
            of_phone.append((future, work))
        self._worker.submit(self._next)
        return future

    def _next(self) -> None:
        """Do one work of the phone whose turn it is; then it is the others' turn."""
        with self._waiting_lock:
            source, of_phone = next(iter(self._waiting.items()))
            future, work = of_phone[0]
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except Exception as error:
                future.set_exception(error)
        with self._waiting_lock:
            of_phone.popleft()
            del self._waiting[source]
            if of_phone:
                self._waiting[source] = of_phone


def _give_way() -> None:
    """Let the reading thread run only while the machine is idle."""
    os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)


def _taken(data: bytes, scene: Scene, finds: FindsCorners) -> tuple[Photo, bytes]:
    photo = road.take(data, scene, finds)
    return photo, pictures.jpeg(photo.picture, pictures.TO_READ)


def _small(picture: Picture) -> bytes:
    height, width = picture.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = picture[top : top + side, left : left + side]
    small = cv2.resize(square, (SMALL_PX, SMALL_PX), interpolation=cv2.INTER_AREA)
    return pictures.jpeg(np.asarray(small, np.uint8))


def _bed(number: int, game: str, options: dict[str, Any]) -> tuple[PhotoDraft, Scene]:
    """A draft without photos, and the scene of its board. Raises `MoveError`, `PhotoError`."""
    rules = registry.game(game)
    if not isinstance(rules, ScoresPhotos):
        raise PhotoError("no-such-game")
    chosen = rules.options(options)
    state = rules.start(chosen, min(rules.seat_counts))
    plain = rules.scene(state)
    scene = scene_of(plain)
    grid = PhotoGrid(scene.rows, scene.cols, (*scene.blocked, *filter(None, [plain.get("start", ())])))
    owners = rules.turn_order(state).owners
    return PhotoDraft(number, game, msgspec.to_builtins(chosen), grid, owners), scene


def _changed(draft: _Draft, **changed: Any) -> PhotoDraft:
    """Change a draft's photos, corners or board, which voids its reading."""
    draft.view = msgspec.structs.replace(draft.view, stage="photos", read=None, fault="", **changed)
    return draft.view


def _photo(view: PhotoView, jpeg: bytes) -> Photo:
    return Photo(_picture(jpeg), BoardCorners(view.corners_px, view.source, view.certain))


def _picture(jpeg: bytes) -> Picture:
    picture = pictures.decoded(jpeg)
    assert picture is not None  # it was encoded here
    return np.ascontiguousarray(picture)
