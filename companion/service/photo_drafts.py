"""Photos of finished boards on their way to a score: held in memory for a while, read one after the other.

All decoding and reading is done in one thread of its own, which gives way to everything else on the machine:
neither the camera's pictures nor the pages wait for it.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, get_native_id
from time import monotonic
from typing import Any, TypeVar

import cv2
import msgspec
import numpy as np

from companion import paths
from companion.errors import PhotoError
from companion.games import registry
from companion.games.watching import Dice, Observation, ScoresPhotos
from companion.play.entries import MatchRecord
from companion.service import photo_reading
from companion.service.kept_photos import KeptPhotos
from hardware import pictures
from hardware.arrays import Picture
from hardware.photo_file import photo as decoded_photo
from hardware.vision.board.corners import BoardCorners, find_corners
from hardware.vision.board.layout import scene_of
from hardware.vision.board.photos import MOST_PHOTOS, PhotosReading, read_photos
from hardware.vision.board.scene import Scene
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.dice import DiceReader
from hardware.vision.errors import HomographyError, VisionError
from hardware.vision.register.homography import check_corners
from hardware.vision.screen import is_of_a_screen
from web.photo_port import FourPoints, PhotoDraft, PhotoGrid, PhotoView

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_DRAFTS = 6
"""Drafts that are held at once, with three photos of 1 MB each; the one that rested longest goes first."""

KEPT_S = 30 * 60.0
"""Seconds without a request after which a draft and its photos are forgotten."""

MOST_WAITING = 3
"""Photos and boards that wait to be read; a further one is refused until one is done."""

WAIT_S = 60.0
"""The longest time in seconds that a request waits for a photo to be decoded, or for dice to be read."""

JPEG_QUALITY = 96
"""The quality of a photo while it is held: readings are the same as from the photo itself."""

SMALL_PX = 240
"""The side of a small picture: of a card on a page, at twice the pixels of a phone's sheet."""

SMALL_QUALITY = 80
"""The quality of a small picture, which has some 12 kB then."""

LEAST_SEEN = 0.9
"""The share of the board that must lie inside the photo: a corner that is just cut off hides no tile."""

NICENESS = 10
"""How far the reading thread gives way to others."""

PHOTOS = "photos"
"""The folder, where matches are kept, of photos that people wished to keep."""


@dataclass(slots=True)
class _Draft:
    """A draft, the scene of its board, its photos as JPEG by their names, and what was read in them."""

    view: PhotoDraft
    scene: Scene
    used_s: float
    jpegs: dict[int, bytes] = field(default_factory=dict)
    reading: PhotosReading | None = None


