"""What one observer knows, event by event: examples of use, and what is refused."""

from __future__ import annotations

import doctest
import pkgutil
from fractions import Fraction
from importlib import import_module

import pytest

import companion.odds
from companion.odds import (
    Held,
    ImpossibleCards,
    Knowledge,
    OddsError,
    Pile,
    Reading,
    Span,
    TooFewCards,
    TooManyWorlds,
    UnknownName,
    any_among,
    card_at,
    counting,
    hidden,
    holds,
    knowledge,
    number_held,
    numbers_together,
    survives,
    tally,
)

KITTENS = {"kitten": 3, "defuse": 5, "attack": 3, "shuffle": 4, "skip": 3, "future": 4, "nope": 4, "cat": 16}
SEATS = ("ann", "bob", "cid", "dan")


@pytest.fixture
def kittens() -> Knowledge:
    """Exploding Kittens for four, as dealt: a defuse in each hand, three kittens in a deck of 18."""
    hands = {seat: Pile(6, {"defuse": 1}) for seat in SEATS}
    return Knowledge.start(KITTENS, Pile(18, {"kitten": 3}), {**hands, "out": Pile(0)})


def test_the_deal_is_known_as_the_table_knows_it(kittens: Knowledge) -> None:
    assert (kittens.deck_size, kittens.pile_size("ann")) == (18, 6)
    assert card_at(kittens)["kitten"] == Fraction(3, 18)
    assert holds(kittens, "ann", "kitten") == 0
    assert holds(kittens, "ann", "defuse") == 1
    assert holds(kittens, "ann", "defuse", 2) == Fraction(5, 35)


def test_two_cards_seen_are_known_until_the_deck_is_shuffled(kittens: Knowledge) -> None:
    seen = kittens.see(0, "nope").see(1, "kitten")
    assert card_at(seen)["nope"] == card_at(seen, 1)["kitten"] == 1
    shuffled = seen.shuffle()
    assert card_at(shuffled)["kitten"] == Fraction(3, 18)
    # A nope is sure to be in the deck now, and the other three are anywhere among 34 cards.
    assert card_at(shuffled)["nope"] == (1 + Fraction(3, 34) * 14) / 18


def test_a_kitten_put_back_third_from_the_top_is_there(kittens: Knowledge) -> None:
    hid = kittens.draw("ann", "kitten").play("ann", "out", "defuse", Reading.HELD).put("ann", "kitten", 2)
    assert card_at(hid, 2)["kitten"] == 1
    assert card_at(hid)["kitten"] == Fraction(2, 17)
    assert any_among(hid, 3, "kitten") == 1


def test_a_kitten_put_back_in_secret_is_anywhere_for_the_others(kittens: Knowledge) -> None:
    hid = kittens.draw("ann", "kitten").play("ann", "out", "defuse", Reading.HELD).put("ann", "kitten")
    assert {card_at(hid, place)["kitten"] for place in range(18)} == {Fraction(3, 18)}
    assert len(hid.worlds) == 1


def test_weights_say_where_the_others_hold_it_to_be(kittens: Knowledge) -> None:
    drawn = kittens.draw("ann", "kitten")
    near_the_top = drawn.put("ann", "kitten", weights=[Fraction(1, 3)] * 3 + [0] * 15)
    assert card_at(near_the_top)["kitten"] == Fraction(1, 3) + Fraction(2, 3) * Fraction(2, 17)
    assert card_at(near_the_top, 17)["kitten"] == Fraction(2, 17)


def test_places_that_are_alike_cost_few_worlds(kittens: Knowledge) -> None:
    drawn = kittens.draw("ann", "kitten")
    assert len(drawn.put("ann", "kitten").worlds) == 1
    assert len(drawn.put("ann", "kitten", weights=[3] * 5 + [1] * 13).worlds) == 2
    assert len(drawn.put("ann", "kitten", weights=range(1, 19)).worlds) == 18


def test_a_card_taken_from_the_bottom(kittens: Knowledge) -> None:
    drawn = kittens.see(17, "kitten").draw("ann", place=17)
    assert holds(drawn, "ann", "kitten") == 1
    assert drawn.deck_size == 17


def test_an_unseen_draw_that_did_not_explode_was_no_kitten(kittens: Knowledge) -> None:
    drawn = kittens.draw("bob", kittens.others("kitten"))
    assert card_at(drawn)["kitten"] == Fraction(3, 17)
    assert number_held(drawn, "bob", "kitten") == (1,)


def test_a_theft_moves_a_card_that_nobody_saw(kittens: Knowledge) -> None:
    stolen = kittens.steal("ann", "bob")
    assert (stolen.pile_size("ann"), stolen.pile_size("bob")) == (5, 7)
    # One in six took the dealt defuse; else it is still there.
    lost = number_held(stolen, "ann", "defuse")[0]
    assert lost == Fraction(1, 6) * (1 - Fraction(5, 35))
    assert card_at(stolen) == card_at(kittens)


