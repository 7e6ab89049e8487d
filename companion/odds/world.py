"""A world: one way that the cards may lie, up to what the observer cannot distinguish.

A **type** is a set of kinds, as a bit mask: what a hidden card may still be. If one bit is set, the card is
known. A place in the deck or in a pile has one type, or it belongs to a **bag**: cards in random order in all
places that belong to the bag, wherever those are. Drawing an unseen card moves a place and leaves its bag
unchanged, so it costs nothing.

A bag holds cards of several types, and it may hold places of another bag. For example, a card put back among
the top five makes a bag with the four cards that lay there, and those four are still any four of all that was
shuffled. Nothing says which four they are.

A **world** gives each place its type or bag. Given a world, all ways to deal the cards to the places that
agree with all types are equally likely. A world is tidy if no simpler one means the same; equal tidy worlds
are merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from math import lcm
from operator import or_
from typing import NamedTuple, TypeAlias

Type: TypeAlias = int
"""The possible kinds of a card as a bit mask: bit k is kind k."""
Source: TypeAlias = int
"""The source of a place's card: > 0 is the type of the card, < 0 a bag (`~index`)."""
Run: TypeAlias = tuple[Source, int]
"""A number of places with one source: consecutive places in the deck, or any places in a pile."""
Runs: TypeAlias = tuple[Run, ...]
Bag: TypeAlias = Runs
"""The numbers of cards of each type, and of places of each other bag, in random order in the bag's places."""
Census: TypeAlias = tuple[tuple[Type, int], ...]
"""The number of cards of each type in all."""


class World(NamedTuple):
    """The deck from the top, the piles (their order has no meaning), and the bags.

    In a tidy world, a bag only holds places of bags before it.
    """

    deck: Runs
    piles: tuple[Runs, ...]
    bags: tuple[Bag, ...]


def is_known(kinds: Type) -> bool:
    """Check that a card of this type has only one possible kind."""
    return not kinds & (kinds - 1)


def size(runs: Iterable[tuple[int, int]]) -> int:
    """The number of places (or cards) in all."""
    return sum(count for _, count in runs)


@lru_cache(maxsize=1 << 12)
def census(world: World) -> Census:
    """The number of cards of each type in the deck, the piles and the bags together."""
    counts: dict[Type, int] = {}
    for runs in (world.deck, *world.piles, *world.bags):
        for source, count in runs:
            if source > 0:
                counts[source] = counts.get(source, 0) + count
    return tuple(sorted(counts.items()))


def pool_of(counted: Census, totals: tuple[int, ...]) -> tuple[int, ...]:
    """The number of cards of each kind not in known places; negative if more are known than exist."""
    pool = list(totals)
    for kinds, count in counted:
        if is_known(kinds):
            pool[kinds.bit_length() - 1] -= count
    return tuple(pool)


def without(runs: Runs, source: Source, count: int = 1) -> Runs:
    """A pile's runs without `count` places of this source."""
    return tuple((s, n - count if s == source else n) for s, n in runs if s != source or n > count)


def joined(runs: Iterable[Run]) -> Runs:
    """A pile's runs with one run per source, sorted, none empty."""
    counts: dict[Source, int] = {}
    for source, count in runs:
        counts[source] = counts.get(source, 0) + count
    return tuple(sorted((source, count) for source, count in counts.items() if count))


def chained(runs: Iterable[Run]) -> Runs:
    """The deck's runs with neighbours of the same source joined, none empty."""
    chain: list[Run] = []
    for source, count in runs:
        if count and chain and chain[-1][0] == source:
            chain[-1] = (source, chain[-1][1] + count)
        elif count:
            chain.append((source, count))
    return tuple(chain)


def cut(deck: Runs, place: int) -> tuple[Runs, Runs]:
    """The deck above `place` and from `place` on (0 is the top)."""
    above: list[Run] = []
    for index, (source, count) in enumerate(deck):
        if place < count:
            return (*above, (source, place)), ((source, count - place), *deck[index + 1 :])
        above.append((source, count))
        place -= count
    return tuple(above), ()


def span(deck: Runs, first: int, cards: int) -> Runs:
    """The runs of `cards` cards of the deck from place `first` on, none empty.

    >>> span(((1, 2), (-1, 5), (4, 1)), 1, 3)
    ((1, 1), (-1, 2))
    """
    runs_: list[Run] = []
    for source, count in deck:
        inside = min(count - first, cards) if first < count else 0
        if inside > 0:
            runs_.append((source, inside))
            cards -= inside
        if not cards:
            break
        first = max(0, first - count)
    return tuple(runs_)


