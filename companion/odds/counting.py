"""Counts the ways to deal the cards to the places of a world.

All cards and all places are distinct, so all ways are equally likely. Hidden cards of kinds that all hidden
types allow can go anywhere; without any others, the number of ways would be a factorial. Kinds that some type
rules out are counted by inclusion and exclusion: from all ways to put cards anywhere, subtract those with one
card in a forbidden place, add those with two, and so on (the rook polynomial of the forbidden places). What
remains is a sum of hypergeometric terms in integers, whatever is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb, factorial, gcd, perm
from typing import TypeAlias

from companion.odds.errors import TooManyWorlds
from companion.odds.world import Census, Type, is_known, pool_of

CASES = 20_000
"""The maximum number of cases of one sum, which take about a tenth of a second."""

Row: TypeAlias = tuple[int, int, int]
"""Equivalent hidden cards: (the types they may go to, as bits by index; their lump, 0 for none; number)."""
Rooms: TypeAlias = tuple[tuple[int, ...], ...]
"""The numbers of hidden places by type, and within each in no group, in the first group, in the second, …"""
DIGIT_BITS = 16
"""Bits of one number in a packed table."""
DIGIT = (1 << DIGIT_BITS) - 1
"""The maximum of a packed number, far more than any deck has cards."""


def splits(count: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to split `count` identical things over one or more places with room for `rooms[i]` each.

    >>> list(splits(2, (1, 2)))
    [(0, 2), (1, 1)]
    >>> list(splits(2, (3,))), list(splits(4, (3,)))
    ([(2,)], [])
    """
    if len(rooms) == 1:
        if count <= rooms[0]:
            yield (count,)
        return
    behind = sum(rooms[1:])
    for first in range(max(0, count - behind), min(count, rooms[0]) + 1):
        if len(rooms) == 2:
            yield first, count - first
            continue
        for rest in splits(count - first, rooms[1:]):
            yield (first, *rest)


def chosen(split: Sequence[int], rooms: Sequence[int]) -> int:
    """The number of ways to pick the given numbers from several groups.

    >>> chosen((1, 2), (3, 4))
    18
    """
    ways = 1
    for count, room in zip(split, rooms, strict=True):
        ways *= comb(room, count)
    return ways


def check_cases(cases: int) -> None:
    """Refuse a sum of more than `CASES` cases. Raises `TooManyWorlds`."""
    if cases > CASES:
        raise TooManyWorlds(f"an exact answer here needs more than {CASES} cases: too much is half known")


@lru_cache(maxsize=1 << 12)
def hidden_types(counted: Census) -> Census:
    """The types of unknown cards, with the number of each."""
    return tuple((kinds, count) for kinds, count in counted if not is_known(kinds))


@lru_cache(maxsize=1 << 12)
def rows_of(counted: Census, totals: tuple[int, ...], lumps: tuple[Type, ...]) -> tuple[Row, ...]:
    """The cards in hidden places, by the types that they may go to and by lump of kinds."""
    hidden = hidden_types(counted)
    counts: defaultdict[tuple[int, int], int] = defaultdict(int)
    for kind, count in enumerate(pool_of(counted, totals)):
        if count:
            allowed = sum(1 << index for index, (kinds, _) in enumerate(hidden) if kinds >> kind & 1)
            lump = next((number for number, kinds in enumerate(lumps, 1) if kinds >> kind & 1), 0)
            counts[allowed, lump] += count
    return tuple((allowed, lump, count) for (allowed, lump), count in sorted(counts.items()))


def packed(numbers: Iterable[int]) -> int:
    """Small numbers packed into one integer, so that one addition adds them all.

    >>> unpacked(packed((1, 2)) + packed((3, 0)), 2)
    (4, 2)
    """
    whole = 0
    for index, number in enumerate(numbers):
        whole |= number << DIGIT_BITS * index
    return whole


def unpacked(whole: int, width: int) -> tuple[int, ...]:
    """The first `width` packed numbers."""
    return tuple([whole >> DIGIT_BITS * index & DIGIT for index in range(width)])


