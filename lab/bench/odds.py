"""Measures how fast the first answer about a hidden deck is, and how its time grows with the deck."""

from __future__ import annotations

from collections.abc import Callable

from companion.odds import answers, counting, hidden, merged, tally, world
from companion.odds.answers import any_among, card_at, number_among, number_held, survives
from companion.odds.knowledge import Knowledge, Pile
from lab.bench.measure import Measure, measure

LIMIT_MS = 5.0
"""The limit for one answer, with up to 200 cards of 30 kinds."""

SAMPLES = 9
HAND = 10
"""Cards in each of the three hands, and out of play."""

DEADLY, SAVER, OTHER = "kind 0", "kind 1", "kind 2"


def table(cards: int, kinds: int) -> Knowledge:
    """A deck as the table sees it: all deadly cards in the deck, a saver in each hand, ten cards out."""
    totals = {f"kind {number}": (cards + kinds - 1 - number) // kinds for number in range(kinds)}
    hands = {seat: Pile(HAND, {SAVER: 1}) for seat in ("ann", "bob", "cid")}
    rest = cards - HAND * (len(hands) + 1)
    return Knowledge.start(totals, Pile(rest, {DEADLY: totals[DEADLY]}), {**hands, "out": Pile(HAND)})


def seat(cards: int, kinds: int) -> Knowledge:
    """The deck as a seat sees it: two cards seen and shuffled in, three draws, a card put back in secret."""
    return _seen(cards, kinds).put("ann", DEADLY)


def half_known(cards: int, kinds: int) -> Knowledge:
    """The deck of `seat`, with the card put back more likely near the top."""
    deck = _seen(cards, kinds)
    return deck.put("ann", DEADLY, weights=[3] * 5 + [1] * (deck.deck_size - 4))


def _seen(cards: int, kinds: int) -> Knowledge:
    deck = table(cards, kinds).see(0, "kind 3").see(1, "kind 4").shuffle()
    for hand in ("ann", "bob", "cid"):
        deck = deck.draw(hand, deck.others(DEADLY))
    return deck.draw("ann", DEADLY)


def ruled_out(cards: int, kinds: int) -> Knowledge:
    """The deck as the table sees it after two hands were asked in vain."""
    deck = table(cards, kinds).count("ann", "kind 3", at_most=0)
    return deck.count("bob", "kind 4", at_most=0)


STARTS: dict[str, Callable[[int, int], Knowledge]] = {
    "table": table,
    "seat": seat,
    "half known": half_known,
    "ruled out": ruled_out,
}
"""Decks with everything that makes odds hard; every question about each keeps to the limit."""


def questions(deck: Knowledge) -> dict[str, Callable[[], object]]:
    """The questions about a deck."""
    half = deck.deck_size // 2
    return {
        "the next card": lambda: card_at(deck),
        "one of the next 5": lambda: any_among(deck, 5, OTHER),
        "number in half the deck": lambda: number_among(deck, half, OTHER),
        "a hand holds": lambda: number_held(deck, "ann", OTHER),
        "survive 5 draws": lambda: survives(deck, 5, DEADLY, SAVER, "ann"),
    }


def forget() -> None:
    """Empty every cache, so that the next answer is computed from scratch."""
    for module in (answers, counting, hidden, merged, tally, world):
        for function in vars(module).values():
            if hasattr(function, "cache_clear"):
                function.cache_clear()


def measures() -> list[Measure]:
    """The figures for `companion bench`: every question with 200 cards, and the growth of one."""
    figures = []
    for name, start in STARTS.items():
        deck = start(200, 30)
        for asked, ask in questions(deck).items():
            figures.append(_first(f"odds: {name}: {asked}", deck, ask, LIMIT_MS))
    for name in ("seat", "half known"):
        for cards in (100, 400, 800):
            deck = STARTS[name](cards, 30)
            ask = questions(deck)["survive 5 draws"]
            figures.append(_first(f"odds: {name}: survive, {cards} cards", deck, ask, None))
    return figures


def _first(name: str, deck: Knowledge, ask: Callable[[], object], limit_ms: float | None) -> Measure:

    def asked() -> object:
        forget()
        return ask()

    note = f"{sum(deck.totals)} cards, {len(deck.kinds)} kinds, {len(deck.worlds)} worlds"
    return measure(name, asked, limit_ms=limit_ms, note=note, samples=SAMPLES)
