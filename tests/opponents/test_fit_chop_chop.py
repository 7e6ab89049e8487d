"""What fits the weights of Chop! Chop!'s player: the matches that it plays, and the fit."""

from __future__ import annotations

import numpy as np
import pytest

from companion.games.chop_chop.worth import NUMBERS
from tests.opponents.fit_chop_chop import fitted, rows


def test_the_fit_recovers_the_weights_that_made_the_chances() -> None:
    """But for the penalty, which draws them a little to 0."""
    weights = np.array([0.5, -1.0, 2.0])
    numbers = np.random.default_rng(1).uniform(-1, 1, (4000, 3))
    chances = 1 / (1 + np.exp(-numbers @ weights))
    assert fitted(numbers, chances) == pytest.approx(weights, abs=0.05)


def test_a_standing_is_kept_with_its_numbers_and_what_came_of_it() -> None:
    """A win that comes later is worth less; a lost match nothing."""
    standings = rows(matches=4)
    for side in ("cat", "mice"):
        assert len(standings[side]) > 50
        for numbers, won, soon in standings[side]:
            assert len(numbers) == len(NUMBERS)
            assert 0 < soon < won or soon == won == 0
    assert {won for _, won, _ in (*standings["cat"], *standings["mice"])} == {0.0, 1.0}
