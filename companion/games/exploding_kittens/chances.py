"""The chances on a page, each exact: of the next cards, of a turn, of a hand."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from companion.games.exploding_kittens.cards import DEFUSE, KITTEN
from companion.games.exploding_kittens.known import DISCARD, counted, numbers_held, sure
from companion.odds import (
    Held,
    Knowledge,
    Span,
    any_among,
    card_at,
    interchangeable,
    number_among,
    numbers_together,
    survives,
)

AHEAD = 5
"""The number of next cards with a chance for each kind."""


class Chance(msgspec.Struct, frozen=True):
    """A chance as a fraction ("3/22", "0", "1"), and in rough percent ("13.6", "<0.1")."""

    exact: str
    percent: str


class Risk(msgspec.Struct, frozen=True):
    """The chance that draws bring a kitten, and the chance that one is not defused."""

    draws: int
    kitten: Chance
    explode: Chance


class KindOdds(msgspec.Struct, frozen=True):
    """One kind of card.

    `within[k - 1]`: the chance that at least one of the next k cards is of this kind. Of `total` cards,
    `discarded` lie in the discard pile; `in_hands` are surely in players' hands, or face down with those who
    are out (by all that the asking seat can deduce); the rest is unseen.
    """

    card: str
    total: int
    discarded: int
    in_hands: int = msgspec.field(name="held")
    unseen: int
    within: tuple[Chance, ...]


class InHand(msgspec.Struct, frozen=True):
    """One kind of card in a player's hand, as the asker knows.

    `sure`: surely held. `holds`: the chance of at least one, for asking for it (three alike). `drawn`: the
    chance that a card picked blindly is one (two alike).
    """

    card: str
    sure: int
    holds: Chance
    drawn: Chance


class Ahead(msgspec.Struct, frozen=True):
    """A seat's next turn: `draws` cards are drawn before it, if nobody plays a card.

    `kitten_before`: the chance that one of these is a kitten. `risk`: that of the seat's own draw after them,
    with the deck as it lies now.
    """

    draws: int
    kitten_before: Chance
    risk: Risk


def chance(share: Fraction) -> Chance:
    """A share as a page shows it.

    >>> chance(Fraction(3, 22)), chance(Fraction(1, 5000))
    (Chance(exact='3/22', percent='13.6'), Chance(exact='1/5000', percent='<0.1'))
    """
    tenths = round(share * 1000)
    if share in (0, 1):
        percent = str(int(share) * 100)
    elif not 1 <= tenths <= 999:
        percent = "<0.1" if tenths < 1 else ">99.9"
    else:
        percent = f"{tenths // 10}.{tenths % 10}"
    return Chance(str(share), percent)


def kinds(knowledge: Knowledge, discarded: Mapping[str, int]) -> tuple[KindOdds, ...]:
    """Every kind of card: the number left, and the chance that it comes."""
    within: dict[str, tuple[Chance, ...]] = {}
    in_deck: dict[str, int] = {}
    ahead_of = range(1, min(AHEAD, knowledge.deck_size) + 1)
    for group in interchangeable(knowledge):
        any_of = tuple(chance(_any(knowledge, draws, group[0])) for draws in ahead_of)
        within |= dict.fromkeys(group, any_of)
        in_deck |= dict.fromkeys(group, _most_in_deck(knowledge, group[0]))
    lying = sure(knowledge, DISCARD)
    rows = []
    for card, total in zip(knowledge.kinds, knowledge.totals, strict=True):
        in_hands = total - lying.get(card, 0) - in_deck[card]
        seen = discarded.get(card, 0)
        rows.append(KindOdds(card, total, seen, in_hands, total - seen - in_hands, within[card]))
    return tuple(rows)


def _most_in_deck(knowledge: Knowledge, card: str) -> int:
    return len(counted(lambda deck: number_among(deck, deck.deck_size, card), knowledge)) - 1


def _any(knowledge: Knowledge, draws: int, card: str) -> Fraction:
    return counted(lambda deck: any_among(deck, draws, card), knowledge)


def risk(knowledge: Knowledge, draws: int, seat: str) -> Risk:
    """The risk of a seat's next draws, made one after another from the top."""
    draws = min(draws, knowledge.deck_size)
    kitten = _any(knowledge, draws, KITTEN)
    lives = counted(lambda deck: survives(deck, draws, KITTEN, DEFUSE, seat), knowledge)
    return Risk(draws, chance(kitten), chance(1 - lives))


def ahead(knowledge: Knowledge, seat: str, draws: int) -> Ahead | None:
    """The seat's draw after `draws` draws; None if the deck ends before."""
    if draws >= knowledge.deck_size:
        return None
    before = _any(knowledge, draws, KITTEN)
    kitten = counted(lambda deck: card_at(deck, draws)[KITTEN], knowledge)
    explode = counted(lambda deck: _meets(deck, seat, draws), knowledge)
    return Ahead(draws, chance(before), Risk(1, chance(kitten), chance(explode)))


def _meets(knowledge: Knowledge, seat: str, place: int) -> Fraction:
    """The chance of a kitten at this place and no defuse in the seat's hand."""
    tables = numbers_together(knowledge, [Span(place, 1), Held(seat)], [KITTEN, DEFUSE])
    return sum(
        (share for ((kitten, _), (_, savers)), share in tables.items() if kitten and not savers), Fraction(0)
    )


def in_hand(knowledge: Knowledge, seat: str) -> tuple[InHand, ...]:
    """The possible cards of a seat's hand, by kind; nothing for an empty hand."""
    size = knowledge.pile_size(seat)
    if not size:
        return ()
    kinds_: dict[str, tuple[Fraction, ...]] = {}
    for group in interchangeable(knowledge):
        kinds_ |= dict.fromkeys(group, numbers_held(knowledge, seat, group[0]))
    return tuple(_in_hand(card, kinds_[card], size) for card in knowledge.kinds if card != KITTEN)


def _in_hand(card: str, numbers: tuple[Fraction, ...], size: int) -> InHand:
    sure_ = next(number for number, share in enumerate(numbers) if share)
    mean = sum((number * share for number, share in enumerate(numbers)), Fraction(0))
    return InHand(card, sure_, chance(1 - numbers[0]), chance(mean / size))


def after_a_theft(knowledge: Knowledge, victim: str, thief: str, draws: int) -> Risk:
    """The risk of the thief's next draws after a blind theft, over all cards."""
    return risk(counted(lambda deck: deck.steal(victim, thief), knowledge), draws, thief)