@lru_cache(maxsize=1 << 12)
def sieve(rooms: Rooms, rows: tuple[Row, ...], lumps: int) -> dict[int, int]:
    """The terms of inclusion and exclusion: the cards in forbidden places, and the signed ways.

    In each term the lost cards and places are used up, and everything else goes anywhere. A key is packed by
    lump (0 first), and within each as in `Rooms`. Rows that are barred from different types are independent:
    their terms are computed separately and multiplied.

    Raises:
        TooManyWorlds: more than `CASES` terms.
    """
    terms = {0: 1}
    for types, inner in _blocks(rows, len(rooms)):
        block = _block_terms(tuple([rooms[index] for index in types]), inner, lumps)
        after: defaultdict[int, int] = defaultdict(int)
        for more, signed in block.items():
            for lost, ways in terms.items():
                after[lost + more] += ways * signed
        check_cases(len(after))
        terms = after
    return terms


@lru_cache(maxsize=1 << 10)
def _blocks(rows: tuple[Row, ...], types: int) -> tuple[tuple[tuple[int, ...], tuple[Row, ...]], ...]:
    """The barred rows in independent parts: (the types of a part, its rows by these types alone)."""
    blocks: list[tuple[set[int], list[Row]]] = []
    for row in rows:
        barred, together = set(_barred(row[0], types)), [row]
        if not barred:
            continue
        apart = []
        for others, block in blocks:
            if others & barred:
                barred |= others
                together = block + together
            else:
                apart.append((others, block))
        blocks = [*apart, (barred, together)]
    splits = []
    for barred, together in blocks:
        kept = tuple(sorted(barred))
        inner = tuple((_among(allowed, kept), lump, count) for allowed, lump, count in together)
        splits.append((kept, inner))
    return tuple(splits)


def _among(allowed: int, types: tuple[int, ...]) -> int:
    """The types among these that a row may go to, as bits by their index among these."""
    return sum(1 << number for number, index in enumerate(types) if allowed >> index & 1)


def _barred(allowed: int, types: int) -> list[int]:
    """The indices of the hidden types that a row's cards cannot go to."""
    return [index for index in range(types) if not allowed >> index & 1]


@lru_cache(maxsize=1 << 12)
def _block_terms(rooms: Rooms, rows: tuple[Row, ...], lumps: int) -> dict[int, int]:
    """The terms of one block, row by row, because wrong cards take places that later rows need too."""
    width = len(rooms[0])
    terms: dict[tuple[int, int], int] = {(0, 0): 1}
    for number, (allowed, lump, count) in enumerate(rows):
        later = {index for other, _, _ in rows[number + 1 :] for index in _barred(other, len(rooms))}
        wrong = {(0, *term): ways for term, ways in terms.items()}
        for index in _barred(allowed, len(rooms)):
            for group, room in enumerate(rooms[index]):
                shift = DIGIT_BITS * (index * width + group)
                lost = 1 << DIGIT_BITS * (lump * width + group)
                # Places that no later row is barred from need not be distinguished any more.
                wrong = _put_wrong(wrong, count, room, shift, (1 << shift if index in later else 0, lost))
        after: defaultdict[tuple[int, int], int] = defaultdict(int)
        for (cards, used, gone), ways in wrong.items():
            after[used, gone] += (-ways if cards % 2 else ways) * perm(count, cards)
        terms = after
    sums: defaultdict[int, int] = defaultdict(int)
    for (_, gone), ways in terms.items():
        sums[gone] += ways
    return dict(sums)


def _put_wrong(
    wrong: dict[tuple[int, int, int], int], most: int, room: int, shift: int, steps: tuple[int, int]
) -> dict[tuple[int, int, int], int]:
    """The wrong cards so far, after adding any number to one more cell of barred places.

    Args:
        wrong: the ways by wrong cards of this row, packed places used, and packed cards lost.
        most: the number of cards in this row.
        room: the number of places in the cell.
        at: the bit in `used` from which the cell's taken places are counted.
        steps: what one more card adds to `used` and to the lost cards.
    """
    after: defaultdict[tuple[int, int, int], int] = defaultdict(int)
    mark, loss = steps
    for (cards, used, gone), ways in wrong.items():
        free = room - (used >> shift & DIGIT)
        for more in range(min(free, most - cards) + 1):
            after[cards + more, used + more * mark, gone + more * loss] += ways * comb(free, more)
    check_cases(len(after))
    return after


