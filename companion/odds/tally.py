"""Counts the cards of some kinds in some places: the one sum behind every answer.

Kinds asked about together count alike: they are a **lump**. Places asked about together are a **group**. The
sum has two steps. First, bag by bag, it distributes each bag's cards over the groups; bags that hold places
of others come first. Each group then has a number of known cards of each lump, and a number of hidden places
of each type. Second, it distributes the hidden cards of each lump over those places. Both steps are
hypergeometric (see `counting` for types that rule kinds out), in integers over a common denominator. Worlds
that agree in everything asked about are one case, and kinds with equal knowledge share one answer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import lcm, prod
from typing import NamedTuple

from companion.odds.counting import (
    DIGIT,
    DIGIT_BITS,
    Rooms,
    Row,
    check_cases,
    hidden_types,
    packed,
    rows_of,
    unpacked,
)
from companion.odds.hidden import Table, falls, hidden_tables, orders
from companion.odds.world import Bag, Census, Runs, Source, Type, World, census, reached


class Alike(NamedTuple):
    """Worlds that agree in everything that concerns the places asked about."""

    weight: int
    counted: Census
    """The whole census of each of these worlds."""
    runs: tuple[Runs, ...]
    """The places asked about, by group; a bag is given by its index in `bags`."""
    bags: tuple[Bag, ...]
    """The bags of these places, in order of appearance."""


def alike(worlds: Iterable[tuple[int, World, tuple[Runs, ...]]]) -> tuple[Alike, ...]:
    """Merge worlds that agree; each comes with its weight and the places asked about."""
    weights: defaultdict[tuple[Census, tuple[Runs, ...], tuple[Bag, ...]], int] = defaultdict(int)
    for weight, world, places in worlds:
        bags = world.bags
        if bags:
            asked = [source for runs in places for source, _ in runs if source < 0]
            used = reached(bags, asked) if asked else ()
            ordered = sorted((source for source in used if source < 0), reverse=True)
            if len(ordered) < len(bags):
                names = {source: ~number for number, source in enumerate(ordered)}
                places = tuple([_named(names, runs) for runs in places])
                bags = tuple([_named(names, bags[~source]) for source in ordered])
        weights[census(world), places, bags] += weight
    return tuple([Alike(weight, *key) for key, weight in weights.items()])


def _named(names: Mapping[Source, Source], runs: Runs) -> Runs:
    """Runs with the bags in them renamed."""
    return tuple((names.get(source, source), count) for source, count in runs)


class Case(NamedTuple):
    """Everything that an answer depends on. Cards in groups are packed: group by group, first the lumps, then
    the hidden places by type, then the places of bags."""

    table: int
    """The content of the groups before any bag is opened."""
    groups: int
    mixtures: tuple[Table, ...]
    """Each bag's cards: known ones by lump, hidden ones by type, places by bag, and all others at the end. A
    bag only holds places of bags before it."""
    rooms: tuple[int, ...]
    """The number of all hidden places, by type."""
    rows: tuple[Row, ...]
    lumps: int


class Question(NamedTuple):
    """A question about every world."""

    lumps: tuple[Type, ...]
    watched: tuple[int, ...]
    """The lumps counted in each group, as bits; a group may only watch what the group before it watches."""


def case_of(worlds: Alike, lumps: tuple[Type, ...], totals: tuple[int, ...]) -> Case:
    """The case of worlds for groups of places, which do not overlap, and lumps."""
    sorts, rooms, rows = _frame(worlds.counted, len(worlds.bags), lumps, totals)
    table = packed([count for runs in worlds.runs for count in _sorted(runs, lumps, sorts)[:-1]])
    mixtures = tuple([_sorted(bag, lumps, sorts) for bag in worlds.bags])
    return Case(table, len(worlds.runs), mixtures, rooms, rows, len(lumps))


@lru_cache(maxsize=1 << 10)
def _frame(
    counted: Census, bags: int, lumps: tuple[Type, ...], totals: tuple[int, ...]
) -> tuple[Mapping[Source, int], tuple[int, ...], tuple[Row, ...]]:
    """The columns of hidden places and of bags, the hidden places by type, and the hidden cards."""
    hidden = hidden_types(counted)
    sorts = {kinds: number for number, (kinds, _) in enumerate(hidden, len(lumps))}
    sorts |= {~number: len(lumps) + len(hidden) + number for number in range(bags)}
    return sorts, tuple(count for _, count in hidden), rows_of(counted, totals, lumps)


def _sorted(runs: Runs, lumps: tuple[Type, ...], sorts: Mapping[Source, int]) -> Table:
    """Cards by sort: known ones by lump, then by `sorts`, then all others."""
    counts = [0] * (len(lumps) + len(sorts) + 1)
    for source, count in runs:
        sort = sorts.get(source, -1)
        if sort < 0:
            for number, kinds in enumerate(lumps):
                if source & kinds:
                    sort = number
        counts[sort] += count
    return tuple(counts)


@lru_cache(maxsize=1 << 12)
def settled(case: Case) -> tuple[dict[tuple[int, Rooms], int], int]:
    """The distributions of the bags' cards over the groups: ways by known cards and hidden places, and all
    ways.

    Known cards are a packed `Table`. Hidden places are counted by type: in no group, in the first, …
    """
    types = len(case.rooms)
    width = case.lumps + types + len(case.mixtures)
    states = {case.table: 1}
    for number, mixture in reversed(list(enumerate(case.mixtures, case.lumps + types))):
        states = _opened(
            states, mixture, [DIGIT_BITS * index for index in range(number, width * case.groups, width)]
        )
    ways_of: defaultdict[tuple[int, Rooms], int] = defaultdict(int)
    for table, ways in states.items():
        counts = unpacked(table, width * case.groups)
        known = packed([n for row in range(0, len(counts), width) for n in counts[row : row + case.lumps]])
        cells = [counts[start::width] for start in range(case.lumps, case.lumps + types)]
        rooms = tuple([(room - sum(part), *part) for room, part in zip(case.rooms, cells, strict=True)])
        ways_of[known, rooms] += ways
    return dict(ways_of), prod(orders(mixture) for mixture in case.mixtures)


def _opened(states: Mapping[int, int], mixture: Table, shifts: Sequence[int]) -> dict[int, int]:
    """The states after the places of a bag are filled with its cards.

    Args:
        states: ways by packed table.
        mixture: the bag's cards by sort.
        shifts: the first bit of the bag's places in a table, by group.
    """
    whole, watched = sum(mixture), ((1 << len(mixture) - 1) - 1,) * len(shifts)
    after: defaultdict[int, int] = defaultdict(int)
    for table, ways in states.items():
        asked = [table >> shift & DIGIT for shift in shifts]
        opened = table - sum([count << shift for count, shift in zip(asked, shifts, strict=True)])
        for more, picks in falls(mixture, (*asked, whole - sum(asked)), watched):
            after[opened + more] += ways * picks
    check_cases(len(after))
    return after


def tally(
    worlds: Iterable[Alike], question: Question, totals: tuple[int, ...]
) -> tuple[dict[Table, int], int]:
    """The chance of each table over all worlds: (parts by table, of how many).

    Args:
        worlds: the worlds with their groups of places; all have equally many groups.
        question: the lumps, and where each is counted.
        totals: the number of cards of each kind.
    """
    weights: defaultdict[Case, int] = defaultdict(int)
    for alike in worlds:
        weights[case_of(alike, question.lumps, totals)] += alike.weight
    return _tallied(tuple(sorted(weights.items())), len(question.lumps), question.watched)


@lru_cache(maxsize=1 << 8)
def _tallied(
    weights: tuple[tuple[Case, int], ...], lumps: int, watched: tuple[int, ...]
) -> tuple[dict[Table, int], int]:
    """The `tally` of cases with their weights, so that kinds with equal knowledge share one answer."""
    common = lcm(*(settled(case)[1] for case, _ in weights))
    parts: defaultdict[tuple[Rooms, tuple[Row, ...]], defaultdict[int, int]]
    parts = defaultdict(lambda: defaultdict(int))
    for case, weight in weights:
        tables, whole = settled(case)
        scale = weight * (common // whole)
        for (known, rooms), ways in tables.items():
            parts[rooms, case.rows][known] += scale * ways
    sums, whole = _summed(parts, lumps, watched)
    every = sum(weight for _, weight in weights) * common * whole
    return {unpacked(table, lumps * len(watched)): ways for table, ways in sums.items()}, every


def _summed(
    parts: Mapping[tuple[Rooms, tuple[Row, ...]], Mapping[int, int]], lumps: int, watched: tuple[int, ...]
) -> tuple[dict[int, int], int]:
    """The tables of known and hidden cards together: (parts by table, of how many)."""
    hidden = {key: hidden_tables(*key, lumps, watched) for key in parts}
    common = lcm(*(whole for _, whole in hidden.values()))
    sums: defaultdict[int, int] = defaultdict(int)
    for key, known in parts.items():
        tables, whole = hidden[key]
        for table, weight in known.items():
            scale = weight * (common // whole)
            for more, ways in tables.items():
                sums[table + more] += scale * ways
        check_cases(len(sums))
    return dict(sums), common
