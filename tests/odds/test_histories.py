"""What happens at a table, step by step, for each physical card: whole courses of a game, listed plainly.

A third way to count that shares nothing with the engine nor with `Listing`: every card is a thing of its
own, and each blind pick, each place where a card may go and each order of a shuffle is a history of its
own. What an observer saw leaves out the histories where it was not so; the rest are counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations, product

import pytest

from companion.odds import (
    Held,
    Knowledge,
    Pile,
    Reading,
    Span,
    card_at,
    certain,
    known_cards,
    number_among,
    number_held,
    numbers_together,
    survives,
)

Card = tuple[str, int]
"""A kind, and which of its kind."""
Table = tuple[tuple[Card, ...], Mapping[str, tuple[Card, ...]]]
"""The deck from the top, and the piles."""
Step = Callable[[Table], Iterator[tuple[int, Table]]]
"""What may happen next, each with a weight; nothing where it was seen not to be so."""


def dealt(
    known: Mapping[str, tuple[Card, ...]], others: Iterable[Card], sizes: Mapping[str, int]
) -> list[Table]:
    """Every deal of the other cards: to the piles, so many each beside what is known there, then the deck."""
    tables: list[Table] = []
    for order in permutations(others):
        piles, at = {}, 0
        for name, size in sizes.items():
            piles[name] = (*known.get(name, ()), *order[at : at + size])
            at += size
        tables.append((order[at:], piles))
    return tables


def sees(place: int, kind: str) -> Step:
    def step(table: Table) -> Iterator[tuple[int, Table]]:
        if table[0][place][0] == kind:
            yield 1, table

    return step


def draws(pile: str, place: int = 0, unlike: str = "") -> Step:
    def step(table: Table) -> Iterator[tuple[int, Table]]:
        deck, piles = table
        card = deck[place]
        if card[0] != unlike:
            at = place % len(deck)
            yield 1, (deck[:at] + deck[at + 1 :], {**piles, pile: (*piles[pile], card)})

    return step


def puts(pile: str, kind: str, weights: Iterable[int]) -> Step:
    """The pile holds exactly one of the kind; it goes back, each place with its weight."""

    def step(table: Table) -> Iterator[tuple[int, Table]]:
        deck, piles = table
        (card,) = [card for card in piles[pile] if card[0] == kind]
        left = tuple(each for each in piles[pile] if each != card)
        for place, weight in enumerate(weights):
            yield weight, ((*deck[:place], card, *deck[place:]), {**piles, pile: left})

    return step


def shuffles(table: Table) -> Iterator[tuple[int, Table]]:
    for order in permutations(table[0]):
        yield 1, (order, table[1])


def steals(victim: str, thief: str, kind: str = "") -> Step:
    """One of the victim's cards, any of them; `kind`: it was seen to be one of these."""

    def step(table: Table) -> Iterator[tuple[int, Table]]:
        deck, piles = table
        for card in piles[victim]:
            if kind in ("", card[0]):
                left = tuple(each for each in piles[victim] if each != card)
                yield 1, (deck, {**piles, victim: left, thief: (*piles[thief], card)})

    return step


def gathers(table: Table) -> Iterator[tuple[int, Table]]:
    """The discards go under the deck."""
    deck, piles = table
    yield 1, ((*deck, *piles["out"]), {**piles, "out": ()})


def lacks(pile: str, kind: str) -> Step:
    def step(table: Table) -> Iterator[tuple[int, Table]]:
        if all(card[0] != kind for card in table[1][pile]):
            yield 1, table

    return step


def after(tables: Iterable[Table], *steps: Step) -> list[tuple[int, Table]]:
    """Every history that agrees with all steps, with its weight."""
    histories = [(1, table) for table in tables]
    for step in steps:
        histories = [(had * weight, then) for had, table in histories for weight, then in step(table)]
    return histories


def share(histories: list[tuple[int, Table]], of: Callable[[Table], object]) -> dict[object, Fraction]:
    """How likely each value is over all histories."""
    weights: defaultdict[object, int] = defaultdict(int)
    for weight, table in histories:
        weights[of(table)] += weight
    whole = sum(weights.values())
    return {value: Fraction(weight, whole) for value, weight in weights.items() if weight}


