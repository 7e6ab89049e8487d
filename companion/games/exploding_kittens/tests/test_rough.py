"""When the ways that the cards may lie are too many to count, the table is told so, and nothing stops."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from companion.games.exploding_kittens import GAME, view
from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens.tests.playing import began, knows, play
from companion.odds import TooManyWorlds, card_at, certain, counting, knowledge


@pytest.fixture
def few_worlds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An engine that gives up at twelve worlds."""
    monkeypatch.setattr(knowledge, "WORLDS", 12)
    monkeypatch.setattr(known_module, "_kept", {})
    view.view.cache_clear()
    yield
    view.view.cache_clear()


def test_too_many_ways_are_said_to_be_about(few_worlds: None) -> None:
    state = play(began(3, kitten_back="near-the-top"), "kitten", "defuse", "kitten", "defuse")
    seen = GAME.view(state, None)
    assert seen.odds.rough
    assert not GAME.view(began(3), None).odds.rough


def test_what_is_certain_is_kept_and_earlier_places_are_no_longer_followed(few_worlds: None) -> None:
    """The last kitten is on top 3 times of 45, else the other one is once in 21."""
    state = play(began(3, kitten_back="near-the-top"), "hand first attack skip nope nope skip defuse", "draw")
    state = play(state, "kitten", "defuse", "kitten", "defuse")
    assert certain(knows(state, "first"), "first") == {"attack": 1, "skip": 2, "nope": 2, "defuse": 1}
    assert card_at(knows(state))["kitten"] == Fraction(3, 45) + Fraction(42, 45) * Fraction(1, 21)
    assert GAME.view(play(state, "draw", "draw", "shuffle"), "first").odds.rough


def test_an_answer_with_too_many_cases_is_that_of_what_is_certain() -> None:
    deck = knows(play(began(3), "kitten", "defuse", "hid first 0"), "first")

    def ask(asked: knowledge.Knowledge) -> Fraction:
        if asked is deck:
            raise TooManyWorlds("too many")
        return card_at(asked)["kitten"]

    assert card_at(deck)["kitten"] == 1
    assert known_module.counted(ask, deck) == Fraction(2, 23)


def test_every_rule_holds_when_counting_is_cut_short(
    few_worlds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "CASES", 200)
    state = began(4, kitten_back="near-the-top")
    for text in (
        "kitten",
        "defuse",
        "hid first 3",
        "pair cat-a first",
        "took first nope",
        "attack",
        "kitten",
    ):
        state = play(state, text)
        for seat in (None, *state.seats):
            assert GAME.view(GAME.hide(state, seat), seat)
