"""Whether stated confidences mean what they say: how often tiles and boards of each were right."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from companion.commands.output import part
from companion.games.watching import Observation, Square

MOST_WRONG = 0.01
"""The share of boards that may be believed wrongly."""
TENTHS = 10
"""The number of rows of a table."""
BEND = tuple(0.2 + 0.05 * step for step in range(37))
"""The factors of the logarithmic odds that are tried to calibrate confidences: 0.2 to 2."""
CERTAIN = 1e-4
"""The distance from 0 and 1 within which confidences are not told apart."""

Laid = tuple[str, int | str, frozenset[Square]]
"""Owner, kind and squares of a tile."""


class Case(msgspec.Struct, frozen=True):
    """One thing that was said with a confidence (0 to 1), whether it was right, and its folder."""

    folder: str
    confidence: float
    right: bool


class Tenth(msgspec.Struct, frozen=True):
    """The cases of one tenth of confidence: how many, their mean confidence, and the share that was right."""

    low: float
    cases: int
    said: float
    right: float

    def line(self) -> str:
        """The tenth as text, one line."""
        high = self.low + 1 / TENTHS
        return (
            f"  said {self.low:.1f} to {high:.1f}  {self.cases} cases, mean {100 * self.said:.1f} %, "
            f"right {100 * self.right:.1f} %"
        )


def tile_cases(folder: str, reading: Observation, truth: set[Laid]) -> list[Case]:
    """A case for each way to lay a tile that a reading names, in its board or in an alternative."""
    confidence: dict[Laid, float] = {}
    for other in reading.alternatives:
        for tile in other.tiles:
            way = (tile.owner, tile.kind, frozenset(tile.cells))
            confidence[way] = confidence.get(way, 0.0) + other.confidence
    for tile in reading.tiles or ():
        confidence[tile.owner, tile.kind, frozenset(tile.cells)] = tile.confidence
    return [Case(folder, min(said, 1.0), way in truth) for way, said in confidence.items()]


def board_case(folder: str, reading: Observation, truth: set[Laid]) -> Case:
    """The case of a whole board: its confidence is what its alternatives leave."""
    said = 1.0 - sum(other.confidence for other in reading.alternatives)
    have = {(tile.owner, tile.kind, frozenset(tile.cells)) for tile in reading.tiles or ()}
    return Case(folder, max(said, 0.0), have == truth)


def tenths(cases: Iterable[Case]) -> list[Tenth]:
    """The cases by tenth of confidence, without empty tenths."""
    rows: list[list[Case]] = [[] for _ in range(TENTHS)]
    for case in cases:
        rows[min(int(case.confidence * TENTHS), TENTHS - 1)].append(case)
    return [
        Tenth(
            number / TENTHS,
            len(row),
            sum(case.confidence for case in row) / len(row),
            sum(case.right for case in row) / len(row),
        )
        for number, row in enumerate(rows)
        if row
    ]


def calibrated(cases: Sequence[Case]) -> list[Case]:
    """The cases with the confidence that the other folders' cases teach (leave one folder out)."""
    bend = {
        folder: _bend([case for case in cases if case.folder != folder])
        for folder in {case.folder for case in cases}
    }
    return [
        msgspec.structs.replace(case, confidence=_bent(case.confidence, bend[case.folder])) for case in cases
    ]


def threshold(cases: Iterable[Case], most_wrong: float = MOST_WRONG) -> float:
    """The least confidence from which on boards may be believed; above 1 if the cases do not show one.

    By Jeffreys' estimate, the share of wrong boards from there on is at most `most_wrong`.
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
    """What the cases of some folders show.

    `said` and `calibrated`: the ways to lay a tile by tenth of confidence, as said, and as the other folders
    calibrate it. `boards`: each whole board. `believe_from`: the confidence from which on boards may be
    believed, None if the cases do not show one.
    """

    said: tuple[Tenth, ...]
    calibrated: tuple[Tenth, ...]
    boards: tuple[Case, ...]
    believe_from: float | None

    def lines(self) -> list[str]:
        """The table as text."""
        believe = (
            "their cases do not show from which confidence on to believe one"
            if self.believe_from is None
            else f"at most {100 * MOST_WRONG:.0f} % are wrong from {self.believe_from:.4f} on"
        )
        return [
            "ways to lay a tile, as said:",
            *(row.line() for row in self.said),
            "calibrated on the other folders:",
            *(row.line() for row in self.calibrated),
            f"boards right  {part(sum(case.right for case in self.boards), len(self.boards))}; {believe}",
        ]


def confidence_table(tiles: Sequence[Case], boards: Sequence[Case]) -> ConfidenceTable:
    """The table of the cases of tiles and of boards."""
    least = threshold(boards)
    return ConfidenceTable(
        said=tuple(tenths(tiles)),
        calibrated=tuple(tenths(calibrated(tiles))),
        boards=tuple(boards),
        believe_from=least if least <= 1 else None,
    )


def _bend(cases: Sequence[Case]) -> float:
    """The factor of the logarithmic odds under which cases are likeliest; 1 without a case."""
    return min(BEND, key=lambda bend: (_surprise(cases, bend), abs(bend - 1)))


def _surprise(cases: Iterable[Case], bend: float) -> float:
    likely = ((_bent(case.confidence, bend), case.right) for case in cases)
    return -sum(math.log(said if right else 1 - said) for said, right in likely)


def _bent(confidence: float, bend: float) -> float:
    within = min(max(confidence, CERTAIN), 1 - CERTAIN)
    return 1 / (1 + math.exp(-bend * math.log(within / (1 - within))))
