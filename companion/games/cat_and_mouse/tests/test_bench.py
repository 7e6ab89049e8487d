"""The figures for `companion bench`."""

from __future__ import annotations

from companion.games.cat_and_mouse import bench


def test_the_race_that_is_measured_is_under_way() -> None:
    assert bench.midway().standing.thrower is not None
    assert len(bench.midway().steps) > 15


def test_what_is_measured_has_its_limits() -> None:
    found = {each.name: each for each in bench.measures()}
    assert found["race: chances solved"].limit_ms == 2000
    assert found["race: a look-up"].limit_ms == 1
    assert all(each.value_ms > 0 for each in found.values())
