"""A note beside the journal of what was kept last, so that a journal cut short is noticed.

SQLite silently drops whatever follows a damaged place in its log. The note is overwritten after each entry
and never synced: after a power cut it may name an earlier entry, but not a later one.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from companion import files

NOTE_BYTES = 512
"""The length of the note in bytes, padded with spaces, so that nothing of a longer note is left behind."""

MOST_MATCHES = 16
"""The number of matches that a note names: those written last."""


class LastKept(NamedTuple):
    """The last entry that was kept (number 0: its match was begun), with its digest.

    `ends` holds the last number in each match that was written since the log was folded in, this one last.
    """

    match: int
    n: int
    digest: bytes
    ends: dict[int, int]


class LastKeptFile:
    """The note in the file at `path`, which is made with the first note."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._ends: dict[int, int] = {}
        with suppress(OSError, ValueError):
            last = self.read()
            self._ends = last.ends if last else {}

    def write(self, match: int, n: int, digest: bytes) -> None:
        """Note the last entry. A disk that takes no note changes nothing: the entry itself is kept."""
        self._ends.pop(match, None)
        self._ends[match] = n
        named = list(self._ends.items())[-MOST_MATCHES:]
        text = f"{' '.join(f'{match}:{n}' for match, n in named)} {digest.hex()}"
        line = f"{text} {crc32(text.encode()):08x}".ljust(NOTE_BYTES - 1) + "\n"
        with suppress(OSError):
            if self._descriptor is None:
                self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, files.SECRET_MODE)
            os.pwrite(self._descriptor, line.encode(), 0)

    def forget(self) -> None:
        """From the next note on, leave out the matches that are whole in the database now."""
        self._ends.clear()

    def read(self) -> LastKept | None:
        """The note; None where there is none. Raises `ValueError` for a damaged one, and `OSError`."""
        try:
            line = self.path.read_bytes()
        except FileNotFoundError:
            return None
        text, _, check = line.decode("ascii").strip().rpartition(" ")
        if int(check or "0", 16) != crc32(text.encode()) or len(line) != NOTE_BYTES:
            raise ValueError("the note of what was kept last is damaged")
        *ends, digest = text.split()
        numbers = {int(match): int(n) for match, _, n in (end.partition(":") for end in ends)}
        match, n = list(numbers.items())[-1]
        return LastKept(match, n, bytes.fromhex(digest), numbers)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
