"""A world when something about its cards is learnt: Bayes' rule in whole ways.

Each function takes one world and gives the worlds that it falls into, each with the chance of the fact learnt
and of falling into that world. Impossible worlds are left out. They are not tidy.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial
from typing import TypeAlias

from companion.odds.counting import check_cases, chosen, splits, ways
from companion.odds.world import (
    Bag,
    Run,
    Source,
    Type,
    World,
    census,
    chained,
    cut,
    joined,
    open_place,
    reached,
    size,
    types_of,
    without,
)

Fall: TypeAlias = Iterator[tuple[Fraction, World]]
"""Worlds and their chances."""


def with_pile(world: World, pile: int, runs: Sequence[Run]) -> World:
    """The world with other places in one pile."""
    piles = (*world.piles[:pile], joined(runs), *world.piles[pile + 1 :])
    return world._replace(piles=piles)


def with_deck(world: World, runs: Sequence[Run]) -> World:
    """The world with another deck."""
    return world._replace(deck=chained(runs))


def likelihood(before: World, after: World, totals: tuple[int, ...]) -> Fraction:
    """The chance that the cards of `before` are as `after` says: the share of ways that remain."""
    counted = census(before), census(after)
    if counted[0] == counted[1]:
        return Fraction(1)
    return Fraction(ways(counted[1], totals), ways(counted[0], totals))


def possible(world: World, totals: tuple[int, ...]) -> Fall:
    """The world itself, if the cards can be handed out to its places at all."""
    if ways(census(world), totals):
        yield Fraction(1), world


def _possible(before: World, after: World, weight: Fraction, totals: tuple[int, ...]) -> Fall:
    """`after` with its chance, unless it cannot be."""
    chance = weight * likelihood(before, after, totals)
    if chance:
        yield chance, after


def learn_in_deck(world: World, place: int, kinds: Type, totals: tuple[int, ...]) -> Fall:
    """The card at `place` of the deck (0: the top) is of one of these kinds."""
    above, below = cut(world.deck, place)
    source, count = below[0]
    if not types_of(world.bags, source) & ~kinds:
        yield Fraction(1), world
        return
    for part, whole, was, opened in open_place(world, source):
        if was & kinds:
            after = with_deck(opened, (*above, (was & kinds, 1), (source, count - 1), *below[1:]))
            yield from _possible(world, after, Fraction(part, whole), totals)


def take_any(world: World, pile: int, kind: Type, totals: tuple[int, ...]) -> Fall:
    """A card picked blindly from a pile is of this kind; it stays there, in a place of known type."""
    total = size(world.piles[pile])
    # Stolen cards are told apart first, so that worlds are one however the cards came here.
    in_deck = reached(world.bags, (source for source, _ in world.deck))
    for chance, apart in settle(world, pile, besides=in_deck):
        runs = apart.piles[pile]
        for source, count in runs:
            for part, whole, was, opened in open_place(apart, source):
                if was & kind:
                    after = with_pile(opened, pile, (*without(runs, source), (kind, 1)))
                    picked = chance * Fraction(part * count, whole * total)
                    yield from _possible(apart, after, picked, totals)


def portions(bag: Bag, count: int) -> Iterator[tuple[Fraction, Bag, Bag]]:
    """The possible cards in `count` of a bag's places: (chance, their content, the rest's content)."""
    rooms = tuple(room for _, room in bag)
    whole = comb(sum(rooms), count)
    for number, split in enumerate(splits(count, rooms)):
        check_cases(number)
        part = tuple((kinds, n) for (kinds, _), n in zip(bag, split, strict=True) if n)
        rest = tuple((kinds, room - n) for (kinds, room), n in zip(bag, split, strict=True) if room > n)
        yield Fraction(chosen(split, rooms), whole), part, rest


def settle(world: World, pile: int, besides: Collection[Source] = ()) -> Fall:
    """The world split until the pile's places are each of one type, or of a bag in `besides`.

    The chances sum to 1.
    """
    source, count = next(
        ((source, count) for source, count in world.piles[pile] if source < 0 and source not in besides),
        (0, 0),
    )
    if not count:
        yield Fraction(1), world
        return
    for chance, part, rest in portions(world.bags[~source], count):
        bags = (*world.bags[:~source], rest, *world.bags[~source + 1 :])
        split = with_pile(
            world._replace(bags=bags), pile, (*without(world.piles[pile], source, count), *part)
        )
        for inner, settled in settle(split, pile, besides):
            yield chance * inner, settled


def learn_count(world: World, pile: int, kinds: Type, numbers: range, totals: tuple[int, ...]) -> Fall:
    """The number of the pile's cards of these kinds is one of `numbers`."""
    spans = [_choices(types_of(world.bags, source), count, kinds) for source, count in world.piles[pile]]
    if all(number in numbers for number in range(sum(s[0] for s in spans), sum(s[-1] for s in spans) + 1)):
        yield Fraction(1), world
        return
    for chance, settled in settle(world, pile):
        runs = settled.piles[pile]
        choices = [_choices(kinds_in, count, kinds) for kinds_in, count in runs]
        for number, picked in enumerate(product(*choices)):
            check_cases(number)
            if sum(picked) in numbers:
                yield from _counted(settled, pile, picked, kinds, chance, totals)


def _choices(run: Type, count: int, kinds: Type) -> range:
    """The possible numbers of these kinds among `count` cards of type `run`."""
    lowest = 0 if run & ~kinds else count
    highest = count if run & kinds else 0
    return range(lowest, highest + 1)


def _counted(
    world: World, pile: int, picked: tuple[int, ...], kinds: Type, chance: Fraction, totals: tuple[int, ...]
) -> Fall:
    """The world in which `picked[i]` cards of the pile's i-th run are of these kinds."""
    runs: list[Run] = []
    for (run, count), among in zip(world.piles[pile], picked, strict=True):
        chance *= comb(count, among)
        if among:
            runs.append((run & kinds, among))
        if count > among:
            runs.append((run & ~kinds, count - among))
    yield from _possible(world, with_pile(world, pile, runs), chance, totals)


def learn_contents(world: World, pile: int, cards: tuple[int, ...], totals: tuple[int, ...]) -> Fall:
    """The pile holds exactly these cards, `cards[k]` of kind k; as many as it has places."""
    runs = tuple((1 << kind, count) for kind, count in enumerate(cards) if count)
    alike = 1
    for count in cards:
        alike *= factorial(count)
    for chance, settled in settle(world, pile):
        orders = ways(settled.piles[pile], cards) // alike
        if orders:
            yield from _possible(settled, with_pile(settled, pile, runs), chance * orders, totals)


def take_held(world: World, pile: int, kind: Type, totals: tuple[int, ...]) -> Fall:
    """The holder lays out a card of this kind: that shows there was one, and nothing else.

    It stays in the pile, in a place of known type. If there was one before, nothing is learnt.
    """
    if _lies_in(world, pile, kind):
        yield Fraction(1), world
        return
    for chance, settled in settle(world, pile):
        if _lies_in(settled, pile, kind):
            yield chance, settled
            continue
        some = range(1, size(settled.piles[pile]) + 1)
        for inner, learned in learn_count(settled, pile, kind, some, totals):
            yield chance * inner, learned


def _lies_in(world: World, pile: int, kind: Type) -> bool:
    """Check that a place of the pile is known to hold this kind."""
    return any(source == kind for source, _ in world.piles[pile])