def test_two_thefts_in_a_row_stay_exact(kittens: Knowledge) -> None:
    stolen = kittens.steal("ann", "bob").steal("bob", "cid").steal("ann", "cid").shuffle()
    expected = sum(n * c for n, c in enumerate(number_held(kittens, "ann", "defuse"))) * 3 / 2
    numbers = [number_held(stolen, seat, "defuse") for seat in SEATS]
    assert sum(n * c for each in numbers[:3] for n, c in enumerate(each)) == expected * 2
    assert sum(numbers[2]) == 1


def test_a_card_played_as_any_leaves_the_rest_of_the_hand_as_unknown(kittens: Knowledge) -> None:
    played = kittens.play("ann", "out", "skip")
    assert number_held(played, "ann", "skip")[0] == Fraction(30 * 29, 34 * 33)  # no skip of two in 4 of 34


def test_a_card_played_as_held_tells_only_that_there_was_one(kittens: Knowledge) -> None:
    played = kittens.play("ann", "out", "skip", Reading.HELD)
    before = number_held(kittens, "ann", "skip")
    assert number_held(played, "ann", "skip")[0] == before[1] / (1 - before[0])


def test_a_dealt_defuse_that_is_played_teaches_nothing_of_the_rest(kittens: Knowledge) -> None:
    played = kittens.play("ann", "out", "defuse", Reading.HELD)
    assert number_held(played, "ann", "defuse")[0] == 1 - Fraction(5, 35)
    assert len(played.worlds) == 1


def test_a_defuse_that_may_have_been_stolen_is_played(kittens: Knowledge) -> None:
    """Bob took one of her six; she still plays a defuse: the dealt one, or one of the five dealt blindly."""
    played = kittens.steal("ann", "bob").play("ann", "out", "defuse", Reading.HELD)
    blind = Fraction(1, 7)  # a fifth defuse among the five that nobody knows
    dealt_stays = Fraction(5, 6)
    other_stays = Fraction(1, 6) * blind
    two_left = dealt_stays * blind * Fraction(4, 5)
    assert number_held(played, "ann", "defuse")[1] == two_left / (dealt_stays + other_stays)


