"""The figures of the games for `companion bench`, and what rules and views cost."""

from __future__ import annotations

import pytest

from companion.games import registry
from companion.games.this_bed_is_mine import fits
from companion.games.this_bed_is_mine.score import score
from companion.games.this_bed_is_mine.state import BedOptions, BedState
from lab.bench import games
from lab.bench.games import scattered
from tests.conftest import Cost

MOST_FOR_PLACEMENTS = 1.0
"""In yardsticks."""

MOST_FOR_A_SCORE = 0.4
"""In yardsticks."""

MOST_FOR_A_VIEW = 50.0
"""In yardsticks."""

LIMITS_MS = {
    "this-bed-is-mine": {
        "rules: all placements, 16 × 12": 2.0,
        "rules: what fits, 16 × 12": 2.0,
        "rules: score, 16 × 12": 0.5,
    },
    "cat-and-mouse": {"race: chances solved": 2000, "race: a look-up": 1, "race: all 21 throws": 1},
    "chop-chop": {"kitchen: all squares for one throw": 1, "kitchen: whole view": 10},
    "hide-and-seek": {"hide: a card turned up": 5, "hide: whole view": 50},
}


def test_every_game_is_measured() -> None:
    assert games.BENCHES.keys() == registry.games().keys()


@pytest.mark.parametrize("slug", LIMITS_MS)
def test_what_is_measured_has_its_limits(slug: str) -> None:
    figures = games.BENCHES[slug]()
    assert {each.name: each.limit_ms for each in figures if each.limit_ms is not None} == LIMITS_MS[slug]
    assert all(each.value_ms > 0 for each in figures)


def test_what_a_phone_shows_of_the_kittens_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "SAMPLES", 1)
    figures = games.kittens_measures()
    assert [each.limit_ms for each in figures] == [games.KITTENS_VIEW_LIMIT_MS] * 4
    assert all(each.value_ms > 0 for each in figures)


def test_the_rules_of_the_bed_cost_little(cost: Cost) -> None:
    early, late = scattered(BedOptions(), most=1), scattered(BedOptions())
    assert cost(lambda: fits.lays(BedOptions(), early.tiles, "dog")) < MOST_FOR_PLACEMENTS
    assert cost(lambda: fits.count(BedOptions(), early.tiles, "dog")) < MOST_FOR_PLACEMENTS
    assert cost(lambda: score(BedOptions(), late.tiles)) < MOST_FOR_A_SCORE


@pytest.mark.parametrize("seat", [None, "first"])
@pytest.mark.parametrize("back", ["anywhere", "near-the-top"])
def test_what_a_phone_shows_of_the_kittens_costs_little(cost: Cost, back: str, seat: str | None) -> None:
    """From empty caches."""
    state = games.kittens_midway(kitten_back=back)
    assert cost(lambda: games.first_view(state, seat)) < MOST_FOR_A_VIEW


def test_the_bed_that_is_measured_is_full_and_the_same_in_every_run() -> None:
    def match() -> BedState:
        return scattered(BedOptions())

    assert match() == match()
    assert match().turn is None


def test_the_race_that_is_measured_is_under_way() -> None:
    assert games.race_midway().standing.thrower is not None
    assert len(games.race_midway().steps) > 15


def test_the_kitchen_that_is_measured_is_under_way_with_all_mice() -> None:
    state = games.chop_midway()
    assert len(state.standing.alive) == 4
    assert state.throws >= 24


def test_the_kittens_that_are_measured_are_half_known() -> None:
    state = games.kittens_midway()
    assert [deed.what for deed in state.record].count("defuse") == 2
    assert len(state.notes) == 3


def test_the_hiding_that_is_measured_is_under_way() -> None:
    state = games.hide_midway()
    assert (state.round, len(state.free)) == (2, 18)
    assert len(state.events) > 20