def open_place(world: World, source: Source) -> Iterator[tuple[int, int, Type, World]]:
    """The possible types of the card in a place of `source`: (ways, of how many, type, world after).

    In the world after, the bag no longer counts that place; the caller gives it the type.
    """
    if source > 0:
        yield 1, 1, source, world
        return
    bag = world.bags[~source]
    whole = size(bag)
    for inner, count in bag:
        bags = (*world.bags[:~source], without(bag, inner), *world.bags[~source + 1 :])
        for ways, of, kinds, opened in open_place(world._replace(bags=bags), inner):
            yield count * ways, whole * of, kinds, opened


def reached(bags: Sequence[Bag], sources: Iterable[Source]) -> set[Source]:
    """The sources, the sources in the bags among them, and so on."""
    reached: set[Source] = set()
    new = set(sources)
    while new:
        reached |= new
        new = {inner for source in new if source < 0 for inner, _ in bags[~source]} - reached
    return reached


def types_of(bags: Sequence[Bag], source: Source) -> Type:
    """All possible kinds of the card in a place of `source`."""
    return reduce(or_, (kinds for kinds in reached(bags, (source,)) if kinds > 0))


def least(bags: Sequence[Bag], runs: Runs, kind: Type) -> int:
    """The minimum number of cards of a kind in a pile's or a bag's places, from the known cards alone.

    >>> least((((1, 3), (2, 1)),), ((1, 2), (~0, 2)), 1)
    3
    """
    sure = 0
    for source, count in runs:
        if source == kind:
            sure += count
        elif source < 0:
            bag = bags[~source]
            sure += max(0, count - (size(bag) - least(bags, bag, kind)))
    return sure