def number(cards: Iterable[Card], kind: str) -> int:
    return sum(card[0] == kind for card in cards)


def lives(table: Table, draws: int, savers: int) -> bool:
    for kind, _ in table[0][:draws]:
        savers += (kind == "defuse") - (kind == "kitten")
        if savers < 0:
            return False
    return True


def agree(knowledge: Knowledge, histories: list[tuple[int, Table]]) -> None:
    """Each question has the answer that counting the histories gives."""
    assert histories
    size = knowledge.deck_size
    for place in range(size):
        chances = {kind: chance for kind, chance in card_at(knowledge, place).items() if chance}
        assert chances == share(histories, lambda table: table[0][place][0])  # noqa: B023
    for kind, pile in product(knowledge.kinds, knowledge.piles):
        in_pile = share(histories, lambda table: number(table[1][pile], kind))  # noqa: B023
        assert {n: c for n, c in enumerate(number_held(knowledge, pile, kind)) if c} == in_pile
        assert (
            known_cards(knowledge, pile).get(kind, 0) <= certain(knowledge, pile).get(kind, 0) == min(in_pile)
        )
    for kind, draws_ in product(knowledge.kinds, range(size + 1)):
        among = share(histories, lambda table: number(table[0][:draws_], kind))  # noqa: B023
        assert {n: c for n, c in enumerate(number_among(knowledge, draws_, kind)) if c} == among
    for draws_ in range(size + 1):
        for seat in ("ann", "bob"):
            known = survives(knowledge, draws_, "kitten", "defuse", seat)
            alive = share(histories, lambda table: lives(table, draws_, number(table[1][seat], "defuse")))  # noqa: B023
            assert known == alive.get(True, 0)
    kinds = knowledge.kinds[:2]
    where = [Span(0, 1), Held("ann"), Span(size - 1, 1)]
    tables = share(
        histories,
        lambda table: tuple(
            tuple(number(part, kind) for kind in kinds)
            for part in (table[0][:1], table[1]["ann"], table[0][-1:])
        ),
    )
    assert numbers_together(knowledge, where, kinds) == tables


BOBS = ("defuse", 0)
NEAR_THE_TOP = (3, 3, 2, 1)


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 1), NEAR_THE_TOP, (0, 1, 1, 4)], ids=["anywhere", "near", "deep"]
)
def test_a_future_seen_a_kitten_put_back_by_another_a_draw_from_below_and_a_shuffle(
    weights: tuple[int, ...],
) -> None:
    """Ann saw a skip and the kitten on top; bob drew it, defused it and hid it; then the bottom card went."""
    others = [("kitten", 0), ("defuse", 1), ("nope", 0), ("nope", 1), ("skip", 0), ("skip", 1)]
    deals = dealt({"bob": (BOBS,)}, others, {"ann": 1, "bob": 0, "out": 0})
    cards = {"kitten": 1, "defuse": 2, "nope": 2, "skip": 2}
    piles = {"ann": Pile(1), "bob": Pile(1, {"defuse": 1}), "out": Pile(0)}
    knowledge = Knowledge.start(cards, Pile(5), piles).see(0, "skip").see(1, "kitten").draw("ann")
    knowledge = knowledge.draw("bob").play("bob", "out", "defuse", Reading.HELD)
    knowledge = knowledge.put("bob", "kitten", weights=weights)
    steps = [sees(0, "skip"), sees(1, "kitten"), draws("ann"), draws("bob"), steals("bob", "out", "defuse")]
    steps.append(puts("bob", "kitten", weights))
    agree(knowledge, after(deals, *steps))
    from_below = knowledge.draw("ann", knowledge.others("kitten"), place=3)
    steps.append(draws("ann", -1, unlike="kitten"))
    agree(from_below, after(deals, *steps))
    agree(from_below.shuffle(), after(deals, *steps, shuffles))
    stolen = from_below.shuffle().steal("ann", "bob").draw("bob")
    agree(stolen, after(deals, *steps, shuffles, steals("ann", "bob"), draws("bob")))


