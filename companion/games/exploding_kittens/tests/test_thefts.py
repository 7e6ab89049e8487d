"""What the table knows stays small, however often cards are stolen: nobody waits for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens.known import Change, Seen, possible
from companion.games.exploding_kittens.state import KittensState
from companion.games.exploding_kittens.tests.playing import began, knows, play
from companion.odds import Knowledge, answers, merged, number_held, tally

THEFTS = (
    *("draw", "draw", "draw", "pair cat-a first", *("draw",) * 6, "pair cat-c first", "draw", "draw"),
    *("pair cat-d first", "draw", "pair future second", "draw", "draw", "pair cat-b second", "nope second"),
    *("draw",) * 6,
    *("pair cat-c second", "pair shuffle second", "nope second", "draw", "draw", "pair cat-d second"),
    *("nope second", "draw", "draw", "draw", "future", "nope first", "attack", "kitten", "defuse"),
)
"""A match of two with eight thefts. By the order in which they came about, the worlds were 1,143."""

FEW = 16


@pytest.fixture(scope="module")
def stolen() -> list[KittensState]:
    """The match after each move."""
    states = [began(2)]
    for text in THEFTS:
        states.append(play(states[-1], text))
    return states


def test_worlds_that_differ_only_in_how_they_came_about_are_one(stolen: list[KittensState]) -> None:
    assert max(len(knows(state).worlds) for state in stolen) <= FEW


def holdings(knowledge: Knowledge) -> list[list[bool]]:
    """For each seat and kind, the possible numbers of cards."""
    return [
        [bool(chance) for chance in number_held(knowledge, seat, kind)]
        for seat in ("first", "second")
        for kind in knowledge.kinds
    ]


def test_many_worlds_are_gone_through_once_for_all_kinds(
    stolen: list[KittensState], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merged, "MANY", 2)
    answers._merged.cache_clear()
    knowledge = max((knows(state) for state in stolen), key=lambda known: len(known.worlds))
    number_held(knowledge, "second", knowledge.kinds[0])
    before = tally.settled.cache_info().currsize
    for kind in knowledge.kinds:
        number_held(knowledge, "second", kind)
    assert tally.settled.cache_info().currsize == before


def test_what_can_be_is_whatever_has_a_chance(stolen: list[KittensState]) -> None:
    for state in stolen:
        assert holdings(possible(state, None).knowledge) == holdings(knows(state))


def test_the_rules_count_no_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move and a note are judged by what can be."""
    followed, weighed = known_module._changed, list[bool]()

    def watched(seen: Seen, changes: Sequence[Change]) -> Seen:
        weighed.append(seen.knowledge.weighed)
        return followed(seen, changes)

    monkeypatch.setattr(known_module, "_changed", watched)
    monkeypatch.setattr(known_module, "_kept", {})
    play(began(2), "hand second attack cat-a cat-a cat-b nope defuse", *THEFTS[:4], "took second skip")
    assert weighed
    assert not any(weighed)
