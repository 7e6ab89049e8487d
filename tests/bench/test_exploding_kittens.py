"""The figures for `companion bench`."""

from __future__ import annotations

import pytest

from companion.bench import exploding_kittens
from tests.conftest import Cost

MOST = 50.0
"""In yardsticks."""


def test_what_a_phone_shows_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploding_kittens, "SAMPLES", 1)
    figures = exploding_kittens.measures()
    assert [each.limit_ms for each in figures] == [exploding_kittens.VIEW_LIMIT_MS] * 4
    assert all(each.value_ms > 0 for each in figures)


@pytest.mark.parametrize("seat", [None, "first"])
@pytest.mark.parametrize("back", ["anywhere", "near-the-top"])
def test_what_a_phone_shows_costs_little(cost: Cost, back: str, seat: str | None) -> None:
    """From empty caches."""
    state = exploding_kittens.midway(kitten_back=back)
    assert cost(lambda: exploding_kittens.first_view(state, seat)) < MOST


def test_the_match_that_is_measured_has_much_that_is_half_known() -> None:
    state = exploding_kittens.midway()
    assert [deed.what for deed in state.record].count("defuse") == 2
    assert len(state.notes) == 3
