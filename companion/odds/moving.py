"""What a world becomes when cards move: a shuffle, a draw, a theft, a card put back.

Each function gives worlds with chances that sum to 1: moving teaches nothing. They are not tidy.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from companion.odds.learning import Fall, portions, with_deck, with_pile
from companion.odds.world import Bag, Run, Source, Type, World, cut, joined, size, without


def shuffle(world: World) -> Fall:
    """The deck in random order: its cards stay, every place in it is forgotten.

    A bag that lies partly elsewhere falls apart, so that it is known what of it lies in the deck.
    """
    inside: dict[Source, int] = {}
    for source, count in world.deck:
        inside[source] = inside.get(source, 0) + count
    for source, count in inside.items():
        if source < 0 and count < size(world.bags[~source]):
            for chance, part, rest in portions(world.bags[~source], count):
                for inner, shuffled in shuffle(_fallen_apart(world, source, part, rest)):
                    yield chance * inner, shuffled
            return
    content: list[Run] = []
    for source, count in inside.items():
        content.extend(world.bags[~source] if source < 0 else [(source, count)])
    yield Fraction(1), _with_bag(world, joined(content))


def _fallen_apart(world: World, source: Source, part: Bag, rest: Bag) -> World:
    """The bag keeps its places outside the deck and `rest`; those in the deck are a new bag of `part`."""
    bags = (*world.bags[:~source], rest, *world.bags[~source + 1 :], part)
    deck = [(~len(world.bags) if s == source else s, count) for s, count in world.deck]
    return World(tuple(deck), world.piles, bags)


def _with_bag(world: World, content: Bag) -> World:
    """The world whose deck is one bag with this content."""
    bag = ((~len(world.bags), size(content)),)
    return with_deck(world._replace(bags=(*world.bags, content)), bag)


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
    """A card picked blindly from a pile goes to another.

    Places with a type become one bag, so most thefts leave one world; each bag that also lies
    elsewhere is one world more.
    """
    runs = world.piles[pile]
    typed = joined((source, count) for source, count in runs if source > 0)
    bags = [(source, count) for source, count in runs if source < 0]
    held = size(runs)
    if typed:
        source = ~len(world.bags)
        pooled = world._replace(bags=(*world.bags, typed))
        mixed = with_pile(pooled, pile, (*bags, (source, size(typed))))
        yield Fraction(size(typed), held), _passed(mixed, pile, to, source)
    for source, count in bags:
        yield Fraction(count, held), _passed(world, pile, to, source)


def _passed(world: World, pile: int, to: int, source: Source) -> World:
    """One place of this source goes from pile to pile."""
    left = with_pile(world, pile, without(world.piles[pile], source))
    return with_pile(left, to, (*left.piles[to], (source, 1)))


def put(world: World, pile: int, kind: Type, chances: Sequence[Fraction]) -> Fall:
    """A card of this kind, known to lie in the pile, goes into the deck at a place nobody told.

    Args:
        world: before.
        pile: where the card comes from.
        kind: its type.
        chances: `chances[i]` for i cards above it, i from 0 to the deck's size; they sum to 1.

    Over a stretch of places with equal chances, the card and the cards there lie in random order. One
    world stands for it where those cards are of one type or are a whole bag (a shuffled deck), a
    few where they are part of a bag: one for each portion of the bag that may lie there.
    """
    left = with_pile(world, pile, without(world.piles[pile], kind))
    for first, last in _stretches(left, chances):
        chance = sum(chances[first : last + 1], Fraction(0))
        for inner, after in _put_within(left, kind, first, last):
            yield chance * inner, after


def _put_within(world: World, kind: Type, first: int, last: int) -> Fall:
    """The card lies anywhere with `first` to `last` cards above it; those between are of one source."""
    above, rest = cut(world.deck, first)
    between, below = cut(rest, last - first)
    if last == first:
        yield Fraction(1), with_deck(world, (*above, (kind, 1), *below))
        return
    source = next(source for source, count in between if count)
    deck = (*above, (~len(world.bags), last - first + 1), *below)
    if source > 0:
        mixed = joined(((source, last - first), (kind, 1)))
        yield Fraction(1), with_deck(world._replace(bags=(*world.bags, mixed)), deck)
        return
    for chance, part, left in portions(world.bags[~source], last - first):
        bags = (*world.bags[:~source], left, *world.bags[~source + 1 :], joined((*part, (kind, 1))))
        yield chance, with_deck(world._replace(bags=bags), deck)


def _stretches(world: World, chances: Sequence[Fraction]) -> list[tuple[int, int]]:
    """The places with a chance, in stretches (first, last) with few worlds each."""
    free = [chance > 0 for chance in chances]
    found: list[tuple[int, int]] = []
    for start, end, source in _blocks(world):
        first = start
        while first <= end:
            last = first
            while last < end and free[first] and free[last + 1] and chances[last + 1] == chances[first]:
                last += 1
            if free[first] and _portions(world, source, last - first) <= last - first:
                found.append((first, last))
                free[first : last + 1] = [False] * (last + 1 - first)
            first = last + 1
    found.extend((place, place) for place, left in enumerate(free) if left)
    return sorted(found)


def _portions(world: World, source: Source, count: int) -> int:
    """At most how many portions of a source so many places can hold."""
    if source > 0 or size(world.bags[~source]) == count:
        return 1
    *few, _ = sorted(held for _, held in world.bags[~source])
    return prod(min(held, count) + 1 for held in few)


def _blocks(world: World) -> list[tuple[int, int, Source]]:
    """The deck's runs, longest first: (gap above, gap below, source)."""
    blocks: list[tuple[int, int, Source]] = []
    start = 0
    for source, count in world.deck:
        blocks.append((start, start + count, source))
        start += count
    return sorted(blocks, key=lambda block: (block[0] - block[1], block[0]))
