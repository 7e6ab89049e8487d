"""The rules' speed on a bed of 16 × 12, by the best of the samples: other work may share the machine."""

from __future__ import annotations

import pytest

from companion.bench.this_bed_is_mine import measures, scattered
from companion.games.this_bed_is_mine.moves import BedOptions, BedState


@pytest.mark.usefixtures("untraced")
def test_the_limits_are_kept() -> None:
    limited = [each for each in measures() if each.limit_ms is not None]
    assert [each.name.split(",")[0] for each in limited] == [
        "rules: all placements",
        "rules: what fits",
        "rules: score",
    ]
    assert [each.line() for each in limited if each.best_ms > (each.limit_ms or 0)] == []


def test_what_is_measured_is_the_same_in_every_run() -> None:
    def match() -> BedState:
        return scattered(BedOptions())

    assert match() == match()
    assert match().turn is None
