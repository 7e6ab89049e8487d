"""The pictures of moves on the disk: a small JPEG for each, in a folder for each match beside the journal.

The journal holds nothing of them, so a match is whole without its pictures. They are written without a sync:
the system puts many of them on the card together, and a power cut may cost the newest ones. Such a picture
is not taken for a whole one.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from threading import RLock

from companion import files
from companion.errors import MendableError, PhotoError
from companion.errors.causes import cause_of
from companion.play.entries import MatchRecord
from companion.service.match_folders import MatchFolders
from web.pictures_port import Fault, Gone, PicturesKept

log = logging.getLogger(__name__)

MOST_A_MATCH = 300
"""Pictures of one match: twice the moves of the longest match of a game that a camera sees."""

MOST_BYTES = 60_000_000
"""All pictures together: about 3,000 of them, those of 160 matches of This Bed Is Mine."""

LEAST_FREE_BYTES = 300_000_000
"""With less free space than this nothing is kept: the rest of the disk is for the matches."""

WRITTEN_AN_HOUR_BYTES = 3_000_000
"""What play may write to an SD card in an hour, moves and pictures together."""

AT_ONCE_BYTES = 100_000
"""The part of that which may be written at once after a rest: a few moves with their pictures.

As much is kept back, because a move is written whatever was before it.
"""

ENTRY_BYTES = 12_000
"""What an entry of the journal writes, at most (`tests/systemd/test_costs.py` measures it)."""

BLOCK_BYTES = 4096
"""Files take whole blocks of a disk, and one more for their name."""

HOUR_S = 3600.0
"""An hour, in seconds."""

JPEG_BEGINS, JPEG_ENDS = b"\xff\xd8\xff", b"\xff\xd9"
"""How a whole JPEG begins and ends."""

Free = Callable[[Path], int]
"""The free bytes of the disk with a folder."""


def _free_bytes(folder: Path) -> int:
    return shutil.disk_usage(folder).free


class KeptPictures:
    """The pictures in `folder`. It is the pages' `PicturesPort`. Safe from any thread.

    `clock` counts seconds, `free` gives the free bytes of the disk.
    """

    def __init__(
        self, folder: Path, *, clock: Callable[[], float] = time.monotonic, free: Free = _free_bytes
    ) -> None:
        self._folders, self._clock, self._free = MatchFolders(folder), clock, free
        self._lock = RLock()
        self._may_write, self._since_s = float(AT_ONCE_BYTES), clock()
        self._fault: Fault = ""
        self._sizes: dict[Path, dict[int, int]] | None = None
        self.on = False
        """Whether new pictures are kept; those that are there stay in any case."""

    # -- keeping ------------------------------------------------------------------------------------------

    def count_entries(self, entries: int) -> None:
        """Note that the journal has written that many entries: they leave less for pictures."""
        with self._lock:
            self._may_write = self._allowance() - entries * ENTRY_BYTES

    def keep(self, record: MatchRecord, n: int, jpeg: bytes) -> None:
        """Keep the picture of the table after entry `n` of a match, if the disk and the hour have room.

        Nothing is raised where that fails: a match goes on without its pictures.
        """
        with self._lock:
            if not self.on or _on_disk(jpeg) > self._allowance():
                return
            path = self._folders.of(record) / f"{n}.jpg"
            try:
                files.make_folder(path.parent)
                if self._free(self._folders.folder) < LEAST_FREE_BYTES:
                    self._fault = "full"
                    return
                _write(path, jpeg)
            except OSError as error:
                self._complain(path, error)
                return
            self._fault = ""
            self._may_write -= _on_disk(jpeg)
            self._index.setdefault(path.parent, {})[n] = len(jpeg)
            self._make_room(path.parent)

    def _allowance(self) -> float:
        """The bytes that may be written now: they grow with time, and moves and pictures use them up."""
        now_s = self._clock()
        grown = (now_s - self._since_s) / HOUR_S * (WRITTEN_AN_HOUR_BYTES - 2 * AT_ONCE_BYTES)
        self._may_write, self._since_s = min(AT_ONCE_BYTES, self._may_write + grown), now_s
        return self._may_write

    def _complain(self, path: Path, error: OSError) -> None:
        if self._fault != "failed":
            log.warning("The picture of a move cannot be kept in %s (%s).", path, cause_of(error))
        self._fault = "failed"
        with suppress(OSError):
            path.unlink(missing_ok=True)  # a part of it may stand there

    def _make_room(self, newest: Path) -> None:
        """Delete the oldest pictures of a match, and then of all, until the limits are kept."""
        while len(self._index[newest]) > MOST_A_MATCH:
            self._drop_oldest(newest)
        while sum(sum(each.values()) for each in self._index.values()) > MOST_BYTES:
            self._drop_oldest(min(self._index, key=_number_of))

    def _drop_oldest(self, folder: Path) -> None:
        n = min(self._index[folder])
        with suppress(OSError):
            (folder / f"{n}.jpg").unlink(missing_ok=True)
            (folder / "made-room").touch()
        del self._index[folder][n]
        if not self._index[folder]:
            del self._index[folder]

    # -- what is there ------------------------------------------------------------------------------------

    def of(self, record: MatchRecord) -> tuple[frozenset[int], Gone]:
        """The numbers of the entries with a picture, and what became of others, if that is known."""
        folder = self._folders.of(record)
        with self._lock:
            gone: tuple[Gone, ...] = ("deleted", "made-room")
            return (
                frozenset(self._index.get(folder, ())),
                next((why for why in gone if (folder / why).exists()), ""),
            )

    def picture(self, record: MatchRecord, n: int) -> bytes:
        """The picture after entry `n` as JPEG. Raises `PhotoError` where none is there, or not all of it."""
        try:
            jpeg = (self._folders.of(record) / f"{n}.jpg").read_bytes()
        except OSError as error:
            raise PhotoError("gone") from error
        if not (jpeg.startswith(JPEG_BEGINS) and jpeg.endswith(JPEG_ENDS)):
            raise PhotoError("gone")
        return jpeg

    def kept(self) -> PicturesKept:
        """How many pictures are kept, what they take, and why no new one is."""
        with self._lock:
            sizes = [size for each in self._index.values() for size in each.values()]
            return PicturesKept(len(sizes), sum(sizes), MOST_BYTES, self._fault if self.on else "")

    # -- deleting -----------------------------------------------------------------------------------------

    def remove(self, record: MatchRecord) -> None:
        """Delete the pictures of a match. Raises `MendableError`."""
        with self._lock:
            self._remove(self._folders.of(record))

    def remove_all(self) -> None:
        """Delete every picture. Raises `MendableError`."""
        with self._lock:
            for folder in list(self._index):
                self._remove(folder)

    def forget_others(self, records: Collection[MatchRecord]) -> None:
        """Delete what belongs to none of these matches, and to none that may still be brought back."""
        with self._lock:
            if self._folders.forget_others(records):
                self._sizes = None

    def _remove(self, folder: Path) -> None:
        for n in list(self._index.get(folder, ())):
            path = folder / f"{n}.jpg"
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise MendableError(
                    f"The picture {path} cannot be deleted ({cause_of(error)}); delete it by hand."
                ) from error
            del self._index[folder][n]
        if self._index.pop(folder, None) is not None:
            with suppress(OSError):
                (folder / "deleted").touch()

    # -- their sizes --------------------------------------------------------------------------------------

    @property
    def _index(self) -> dict[Path, dict[int, int]]:
        """The size of each picture in bytes, by its match's folder and its number."""
        if self._sizes is None:
            self._sizes = {}
            with suppress(OSError):
                for folder in self._folders.every():
                    sizes = {int(each.stem): each.stat().st_size for each in folder.glob("[0-9]*.jpg")}
                    if sizes:
                        self._sizes[folder] = sizes
        return self._sizes


def _write(path: Path, jpeg: bytes) -> None:
    """Write a picture that its owner alone may read. Raises `OSError`."""
    path.touch(mode=files.SECRET_MODE)
    path.write_bytes(jpeg)


def _on_disk(jpeg: bytes) -> int:
    """The bytes of a disk that a picture takes."""
    return (-(-len(jpeg) // BLOCK_BYTES) + 1) * BLOCK_BYTES


def _number_of(folder: Path) -> int:
    """The number of the match that a folder belongs to."""
    return int(folder.name.partition("-")[0])
