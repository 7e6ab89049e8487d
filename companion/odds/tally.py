"""How many cards of some kinds lie in some places: the one sum behind every answer.

The kinds asked about together are alike: a **lump**. The places asked about together are a
**group**. First, for each bag, it is summed how its known cards fall to the groups, which leaves
each group with so many hidden places of each type; then, how the hidden cards of each lump fall to
those. Both are hypergeometric (see `counting` for types that rule kinds out), over a common
denominator, in whole numbers. Worlds that agree in all that is asked are one case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from companion.odds.counting import Rooms, Row, check_cases, hidden_types, packed, rows_of, unpacked
from companion.odds.hidden import Table, hidden_tables, minus, picks_of
from companion.odds.world import Bag, Census, Runs, Source, Type, World, census


class Alike(NamedTuple):
    """Worlds that agree in all that the places asked about have to do with."""

    weight: int
    counted: Census
    """Of each of the worlds, whole."""
    runs: tuple[Runs, ...]
    """The places asked about, by group; a bag by its index in `bags`."""
    bags: tuple[Bag, ...]
    """The bags that these places belong to, in the order in which they come."""


def alike(worlds: Iterable[tuple[int, World, tuple[Runs, ...]]]) -> tuple[Alike, ...]:
    """Worlds with their weights and the places asked about in each, those that agree as one."""
    found: dict[tuple[object, ...], Alike] = {}
    for weight, world, places in worlds:
        names: dict[Source, Source] = {}
        for runs in places:
            for source, _ in runs:
                if source < 0 and source not in names:
                    names[source] = ~len(names)
        bags = tuple(world.bags[~source] for source in names)
        if any(name != source for source, name in names.items()):
            places = tuple(
                tuple((names.get(source, source), count) for source, count in runs) for runs in places
            )
        key = (places, bags, census(world))
        before = found[key].weight if key in found else 0
        found[key] = Alike(before + weight, key[2], places, bags)
    return tuple(found.values())


class Mixture(NamedTuple):
    """A bag that is asked about."""

    sorts: tuple[int, ...]
    """Its cards: known ones by lump, hidden ones by type, and all others at the end."""
    asked: tuple[int, ...]
    """How many of its places are in each group."""


class Case(NamedTuple):
    """All that an answer depends on."""

    table: int
    """The known cards in places of their own: a packed `Table`."""
    places: int
    """Hidden places of their own in the groups: by group and type, group by group, packed."""
    groups: int
    mixtures: tuple[Mixture, ...]
    rooms: tuple[int, ...]
    """Hidden places in all, by type."""
    rows: tuple[Row, ...]
    lumps: int


class Question(NamedTuple):
    """What is asked of every world."""

    lumps: tuple[Type, ...]
    watched: tuple[int, ...]
    """The lumps that are counted in each group, as bits; no group may watch what one before does not."""


def case_of(worlds: Alike, lumps: tuple[Type, ...], totals: tuple[int, ...]) -> Case:
    """What worlds have to say about groups of places (apart from each other) and lumps."""
    counted, asked = worlds.counted, worlds.runs
    hidden = hidden_types(counted)
    types = {kinds: index for index, (kinds, _) in enumerate(hidden)}
    table, places = [0] * (len(asked) * len(lumps)), [0] * (len(asked) * len(types))
    bags: dict[int, list[int]] = {}
    for group, runs in enumerate(asked):
        for source, count in runs:
            if source < 0:
                bags.setdefault(source, [0] * len(asked))[group] += count
            elif source in types:
                places[group * len(types) + types[source]] += count
            else:
                for lump, kinds in enumerate(lumps):
                    table[group * len(lumps) + lump] += count if source & kinds else 0
    mixtures = sorted(
        Mixture(_sorts(worlds.bags[~source], lumps, types), tuple(counts)) for source, counts in bags.items()
    )
    rooms = tuple(count for _, count in hidden)
    rows = rows_of(counted, totals, lumps)
    return Case(packed(table), packed(places), len(asked), tuple(mixtures), rooms, rows, len(lumps))


def _sorts(content: Iterable[tuple[Type, int]], lumps: tuple[Type, ...], types: dict[Type, int]) -> Table:
    """A bag's cards as `Mixture.sorts`."""
    sorts = [0] * (len(lumps) + len(types) + 1)
    for kinds, count in content:
        if kinds in types:
            sorts[len(lumps) + types[kinds]] += count
        else:
            lump = next((number for number, lump in enumerate(lumps) if kinds & lump), -1)
            sorts[lump] += count
    return tuple(sorts)