@lru_cache(maxsize=1 << 12)
def ways(counted: Census, totals: tuple[int, ...]) -> int:
    """The number of ways to deal the cards to the places; 0 if it is impossible.

    Args:
        counted: the types of all places.
        totals: the number of cards of each kind; as many cards as places.
    """
    pool = pool_of(counted, totals)
    if min(pool) < 0:
        return 0
    known = 1
    for total, left in zip(totals, pool, strict=True):
        known *= perm(total, total - left)
    return known * fillings(tuple(count for _, count in hidden_types(counted)), rows_of(counted, totals, ()))


def fillings(rooms: tuple[int, ...], rows: tuple[Row, ...]) -> int:
    """The number of ways to put the hidden cards into the hidden places of each type, without lumps."""
    everywhere = (1 << len(rooms)) - 1
    free = sum(count for allowed, _, count in rows if allowed == everywhere)
    return seatings(rooms, rows) * factorial(free)


def seatings(rooms: tuple[int, ...], rows: tuple[Row, ...]) -> int:
    """The number of `fillings`, without the order of the cards that can go anywhere, which fill the rest.

    >>> seatings((2, 1), ((0b01, 0, 1), (0b11, 0, 2)))
    2
    """
    cards, barred = sum(count for _, _, count in rows), 0
    blocks = []
    for types, inner in _blocks(rows, len(rooms)):
        blocks.append((tuple([(rooms[index],) for index in types]), inner))
        barred += sum(count for _, _, count in inner)
    (ways,) = _sifted(cards, barred, tuple(blocks))
    return ways


@lru_cache(maxsize=1 << 12)
def _sifted(cards: int, barred: int, blocks: tuple[tuple[Rooms, tuple[Row, ...]], ...]) -> tuple[int, ...]:
    """The sums of the sieve over some blocks: the ways for all cards, for one card less, for two less, …

    Args:
        cards: the number of all cards.
        barred: the number of cards that some type rules out, in these blocks and in others.
        blocks: the places and the rows of each block.
    """
    if not blocks:
        return tuple([perm(cards - lost, barred - lost) for lost in range(barred + 1)])
    *before, (rooms, rows) = blocks
    inner = _sifted(cards, barred, tuple(before))
    terms = _block_terms(rooms, tuple([(allowed, 0, count) for allowed, _, count in rows]), 0)
    sieved = len(inner) - sum(count for _, _, count in rows)
    return tuple(
        [sum([signed * inner[less + lost] for lost, signed in terms.items()]) for less in range(sieved)]
    )


@lru_cache(maxsize=1 << 12)
def kinds_of(counted: Census, totals: tuple[int, ...], kinds: Type) -> tuple[tuple[int, ...], int]:
    """The exact chance of each kind in a place of type `kinds`: (parts by kind, of how many).

    `kinds` is one of the types in `counted`. A chance is the share of all ways with that kind in the place.
    """
    if is_known(kinds):
        return tuple(kinds >> kind & 1 for kind in range(len(totals))), 1
    pool = pool_of(counted, totals)
    hidden = hidden_types(counted)
    if len(hidden) == 1:
        return pool, sum(pool)
    factors: dict[tuple[bool, ...], int] = {}
    parts = []
    for kind, count in enumerate(pool):
        row = tuple(bool(other >> kind & 1) for other, _ in hidden)
        if count and kinds >> kind & 1 and row not in factors:
            factors[row] = ways(_retyped(counted, kinds, 1 << kind), totals) // count
        parts.append(count * factors[row] if count and kinds >> kind & 1 else 0)
    common = gcd(*parts)
    return tuple(part // common for part in parts), sum(parts) // common


def _retyped(counted: Census, was: Type, becomes: Type) -> Census:
    """The census after a place of type `was` turns out to be of type `becomes`."""
    counts = dict(counted)
    counts[was] -= 1
    counts[becomes] = counts.get(becomes, 0) + 1
    return tuple(sorted((kinds, left) for kinds, left in counts.items() if left))
