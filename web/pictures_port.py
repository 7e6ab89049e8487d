"""What the pages may ask about the pictures of moves: plain values only, no pixels, no files.

`create_app` gets an object that follows this protocol, or None where no pictures are kept.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from companion.play.entries import MatchRecord

Gone = Literal["", "deleted", "made-room"]
"""What became of pictures that were there: a person deleted them, or they made room for newer ones."""

Fault = Literal["", "full", "failed"]
"""Why no new picture is kept: too little space is left, or the last one could not be written."""


class PicturesKept(msgspec.Struct, frozen=True):
    """How many pictures are kept of all matches, how many bytes they take, and how many they may take."""

    pictures: int
    size_bytes: int
    most_bytes: int
    fault: Fault = ""


class PicturesPort(Protocol):
    """The pictures of moves. Safe from any thread."""

    def of(self, record: MatchRecord) -> tuple[frozenset[int], Gone]:
        """The numbers of the entries with a picture, and what became of others, if that is known."""

    def picture(self, record: MatchRecord, n: int) -> bytes:
        """The picture after entry `n` as JPEG. Raises `PhotoError` where none is there, or not all of it."""

    def kept(self) -> PicturesKept:
        """How many pictures are kept, what they take, and why no new one is."""

    def remove(self, record: MatchRecord) -> None:
        """Delete the pictures of a match. Raises `MendableError`."""

    def remove_all(self) -> None:
        """Delete every picture. Raises `MendableError`."""
