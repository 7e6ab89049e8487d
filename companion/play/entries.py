"""What the journal holds, as plain values: which matches there are, and what was done in each."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Kind = Literal["move", "undo", "redo", "players"]
"""What an entry is: a move, one taken back, one played again, or names of players."""


class MatchRecord(msgspec.Struct, frozen=True):
    """A match as the journal knows it: the game's slug, its options and seats, when it began (UTC)."""

    id: int
    game: str
    options: dict[str, Any]
    seats: int
    began: str


class Entry(msgspec.Struct, frozen=True):
    """One line of a match: what was done (`body`: a move, or names of players), by what, when (UTC).

    `n` counts from 1. `source` is `phone`, `camera`, `button`, `replay`, ….
    """

    n: int
    kind: Kind
    body: dict[str, Any]
    source: str
    at: str