def test_a_hand_that_is_told_is_known(kittens: Knowledge) -> None:
    mine = kittens.contains("ann", {"defuse": 1, "nope": 2, "cat": 3})
    assert holds(mine, "ann", "nope", 2) == 1
    assert number_held(mine, "bob", "nope")[2] == Fraction(10 * 1, 30 * 29 // 2)


def test_a_hand_laid_down_is_out_and_unknown(kittens: Knowledge) -> None:
    out = kittens.lay_down("ann", "out")
    assert out.pile_size("ann") == 0
    assert number_held(out, "out", "nope") == number_held(kittens, "ann", "nope")
    assert out.lay_down("out", "out") == out


def test_a_discard_pile_is_shuffled_into_the_deck(kittens: Knowledge) -> None:
    discarded = kittens.play("ann", "out", "nope").play("bob", "out", "nope")
    gathered = discarded.gather("out")
    assert (gathered.deck_size, gathered.pile_size("out")) == (20, 0)
    assert sum(n * c for n, c in enumerate(number_held(gathered, "ann", "nope"))) == 4 * Fraction(2, 33)


def test_survival_counts_the_defuses_that_a_hand_may_hold(kittens: Knowledge) -> None:
    known = kittens.contains("ann", {"nope": 2, "cat": 3, "defuse": 1})
    assert survives(known, 1, "kitten", "defuse", "ann") == 1
    assert survives(kittens, 3, "kitten", "defuse", "ann") > survives(kittens, 3, "kitten", "defuse", 1)
    assert survives(known, 3, "kitten", "defuse", "ann") == survives(known, 3, "kitten", "defuse", 1)


def test_survival_walks_past_cards_that_are_known(kittens: Knowledge) -> None:
    seen = kittens.see(0, "kitten").see(1, "defuse").see(2, "kitten")
    assert survives(seen, 3, "kitten", "defuse", 0) == 0
    assert survives(seen, 3, "kitten", "defuse", 1) == 1
    assert survives(seen.see(3, "kitten"), 4, "kitten", "defuse", 1) == 0


def test_the_next_two_cards_together(kittens: Knowledge) -> None:
    chances = numbers_together(kittens, [Span(0, 1), Span(1, 1)], ["kitten"])
    assert chances[(1,), (1,)] == Fraction(3 * 2, 18 * 17)


def test_a_place_and_a_hand_together(kittens: Knowledge) -> None:
    chances = numbers_together(kittens, [Span(0, 1), Held("ann")], ["nope"])
    assert (
        sum(chance for (_, (nopes,)), chance in chances.items() if nopes == 2)
        == number_held(kittens, "ann", "nope")[2]
    )


def test_an_empty_deck_and_an_empty_question_have_answers() -> None:
    none = Knowledge.start({"nope": 1}, Pile(0), {"ann": Pile(1)})
    assert none.shuffle() == none
    assert any_among(none, 0, "nope") == 0
    assert survives(none, 0, "nope", (), 0) == 1
    assert number_held(none, "ann", ()) == (1,)


@pytest.mark.parametrize(
    ("event", "error"),
    [
        (lambda deck: deck.see(18, "nope"), TooFewCards),
        (lambda deck: deck.see(-1, "nope"), TooFewCards),
        (lambda deck: deck.see(0, "dog"), UnknownName),
        (lambda deck: deck.draw("eve"), UnknownName),
        (lambda deck: deck.put("ann", "kitten"), ImpossibleCards),
        (lambda deck: deck.put("ann", "defuse", 19), TooFewCards),
        (lambda deck: deck.put("ann", "defuse", weights=[1]), ImpossibleCards),
        (lambda deck: deck.put("ann", "defuse", weights=[0] * 19), ImpossibleCards),
        (lambda deck: deck.put("ann", "defuse", weights=[2, -1] + [0] * 17), ImpossibleCards),
        (lambda deck: deck.play("out", "ann", "nope"), TooFewCards),
        (lambda deck: deck.steal("out", "ann"), TooFewCards),
        (lambda deck: deck.steal("ann", "bob", "kitten"), ImpossibleCards),
        (lambda deck: deck.count("ann", "defuse", at_most=0), ImpossibleCards),
        (lambda deck: deck.contains("ann", {"defuse": 1}), ImpossibleCards),
        (lambda deck: deck.contains("ann", {"defuse": 7, "nope": -1}), ImpossibleCards),
        (lambda deck: deck.contains("ann", {"dog": 6}), UnknownName),
        (lambda deck: deck.contains("ann", {"cat": 6}), ImpossibleCards),
        (lambda deck: card_at(deck, 18), TooFewCards),
        (lambda deck: any_among(deck, 19, "nope"), TooFewCards),
        (lambda deck: number_held(deck, "eve", "nope"), UnknownName),
        (lambda deck: numbers_together(deck, [Held("ann"), Held("ann")], ["nope"]), ImpossibleCards),
        (lambda deck: numbers_together(deck, [Span(0, 2), Span(1, 2)], ["nope"]), ImpossibleCards),
        (lambda deck: numbers_together(deck, [Span(0, 2)], ["nope", ("nope", "cat")]), ImpossibleCards),
        (lambda deck: Knowledge.start({"nope": 2}, Pile(1), {}), ImpossibleCards),
        (lambda deck: Knowledge.start({"nope": -1}, Pile(-1), {}), ImpossibleCards),
        (lambda deck: Knowledge.start({"nope": 2}, Pile(2, {"nope": 3}), {}), ImpossibleCards),
        (lambda deck: Knowledge.start({"nope": 2}, Pile(2, {"dog": 1}), {}), UnknownName),
        (lambda deck: Knowledge.start({"nope": 1, "cat": 1}, Pile(2, {"nope": 2}), {}), ImpossibleCards),
    ],
)
def test_what_cannot_be_is_refused(kittens: Knowledge, event: object, error: type[OddsError]) -> None:
    with pytest.raises(error) as raised:
        event(kittens)  # type: ignore[operator]
    assert len(str(raised.value)) > 10
    assert str(raised.value)[0] != "'"


def test_a_sixth_defuse_is_refused(kittens: Knowledge) -> None:
    for seat in SEATS:
        kittens = kittens.play(seat, "out", "defuse", Reading.HELD)
    fifth = kittens.play("ann", "out", "defuse", Reading.HELD)
    with pytest.raises(ImpossibleCards):
        fifth.play("bob", "out", "defuse", Reading.HELD)


def test_too_many_worlds_are_refused_not_rounded(kittens: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowledge, "WORLDS", 3)
    with pytest.raises(TooManyWorlds):
        kittens.draw("ann", "kitten").put("ann", "kitten", weights=range(1, 19))


def test_too_many_cases_are_refused_not_rounded(kittens: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "CASES", 5)
    for cached in (tally.settled, hidden.hidden_tables, hidden.falls):
        cached.cache_clear()
    with pytest.raises(TooManyWorlds):
        numbers_together(kittens, [Span(0, 9), Held("ann")], ["nope", "cat"])


@pytest.mark.parametrize("module", [each.name for each in pkgutil.iter_modules(companion.odds.__path__)])
def test_the_examples_in_the_docstrings_are_right(module: str) -> None:
    tested = import_module(f"companion.odds.{module}")
    names = {name: getattr(companion.odds, name) for name in companion.odds.__all__}
    results = doctest.testmod(tested, extraglobs=names)
    assert results.failed == 0


def test_each_question_has_an_example() -> None:
    tested = import_module("companion.odds.answers")
    examples = {
        test.name.rpartition(".")[2] for test in doctest.DocTestFinder().find(tested) if test.examples
    }
    asked = {"card_at", "number_among", "any_among", "number_held", "holds", "numbers_together", "survives"}
    assert asked <= examples


def test_the_package_shows_what_it_is_for() -> None:
    deck = Knowledge.start({"kitten": 1, "nope": 4, "skip": 4}, Pile(5, {"kitten": 1}), {"ann": Pile(4)})
    deck = deck.see(0, "nope").shuffle().draw("ann", deck.others("kitten"))
    assert card_at(deck)["kitten"] == Fraction(1, 4)
    assert survives(deck, 2, "kitten", (), in_hand=0) == Fraction(1, 2)
