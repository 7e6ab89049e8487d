"""A world when cards move: a shuffle, a draw, a theft, a card put back.

Each function gives worlds with chances that sum to 1: moving teaches nothing. They are not tidy.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from companion.odds.learning import Fall, with_deck, with_pile
from companion.odds.world import Type, World, cut, joined, size, without


def shuffle(world: World) -> Fall:
    """The deck in random order: its cards stay, every place in it is forgotten."""
    bag = ((~len(world.bags), size(world.deck)),)
    yield Fraction(1), with_deck(world._replace(bags=(*world.bags, joined(world.deck))), bag)


def draw(world: World, place: int, pile: int) -> Fall:
    """The card at `place` of the deck goes to a pile."""
    above, below = cut(world.deck, place)
    source, count = below[0]
    drawn = with_deck(world, (*above, (source, count - 1), *below[1:]))
    yield Fraction(1), with_pile(drawn, pile, (*world.piles[pile], (source, 1)))


def move_known(world: World, pile: int, to: int, kind: Type) -> World:
    """A card of this kind, known to lie in a pile, goes to another."""
    left = with_pile(world, pile, without(world.piles[pile], kind))
    return with_pile(left, to, (*left.piles[to], (kind, 1)))


def move_all(world: World, pile: int, to: int) -> Fall:
    """All cards of a pile go to another."""
    moved = (*world.piles[to], *world.piles[pile])
    yield Fraction(1), with_pile(with_pile(world, pile, ()), to, moved)


def move_to_deck(world: World, pile: int) -> Fall:
    """All cards of a pile go under the deck (in no known order: shuffle next)."""
    yield Fraction(1), with_deck(with_pile(world, pile, ()), (*world.deck, *world.piles[pile]))


def move_any(world: World, pile: int, to: int) -> Fall:
    """A card picked blindly from a pile goes to another: all that lay there is one bag."""
    runs = world.piles[pile]
    source = ~len(world.bags)
    left = with_pile(world._replace(bags=(*world.bags, runs)), pile, ((source, size(runs) - 1),))
    yield Fraction(1), with_pile(left, to, (*left.piles[to], (source, 1)))


def put(world: World, pile: int, kind: Type, chances: Sequence[Fraction]) -> Fall:
    """A card of this kind, known to lie in the pile, goes into the deck at an unknown place.

    Args:
        world: before.
        pile: where the card comes from.
        kind: its type.
        chances: `chances[i]` for i cards above it, i from 0 to the deck's size; they sum to 1.

    Over a stretch of places with equal chances, where the cards are of one source, the card and these
    lie in random order: a bag, and one world for each such stretch.
    """
    left = with_pile(world, pile, without(world.piles[pile], kind))
    for first, last in _stretches(left, chances):
        above, rest = cut(left.deck, first)
        between, below = cut(rest, last - first)
        source = ~len(left.bags)
        mixed = left._replace(bags=(*left.bags, joined((*between, (kind, 1)))))
        chance = sum(chances[first : last + 1], Fraction(0))
        yield chance, with_deck(mixed, (*above, (source, last - first + 1), *below))


def _stretches(world: World, chances: Sequence[Fraction]) -> list[tuple[int, int]]:
    """The places with a chance, in stretches (first, last) of equal chances and one source, few of them."""
    free = [chance > 0 for chance in chances]
    spans: list[tuple[int, int]] = []
    for start, end in _blocks(world):
        first = start
        while first <= end:
            last = first
            while last < end and free[first] and free[last + 1] and chances[last + 1] == chances[first]:
                last += 1
            if free[first]:
                spans.append((first, last))
                free[first : last + 1] = [False] * (last + 1 - first)
            first = last + 1
    return sorted(spans)


def _blocks(world: World) -> list[tuple[int, int]]:
    """The deck's runs, longest first: (gap above, gap below); an empty deck has one gap."""
    blocks = [(0, 0)]
    start = 0
    for _, count in world.deck:
        blocks.append((start, start + count))
        start += count
    return sorted(blocks, key=lambda block: (block[0] - block[1], block[0]))
