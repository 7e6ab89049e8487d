"""What fits the weights of a bed: matches that are followed to their end, and lines that the player takes."""

from __future__ import annotations

from companion.games.this_bed_is_mine.player.weights import KNOTS, WEIGHTS
from lab.bed_weights import fitted, match_of


def test_a_match_ends_as_expected_once_it_is_exact() -> None:
    rows = list(match_of(0, nodes=20_000))
    assert len({abs(came) for *_, came in rows}) == 1
    left, expected, _, came = rows[-1]
    assert expected == came
    assert left == min(row[0] for row in rows)


def test_what_is_fitted_has_the_form_of_the_weights() -> None:
    lines = list(fitted(list(match_of(1, nodes=500))))
    assert [line.split('"')[1] for line in lines] == list(WEIGHTS)
    assert all(line.split('": ')[1].count(",") == len(KNOTS) for line in lines)
