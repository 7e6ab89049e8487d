"""How many ways there are to hand out the cards to the places of a world.

Every card and every place counts as its own, so all ways are equally likely. Kinds that the same
types allow are alike to the count; where one type is all that is unknown (the common case), the
answer is a factorial, else a sum over how many cards of each restricted kind go to each type. The
sums are whole numbers throughout.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial, gcd, perm
from typing import TypeAlias

from companion.odds.errors import TooManyWorlds
from companion.odds.world import Census, Type, is_known, pool_of

CASES = 20_000
"""Most cases that one sum may have: about a tenth of a second on a small board. Tried on 200 cards of
30 kinds with four hands of which something was ruled out (some 2,000 cases)."""

Group: TypeAlias = tuple[int, int, int]
"""Cards that go to the same types: (which types, as a bit mask by index; their lump; how many)."""
Shares: TypeAlias = tuple[int, ...]
"""How many cards of lump 1, 2, … go to type 0, 1, …: lump by lump."""


def splits(count: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to split `count` alike things over places that hold at most `rooms[i]` each.

    >>> list(splits(2, (1, 2)))
    [(0, 2), (1, 1)]
    """
    if not rooms:
        if not count:
            yield ()
        return
    behind = sum(rooms[1:])
    for first in range(max(0, count - behind), min(count, rooms[0]) + 1):
        for rest in splits(count - first, rooms[1:]):
            yield (first, *rest)


def chosen(split: Sequence[int], rooms: Sequence[int]) -> int:
    """In how many ways so many are picked from each of several groups."""
    ways = 1
    for count, room in zip(split, rooms, strict=True):
        ways *= comb(room, count)
    return ways


def arrangements(split: Sequence[int]) -> int:
    """In how many orders things of several sorts can lie, `split[i]` of sort i: the multinomial."""
    ways = 1
    for whole, part in zip(accumulate(split), split, strict=True):
        ways *= comb(whole, part)
    return ways


def check_cases(cases: int) -> None:
    """Refuse a sum with too many cases.

    Raises:
        TooManyWorlds: more than `CASES`.
    """
    if cases > CASES:
        raise TooManyWorlds(
            f"an exact answer here needs more than {CASES} cases: too much is known of too many hands"
        )


@lru_cache(maxsize=1 << 12)
def hidden_types(counted: Census) -> Census:
    """The types whose cards are not known, with how many there are of each."""
    return tuple((kinds, count) for kinds, count in counted if not is_known(kinds))


@lru_cache(maxsize=1 << 12)
def groups(counted: Census, totals: tuple[int, ...], lumps: tuple[Type, ...]) -> tuple[Group, ...]:
    """The cards that hidden places hold, by the types they may go to and by lump (0: none of `lumps`)."""
    hidden = hidden_types(counted)
    counts: defaultdict[tuple[int, int], int] = defaultdict(int)
    for kind, count in enumerate(pool_of(counted, totals)):
        if count:
            allowed = sum(1 << index for index, (kinds, _) in enumerate(hidden) if kinds >> kind & 1)
            lump = next((number for number, kinds in enumerate(lumps, 1) if kinds >> kind & 1), 0)
            counts[allowed, lump] += count
    return tuple((allowed, lump, count) for (allowed, lump), count in sorted(counts.items()))


@lru_cache(maxsize=1 << 12)
def shares(rooms: tuple[int, ...], cards: tuple[Group, ...], lumps: int) -> dict[Shares, int]:
    """How the lumps' cards share the hidden types, each with its number of ways.

    Args:
        rooms: how many places each hidden type has; their sum is the number of cards.
        cards: what is to be handed out.
        lumps: how many lumps are told apart (lump 0 is not).

    A way says which card goes to which type; within a type, order is not counted.

    Raises:
        TooManyWorlds: the sum has more than `CASES` cases.
    """
    width = len(rooms)
    if width == 1:
        counts = [0] * (lumps + 1)
        for _, lump, count in cards:
            counts[lump] += count
        return {tuple(counts[1:]): 1}
    cases: dict[tuple[tuple[int, ...], Shares], int] = {(rooms, (0,) * (width * lumps)): 1}
    # What has the fewest types to go to comes first: it cuts the most, and the last has no choice left.
    for allowed, lump, count in sorted(cards, key=lambda group: (group[0].bit_count(), group[2])):
        after: defaultdict[tuple[tuple[int, ...], Shares], int] = defaultdict(int)
        for (left, shared), ways in cases.items():
            open_rooms = [room if allowed >> index & 1 else 0 for index, room in enumerate(left)]
            for split in splits(count, open_rooms):
                rest = tuple(room - part for room, part in zip(left, split, strict=True))
                after[rest, _added(shared, lump, split)] += ways * arrangements(split)
            check_cases(len(after))
        cases = after
    return {shared: ways for (_, shared), ways in cases.items()}


def _added(shared: Shares, lump: int, split: tuple[int, ...]) -> Shares:
    """The shares after `split` cards more of a lump."""
    if not lump:
        return shared
    start = (lump - 1) * len(split)
    more = tuple(had + part for had, part in zip(shared[start:], split, strict=False))
    return shared[:start] + more + shared[start + len(split) :]


@lru_cache(maxsize=1 << 12)
def ways(counted: Census, totals: tuple[int, ...]) -> int:
    """In how many ways the cards can be handed out to the places; 0: not at all.

    Args:
        counted: the types of all places.
        totals: how many cards there are of each kind; as many as places.
    """
    pool = pool_of(counted, totals)
    if min(pool) < 0:
        return 0
    known = 1
    for total, left in zip(totals, pool, strict=True):
        known *= perm(total, total - left)
    hidden = hidden_types(counted)
    if not hidden:
        return known
    cards = groups(counted, totals, ())
    if any(not allowed for allowed, _, _ in cards):
        return 0
    rooms = tuple(count for _, count in hidden)
    inside = 1
    for room in rooms:
        inside *= factorial(room)
    return known * inside * sum(shares(rooms, cards, 0).values())


@lru_cache(maxsize=1 << 12)
def kinds_of(counted: Census, totals: tuple[int, ...], kinds: Type) -> tuple[tuple[int, ...], int]:
    """How likely a place of this type holds each kind: (parts by kind, of how many).

    `kinds` is one of the types in `counted`. Exact: the share of all ways in which it does.
    """
    if is_known(kinds):
        return tuple(kinds >> kind & 1 for kind in range(len(totals))), 1
    pool = pool_of(counted, totals)
    if len(hidden_types(counted)) == 1:
        return pool, sum(pool)
    parts = []
    for kind, count in enumerate(pool):
        told = 0
        if count and kinds >> kind & 1:
            told = ways(retyped(counted, kinds, 1 << kind), totals)
        parts.append(told)
    common = gcd(*parts)
    return tuple(part // common for part in parts), sum(parts) // common


def retyped(counted: Census, was: Type, now: Type, count: int = 1) -> Census:
    """The census after `count` places of type `was` are found to be of type `now`."""
    counts = dict(counted)
    counts[was] -= count
    counts[now] = counts.get(now, 0) + count
    return tuple(sorted((kinds, left) for kinds, left in counts.items() if left))
