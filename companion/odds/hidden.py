"""The distribution of hidden cards over groups of places: the sums behind `tally`.

A hidden card is one that is not known to be in any place. If all hidden places have one type, every card can
lie anywhere, and the sum is multivariate hypergeometric. If types rule kinds out, there are two exact
methods, each quick for different questions: place the few cards asked about first and let all others fill the
rest, or sieve first (see `counting`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial, perm, prod
from operator import sub
from typing import TypeAlias

from companion.odds.counting import (
    DIGIT_BITS,
    Rooms,
    Row,
    check_cases,
    chosen,
    packed,
    seatings,
    sieve,
    splits,
    unpacked,
)

SHARES, ALONE = 1_500, 60
"""The maximum cases, for several groups of places and for one, to place the cards asked about first. Beyond
that, it is quicker to sieve first."""

Table: TypeAlias = tuple[int, ...]
"""The number of cards by group and lump: `table[group * lumps + lump]`. Tables are packed while summing."""


def minus(table: Table, counts: Sequence[int]) -> Table:
    """The table minus counts."""
    return tuple(map(sub, table, counts))


def orders(counts: Sequence[int]) -> int:
    """The number of orders of cards of several sorts, with `counts[i]` identical cards of each sort.

    >>> orders((1, 2))
    3
    """
    ways, left = 1, sum(counts)
    for count in counts:
        ways *= comb(left, count)
        left -= count
    return ways


@lru_cache(maxsize=1 << 12)
def _picked(count: int, rooms: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Each way to fill `count` places from sorts of `rooms[i]` cards, and its number of orders."""
    return tuple((split, orders(split)) for split in splits(count, rooms))