def mixed(bags: Sequence[Bag], source: Source) -> Census:
    """The chances of each type for the card in a place of `source`, in whole parts (the world is tidy).

    >>> mixed((((1, 1), (2, 1)), ((-1, 1), (2, 2))), ~1)
    ((1, 1), (2, 5))
    """
    parts: list[dict[Type, int]] = []
    for bag in bags[: ~source + 1]:
        contents = [(count, {inner: 1} if inner > 0 else parts[~inner]) for inner, count in bag]
        common = lcm(*(sum(content.values()) for _, content in contents))
        sums: dict[Type, int] = {}
        for count, content in contents:
            scale = count * (common // sum(content.values()))
            for kinds, part in content.items():
                sums[kinds] = sums.get(kinds, 0) + scale * part
        parts.append(sums)
    return tuple(sorted(parts[~source].items())) if source < 0 else ((source, 1),)


def tidy(world: World, totals: tuple[int, ...]) -> World:
    """The simplest world that means the same."""
    numbered = _renumbered(world)
    simple = _dissolved(_narrowed(numbered, totals))
    return simple if simple is numbered else _renumbered(simple)


def _narrowed(world: World, totals: tuple[int, ...]) -> World:
    """Remove from all types the kinds without cards left, so that certain cards become known."""
    while True:
        left = _too_wide(census(world), totals)
        if left is None:
            return world

        def narrow(source: Source, left: int = left) -> Source:
            return source if source < 0 or is_known(source) else source & left

        world = World(
            chained((narrow(source), count) for source, count in world.deck),
            tuple(joined((narrow(source), count) for source, count in runs) for runs in world.piles),
            tuple(joined((narrow(kinds), count) for kinds, count in bag) for bag in world.bags),
        )


@lru_cache(maxsize=1 << 12)
def _too_wide(counted: Census, totals: tuple[int, ...]) -> Type | None:
    """The kinds with cards left, if a type allows others; else None."""
    left = sum(1 << kind for kind, count in enumerate(pool_of(counted, totals)) if count > 0)
    return left if any(not is_known(kinds) and kinds & ~left for kinds, _ in counted) else None


def _dissolved(world: World) -> World:
    """Dissolve bags of one source, and bags wholly in one pile or bag, where order has no meaning.

    One at a time: a bag whose places are renamed here must not give its content there.
    """
    while world.bags:
        bags = world.bags
        pure = {~number for number, bag in enumerate(bags) if len(bag) == 1}
        in_piles = [run for runs in (*world.piles, *bags) for run in runs]
        if pure and any(source in pure for source, _ in (*world.deck, *in_piles)):
            world = World(
                chained((_pure(bags, source), count) for source, count in world.deck),
                tuple(_all_pure(bags, runs) for runs in world.piles),
                tuple(_all_pure(bags, bag) for bag in bags),
            )
        elif any(source < 0 and size(bags[~source]) == count for source, count in in_piles):
            world = World(
                world.deck,
                tuple(_flat(bags, runs) for runs in world.piles),
                tuple(_flat(bags, bag) for bag in bags),
            )
        else:
            return world
    return world


def _pure(bags: tuple[Bag, ...], source: Source) -> Source:
    """The only source of a bag's places, or the bag itself if there are several."""
    bag = bags[~source] if source < 0 else ()
    return bag[0][0] if len(bag) == 1 else source


def _all_pure(bags: tuple[Bag, ...], runs: Runs) -> Runs:
    """A pile's or a bag's runs, with the only source of any bag that has one."""
    return joined((_pure(bags, source), count) for source, count in runs)


def _flat(bags: tuple[Bag, ...], runs: Runs) -> Runs:
    """A pile's or a bag's runs, with any bag that lies wholly in it replaced by its content."""
    if all(source > 0 for source, _ in runs):
        return runs
    flat: list[Run] = []
    for source, count in runs:
        whole = source < 0 and size(bags[~source]) == count
        flat.extend(bags[~source] if whole else [(source, count)])
    return joined(flat)


def _renumbered(world: World) -> World:
    """Sort bags so that each follows those in it, then by content; drop those without places."""
    if not world.bags:
        return world
    used = frozenset([source for runs in (world.deck, *world.piles) for source, _ in runs if source < 0])
    names, bags = _in_order(world.bags, used)
    if not names and len(bags) == len(world.bags):
        return world
    return World(
        chained((names.get(source, source), count) for source, count in world.deck),
        tuple(_named(names, runs) for runs in world.piles),
        bags,
    )


@lru_cache(maxsize=1 << 10)
def _in_order(bags: tuple[Bag, ...], used: frozenset[Source]) -> tuple[dict[Source, Source], tuple[Bag, ...]]:
    """The new names of bags, and the bags that are used, in order."""
    left = {source for source in reached(bags, used) if source < 0}
    names: dict[Source, Source] = {}
    ordered: list[Bag] = []
    while left:
        ready = [source for source in left if all(s > 0 or s in names for s, _ in bags[~source])]
        contents = sorted((_named(names, bags[~source]), source) for source in ready)
        names |= {source: ~number for number, (_, source) in enumerate(contents, len(ordered))}
        ordered.extend(bag for bag, _ in contents)
        left -= set(ready)
    return {source: name for source, name in names.items() if source != name}, tuple(ordered)


def _named(names: Mapping[Source, Source], runs: Runs) -> Runs:
    """A pile's or a bag's runs with the bags renamed."""
    return joined((names.get(source, source), count) for source, count in runs)


def covers(wide: World, narrow: World) -> bool:
    """Check that all ways for the cards to lie in `narrow` are ways in `wide`; some such pairs are missed.

    >>> covers(World(((7, 2),), (((6, 1),),), ()), World(((7, 1), (1, 1)), (((4, 1),),), ()))
    True
    """
    return (
        len(wide.bags) == len(narrow.bags)
        and all(map(_holds, wide.piles, narrow.piles))
        and all(map(_holds, wide.bags, narrow.bags))
        and all(
            _allows(source, inner)
            for source, inner in zip(_places(wide.deck), _places(narrow.deck), strict=True)
        )
    )


def _allows(wide: Source, narrow: Source) -> bool:
    """Check that a place of one source may hold whatever one of the other holds."""
    return wide == narrow or (wide > 0 and narrow > 0 and not narrow & ~wide)


def _places(runs: Runs) -> Iterator[Source]:
    """The source of each place."""
    return (source for source, count in runs for _ in range(count))


def _holds(wide: Runs, narrow: Runs) -> bool:
    """Check that a pile's or a bag's places may hold whatever the other's hold; the narrowest fill first."""
    if wide == narrow:
        return True
    if size(wide) != size(narrow):
        return False
    room = dict(wide)
    left = []
    for source, count in narrow:
        same = min(count, room.get(source, 0))
        room[source] = room.get(source, 0) - same
        left.append((source, count - same))
    for source, count in left:
        for outer in sorted((o for o in room if _allows(o, source)), key=int.bit_count):
            filled = min(count, room[outer])
            room[outer] -= filled
            count -= filled
        if count:
            return False
    return True
