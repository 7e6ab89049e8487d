"""The figures for `companion bench`, and the limit that the answers keep."""

from __future__ import annotations

from time import process_time

import pytest

from companion.bench import odds


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("known", odds.STARTS)
def test_an_answer_of_200_cards_and_30_kinds_keeps_its_limit(known: str) -> None:
    """Processor time, best of five, from empty caches."""
    deck = odds.STARTS[known](200, 30)
    assert (sum(deck.totals), len(deck.kinds)) == (200, 30)
    for asked, ask in odds.questions(deck).items():
        assert min(cpu_ms(ask) for _ in range(5)) < odds.LIMIT_MS, asked


def test_a_card_hidden_near_the_top_takes_two_cases_for_one() -> None:
    """One where it is among the top five, one where it is below: not one for each way to fill the top."""
    anywhere, near = odds.seat(200, 30), odds.half_known(200, 30)
    assert len(near.worlds) == 2 * len(anywhere.worlds)


def cpu_ms(ask: object) -> float:
    odds.forget()
    begun = process_time()
    ask()  # type: ignore[operator]
    return (process_time() - begun) * 1000


def test_every_question_is_measured_and_how_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds, "SAMPLES", 1)
    by_name = {each.name: each for each in odds.measures()}
    assert sum(each.limit_ms == odds.LIMIT_MS for each in by_name.values()) == 20
    assert by_name["odds: seat: survive, 400 cards"].note.startswith("400 cards, 30 kinds")
