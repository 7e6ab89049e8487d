"""How many cards of some kinds lie in some places: the one sum behind every answer.

A world falls apart into **cells**: its bags, and for each type the places asked about that are of
that type. First the hidden cards of the kinds asked about (**lumps**; kinds asked about together are
alike) are shared out among the cells, then within each cell, where order is random, among the
**groups** of places asked about. Both steps are hypergeometric; the whole is a sum of products of
binomials over a common denominator, in whole numbers. Worlds that agree in what is asked are one
case, so most of many worlds cost a look-up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from companion.odds.counting import Group, check_cases, chosen, groups, hidden_types, shares, splits
from companion.odds.world import Census, Runs, Type, World, census

Table: TypeAlias = tuple[int, ...]
"""Cards by group and lump, group by group: `table[group * lumps + lump]`."""


class Cell(NamedTuple):
    """Places whose cards lie in random order among them."""

    known: tuple[int, ...]
    """Known cards by lump."""
    hidden: tuple[int, ...]
    """Hidden cards by type, in the order of `hidden_types`."""
    size: int
    """All its places, those of other known kinds included."""
    asked: tuple[int, ...]
    """How many of its places are in each group."""


class Case(NamedTuple):
    """All that an answer depends on."""

    cells: tuple[Cell, ...]
    width: int
    """Numbers in a table: groups times lumps."""
    rooms: tuple[int, ...]
    """How many places each hidden type has in all."""
    cards: tuple[Group, ...]
    lumps: int


def case_of(world: World, asked: Sequence[Runs], lumps: tuple[Type, ...], totals: tuple[int, ...]) -> Case:
    """What a world has to say about groups of places (as runs, apart from each other) and lumps of kinds."""
    counted = census(world)
    places: dict[int, list[int]] = {}
    for number, runs in enumerate(asked):
        for source, count in runs:
            places.setdefault(source, [0] * len(asked))[number] += count
    types = tuple(kinds for kinds, _ in hidden_types(counted))
    cells = []
    for source, counts in places.items():
        content = world.bags[~source] if source < 0 else ((source, sum(counts)),)
        cell = _cell(content, counts, lumps, types)
        if any(cell.known) or any(cell.hidden):
            cells.append(cell)
    rooms = tuple(count for _, count in hidden_types(counted))
    return Case(
        tuple(sorted(cells)), len(asked) * len(lumps), rooms, groups(counted, totals, lumps), len(lumps)
    )


def _cell(content: Census, asked: Sequence[int], lumps: tuple[Type, ...], types: tuple[Type, ...]) -> Cell:
    """The cell with this content; a type that is not hidden is a known kind."""
    known, hidden, held = [0] * len(lumps), [0] * len(types), 0
    for kinds, count in content:
        held += count
        if kinds in types:
            hidden[types.index(kinds)] += count
            continue
        for number, lump in enumerate(lumps):
            if kinds & lump:
                known[number] += count
    return Cell(tuple(known), tuple(hidden), held, tuple(asked))


@lru_cache(maxsize=1 << 10)
def tally(case: Case) -> tuple[dict[Table, int], int]:
    """How the lumps' cards lie in the groups: ways by table, and the number of all ways.

    Raises:
        TooManyWorlds: the sum has too many cases.
    """
    sums: dict[tuple[tuple[int, ...], Table], int] = {}
    for shared, ways in shares(case.rooms, case.cards, case.lumps).items():
        sums[shared, (0,) * case.width] = ways
    rooms = case.rooms
    for cell in case.cells:
        after: defaultdict[tuple[tuple[int, ...], Table], int] = defaultdict(int)
        for (left, table), ways in sums.items():
            for rest, held, parts in _shares_of(cell, rooms, left, case.lumps):
                for counts, picks in _picked(cell.size, cell.asked, held):
                    after[rest, _plus(table, counts)] += ways * parts * picks
            check_cases(len(after))
        sums = after
        rooms = tuple(room - part for room, part in zip(rooms, cell.hidden, strict=True))
    totals: defaultdict[Table, int] = defaultdict(int)
    for (_, table), ways in sums.items():
        totals[table] += ways
    return dict(totals), sum(totals.values())


def _plus(table: Table, counts: Sequence[int]) -> Table:
    """The table with a cell's counts added."""
    return tuple(had + more for had, more in zip(table, counts, strict=True))


def _shares_of(
    cell: Cell, rooms: tuple[int, ...], left: tuple[int, ...], lumps: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """How many of the hidden cards still to place lie in a cell: (left after, held by lump, ways)."""
    states = {(left, cell.known): 1}
    for index, places in enumerate(cell.hidden):
        if not places:
            continue
        after: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], int] = defaultdict(int)
        for (rest, held), ways in states.items():
            mine = [rest[lump * len(rooms) + index] for lump in range(lumps)]
            others = rooms[index] - sum(mine)
            for (*split, _), picks in _picks(places, (*mine, others)):
                spent = list(rest)
                for lump, count in enumerate(split):
                    spent[lump * len(rooms) + index] -= count
                now = tuple(had + more for had, more in zip(held, split, strict=True))
                after[tuple(spent), now] += ways * picks
        states = dict(after)
    for (rest, held), ways in states.items():
        yield rest, held, ways


@lru_cache(maxsize=1 << 12)
def _picks(count: int, rooms: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each way to pick `count` cards from sorts of `rooms[i]` cards, with its number of ways."""
    return tuple((split, chosen(split, rooms)) for split in splits(count, rooms))


@lru_cache(maxsize=1 << 12)
def _picked(size: int, asked: tuple[int, ...], held: tuple[int, ...]) -> tuple[tuple[Table, int], ...]:
    """How a cell's cards of each lump fall to the groups: (counts by group and lump, ways)."""
    states: dict[tuple[tuple[int, ...], Table], int] = {((*held, size - sum(held)), ()): 1}
    for count in asked:
        after: defaultdict[tuple[tuple[int, ...], Table], int] = defaultdict(int)
        for (left, table), ways in states.items():
            for split, picks in _picks(count, left):
                rest = tuple(had - part for had, part in zip(left, split, strict=True))
                after[rest, (*table, *split[:-1])] += ways * picks
            check_cases(len(after))
        states = after
    return tuple((table, ways) for (_, table), ways in states.items())


def tally_all(
    worlds: Sequence[tuple[int, World]],
    asked: Sequence[Sequence[Runs]],
    lumps: tuple[Type, ...],
    totals: tuple[int, ...],
) -> dict[Table, Fraction]:
    """The chance of each table over all worlds (weights as whole numbers); `asked` has a row a world."""
    weights: defaultdict[Case, int] = defaultdict(int)
    for (weight, world), runs in zip(worlds, asked, strict=True):
        weights[case_of(world, runs, lumps, totals)] += weight
    by_whole: defaultdict[int, defaultdict[Table, int]] = defaultdict(lambda: defaultdict(int))
    for case, weight in weights.items():
        counts, whole = tally(case)
        for table, ways in counts.items():
            by_whole[whole][table] += weight * ways
    every = sum(weights.values())
    chances: defaultdict[Table, Fraction] = defaultdict(Fraction)
    for whole, sums in by_whole.items():
        for table, ways in sums.items():
            chances[table] += Fraction(ways, whole * every)
    return dict(chances)
