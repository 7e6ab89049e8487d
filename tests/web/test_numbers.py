"""How templates write numbers."""

from __future__ import annotations

import pytest

from tests.web.chances import WRITTEN
from web.language import percent


@pytest.mark.parametrize("chance, written", WRITTEN)
def test_a_chance_is_written_for_a_phone(chance: float, written: str) -> None:
    assert percent(chance) == written


@pytest.mark.parametrize(
    "fraction, written", [("0", "0 %"), ("2/23", "9 %"), ("1/5000", "< 0.1 %"), ("1", "100 %")]
)
def test_a_chance_that_is_a_fraction_is_written_alike(fraction: str, written: str) -> None:
    assert percent(fraction) == written