class PhotoDrafts:
    """Reads photos for the pages. It is their `PhotoPort`. `stop` ends the reading thread."""

    def __init__(
        self,
        *,
        reads: Callable[..., PhotosReading] = read_photos,
        finds: Callable[[Picture, Scene], BoardCorners] = find_corners,
        clock: Callable[[], float] = monotonic,
        folder: Path | None = None,
        shown: Path | None = None,
    ) -> None:
        """`folder` is the one for photos that are kept; the default is beside the matches.

        `shown` is the file that keeps what this table's own camera was shown: whoever taught it the coats of
        these tiles is not asked for them again.
        """
        self._reads, self._finds, self._clock = reads, finds, clock
        self._kept = KeptPhotos(paths.home() / PHOTOS if folder is None else folder)
        self._shown = shown
        self._drafts: dict[int, _Draft] = {}
        self._lock = Lock()
        self._waiting_lock = Lock()
        self._waiting = 0
        self._dice: DiceReader | None = None
        self._worker = ThreadPoolExecutor(1, "photos", _give_way)

    def stop(self) -> None:
        """End the thread, once it has done what it is doing."""
        self._worker.shutdown(wait=False, cancel_futures=True)

    def begin(self, game: str, options: dict[str, Any]) -> PhotoDraft:
        """Begin with no photo of a board of that game. Raises `MoveError`, `PhotoError`."""
        rules = registry.game(game)
        if not isinstance(rules, ScoresPhotos):
            raise PhotoError("no-such-game")
        chosen = rules.options(options)
        state = rules.start(chosen, min(rules.seat_counts))
        plain = rules.scene(state)
        scene = scene_of(plain)
        grid = PhotoGrid(scene.rows, scene.cols, (*scene.blocked, *filter(None, [plain.get("start", ())])))
        owners = rules.turn_order(state).owners
        number = secrets.randbits(52)  # what JavaScript still holds as a whole number
        view = PhotoDraft(number, game, msgspec.to_builtins(chosen), grid, owners)
        with self._lock:
            self._forget_old()
            self._drafts[number] = _Draft(view, scene, self._clock())
        return view

    def draft(self, number: int) -> PhotoDraft:
        """How that draft stands. Raises `PhotoError`."""
        with self._lock:
            return self._draft(number).view

    def add(self, number: int, photo: bytes, *, real_table: bool = False) -> PhotoDraft:
        """Take one more photo. Raises `PhotoError`; nothing of the photo is kept then.

        `real_table`: a person says that the photo shows no screen, whatever it looks like.
        """
        with self._lock:
            scene = self._unread(number).scene
        (height, width), at, jpeg = self._in_turn(lambda: self._taken(photo, scene, real_table=real_table))
        with self._lock:
            draft = self._unread(number)
            name = 1 + max(draft.jpegs, default=0)
            view = PhotoView(name, width, height, at.corners_px, at.source, at.certain)
            draft.jpegs[name] = jpeg
            return _changed(draft, photos=(*draft.view.photos, view))

    def _taken(
        self, photo: bytes, scene: Scene, *, real_table: bool
    ) -> tuple[tuple[int, int], BoardCorners, bytes]:
        """The size of a photo, where the board lies in it, and the photo as it is held."""
        picture = decoded_photo(photo)
        if not real_table and is_of_a_screen(picture):
            raise PhotoError("of-a-screen")
        at = self._finds(picture, scene)
        height, width = picture.shape[:2]
        if at.certain and _is_cut(at.corners_px, width, height):
            raise PhotoError("half-a-board")
        return (height, width), at, _jpeg(picture)

    def remove(self, number: int, photo: int) -> PhotoDraft:
        """Take a photo out again, by its name. Raises `PhotoError`."""
        with self._lock:
            draft = self._idle(number)
            draft.jpegs.pop(photo, None)
            draft.reading = None
            return _changed(draft, photos=tuple(each for each in draft.view.photos if each.name != photo))

    def set_corners(self, number: int, photo: int, corners_px: FourPoints) -> PhotoDraft:
        """Say where the board's corners lie in the photo of that name. Raises `PhotoError`."""
        try:
            check_corners(corners_px)
        except HomographyError as error:
            raise PhotoError("bad-corners") from error
        with self._lock:
            draft = self._idle(number)
            if photo not in draft.jpegs:
                raise PhotoError("gone")
            draft.reading = None
            photos = tuple(
                msgspec.structs.replace(each, corners_px=corners_px, source="person", certain=True)
                if each.name == photo
                else each
                for each in draft.view.photos
            )
            return _changed(draft, photos=photos)

    def read(self, number: int) -> PhotoDraft:
        """Begin to read the photos together. Raises `PhotoError`."""
        with self._lock:
            draft = self._idle(number)
            if not draft.jpegs:
                raise PhotoError("none-yet")
            self._submit(lambda: self._read(draft))
            draft.view = msgspec.structs.replace(draft.view, stage="waiting", read=None, fault="")
            return draft.view

    def _read(self, draft: _Draft) -> None:
        """Read a draft's photos, in the reading thread."""
        with self._lock:
            draft.view = msgspec.structs.replace(draft.view, stage="reading")
        reading, fault = None, ""
        try:
            taken = [_picture(draft.jpegs[each.name]) for each in draft.view.photos]
            corners = [_by_hand(each) for each in draft.view.photos]
            reading = self._reads(taken, draft.scene, corners, shown=self._taught(draft))
        except VisionError as error:
            log.info("The photos cannot be read: %s", error)
            fault = "unreadable"
        except Exception:
            log.exception("The photos cannot be read.")
            fault = "unreadable"
        board = None if reading is None else photo_reading.board_read(reading)
        if board is not None and not board.tiles:
            board, fault = None, "unreadable"
        with self._lock:
            draft.reading = reading
            draft.used_s = self._clock()
            stage = "photos" if board is None else "read"
            draft.view = msgspec.structs.replace(draft.view, stage=stage, read=board, fault=fault)

    def _taught(self, draft: _Draft) -> TileReader | None:
        """The reader that was shown this table's empty board and its tiles; None where there is none."""
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

    def crop(self, number: int, tile: int) -> bytes:
        """The part of a photo that shows a tile of the reading, as JPEG. Raises `PhotoError`."""
        with self._lock:
            draft = self._draft(number)
            reading, jpegs, scene = draft.reading, dict(draft.jpegs), draft.scene
        if reading is None or not 0 <= tile < len(reading.reading.tiles or ()):
            raise PhotoError("gone")
        cut = photo_reading.crop_of_coat(reading, tile)
        if cut is None:
            cut = self._in_turn(
                lambda: photo_reading.crop(reading, tile, _picture(next(iter(jpegs.values()))), scene)
            )
        return _jpeg(cut)

    def keep(self, number: int, record: MatchRecord) -> None:
        """Keep the photos with a match. Raises `MendableError`, `PhotoError`."""
        with self._lock:
            jpegs = list(self._draft(number).jpegs.values())
        self._kept.keep(record, jpegs)

    def kept(self, record: MatchRecord) -> tuple[int, ...]:
        """The numbers of the photos that are kept of a match."""
        return self._kept.numbers(record)

    def kept_picture(self, record: MatchRecord, n: int) -> bytes:
        """A photo that is kept of a match, as JPEG. Raises `PhotoError`."""
        return self._kept.picture(record, n)

    def remove_kept(self, record: MatchRecord) -> None:
        """Delete the photos of a match. Raises `MendableError`."""
        self._kept.remove(record)

    def forget_others(self, records: Collection[MatchRecord]) -> None:
        """Delete the kept photos of none of these matches, if their own can be brought back no more."""
        self._kept.forget_others(records)

    def drop(self, number: int) -> None:
        """Forget a draft and its photos; one that is gone is no fault."""
        with self._lock:
            self._drafts.pop(number, None)

    def small(self, photo: bytes) -> bytes:
        """A small picture of the same as JPEG. Raises `PhotoError`."""
        return self._in_turn(lambda: _small(decoded_photo(photo)))

    def throw(self, dice: Dice, photo: bytes) -> Observation:
        """The throw of these dice that a photo shows. Raises `PhotoError`."""
        return self._in_turn(lambda: self._thrown(dice, photo))

    def _thrown(self, dice: Dice, photo: bytes) -> Observation:
        picture = decoded_photo(photo)
        self._dice = self._dice or DiceReader()
        thrown = self._dice.read(picture, faces=dice.faces)
        if not thrown.dice:
            raise PhotoError("no-dice")
        return msgspec.structs.replace(thrown, why="dice" if thrown.unsure else "")

    # -- drafts, with the lock held -----------------------------------------------------------------------

    def _draft(self, number: int) -> _Draft:
        self._forget_old(0)
        draft = self._drafts.get(number)
        if draft is None:
            raise PhotoError("gone")
        draft.used_s = self._clock()
        return draft

    def _idle(self, number: int) -> _Draft:
        """A draft that is not being read."""
        draft = self._draft(number)
        if draft.view.stage in ("waiting", "reading"):
            raise PhotoError("busy")
        return draft

    def _unread(self, number: int) -> _Draft:
        """A draft that takes one more photo."""
        draft = self._idle(number)
        if len(draft.jpegs) >= MOST_PHOTOS:
            raise PhotoError("enough", most=MOST_PHOTOS)
        return draft

    def _forget_old(self, more: int = 1) -> None:
        """Forget what rested too long, and make room for `more` drafts."""
        by_age = sorted(self._drafts.items(), key=lambda each: each[1].used_s)
        too_many = len(by_age) + more - MOST_DRAFTS
        for n, (number, draft) in enumerate(by_age):
            if n < too_many or self._clock() - draft.used_s > KEPT_S:
                del self._drafts[number]

    # -- the reading thread -------------------------------------------------------------------------------

    def _in_turn(self, work: Callable[[], T]) -> T:
        """Do something in the reading thread, and wait for it. Raises `PhotoError`."""
        try:
            return self._submit(work).result(WAIT_S)
        except (TimeoutError, CancelledError) as error:
            raise PhotoError("busy") from error

    def _submit(self, work: Callable[[], T]) -> Future[T]:
        with self._waiting_lock:
            if self._waiting >= MOST_WAITING:
                raise PhotoError("busy")
            self._waiting += 1
        future = self._worker.submit(work)
        future.add_done_callback(self._done)
        return future

    def _done(self, _: Future[Any]) -> None:
        with self._waiting_lock:
            self._waiting -= 1


