"""What must hold of any knowledge, on decks too large to list."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.odds import (
    Held,
    ImpossibleCards,
    Knowledge,
    OddsError,
    Pile,
    Reading,
    Span,
    card_at,
    number_among,
    number_held,
    numbers_together,
    survives,
)

KINDS = ("kitten", "defuse", "nope", "skip", "attack", "cat")
SEATS = ("ann", "bob", "cid")
SOME = settings(max_examples=30, deadline=None)


def put_back(deck: Knowledge, seat: str, kind: str, place: int) -> Knowledge:
    weights = [1 + (number < 3) for number in range(deck.deck_size + 1)]
    return deck.put(seat, kind, weights=weights if place else None)


EVENTS: dict[str, Callable[[Knowledge, str, str, int], Knowledge]] = {
    "see": lambda deck, seat, kind, place: deck.see(place % 2, kind),
    "shuffle": lambda deck, seat, kind, place: deck.shuffle(),
    "draw": lambda deck, seat, kind, place: deck.draw(seat),
    "draw no kitten": lambda deck, seat, kind, place: deck.draw(seat, deck.others("kitten")),
    "draw seen": lambda deck, seat, kind, place: deck.draw(seat, kind),
    "steal": lambda deck, seat, kind, place: deck.steal(seat, SEATS[place % 3]),
    "steal seen": lambda deck, seat, kind, place: deck.steal(seat, SEATS[place % 3], kind),
    "play": lambda deck, seat, kind, place: deck.play(seat, "out", kind),
    "play held": lambda deck, seat, kind, place: deck.play(seat, "out", kind, Reading.HELD),
    "none": lambda deck, seat, kind, place: deck.count(seat, kind, at_most=0),
    "put": put_back,
}


@st.composite
def knowledges(draw: st.DrawFn) -> Knowledge:
    """What somebody knows of a deck of some thirty cards after some events."""
    cards = {kind: draw(st.integers(2, 9)) for kind in KINDS}
    hands = {seat: Pile(4, {"defuse": 1} if seat == "ann" else None) for seat in SEATS}
    deck = Pile(sum(cards.values()) - 12, {"kitten": cards["kitten"]} if draw(st.booleans()) else None)
    assume(deck.cards >= cards["kitten"])
    known = Knowledge.start(cards, deck, {**hands, "out": Pile(0)})
    for _ in range(draw(st.integers(0, 6))):
        event = EVENTS[draw(st.sampled_from(sorted(EVENTS)))]
        try:
            known = event(
                known, draw(st.sampled_from(SEATS)), draw(st.sampled_from(KINDS)), draw(st.integers(0, 5))
            )
        except OddsError:
            continue
    assume(known.deck_size > 4)
    return known


@SOME
@given(known=knowledges(), draws=st.integers(0, 5))
def test_chances_sum_to_one(known: Knowledge, draws: int) -> None:
    for place in (0, 1, known.deck_size - 1):
        assert sum(card_at(known, place).values()) == 1
    assert sum(number_among(known, draws, "nope")) == 1
    assert sum(number_held(known, "ann", ("nope", "cat"))) == 1
    assert sum(numbers_together(known, [Span(0, draws), Held("bob")], ["skip", "nope"]).values()) == 1


@SOME
@given(known=knowledges(), place=st.integers(0, 3))
def test_what_a_look_teaches_averages_out_to_what_was_known(known: Knowledge, place: int) -> None:
    def answers(deck: Knowledge) -> list[Fraction]:
        return [
            survives(deck, 4, "kitten", "defuse", "ann"),
            card_at(deck, 4)["nope"],
            number_held(deck, "bob", "nope")[0],
        ]

    averages = [Fraction(0)] * 3
    for kind, chance in card_at(known, place).items():
        if not chance:
            with pytest.raises(ImpossibleCards):
                known.see(place, kind)
            continue
        seen = answers(known.see(place, kind))
        averages = [had + chance * more for had, more in zip(averages, seen, strict=True)]
    assert averages == answers(known)


@SOME
@given(known=knowledges(), kind=st.sampled_from(KINDS))
def test_what_is_learnt_of_a_hand_averages_out_to_what_was_known(known: Knowledge, kind: str) -> None:
    average = Fraction(0)
    for number, chance in enumerate(number_held(known, "bob", kind)):
        if chance:
            learnt = known.count("bob", kind, number, number)
            assert number_held(learnt, "bob", kind)[number] == 1
            average += chance * card_at(learnt)["nope"]
    assert average == card_at(known)["nope"]


@SOME
@given(known=knowledges())
def test_a_theft_that_is_seen_averages_out_to_one_that_is_not(known: Knowledge) -> None:
    assume(known.pile_size("bob"))
    size = known.pile_size("bob")
    average = Fraction(0)
    for kind in KINDS:
        chance = sum(n * c for n, c in enumerate(number_held(known, "bob", kind))) / size
        if chance:
            average += chance * number_held(known.steal("bob", "cid", kind), "cid", "nope")[0]
    assert average == number_held(known.steal("bob", "cid"), "cid", "nope")[0]


@SOME
@given(known=knowledges())
def test_a_shuffle_forgets_places_and_keeps_cards(known: Knowledge) -> None:
    shuffled = known.shuffle()
    size = known.deck_size
    places = [card_at(shuffled, place) for place in range(size)]
    assert all(each == places[0] for each in places)
    for kind in KINDS:
        assert places[0][kind] == sum(card_at(known, place)[kind] for place in range(size)) / size
        assert number_held(shuffled, "ann", kind) == number_held(known, "ann", kind)
        assert number_among(shuffled, size, kind) == number_among(known, size, kind)
    assert shuffled.shuffle() == shuffled


@SOME
@given(known=knowledges(), draws=st.integers(1, 3))
def test_unseen_draws_leave_the_rest_of_the_deck_as_it_was(known: Knowledge, draws: int) -> None:
    drawn = known
    for _ in range(draws):
        drawn = drawn.draw("cid")
    assert card_at(drawn) == card_at(known, draws)
    assert number_held(drawn, "bob", "nope") == number_held(known, "bob", "nope")


@SOME
@given(known=knowledges())
def test_a_card_put_back_anywhere_is_a_card_shuffled_in(known: Knowledge) -> None:
    shuffled = known.shuffle()
    with_kitten = (
        shuffled.draw("ann").count("ann", "kitten", at_least=1) if card_at(shuffled)["kitten"] else None
    )
    assume(with_kitten is not None)
    assert with_kitten is not None
    back = with_kitten.put("ann", "kitten")
    assert [card_at(back, place) for place in range(3)] == [card_at(back.shuffle())] * 3


@SOME
@given(known=knowledges(), kind=st.sampled_from(KINDS))
def test_a_longer_look_ahead_is_never_less_likely_to_meet_a_kind(known: Knowledge, kind: str) -> None:
    chances = [1 - number_among(known, draws, kind)[0] for draws in range(5)]
    assert chances == sorted(chances)
    lives = [survives(known, draws, "kitten", "defuse", 0) for draws in range(5)]
    assert lives == sorted(lives, reverse=True)


@SOME
@given(known=knowledges())
def test_the_same_events_give_the_same_value(known: Knowledge) -> None:
    assert known.shuffle().draw("ann") == known.shuffle().draw("ann")
    assert hash(known.shuffle().draw("ann")) == hash(known.shuffle().draw("ann"))


@SOME
@given(known=knowledges())
def test_what_could_not_be_otherwise_teaches_nothing(known: Knowledge) -> None:
    assert known.see(0, KINDS) == known
    assert known.count("bob", "nope") == known
    assert known.count("bob", KINDS, at_least=known.pile_size("bob")) == known
