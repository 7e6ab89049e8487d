"""The figures for `companion bench`."""

from __future__ import annotations

from companion.bench import chop_chop


def test_the_match_that_is_measured_is_under_way_with_all_mice() -> None:
    state = chop_chop.midway()
    assert len(state.standing.alive) == 4
    assert state.throws >= 24


def test_what_is_measured_has_its_limits() -> None:
    by_name = {each.name: each for each in chop_chop.measures()}
    assert by_name["kitchen: all squares for one throw"].limit_ms == 1
    assert by_name["kitchen: whole view, new"].limit_ms == 50
    assert all(each.value_ms > 0 for each in by_name.values())
