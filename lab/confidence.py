"""Checks stated confidences: how often tiles and boards of each were right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

import msgspec

from companion.commands.output import part
from companion.games.watching import Observation, TileSquares

MOST_WRONG = 0.01
TENTHS = 10


class Case(msgspec.Struct, frozen=True):
    """A statement's folder, its confidence (0 to 1), and whether it was right."""

    folder: str
    confidence: float
    right: bool


class Tenth(msgspec.Struct, frozen=True):
    """The cases of one tenth of confidence: their number, mean confidence, and right share."""

    low: float
    cases: int
    said: float
    right: float

    def line(self) -> str:
        """The tenth as text, one line."""
        high = self.low + 1 / TENTHS
        mean = f"mean {100 * self.said:.1f} %, right {100 * self.right:.1f} %"
        return f"  said {self.low:.1f} to {high:.1f}  {self.cases} cases, {mean}"


def tile_cases(folder: str, reading: Observation, truth: set[TileSquares]) -> list[Case]:
    """A case for each way to lay a tile that a reading names, in its board or in an alternative."""
    confidence: dict[TileSquares, float] = {}
    for other in reading.alternatives:
        for tile in other.tiles:
            confidence[tile.squares] = confidence.get(tile.squares, 0.0) + other.confidence
    for tile in reading.tiles or ():
        confidence[tile.squares] = tile.confidence
    return [Case(folder, min(said, 1.0), way in truth) for way, said in confidence.items()]


def board_case(folder: str, reading: Observation, truth: set[TileSquares]) -> Case:
    """The case of a whole board: its confidence is what its alternatives leave."""
    said = 1.0 - sum(other.confidence for other in reading.alternatives)
    have = {tile.squares for tile in reading.tiles or ()}
    return Case(folder, max(said, 0.0), have == truth)


def tenths(cases: Iterable[Case]) -> list[Tenth]:
    """The cases by tenth of confidence, without empty tenths."""
    rows: list[list[Case]] = [[] for _ in range(TENTHS)]
    for case in cases:
        rows[min(int(case.confidence * TENTHS), TENTHS - 1)].append(case)
    return [
        Tenth(i / TENTHS, len(row), fmean(case.confidence for case in row), fmean(case.right for case in row))
        for i, row in enumerate(rows)
        if row
    ]


def threshold(cases: Iterable[Case], most_wrong: float = MOST_WRONG) -> float:
    """The least confidence that may be believed; above 1 if the cases do not show one.

    By Jeffreys' estimate, at most `most_wrong` of the boards from there on are wrong.
    """
    least, count, wrong = math.nextafter(1.0, 2.0), 0, 0
    ranked = sorted(cases, key=lambda case: -case.confidence)
    for case, after in zip(ranked, [*ranked[1:], None], strict=True):
        count, wrong = count + 1, wrong + (not case.right)
        last_of_its_kind = after is None or after.confidence < case.confidence
        if last_of_its_kind and (wrong + 0.5) / (count + 1) <= most_wrong:
            least = case.confidence
    return least


class ConfidenceTable(msgspec.Struct, frozen=True):
    """The table of some folders.

    `said`: the ways to lay a tile by tenth of confidence. `believe_from`: the least confidence that may be
    believed, None if the cases show none.
    """

    said: tuple[Tenth, ...]
    boards: tuple[Case, ...]
    believe_from: float | None

    def lines(self) -> list[str]:
        """The table as text."""
        believe = "their cases do not show from which confidence on to believe one"
        if self.believe_from is not None:
            believe = f"at most {100 * MOST_WRONG:.0f} % are wrong from {self.believe_from:.4f} on"
        return [
            "ways to lay a tile, as said:",
            *(row.line() for row in self.said),
            f"boards right  {part(sum(case.right for case in self.boards), len(self.boards))}; {believe}",
        ]


def confidence_table(tiles: Sequence[Case], boards: Sequence[Case]) -> ConfidenceTable:
    """The table of the cases of tiles and of boards."""
    least = threshold(boards)
    return ConfidenceTable(tuple(tenths(tiles)), tuple(boards), least if least <= 1 else None)
