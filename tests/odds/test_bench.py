"""The figures for `companion bench`, and the limit that the answers keep."""

from __future__ import annotations

from time import process_time

import pytest

from companion.odds import bench

BUSY = 1.5
"""What other work on the machine costs, in caches that are shared."""


@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize(
    "start", [bench.table, bench.seat, bench.ruled_out], ids=lambda start: start.__name__
)
def test_an_answer_of_200_cards_and_30_kinds_keeps_its_limit(start: object) -> None:
    """Processor time, best of five, from empty caches."""
    deck = start(200, 30)  # type: ignore[operator]
    assert (sum(deck.totals), len(deck.kinds)) == (200, 30)
    for asked, ask in bench.questions(deck).items():
        assert min(cpu_ms(ask) for _ in range(5)) < BUSY * bench.LIMIT_MS, asked


def cpu_ms(ask: object) -> float:
    bench.forget()
    begun = process_time()
    ask()  # type: ignore[operator]
    return (process_time() - begun) * 1000


def test_every_question_is_measured_and_how_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SAMPLES", 1)
    found = {each.name: each for each in bench.measures()}
    assert sum(each.limit_ms == bench.LIMIT_MS for each in found.values()) == 15
    assert found["odds: seat: survive, 400 cards"].note.startswith("400 cards, 30 kinds")
