"""The journal's content as plain values: the matches, and what was done in each."""

from __future__ import annotations

import re
from typing import Any, Literal

import msgspec

Kind = Literal["move", "undo", "redo", "players"]
"""The kind of an entry: a move, an undo, a redo, or names of players."""


class MatchRecord(msgspec.Struct, frozen=True):
    """The journal's record of a match: the game's slug, its options and seats, and when it began (UTC).

    `fault` says why it cannot be opened; empty if it can.
    """

    id: int
    game: str
    options: dict[str, Any]
    seats: int
    began: str
    fault: str = ""

    @property
    def file_name(self) -> str:
        """What a file about this match is called: its number, and when it began.

        The number alone is not enough: a new journal counts from 1 again.
        """
        return f"{self.id}-{re.sub(r'[^0-9]', '', self.began)}"


class Entry(msgspec.Struct, frozen=True):
    """One entry of a match: what was done (`body`: a move, or names of players), its source, its time (UTC).

    `n` counts from 1. `source` is `phone`, `camera`, `button`, `replay`, ….
    """

    n: int
    kind: Kind
    body: dict[str, Any]
    source: str
    at: str


class Course(msgspec.Struct, frozen=True):
    """The entries of a match in order; `cut` says why later ones are left out, empty if none are."""

    entries: tuple[Entry, ...]
    cut: str = ""
