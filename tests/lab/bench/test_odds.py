"""The figures for `companion bench`, and what the answers cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lab.bench import odds
from tests.conftest import Cost

MOST = 5.0
"""In yardsticks."""


@pytest.mark.parametrize("known", odds.STARTS)
def test_an_answer_of_200_cards_and_30_kinds_costs_little(cost: Cost, known: str) -> None:
    """From empty caches."""
    deck = odds.STARTS[known](200, 30)
    assert (sum(deck.totals), len(deck.kinds)) == (200, 30)
    for asked, ask in odds.questions(deck).items():
        assert cost(lambda ask=ask: first_answer(ask)) < MOST, asked  # type: ignore[misc]


def test_a_card_hidden_near_the_top_takes_two_cases_for_one() -> None:
    """One where it is among the top five, one where it is below: not one for each way to fill the top."""
    anywhere, near = odds.seat(200, 30), odds.half_known(200, 30)
    assert len(near.worlds) == 2 * len(anywhere.worlds)


def first_answer(ask: Callable[[], object]) -> object:
    odds.forget()
    return ask()


def test_every_question_is_measured_and_how_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "SAMPLES", 1)
    by_name = {each.name: each for each in odds.measures()}
    assert sum(each.limit_ms == odds.LIMIT_MS for each in by_name.values()) == 20
    assert by_name["odds: seat: survive, 400 cards"].note.startswith("400 cards, 30 kinds")
