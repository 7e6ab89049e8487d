"""The figures for `companion bench`."""

from __future__ import annotations

from companion.bench import hide_and_seek


def test_the_match_that_is_measured_is_under_way() -> None:
    state = hide_and_seek.midway()
    assert (state.round, len(state.free)) == (2, 18)
    assert len(state.events) > 20


def test_what_is_measured_has_its_limits() -> None:
    by_name = {each.name: each for each in hide_and_seek.measures()}
    assert by_name["hide: a card turned up"].limit_ms == 5
    assert by_name["hide: whole view"].limit_ms == 50
    assert all(each.value_ms > 0 for each in by_name.values())
