"""How many cards of some kinds lie in some places: the one sum behind every answer.

The kinds asked about together are alike: a **lump**. The places asked about together are a
**group**. First, for each bag, it is summed how its known cards fall to the groups, which leaves
each group with so many hidden places of each type; then, how the hidden cards of each lump fall to
those. Both are hypergeometric (see `counting` for types that rule kinds out), over a common
denominator, in whole numbers. Worlds that agree in all that is asked are one case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial, lcm, perm
from typing import NamedTuple, TypeAlias

from companion.odds.counting import (
    DIGIT_BITS,
    Rooms,
    Row,
    check_cases,
    chosen,
    fillings,
    hidden_types,
    packed,
    rows_of,
    sieve,
    splits,
    unpacked,
)
from companion.odds.world import Runs, Type, World, census

SHARES = 400
"""Up to so many cases it is quicker to place the cards asked about first, beyond, to sieve first. Tried
on 200 cards of 30 kinds with two hands ruled out, for 1 to 10 kinds asked about together.
"""

Table: TypeAlias = tuple[int, ...]
"""Cards by group and lump, group by group: `table[group * lumps + lump]`. Packed while summing."""


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


def case_of(world: World, asked: Sequence[Runs], lumps: tuple[Type, ...], totals: tuple[int, ...]) -> Case:
    """What a world has to say about groups of places (as runs, apart from each other) and lumps."""
    counted = census(world)
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
        Mixture(_sorts(world.bags[~source], lumps, types), tuple(counts)) for source, counts in bags.items()
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
            (_minus(left, split), (*fallen, split), ways * picks)
            for left, fallen, ways in states
            for split, picks in _picks(count, left)
        ]
        check_cases(len(states))
    return [(fallen, ways) for _, fallen, ways in states]


def _minus(table: Table, counts: Sequence[int]) -> Table:
    """The table with counts taken off."""
    return tuple([had - less for had, less in zip(table, counts, strict=True)])


@lru_cache(maxsize=1 << 12)
def _picks(count: int, rooms: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each way to pick `count` cards from sorts of `rooms[i]` cards, with its number of ways."""
    return tuple((split, chosen(split, rooms)) for split in splits(count, rooms))


