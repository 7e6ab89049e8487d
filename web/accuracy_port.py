"""What the pages may ask the guided accuracy test: plain values only."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.watching import Tile

TaskKind = Literal["lay", "clear", "throw"]
"""What a person is asked to do: lay a tile, clear the board, throw the dice."""

Outcome = Literal["exact", "asked", "wrong"]
"""How something was read: right and surely, so that a person would be asked, or wrong and surely."""


class Count(msgspec.Struct, frozen=True):
    """How often something was read right, would have been asked about, and was read wrong."""

    exact: int = 0
    asked: int = 0
    wrong: int = 0

    @property
    def all(self) -> tuple[int, int, int]:
        """The three counts."""
        return self.exact, self.asked, self.wrong

    def with_one(self, outcome: Outcome) -> Count:
        """The counts with one more."""
        return msgspec.structs.replace(self, **{outcome: getattr(self, outcome) + 1})


class Report(msgspec.Struct, frozen=True):
    """The figures of one test: when (UTC), by which camera, in how much light (0 to 255), and the counts."""

    began: str
    source: str
    light: int = 0
    lay: Count = Count()
    throw: Count = Count()


class Task(msgspec.Struct, frozen=True):
    """What is asked now: its number, the tile and its outline in px, and the tiles that lie there before."""

    kind: TaskKind
    number: int
    tile: Tile | None = None
    lying: tuple[Tile, ...] = ()
    outline: tuple[tuple[float, float], ...] = ()


class AccuracyNow(msgspec.Struct, frozen=True):
    """The test as it stands.

    `phase`: the camera reads, a person is asked whether it `read` right, or all is done; idle before a test.
    `outcome` is what the reading will count as, if it lies there as asked. `number` tasks of `of` are done.
    """

    phase: Literal["idle", "read", "check", "done"] = "idle"
    task: Task | None = None
    number: int = 0
    of: int = 0
    read: str = ""
    outcome: Outcome | None = None
    report: Report | None = None
