"""The engine against formulas that anybody can look up."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from companion.odds import (
    Held,
    Knowledge,
    Pile,
    Span,
    any_among,
    card_at,
    holds,
    number_among,
    number_held,
    numbers_together,
    survives,
)


def hypergeometric(whole: int, good: int, drawn: int, hits: int) -> Fraction:
    """The chance of `hits` good ones among `drawn` of `whole`, of which `good` are good."""
    if hits > drawn:
        return Fraction(0)
    return Fraction(comb(good, hits) * comb(whole - good, drawn - hits), comb(whole, drawn))


CARDS = {"kitten": 3, "defuse": 5, "nope": 4, "skip": 30}


@pytest.mark.parametrize("draws", [0, 1, 5, 20, 42])
@pytest.mark.parametrize("kind", ["kitten", "nope", "skip"])
def test_the_number_among_the_next_draws_is_hypergeometric(draws: int, kind: str) -> None:
    deck = Knowledge.start(CARDS, Pile(42), {})
    expected = [hypergeometric(42, CARDS[kind], draws, hits) for hits in range(CARDS[kind] + 1)]
    while not expected[-1]:
        expected.pop()
    assert list(number_among(deck, draws, kind)) == expected
    assert any_among(deck, draws, kind) == 1 - expected[0]


def test_a_hidden_hand_is_hypergeometric_whatever_lies_in_the_deck() -> None:
    deck = Knowledge.start(CARDS, Pile(30), {"ann": Pile(7), "out": Pile(5)})
    for hits, chance in enumerate(number_held(deck, "ann", "nope")):
        assert chance == hypergeometric(42, 4, 7, hits)
    assert holds(deck, "ann", "nope", 2) == 1 - sum(hypergeometric(42, 4, 7, hits) for hits in (0, 1))


def test_kinds_asked_about_together_are_one_kind() -> None:
    deck = Knowledge.start(CARDS, Pile(42), {})
    assert number_among(deck, 6, ("nope", "defuse"))[2] == hypergeometric(42, 9, 6, 2)


def test_a_bridge_hand_has_a_known_suit_split() -> None:
    """The published odds of an outstanding suit of five splitting 3-2 are 67.83 % (390/575)."""
    cards = {"trump": 5, "other": 21}
    deck = Knowledge.start(cards, Pile(0), {"east": Pile(13), "west": Pile(13)})
    split = number_held(deck, "east", "trump")
    assert split[2] + split[3] == Fraction(390, 575)


def test_the_first_five_cards_hold_a_poker_flush_by_the_book() -> None:
    """5,148 of 2,598,960 five-card hands are of one suit, straight flushes included."""
    suits = {"clubs": 13, "diamonds": 13, "hearts": 13, "spades": 13}
    deck = Knowledge.start(suits, Pile(52), {})
    assert sum(number_among(deck, 5, suit)[5] for suit in suits) == Fraction(5148, 2598960)


def test_several_places_and_kinds_follow_the_multivariate_formula() -> None:
    deck = Knowledge.start(CARDS, Pile(35), {"ann": Pile(7)})
    chances = numbers_together(deck, [Span(0, 4), Held("ann")], ["nope", "defuse"])
    first = Fraction(comb(4, 1) * comb(5, 0) * comb(33, 3), comb(42, 4))
    then = Fraction(comb(3, 2) * comb(5, 1) * comb(30, 4), comb(38, 7))
    assert chances[(1, 0), (2, 1)] == first * then


def test_survival_without_savers_is_to_draw_no_deadly_card() -> None:
    deck = Knowledge.start({"kitten": 3, "skip": 20}, Pile(23), {})
    assert survives(deck, 6, "kitten", (), in_hand=0) == hypergeometric(23, 3, 6, 0)


def test_survival_with_savers_in_hand_only_counts_deadly_cards() -> None:
    deck = Knowledge.start({"kitten": 3, "skip": 20}, Pile(23), {})
    assert survives(deck, 6, "kitten", (), in_hand=2) == 1 - hypergeometric(23, 3, 6, 3)


def test_survival_to_the_bottom_is_bertrands_ballot() -> None:
    """Of a deadly and b savers in random order, (b + 1 − a) / (b + 1) never fall behind."""
    deck = Knowledge.start({"kitten": 3, "defuse": 5, "skip": 4}, Pile(12), {})
    assert survives(deck, 12, "kitten", "defuse", in_hand=0) == Fraction(5 + 1 - 3, 5 + 1)


def test_a_hand_without_nopes_is_drawn_from_the_others() -> None:
    deck = Knowledge.start(CARDS, Pile(30), {"ann": Pile(7), "bob": Pile(5)})
    learnt = deck.count("ann", "nope", at_most=0)
    assert card_at(learnt)["nope"] == Fraction(4, 35)
    assert number_held(learnt, "bob", "nope")[1] == hypergeometric(35, 4, 5, 1)
    assert number_held(learnt, "ann", "defuse")[2] == hypergeometric(38, 5, 7, 2)


def test_a_hand_with_at_least_one_nope_follows_bayes() -> None:
    deck = Knowledge.start(CARDS, Pile(35), {"ann": Pile(7)})
    learnt = deck.count("ann", "nope", at_least=1)
    some = 1 - hypergeometric(42, 4, 7, 0)
    assert number_held(learnt, "ann", "nope")[2] == hypergeometric(42, 4, 7, 2) / some


def test_a_kitten_put_back_anywhere_is_as_likely_at_each_place() -> None:
    deck = Knowledge.start({"kitten": 1, "skip": 9}, Pile(9), {"ann": Pile(1, {"kitten": 1})})
    assert {card_at(deck.put("ann", "kitten"), place)["kitten"] for place in range(10)} == {Fraction(1, 10)}


def test_a_kitten_put_back_by_weights_is_as_likely_as_they_say() -> None:
    deck = Knowledge.start({"kitten": 1, "skip": 4}, Pile(4), {"ann": Pile(1, {"kitten": 1})})
    deck = deck.put("ann", "kitten", weights=[4, 3, 2, 1, 0])
    chances = [card_at(deck, place)["kitten"] for place in range(5)]
    assert chances == [Fraction(weight, 10) for weight in (4, 3, 2, 1, 0)]
