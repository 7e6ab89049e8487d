"""A sheet: how points are counted and when a match is over, as a short TOML file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games import data_files
from companion.games.data_files import Fault, Scripted
from companion.messages import Fact, Phrase

SLUG = "score-sheet"
FOLDER = Path(__file__).with_name("data")

MOST_POINTS = 99_999
MOST_ROWS = 40
MOST_ROUNDS = 99
MOST_DICE = 12

Points = Annotated[int, Meta(ge=-MOST_POINTS, le=MOST_POINTS)]


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The scoring of a match. With `rows`, each player fills each row once; `rounds` 0: as many as it takes.

    `free`: anybody may have more entries than the others. `target`: the total that ends the match. `dice`:
    those of a throw; 0 for any number.
    """

    name: Annotated[str, Meta(max_length=40)] = ""
    entries: Literal["rounds", "free"] = "rounds"
    counts: Literal["up", "down"] = "up"
    wins: Literal["most", "least"] = "most"
    start: Points = 0
    target: Points | None = None
    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0
    starter: Literal["moves", "stays"] = "moves"
    dice: Annotated[int, Meta(ge=0, le=MOST_DICE)] = 0
    rows: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=40)], ...], Meta(max_length=MOST_ROWS)
    ] = ()

    def faults(self) -> Iterator[Fault]:
        """Yield each fault."""
        if self.entries == "free" and (self.rounds or self.rows):
            key = "rows" if self.rows else "rounds"
            yield _fault("free-without-rounds", key, field=key)
        if self.rows and self.rounds:
            yield _fault("rows-are-rounds", "rounds")
        for row in {row for row in self.rows if self.rows.count(row) > 1}:
            yield _fault("row-twice", "rows", row=row)
        if self.target is not None and self.reached(self.start):
            yield _fault(f"target-{self.counts}", "target", start=self.start)

    def total(self, entered: int) -> int:
        """A player's total after these points."""
        return self.start + (entered if self.counts == "up" else -entered)

    def reached(self, total: int) -> bool:
        """True once a total ends the match."""
        if self.target is None:
            return False
        return total >= self.target if self.counts == "up" else total <= self.target


def _fault(says: str, key: str, **facts: Fact) -> Fault:
    return Fault(Phrase(f"data.{says}", facts, SLUG), (key,))


@lru_cache(maxsize=64)
def sheet(given: str) -> Sheet:
    """The sheet that an option names. Raises `UserError` with the line at fault."""
    return data_files.read(given, FOLDER, "sheet", Sheet)


EDITED = Scripted(Sheet, FOLDER, lambda file: file.parse(Sheet), "page_own.js")
"""A sheet is filled in on a page."""
