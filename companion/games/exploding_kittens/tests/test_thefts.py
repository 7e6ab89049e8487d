"""What the table knows stays small, however often cards are stolen: nobody waits for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens.known import Change, Seen, possible
from companion.games.exploding_kittens.state import KittensState
from companion.games.exploding_kittens.tests.playing import began, knows, play
from companion.odds import Knowledge, answers, merged, number_held, sorted_out, tally

THEFTS = (
    *("draw", "draw", "draw", "pair cat-a first", *("draw",) * 6, "pair cat-c first", "draw", "draw"),
    *("pair cat-d first", "draw", "pair future second", "draw", "draw", "pair cat-b second", "nope second"),
    *("draw",) * 6,
    *("pair cat-c second", "pair shuffle second", "nope second", "draw", "draw", "pair cat-d second"),
    *("nope second", "draw", "draw", "draw", "future", "nope first", "attack", "kitten", "defuse"),
)
"""A match of two with eight thefts. By the order in which they came about, the worlds were 1,143."""

DEFUSED = (
    *("pair cat-b second", "draw", "draw", "draw", "pair cat-c first", "draw", "draw", "draw", "draw"),
    *("kitten", "defuse", *("draw",) * 7, "pair cat-a first", *("draw",) * 7, "pair cat-d second", "draw"),
    *("attack", "nope first", "skip", "kitten", "defuse", "draw", "attack", "kitten", "defuse", "draw"),
    *("future", "draw", "pair cat-d first", "draw", "future", "draw", "skip", "attack", "shuffle", "shuffle"),
)
"""A match of two with thefts and defuses. By the types of places, the worlds were 68."""

FEW = 16


def states_of(moves: Sequence[str]) -> list[KittensState]:
    """A match of two after each move."""
    states = [began(2)]
    for text in moves:
        states.append(play(states[-1], text))
    return states


@pytest.fixture(scope="module")
def stolen() -> list[KittensState]:
    return states_of(THEFTS)


def test_worlds_that_differ_only_in_how_they_came_about_are_one(stolen: list[KittensState]) -> None:
    assert max(len(knows(state).worlds) for state in stolen) <= FEW


def test_worlds_that_differ_only_in_the_types_of_places_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same chances as before they were sorted out."""
    states = states_of(DEFUSED)
    assert max(len(knows(state).worlds) for state in states) <= FEW
    after_the_defuses = states[-8]
    few = knows(after_the_defuses)
    monkeypatch.setattr(sorted_out, "FEW", 1_000)
    monkeypatch.setattr(known_module, "_kept", {})
    many = knows(after_the_defuses)
    assert len(few.worlds) < FEW < len(many.worlds)
    assert chances(few) == chances(many)


def chances(knowledge: Knowledge) -> list[tuple[Fraction, ...]]:
    """For each seat and kind, the chances of 0, 1, 2, … cards."""
    return [number_held(knowledge, seat, kind) for seat in ("first", "second") for kind in knowledge.kinds]


def holdings(knowledge: Knowledge) -> list[list[bool]]:
    """For each seat and kind, the possible numbers of cards."""
    return [[bool(chance) for chance in of_kind] for of_kind in chances(knowledge)]


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