@lru_cache(maxsize=1 << 12)
def settled(case: Case) -> tuple[dict[tuple[int, int], int], int]:
    """How the bags' known cards may fall to the groups: ways by table and places, and all ways."""
    states = {(case.table, case.places): 1}
    lumps, types = case.lumps, len(case.rooms)
    for mixture in case.mixtures:
        after: defaultdict[tuple[int, int], int] = defaultdict(int)
        for fallen, picks in _fallen(mixture):
            known = packed(count for part in fallen for count in part[:lumps])
            places = packed(count for part in fallen for count in part[lumps : lumps + types])
            for (table, had), ways in states.items():
                after[table + known, had + places] += ways * picks
        check_cases(len(after))
        states = dict(after)
    return states, sum(states.values())


def _fallen(mixture: Mixture) -> list[tuple[tuple[tuple[int, ...], ...], int]]:
    """How a bag's cards fall to the groups: (by group and sort, ways)."""
    states: list[tuple[tuple[int, ...], tuple[tuple[int, ...], ...], int]] = [(mixture.sorts, (), 1)]
    for count in mixture.asked:
        states = [
            (minus(left, split), (*fallen, split), ways * picks)
            for left, fallen, ways in states
            for split, picks in picks_of(count, left)
        ]
        check_cases(len(states))
    return [(fallen, ways) for _, fallen, ways in states]


def tally(
    worlds: Iterable[Alike], question: Question, totals: tuple[int, ...]
) -> tuple[dict[Table, int], int]:
    """How likely each table is over all worlds: (parts by table, of how many).

    Args:
        worlds: with the groups of places in each, as many in all.
        question: the lumps, and where each is counted.
        totals: how many cards there are of each kind.
    """
    weights: defaultdict[Case, int] = defaultdict(int)
    for each in worlds:
        weights[case_of(each, question.lumps, totals)] += each.weight
    common = lcm(*(settled(case)[1] for case in weights))
    parts: defaultdict[tuple[Rooms, tuple[Row, ...]], defaultdict[int, int]]
    parts = defaultdict(lambda: defaultdict(int))
    for case, weight in weights.items():
        falls, whole = settled(case)
        for (table, places), ways in falls.items():
            parts[_rooms(case, places), case.rows][table] += weight * (common // whole) * ways
    sums, whole = _summed(parts, question)
    width = len(question.lumps) * len(question.watched)
    every = sum(weights.values()) * common * whole
    return {unpacked(table, width): ways for table, ways in sums.items()}, every


def _rooms(case: Case, places: int) -> Rooms:
    """The hidden places by type: those of no group, then those of each group."""
    types = len(case.rooms)
    by_group = unpacked(places, types * case.groups)
    by_type = [by_group[index::types] for index in range(types)]
    return tuple((room - sum(part), *part) for room, part in zip(case.rooms, by_type, strict=True))


def _summed(
    parts: Mapping[tuple[Rooms, tuple[Row, ...]], Mapping[int, int]], question: Question
) -> tuple[dict[int, int], int]:
    """The tables of known and hidden cards together: parts by table, and of how many."""
    hidden = {key: hidden_tables(*key, len(question.lumps), question.watched) for key in parts}
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