@lru_cache(maxsize=1 << 12)
def _anywhere(
    cards: tuple[int, ...], places: tuple[int, ...], watched: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """How cards that can go anywhere fall to the groups: (packed table, ways; each card its own).

    `cards`: how many of each lump, the rest of the deck last; `places`: of each group, the rest last.
    """
    orders = 1
    for count in places:
        orders *= factorial(count)
    lumps = len(cards) - 1
    states: dict[tuple[tuple[int, ...], int], int] = {(cards, 0): orders}
    for group, (count, bits) in enumerate(zip(places, watched, strict=False)):
        after: defaultdict[tuple[tuple[int, ...], int], int] = defaultdict(int)
        last = group == len(watched) - 1
        for (left, table), ways in states.items():
            # What no group counts from here on is as good as the rest.
            seen = [had if bits >> lump & 1 else 0 for lump, had in enumerate(left[:-1])]
            rest = (*seen, sum(left) - sum(seen))
            for split, picks in _picks(count, rest):
                counts = packed(split[:-1]) << DIGIT_BITS * group * lumps
                after[() if last else _minus(rest, split), table + counts] += ways * picks
        check_cases(len(after))
        states = after
    return tuple((table, ways) for (_, table), ways in states.items())


@lru_cache(maxsize=1 << 10)
def hidden_tables(
    rooms: Rooms, rows: tuple[Row, ...], lumps: int, watched: tuple[int, ...]
) -> tuple[dict[int, int], int]:
    """How the hidden cards of the lumps fall to the groups: ways by packed table, and all ways.

    Args:
        rooms: the hidden places by type, and by group in each.
        rows: the hidden cards.
        lumps: how many lumps there are.
        watched: the lumps that count in each group.

    Raises:
        TooManyWorlds: the sum has too many cases.
    """
    if not rooms:
        return {0: 1}, 1
    cases = 1
    for allowed, lump, count in rows:
        cases *= comb(count + allowed.bit_count() - 1, count) if lump else 1
    few = len(rooms) > 1 and cases <= SHARES
    tables = _lumps_first(rooms, rows, lumps, watched) if few else _sieved(rooms, rows, lumps, watched)
    found = {table: ways for table, ways in tables.items() if ways}
    return found, sum(found.values())


def _lumps_first(rooms: Rooms, rows: tuple[Row, ...], lumps: int, watched: tuple[int, ...]) -> dict[int, int]:
    """The tables, by how many cards of each lump go to each type; all other cards fill the rest."""
    sizes = tuple(sum(cells) for cells in rooms)
    asked = [index for index, cells in enumerate(rooms) if any(cells[1:])]
    aside = [index for index, cells in enumerate(rooms) if not any(cells[1:])]
    tables: defaultdict[int, int] = defaultdict(int)
    for by_type, left, ways in _placed(sizes, rows, lumps):
        for index in aside:
            ways *= perm(sizes[index], sizes[index] - left[index])
        sums = {0: ways}
        for index in asked:
            after: defaultdict[int, int] = defaultdict(int)
            for more, inner in _within(rooms[index], by_type[index], left[index], watched):
                for table, outer in sums.items():
                    after[table + more] += outer * inner
            sums = after
        for table, count in sums.items():
            tables[table] += count
    return tables


@lru_cache(maxsize=1 << 12)
def _within(
    cells: tuple[int, ...], part: tuple[int, ...], rest: int, watched: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """How the lumps' cards of one type fall to its places, the others' order left out: (table, ways)."""
    # Which of the other cards lies where in this type is counted in `fillings`.
    orders = factorial(rest)
    falls = _anywhere((*part, rest), (*cells[1:], cells[0]), watched)
    return tuple((table, ways // orders) for table, ways in falls)


@lru_cache(maxsize=1 << 10)
def _placed(
    sizes: tuple[int, ...], rows: tuple[Row, ...], lumps: int
) -> list[tuple[tuple[tuple[int, ...], ...], tuple[int, ...], int]]:
    """How many cards of each lump go to each type: (by type and lump, places left by type, ways)."""
    types = len(sizes)
    states = {0: 1}
    for allowed, lump, count in rows:
        if not lump:
            continue
        after: defaultdict[int, int] = defaultdict(int)
        rooms = [min(size, count) if allowed >> index & 1 else 0 for index, size in enumerate(sizes)]
        for split in splits(count, rooms):
            ways = chosen(split, list(accumulate(split)))
            more = packed(split) << DIGIT_BITS * (lump - 1) * types
            for shared, outer in states.items():
                after[shared + more] += outer * ways
        states = after
    others = tuple(row for row in rows if not row[1])
    placed = []
    for shared, ways in states.items():
        shares = unpacked(shared, types * lumps)
        by_type = tuple(shares[index::types] for index in range(types))
        left = tuple(size - sum(part) for size, part in zip(sizes, by_type, strict=True))
        if min(left) >= 0:
            placed.append((by_type, left, ways * fillings(left, others)))
    return placed


def _sieved(rooms: Rooms, rows: tuple[Row, ...], lumps: int, watched: tuple[int, ...]) -> dict[int, int]:
    """The tables, by the terms of inclusion and exclusion: for lumps of many cards."""
    width = len(watched) + 1
    counts = [0] * (lumps + 1)
    for _, lump, count in rows:
        counts[lump] += count
    places = [sum(cells[group] for cells in rooms) for group in range(width)]
    tables: defaultdict[int, int] = defaultdict(int)
    for lost, signed in sieve(rooms, rows, lumps).items():
        gone = unpacked(lost, (lumps + 1) * width)
        cards = [count - sum(gone[lump * width : (lump + 1) * width]) for lump, count in enumerate(counts)]
        free = [place - sum(gone[group::width]) for group, place in enumerate(places)]
        wrong = packed(
            gone[(lump + 1) * width + group + 1] if bits >> lump & 1 else 0
            for group, bits in enumerate(watched)
            for lump in range(lumps)
        )
        for table, ways in _anywhere((*cards[1:], cards[0]), (*free[1:], free[0]), watched):
            tables[table + wrong] += signed * ways
    return tables


def tally(
    worlds: Sequence[tuple[int, World]],
    asked: Sequence[Sequence[Runs]],
    question: Question,
    totals: tuple[int, ...],
) -> tuple[dict[Table, int], int]:
    """How likely each table is over all worlds: (parts by table, of how many).

    Args:
        worlds: with their weights.
        asked: the groups of places, a row a world; all rows of one length.
        question: the lumps, and where each is counted.
        totals: how many cards there are of each kind.
    """
    alike: dict[tuple[object, ...], tuple[int, World, Sequence[Runs]]] = {}
    for (weight, world), runs in zip(worlds, asked, strict=True):
        key = (tuple(runs), world.bags, census(world))
        alike[key] = (alike[key][0] + weight if key in alike else weight, world, runs)
    weights: defaultdict[Case, int] = defaultdict(int)
    for weight, world, runs in alike.values():
        weights[case_of(world, runs, question.lumps, totals)] += weight
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