def _give_way() -> None:
    """Let the reading thread run only where nothing else wants to."""
    os.setpriority(os.PRIO_PROCESS, get_native_id(), NICENESS)


def _small(picture: Picture) -> bytes:
    """The middle of a picture as a small square."""
    height, width = picture.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = picture[top : top + side, left : left + side]
    small = cv2.resize(square, (SMALL_PX, SMALL_PX), interpolation=cv2.INTER_AREA)
    return _jpeg(np.asarray(small, np.uint8), SMALL_QUALITY)


def _changed(draft: _Draft, **changed: Any) -> PhotoDraft:
    """A draft with other photos or corners: what was read before no longer holds."""
    draft.view = msgspec.structs.replace(draft.view, stage="photos", read=None, fault="", **changed)
    return draft.view


def _by_hand(photo: PhotoView) -> FourPoints | None:
    """Corners that a person set; None where the reader finds them by itself, with the lens."""
    return photo.corners_px if photo.source in ("person", "guess") else None


def _is_cut(corners_px: FourPoints, width: int, height: int) -> bool:
    """Whether too much of the board lies outside the photo."""
    board = np.array(corners_px, np.float32)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    inside, _ = cv2.intersectConvexConvex(board, frame)
    return inside < LEAST_SEEN * cv2.contourArea(board)


def _jpeg(picture: Picture, quality: int = JPEG_QUALITY) -> bytes:
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()


def _picture(jpeg: bytes) -> Picture:
    picture = pictures.decoded(jpeg)
    assert picture is not None  # it was encoded here
    return np.ascontiguousarray(picture)
