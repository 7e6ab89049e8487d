"""The figures for `companion bench`."""

from __future__ import annotations

from companion.bench import cat_and_mouse


def test_the_race_that_is_measured_is_under_way() -> None:
    assert cat_and_mouse.midway().standing.thrower is not None
    assert len(cat_and_mouse.midway().steps) > 15


def test_what_is_measured_has_its_limits() -> None:
    by_name = {each.name: each for each in cat_and_mouse.measures()}
    assert by_name["race: chances solved"].limit_ms == 2000
    assert by_name["race: a look-up"].limit_ms == 1
    assert all(each.value_ms > 0 for each in by_name.values())