def test_cards_stolen_back_and_forth_a_card_played_and_one_asked_for_in_vain() -> None:
    others = [("kitten", 0), ("defuse", 1), ("nope", 0), ("nope", 1), ("skip", 0), ("skip", 1)]
    deals = dealt({"bob": (BOBS,)}, others, {"ann": 2, "bob": 1, "out": 0})
    cards = {"kitten": 1, "defuse": 2, "nope": 2, "skip": 2}
    piles = {"ann": Pile(2), "bob": Pile(2, {"defuse": 1}), "out": Pile(0)}
    knowledge = Knowledge.start(cards, Pile(3), piles).steal("bob", "ann").steal("ann", "bob")
    steps = [steals("bob", "ann"), steals("ann", "bob")]
    agree(knowledge, after(deals, *steps))
    knowledge = knowledge.steal("bob", "ann").draw("bob")
    steps += [steals("bob", "ann"), draws("bob")]
    agree(knowledge, after(deals, *steps))
    asked = knowledge.count("bob", "nope", at_most=0).play("ann", "out", "nope")
    steps += [lacks("bob", "nope"), steals("ann", "out", "nope")]
    agree(asked, after(deals, *steps))
    agree(asked.gather("out"), after(deals, *steps, gathers, shuffles))


def test_two_kittens_hidden_near_the_top_one_within_the_other_and_hands_ruled_out() -> None:
    """The second is hidden among cards of which some were already mixed with the first."""
    others = [("defuse", 1), ("nope", 0), ("nope", 1), ("skip", 0), ("skip", 1)]
    deals = dealt(
        {"ann": (("kitten", 0),), "bob": (("kitten", 1), BOBS)}, others, {"ann": 1, "bob": 1, "out": 0}
    )
    cards = {"kitten": 2, "defuse": 2, "nope": 2, "skip": 2}
    piles = {"ann": Pile(2, {"kitten": 1}), "bob": Pile(3, {"kitten": 1, "defuse": 1}), "out": Pile(0)}
    knowledge = Knowledge.start(cards, Pile(3), piles).count("ann", "skip", at_most=0)
    steps = [lacks("ann", "skip"), puts("ann", "kitten", NEAR_THE_TOP)]
    knowledge = knowledge.put("ann", "kitten", weights=NEAR_THE_TOP)
    agree(knowledge, after(deals, *steps))
    second = (1, 2, 2, 2, 1)
    knowledge = knowledge.put("bob", "kitten", weights=second)
    steps.append(puts("bob", "kitten", second))
    agree(knowledge, after(deals, *steps))
    # Either kitten may be the one that is seen: the second's own place, or one that the first may have.
    agree(knowledge.see(1, "kitten"), after(deals, *steps, sees(1, "kitten")))
    drawn = knowledge.draw("out", knowledge.others("kitten")).steal("bob", "ann")
    steps += [draws("out", unlike="kitten"), steals("bob", "ann")]
    agree(drawn, after(deals, *steps))
    ruled_out = drawn.count("bob", "nope", at_most=0).see(1, "skip")
    steps += [lacks("bob", "nope"), sees(1, "skip")]
    agree(ruled_out, after(deals, *steps))
    agree(ruled_out.shuffle(), after(deals, *steps, shuffles))


@pytest.mark.parametrize("thefts", range(4))
def test_what_a_thief_surely_left(thefts: int) -> None:
    """Of three nopes so many are surely left, whichever card each theft took; the thief has the others.

    Of the thief's own two cards one is surely a cat: there is one nope besides.
    """
    deck = Knowledge.start({"nope": 4, "cat": 5}, Pile(3), {"ann": Pile(4, {"nope": 3}), "bob": Pile(2)})
    for _ in range(thefts):
        deck = deck.steal("ann", "bob")
    assert certain(deck, "ann") == ({"nope": 3 - thefts} if thefts < 3 else {})
    nopes = {"nope": thefts - 1} if thefts > 1 else {}
    assert known_cards(deck, "bob") == nopes
    assert certain(deck, "bob") == {**nopes, "cat": 1}
