"""What fits the correction of Chop! Chop!'s chances: the matches that it plays, and the fit."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.chop_chop.worth import CORRECTION, corrected
from lab.chop_chop_chance import (
    Looked,
    correction,
    fitted,
    off,
    over_and_over,
    positions,
    table,
    twice_a_half,
)


def test_the_fit_recovers_the_weights_that_made_the_chances() -> None:
    weights = np.array([0.5, -1.0, 2.0])
    numbers = np.random.default_rng(1).uniform(-1, 1, (4000, 3))
    chances = 1 / (1 + np.exp(-numbers @ weights))
    assert fitted(numbers, chances) == pytest.approx(weights, abs=1e-6)


def test_the_correction_is_recovered_from_what_it_says() -> None:
    terms = [
        (1.0, odds / 10, alive, alive * odds / 10, alive * throw)
        for odds in range(-30, 30)
        for alive in range(1, 5)
        for throw in (2, 3)
    ]
    given = [Looked(each, corrected(each)) for each in terms]
    assert correction(given) == pytest.approx(CORRECTION, abs=1e-6)


def test_the_error_is_what_is_left_beside_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.chop_chop_chance.OVER_AND_OVER", 10**9)
    terms = (1.0, 0.0, 2.0, 0.0, 4.0)
    said = corrected(terms)
    given = [Looked(terms, said + 0.1), Looked(terms, said - 0.1)]
    assert off(given) == pytest.approx(0.1)
    assert twice_a_half(given) == pytest.approx(0.1 / (said * (1 - said)) ** 0.5)


def test_positions_come_with_who_won() -> None:
    some = positions(0, 4)
    assert {each.won for each in some} <= {0.0, 1.0}
    assert all(1 <= each.terms[2] <= 4 and 0 < each.chance < 1 for each in some)
    assert sum(int(line.split()[4]) for line in table(some)) == len(some)


def test_from_one_position_the_rest_is_played_over_and_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.chop_chop_chance.OVER_AND_OVER", 4)
    [one] = over_and_over(3, 1)
    assert one.won in (0, 0.25, 0.5, 0.75, 1)
