"""The figures for `companion bench`."""

from __future__ import annotations

import pytest

from companion.games.exploding_kittens import bench


def test_what_a_phone_shows_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SAMPLES", 1)
    found = bench.measures()
    assert [each.limit_ms for each in found] == [bench.VIEW_LIMIT_MS] * 4
    assert all(each.value_ms > 0 for each in found)


def test_the_match_that_is_measured_has_much_that_is_half_known() -> None:
    state = bench.midway()
    assert [deed.what for deed in state.record].count("defuse") == 2
    assert len(state.notes) == 3
