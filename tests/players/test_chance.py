"""The table's random numbers: each as likely, and one purpose tells nothing about another."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.chance import LAST_WORD, Chance, Stream, key_of

PURPOSES = st.sampled_from(["deck", "dice", "thefts", "animals"])


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 1 << 40), PURPOSES, st.lists(st.tuples(PURPOSES, st.integers(1, 1 << 80)), max_size=30))
def test_no_number_of_one_purpose_depends_on_where_another_stands(
    seed: int, purpose: str, drawn: list[tuple[str, int]]
) -> None:
    alone, among = Chance(key_of(seed)), Chance(key_of(seed))
    for other, limit in drawn:
        if other != purpose:
            among.stream(other).randbelow(limit)
    assert [among.stream(purpose).randbelow(1000) for _ in range(9)] == [
        alone.stream(purpose).randbelow(1000) for _ in range(9)
    ]


def test_purposes_and_keys_give_other_numbers() -> None:
    firsts = {
        Chance(key_of(seed)).stream(purpose).randbelow(1 << 60)
        for seed in range(20)
        for purpose in ("deck", "dice")
    }
    assert len(firsts) == 40


@pytest.mark.parametrize("limit", [1, 3, 6, 3 << 62, LAST_WORD + 1, 3 << 70])
def test_each_number_is_as_likely(limit: int) -> None:
    stream, parts = Stream(key_of(limit)), min(limit, 3)
    counts = Counter(stream.randbelow(limit) * parts // limit for _ in range(6000))
    assert sorted(counts) == list(range(parts))
    assert max(counts.values()) - min(counts.values()) < 300


def test_a_shuffle_keeps_what_is_shuffled_and_puts_each_anywhere() -> None:
    stream, places = Stream(key_of(1)), Counter[tuple[int, int]]()
    for _ in range(3000):
        cards = list(range(4))
        stream.shuffle(cards)
        assert sorted(cards) == list(range(4))
        places.update(enumerate(cards))
    assert len(places) == 16
    assert all(abs(count - 750) < 120 for count in places.values())
