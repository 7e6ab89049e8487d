"""What the rules cost on a bed of 16 × 12."""

from __future__ import annotations

from companion.bench.this_bed_is_mine import measures, scattered
from companion.games.this_bed_is_mine import fits
from companion.games.this_bed_is_mine.moves import BedOptions, BedState
from companion.games.this_bed_is_mine.score import score
from tests.conftest import Cost

MOST_FOR_PLACEMENTS = 1.0
"""In yardsticks."""

MOST_FOR_A_SCORE = 0.4
"""In yardsticks."""


def test_the_rules_cost_little(cost: Cost) -> None:
    early, late = scattered(BedOptions(), most=1), scattered(BedOptions())
    assert cost(lambda: fits.lays(BedOptions(), early.tiles, "dog")) < MOST_FOR_PLACEMENTS
    assert cost(lambda: fits.count(BedOptions(), early.tiles, "dog")) < MOST_FOR_PLACEMENTS
    assert cost(lambda: score(BedOptions(), late.tiles)) < MOST_FOR_A_SCORE


def test_three_figures_have_a_limit() -> None:
    limited = [each for each in measures() if each.limit_ms is not None]
    assert [(each.name.split(",")[0], each.limit_ms) for each in limited] == [
        ("rules: all placements", 2.0),
        ("rules: what fits", 2.0),
        ("rules: score", 0.5),
    ]


def test_what_is_measured_is_the_same_in_every_run() -> None:
    def match() -> BedState:
        return scattered(BedOptions())

    assert match() == match()
    assert match().turn is None
