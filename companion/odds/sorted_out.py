"""Worlds told apart by where a few cards lie, in place of by the types of many places: often far fewer.

A hand that showed a card, or had none to give, leaves places of several types. After some thefts, worlds
differ in the number of places of each type in each pile, which says next to nothing. Split by the places of
the few cards of the kind that only some types allow, most of these worlds are one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import and_, or_

from companion.odds.counting import chosen, hidden_types, splits
from companion.odds.learning import Fall, likelihood, settle
from companion.odds.world import (
    Bag,
    Run,
    Source,
    Type,
    World,
    census,
    is_known,
    joined,
    pool_of,
    reached,
)

FEW, MOST = 8, 40
"""Worlds are sorted out if more than FEW are alike but for one kind, and at most MOST are left."""


def contested(worlds: Collection[World]) -> Type:
    """The only kind that some types of hidden cards rule out, if without it the worlds are far fewer.

    As a type; 0 without one: sorted out, the worlds would hardly be fewer.
    """
    if len(worlds) <= FEW:
        return 0
    types = {kinds for world in worlds for kinds, _ in hidden_types(census(world))}
    kind = reduce(or_, types, 0) & ~reduce(and_, types, ~0)
    alone = kind and is_known(kind) and len(worlds) > FEW * len({_besides(world, kind) for world in worlds})
    return kind if alone else 0


def _besides(world: World, kind: Type) -> tuple[frozenset[Run], ...]:
    """The cards known to be of other kinds, and the types of hidden ones, in the deck and in each pile."""
    return tuple(
        [
            frozenset(
                [
                    (source, count) if is_known(source) else (source & ~kind, 0)
                    for source, count in runs
                    if source > 0 and source != kind
                ]
            )
            for runs in (world.deck, *world.piles)
        ]
    )


def sorted_out(world: World, kind: Type, totals: tuple[int, ...]) -> Fall:
    """The world split by the places of all cards of a kind, and of the stolen cards in each pile.

    The chances sum to 1.
    """
    piles = [partial(_apart, pile=pile) for pile in range(len(world.piles))]
    return _split(_in_bags(world), [partial(_numbered, kind=kind, totals=totals), *piles])


def _split(world: World, changes: Sequence[Callable[[World], Fall]]) -> Fall:
    """The world split by each change in turn."""
    if not changes:
        yield Fraction(1), world
        return
    for chance, after in changes[0](world):
        for inner, last in _split(after, changes[1:]):
            yield chance * inner, last


def _in_bags(world: World) -> World:
    """The same world, each run of hidden cards in the deck as a bag, in which their order has no meaning."""
    deck: list[Run] = []
    bags = list[Bag](world.bags)
    for source, count in world.deck:
        if source > 0 and not is_known(source):
            bags.append(((source, count),))
        deck.append((~(len(bags) - 1) if source > 0 and not is_known(source) else source, count))
    return world._replace(deck=tuple(deck), bags=tuple(bags))


def _numbered(world: World, kind: Type, totals: tuple[int, ...]) -> Fall:
    """The world split by the number of hidden cards of a kind in each run of the piles and the bags."""
    parts = (*world.piles, *world.bags)
    rooms = [count for runs in parts for source, count in runs if _may_be(source, kind)]
    if not rooms:
        yield Fraction(1), world
        return
    for split in splits(pool_of(census(world), totals)[kind.bit_length() - 1], rooms):
        numbers = iter(split)
        sorted_ = [
            joined(
                part
                for run in runs
                for part in (_parted(run, kind, next(numbers)) if _may_be(run[0], kind) else [run])
            )
            for runs in parts
        ]
        piles, bags = tuple(sorted_[: len(world.piles)]), tuple(sorted_[len(world.piles) :])
        after = World(world.deck, piles, bags)
        chance = chosen(split, rooms) * likelihood(world, after, totals)
        if chance:
            yield chance, after


def _may_be(source: Source, kind: Type) -> bool:
    """Check that hidden places of this source may hold a kind."""
    return source > 0 and not is_known(source) and bool(source & kind)


def _parted(run: Run, kind: Type, number: int) -> list[Run]:
    """The places of a run, `number` of them with this kind."""
    return [(kind, number), (run[0] & ~kind, run[1] - number)]


def _apart(world: World, pile: int) -> Fall:
    """The world split until the pile shares no bag with other piles, but for those in the deck."""
    return settle(world, pile, besides=reached(world.bags, (source for source, _ in world.deck)))
