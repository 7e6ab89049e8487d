"""Two hundred phones listen at once, and one more is told to wait."""

from __future__ import annotations

import pytest

from tests.web.load import measure


@pytest.mark.slow
def test_every_phone_of_two_hundred_gets_the_states_in_order() -> None:
    load = measure(phones=201, rate=5, seconds=4)
    assert load.states == 20
    assert load.refused == 1
    assert load.in_order == 200
