"""Worlds merged by all that a question about some places can ask: one sum for the questions about every kind.

Cards that some type rules out are dealt to the groups of places first, kind by kind. Then only three things
matter: the other cards of each kind in each group, the cards that can go anywhere, and the places left for
them. Most worlds agree in these, so that a question goes through a few sums instead of through every world.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache, reduce
from math import comb, lcm
from operator import add, or_
from typing import NamedTuple, TypeAlias

from companion.odds.counting import (
    DIGIT,
    DIGIT_BITS,
    Rooms,
    Row,
    check_cases,
    chosen,
    hidden_types,
    splits,
    unpacked,
)
from companion.odds.errors import TooManyWorlds
from companion.odds.hidden import Table, falls, orders
from companion.odds.tally import Alike, Case, Question, case_of, settled

MANY = 4
"""The worlds from which on it pays to merge them. It never does where no type rules anything out."""

MOST_DEALS = 200
"""The most ways to deal the barred cards of one world; beyond that, each question is summed by itself."""

Left: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""Hidden cards that can go anywhere, by kind, and the places for them by group, those in no group first."""
Deals: TypeAlias = dict[tuple[tuple[int, ...], int], int]
"""Ways by places left and by packed table of the cards dealt."""


class Merged(NamedTuple):
    """The parts of `whole` by what is left and by the other cards: a table group by group, kind by kind."""

    parts: dict[Left, dict[Table, int]]
    whole: int

    def tally(self, question: Question) -> tuple[dict[Table, int], int]:
        """The chance of each table: (parts by table, of how many); see `companion.odds.tally.tally`."""
        sums: defaultdict[tuple[Left, Table], int] = defaultdict(int)
        for (pool, (outside, *free)), tables in self.parts.items():
            inside = [[kind for kind in range(len(pool)) if lump >> kind & 1] for lump in question.lumps]
            asked = [
                [group * len(pool) + kind for kind in kinds] if bits >> lump & 1 else []
                for group, bits in enumerate(question.watched)
                for lump, kinds in enumerate(inside)
            ]
            cards = [sum([pool[kind] for kind in kinds]) for kinds in inside]
            left = (*cards, sum(pool) - sum(cards)), (*free, outside)
            for table, part in tables.items():
                sums[left, tuple([sum([table[index] for index in places]) for places in asked])] += part
        common = lcm(*(orders(cards) for (cards, _), _ in sums))
        result: defaultdict[Table, int] = defaultdict(int)
        for ((cards_left, places), table), part in sums.items():
            scale = part * (common // orders(cards_left))
            for more, ways in falls(cards_left, places, question.watched):
                result[tuple(map(add, table, unpacked(more, len(table))))] += scale * ways
        check_cases(len(result))
        return dict(result), self.whole * common


def merged(worlds: Sequence[Alike], totals: tuple[int, ...]) -> Merged | None:
    """The worlds for each question about their groups of places; None if it is quicker to go through them."""
    if len(worlds) < MANY or all(len(hidden_types(world.counted)) < 2 for world in worlds):
        return None
    kinds = tuple([1 << kind for kind in range(len(totals))])
    weights: defaultdict[Case, int] = defaultdict(int)
    for world in worlds:
        weights[case_of(world, kinds, totals)] += world.weight
    try:
        dealt = [(weight, *_of_case(case, len(totals))) for case, weight in weights.items()]
    except TooManyWorlds:
        return None
    common = lcm(*(whole for _, _, whole in dealt))
    parts: defaultdict[Left, defaultdict[Table, int]] = defaultdict(lambda: defaultdict(int))
    for weight, ways_of, whole in dealt:
        for (left, table), ways in ways_of.items():
            parts[left][table] += weight * ways * (common // whole)
    return Merged({left: dict(tables) for left, tables in parts.items()}, sum(weights.values()) * common)


@lru_cache(maxsize=1 << 10)
def _of_case(case: Case, kinds: int) -> tuple[dict[tuple[Left, Table], int], int]:
    """The ways of one case by what is left and by table, and all ways. Raises `TooManyWorlds`."""
    everywhere, pool = (1 << len(case.rooms)) - 1, [0] * kinds
    for allowed, kind, count in case.rows:
        pool[kind - 1] += count if allowed == everywhere else 0
    barred = tuple([row for row in case.rows if row[0] != everywhere])
    sums: defaultdict[tuple[Left, Table], int] = defaultdict(int)
    tables, _ = settled(case)
    for (known, rooms), ways in tables.items():
        for (free, more), inner in _deals(rooms, barred, kinds, case.groups).items():
            sums[(tuple(pool), free), unpacked(known + more, kinds * case.groups)] += ways * inner
    return dict(sums), sum(sums.values())


@lru_cache(maxsize=1 << 12)
def _deals(rooms: Rooms, barred: Sequence[Row], kinds: int, groups: int) -> Deals:
    """The ways to deal cards to the types that they may go to. Raises `TooManyWorlds`."""
    width = groups + 1
    states = {(0, 0, 0): 1}
    for number, (allowed, kind, count) in enumerate(barred):
        later = reduce(or_, (row[0] for row in barred[number + 1 :]), 0)
        # Places of types that no later row may go to are alike.
        cells = _cells(allowed, later, len(rooms), width)
        if len(states) * comb(count + len(cells) - 1, count) > MOST_DEALS:
            raise TooManyWorlds(f"more than {MOST_DEALS} ways to deal the cards that cannot go anywhere")
        after: defaultdict[tuple[int, int, int], int] = defaultdict(int)
        for (used, gone, table), ways in states.items():
            free = [
                sum(
                    [
                        rooms[index][group] - (used >> DIGIT_BITS * (index * width + group) & DIGIT)
                        for index in alike
                    ]
                )
                for (_, group), alike in cells.items()
            ]
            for split in splits(count, free):
                more = [used, gone, table]
                for (index, group), cards in zip(cells, split, strict=True):
                    more[0] += cards << DIGIT_BITS * (index * width + group) if index >= 0 else 0
                    more[1] += cards << DIGIT_BITS * group
                    more[2] += cards << DIGIT_BITS * ((group - 1) * kinds + kind - 1) if group else 0
                after[more[0], more[1], more[2]] += ways * chosen(split, free)
        states = after
    places = [sum([of_type[group] for of_type in rooms]) for group in range(width)]
    deals: Deals = defaultdict(int)
    for (_, gone, table), ways in states.items():
        lost = unpacked(gone, width)
        deals[tuple([place - less for place, less in zip(places, lost, strict=True)]), table] += ways
    return dict(deals)


def _cells(allowed: int, later: int, types: int, width: int) -> dict[tuple[int, int], list[int]]:
    """The types by cell of equal places: (the type, or -1 for all that no later row needs; the group)."""
    cells: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for index in range(types):
        for group in range(width) if allowed >> index & 1 else ():
            cells[index if later >> index & 1 else -1, group].append(index)
    return dict(cells)
