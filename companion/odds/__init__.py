"""Exact odds of a hidden deck: who knows what, what comes next, what a hand holds.

This is a pure engine for any card game with one deck and some piles: cards of several kinds, some of which an
observer has seen. `Knowledge` is what one observer knows, and changes with each event; the answers are
functions of it. All chances are `fractions.Fraction`s, summed over all arrangements of the cards, never
sampled.

    deck = Knowledge.start({"kitten": 1, "nope": 4, "skip": 4}, Pile(5, {"kitten": 1}), {"ann": Pile(4)})
    deck = deck.see(0, "nope").shuffle().draw("ann", deck.others("kitten"))
    card_at(deck)["kitten"]                                 # Fraction(1, 4)
    survives(deck, 2, "kitten", "defuse", in_hand=0)        # Fraction(1, 2)

The model: the deck was shuffled fairly, and piles were dealt or picked from blindly. What players choose to
do says nothing about their hands, except for the card that they show (`Reading`).
"""

from companion.odds.answers import (
    Held,
    Span,
    Where,
    any_among,
    card_at,
    certain,
    holds,
    interchangeable,
    known_cards,
    number_among,
    number_held,
    numbers_together,
    survives,
)
from companion.odds.errors import ImpossibleCards, OddsError, TooFewCards, TooManyWorlds, UnknownName
from companion.odds.knowledge import Kinds, Knowledge, Pile, Reading

__all__ = [
    "Held",
    "ImpossibleCards",
    "Kinds",
    "Knowledge",
    "OddsError",
    "Pile",
    "Reading",
    "Span",
    "TooFewCards",
    "TooManyWorlds",
    "UnknownName",
    "Where",
    "any_among",
    "card_at",
    "certain",
    "holds",
    "interchangeable",
    "known_cards",
    "number_among",
    "number_held",
    "numbers_together",
    "survives",
]