@lru_cache(maxsize=1 << 12)
def falls(
    cards: tuple[int, ...], places: tuple[int, ...], watched: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """The distribution of cards in random order over groups of places: (packed table, ways).

    Cards of a sort are identical. The ways sum to `orders(cards)` for any groups: each way to fill a group is
    multiplied by the ways to fill the others with the remaining cards.

    Args:
        cards: the number of each sort, the rest last.
        places: the number of each group, the rest last; as many places as cards.
        watched: the sorts that count in each group, as bits; only sorts that counted in the group before.
    """
    if len(places) == 1:
        return ((0, orders(cards)),)
    unseen = [count if not watched[0] >> sort & 1 else 0 for sort, count in enumerate(cards[:-1])]
    if any(unseen):
        # A sort that no later group counts may join the rest.
        rest = (*unseen, cards[-1])
        scale, same = orders(rest), (*minus(cards, unseen), sum(rest))
        return tuple([(table, scale * ways) for table, ways in falls(same, places, watched)])
    width = DIGIT_BITS * len(unseen)
    if not places[0]:
        return tuple([(table << width, ways) for table, ways in falls(cards, places[1:], watched[1:])])
    sorts = [sort for sort in range(len(unseen)) if cards[sort]]
    if len(sorts) == 1 and len(places) == 2:
        shift = DIGIT_BITS * sorts[0]
        return tuple([(n << shift, ways) for n, ways in _hypergeometric(cards[sorts[0]], *places)])
    tables = []
    for split, more in _picked(places[0], cards):
        here = packed(split[:-1])
        for table, ways in falls(minus(cards, split), places[1:], watched[1:]):
            tables.append((here + (table << width), more * ways))
        check_cases(len(tables))
    return tuple(tables)


def _hypergeometric(cards: int, inside: int, outside: int) -> list[tuple[int, int]]:
    """The number of cards inside, of cards in random order: (number, ways), each from the one before."""
    least = max(0, cards - outside)
    ways = comb(inside, least) * comb(outside, cards - least)
    numbers = [(least, ways)]
    for number in range(least, min(cards, inside)):
        ways = ways * (cards - number) * (inside - number) // ((number + 1) * (outside - cards + number + 1))
        numbers.append((number + 1, ways))
    return numbers


@lru_cache(maxsize=1 << 10)
def hidden_tables(
    rooms: Rooms, rows: tuple[Row, ...], lumps: int, watched: tuple[int, ...]
) -> tuple[dict[int, int], int]:
    """The distribution of the lumps' hidden cards over the groups: ways by packed table, and all ways.

    Args:
        rooms: the hidden places by type, and within each by group.
        rows: the hidden cards.
        lumps: the number of lumps.
        watched: the lumps that count in each group.

    Raises:
        TooManyWorlds: the sum has too many cases.
    """
    if not rooms:
        return {0: 1}, 1
    cases = 1
    for allowed, lump, count in rows:
        cases *= comb(count + allowed.bit_count() - 1, count) if lump else 1
    few = len(rooms) > 1 and cases <= (SHARES if len(watched) > 1 else ALONE)
    tables = _lumps_first(rooms, rows, lumps, watched) if few else _sieved(rooms, rows, lumps, watched)
    possible = {table: ways for table, ways in tables.items() if ways}
    return possible, sum(possible.values())


def _lumps_first(rooms: Rooms, rows: tuple[Row, ...], lumps: int, watched: tuple[int, ...]) -> dict[int, int]:
    """The tables, by the number of each lump's cards in each type; all other cards fill the rest."""
    sizes = tuple(sum(cells) for cells in rooms)
    asked = tuple(index for index, cells in enumerate(rooms) if any(cells[1:]))
    tables: defaultdict[int, int] = defaultdict(int)
    for placed, ways in _placed(sizes, rows, lumps, asked).items():
        sums = {0: ways}
        for index, part in zip(asked, placed, strict=True):
            after: defaultdict[int, int] = defaultdict(int)
            for more, inner in _within(rooms[index], part, watched):
                for table, outer in sums.items():
                    after[table + more] += outer * inner
            sums = after
        for table, count in sums.items():
            tables[table] += count
    return tables


@lru_cache(maxsize=1 << 12)
def _within(
    cells: tuple[int, ...], part: tuple[int, ...], watched: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """The distribution of the lumps' cards of one type over its places: (table, ways)."""
    # `fillings` counts the orders of this type's other cards.
    ways_alone = prod(map(factorial, part))
    spread = falls((*part, sum(cells) - sum(part)), (*cells[1:], cells[0]), watched)
    return tuple((table, ways_alone * ways) for table, ways in spread)


@lru_cache(maxsize=1 << 10)
def _placed(
    sizes: tuple[int, ...], rows: tuple[Row, ...], lumps: int, asked: tuple[int, ...]
) -> dict[tuple[tuple[int, ...], ...], int]:
    """The number of each lump's cards in each of the types asked about: ways by type and lump.

    The ways also count the positions of the lumps' cards in all other types, and of all other cards except
    those that can go anywhere.
    """
    types = len(sizes)
    others = tuple(row for row in rows if not row[1])
    placed: defaultdict[tuple[tuple[int, ...], ...], int] = defaultdict(int)
    for shared, ways in _shared(sizes, tuple(row for row in rows if row[1]), types).items():
        shares = unpacked(shared, types * lumps)
        by_type = [shares[index::types] for index in range(types)]
        left = tuple(size - sum(part) for size, part in zip(sizes, by_type, strict=True))
        if min(left) < 0:
            continue
        for index, part in enumerate(by_type):
            if index not in asked:
                ways *= perm(sizes[index], sum(part))
        placed[tuple(by_type[index] for index in asked)] += ways * seatings(left, others)
    return dict(placed)


def _shared(sizes: tuple[int, ...], rows: tuple[Row, ...], types: int) -> dict[int, int]:
    """The lumps' cards in each type, without regard to room: ways by packed numbers, by lump and type."""
    states = {0: 1}
    for allowed, lump, count in rows:
        after: defaultdict[int, int] = defaultdict(int)
        rooms = [min(size, count) if allowed >> index & 1 else 0 for index, size in enumerate(sizes)]
        for split in splits(count, rooms):
            ways = chosen(split, list(accumulate(split)))
            more = packed(split) << DIGIT_BITS * (lump - 1) * types
            for shared, outer in states.items():
                after[shared + more] += outer * ways
        states = after
    return states


def _sieved(rooms: Rooms, rows: tuple[Row, ...], lumps: int, watched: tuple[int, ...]) -> dict[int, int]:
    """The tables by the terms of inclusion and exclusion, for lumps of many cards."""
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
        signed *= prod(map(factorial, cards))
        for table, ways in falls((*cards[1:], cards[0]), (*free[1:], free[0]), watched):
            tables[table + wrong] += signed * ways
    return tables
