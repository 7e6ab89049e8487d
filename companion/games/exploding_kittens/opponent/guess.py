"""One way that the cards may lie, drawn by lot from what a seat knows of them.

A world of the seat's knowledge is drawn by its weight, its bags are mixed, and the hidden cards are dealt to
the places that may hold them, the places with the fewest kinds first. Where no place's kinds cut across
another's, as in nearly every match, each way to deal is as likely as the knowledge says.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, pairwise

from companion.games.choosing import Lots
from companion.odds import Knowledge
from companion.odds.world import Bag, Runs, World, is_known

MOST_TRIES = 20
"""The most attempts at a deal; one fails if a card is left that fits no place."""


class Guesses:
    """Deals drawn from a seat's knowledge."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._ends = list(accumulate(weight for weight, _ in knowledge.worlds))

    def deal(self, lots: Lots) -> tuple[list[int], list[list[int]]]:
        """The deck from the top, and each pile as numbers of cards by kind. Kinds are numbers."""
        for _ in range(MOST_TRIES):
            world = self._knowledge.worlds[bisect_right(self._ends, lots.below(self._ends[-1]))][1]
            types, ends = _types(world, lots)
            kinds = _dealt(types, self._knowledge.totals, lots)
            if kinds is not None:
                break
        else:
            raise AssertionError(f"no deal fits what is known in {MOST_TRIES} tries")
        cards = len(self._knowledge.totals)
        piles = []
        for begin, end in pairwise(ends):
            counts = [0] * cards
            for kind in kinds[begin:end]:
                counts[kind] += 1
            piles.append(counts)
        return kinds[: ends[0]], piles


def _types(world: World, lots: Lots) -> tuple[list[int], list[int]]:
    """The type of each place, the deck's first and then pile by pile, and where each of them ends."""
    stock = [_mixed(bag, lots) for bag in world.bags]

    def take(source: int) -> int:
        while source < 0:
            source = stock[~source].pop()
        return source

    types: list[int] = []
    ends: list[int] = []
    for runs in (world.deck, *world.piles):
        types += [take(source) for source in _places(runs)]
        ends.append(len(types))
    return types, ends


def _places(runs: Runs) -> list[int]:
    return [source for source, count in runs for _ in range(count)]


def _mixed(bag: Bag, lots: Lots) -> list[int]:
    places = _places(bag)
    lots.mix(places)
    return places


def _dealt(types: list[int], totals: tuple[int, ...], lots: Lots) -> list[int] | None:
    """A kind for each place; None where the cards left fit no place left."""
    pool = list(totals)
    kinds = [-1] * len(types)
    hidden: dict[int, list[int]] = {}
    for place, mask in enumerate(types):
        if is_known(mask):
            kinds[place] = mask.bit_length() - 1
            pool[kinds[place]] -= 1
        else:
            hidden.setdefault(mask, []).append(place)
    for mask in sorted(hidden, key=lambda mask: (mask.bit_count(), mask)):
        cards = [kind for kind, left in enumerate(pool) if mask >> kind & 1 for _ in range(left)]
        if len(cards) < len(hidden[mask]):
            return None
        lots.mix(cards)
        for place in hidden[mask]:
            kinds[place] = cards.pop()
            pool[kinds[place]] -= 1
    return kinds
