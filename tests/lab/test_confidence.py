"""What a said confidence is worth: the table of tenths and the threshold of asking."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games.watching import Alternative, Observation, Tile
from hardware.vision.board.temporal_filter import SURE
from lab.confidence import Case, board_case, tenths, threshold, tile_cases

FOUR = Tile("cat", 4, 0, 6, 4, ((6, 4), (7, 4)), 0.9)
NINE = Tile("dog", 9, 0, 1, 1, ((1, 1), (1, 2)), 0.7)
SIX = Tile("dog", 6, 2, 1, 1, ((1, 1), (1, 2)))
TRUTH = {(tile.owner, tile.kind, frozenset(tile.cells)) for tile in (FOUR, SIX)}
READING = Observation(tiles=(FOUR, NINE), alternatives=(Alternative((FOUR, SIX), 0.25),))


def said(confidence: float, right: int, wrong: int = 0, folder: str = "game") -> list[Case]:
    """Cases of one confidence."""
    return [Case(folder, confidence, True)] * right + [Case(folder, confidence, False)] * wrong


def test_each_way_to_lay_a_tile_is_a_case_once() -> None:
    cases = tile_cases("game", READING, TRUTH)
    assert sorted((case.confidence, case.right) for case in cases) == [
        (0.25, True),
        (0.7, False),
        (0.9, True),
    ]


def test_a_board_is_as_sure_as_its_alternatives_leave_it() -> None:
    case = board_case("game", READING, TRUTH)
    assert (case.confidence, case.right) == (0.75, False)


def test_cases_are_counted_by_tenth() -> None:
    rows = tenths([*said(0.95, 19, 1), *said(1.0, 20), *said(0.5, 1, 1)])
    assert [(row.low, row.cases, row.right) for row in rows] == [(0.5, 2, 0.5), (0.9, 40, 0.975)]
    assert rows[1].said == pytest.approx(0.975)


@pytest.mark.parametrize(
    ("cases", "least"),
    [
        pytest.param(said(0.99, 49), 0.99, id="49 right ones are just enough for 1 in 100"),
        pytest.param(said(0.99, 48), None, id="48 are too few"),
        pytest.param([*said(0.99, 100), *said(0.95, 0, 1)], 0.99, id="a wrong one below"),
        pytest.param([*said(0.99, 200), *said(0.95, 0, 1), *said(0.9, 3)], 0.9, id="one wrong of 204"),
        pytest.param(said(0.99, 200, 20), None, id="too many wrong"),
    ],
)
def test_boards_are_believed_from_where_one_in_a_hundred_is_wrong(
    cases: list[Case], least: float | None
) -> None:
    believed = threshold(cases)
    assert (believed if believed <= 1 else None) == least


def test_the_threshold_of_asking_is_not_below_what_the_pictures_show() -> None:
    """The boards of all labelled beds, each read as a first picture: `companion evaluate --confidence`."""
    lines = (Path(__file__).parent / "boards_read.jsonl").read_bytes().splitlines()
    cases = [msgspec.json.decode(line, type=Case) for line in lines]
    assert len({case.folder for case in cases}) >= 19
    assert 0.9 < threshold(cases) <= SURE
