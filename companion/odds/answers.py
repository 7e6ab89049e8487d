"""Exact answers: what comes next, what is in a hand, who survives.

Every function takes one observer's `Knowledge` and returns `fractions.Fraction`s: the share of all
arrangements of the cards, given what the observer knows, in which something is true. Nothing is sampled and
nothing is rounded. All raise `UnknownName`, `TooFewCards` for more cards than there are, and `TooManyWorlds`
if an exact sum has too many cases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb, gcd, lcm
from typing import TypeAlias

from companion.odds.counting import kinds_of
from companion.odds.errors import ImpossibleCards, TooFewCards
from companion.odds.knowledge import Kinds, Knowledge
from companion.odds.merged import Merged, merged
from companion.odds.tally import Alike, Question, alike, tally
from companion.odds.world import Census, Runs, Type, World, is_known, least, mixed, span, types_of


@dataclass(frozen=True, slots=True)
class Span:
    """The `cards` cards of the deck from place `first` on (0 is the top)."""

    first: int
    cards: int


@dataclass(frozen=True, slots=True)
class Held:
    """All cards of a pile, by its name."""

    pile: str


Where: TypeAlias = Span | Held
"""Cards to ask about."""


def card_at(knowledge: Knowledge, place: int = 0) -> dict[str, Fraction]:
    """The chance of each kind for the card at a place of the deck (0 is the next); the chances sum to 1.

    >>> card_at(Knowledge.start({"nope": 1, "skip": 3}, Pile(4), {}))
    {'nope': Fraction(1, 4), 'skip': Fraction(3, 4)}
    """
    _check(knowledge, Span(place, 1))
    weights: defaultdict[tuple[tuple[int, ...], int], int] = defaultdict(int)
    for world in _alike(_Same(knowledge), (Span(place, 1),)):
        (((source, _),),) = world.runs
        weights[_kinds_in(mixed(world.bags, source), world.counted, knowledge.totals)] += world.weight
    whole = lcm(*(parts_of for _, parts_of in weights))
    every = sum(weights.values()) * whole
    sums = [0] * len(knowledge.kinds)
    for (parts, parts_of), weight in weights.items():
        for kind, part in enumerate(parts):
            sums[kind] += weight * part * (whole // parts_of)
    return {kind: Fraction(part, every) for kind, part in zip(knowledge.kinds, sums, strict=True)}


@lru_cache(maxsize=1 << 10)
def _kinds_in(content: Census, counted: Census, totals: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """The chance of each kind for a card of a bag: (parts by kind, of how many)."""
    kinds_by_bag = [(count, *kinds_of(counted, totals, kinds)) for kinds, count in content]
    whole = lcm(*(parts_of for _, _, parts_of in kinds_by_bag))
    sums = [0] * len(totals)
    for count, parts, parts_of in kinds_by_bag:
        for kind, part in enumerate(parts):
            sums[kind] += count * part * (whole // parts_of)
    common = gcd(*sums)
    return tuple(part // common for part in sums), sum(sums) // common


def number_among(knowledge: Knowledge, draws: int, kinds: Kinds) -> tuple[Fraction, ...]:
    """The chances that 0, 1, 2, … of the next `draws` cards are of these kinds; the chances sum to 1.

    >>> number_among(Knowledge.start({"nope": 1, "skip": 3}, Pile(4), {}), 2, "nope")
    (Fraction(1, 2), Fraction(1, 2))
    """
    return _numbers(knowledge, Span(0, draws), kinds)


def any_among(knowledge: Knowledge, draws: int, kinds: Kinds) -> Fraction:
    """The chance that at least one of the next `draws` cards is of these kinds.

    >>> any_among(Knowledge.start({"nope": 1, "skip": 3}, Pile(4), {}), 3, "nope")
    Fraction(3, 4)
    """
    return 1 - number_among(knowledge, draws, kinds)[0]


def number_held(knowledge: Knowledge, pile: str, kinds: Kinds) -> tuple[Fraction, ...]:
    """The chances that a pile holds 0, 1, 2, … cards of these kinds; the chances sum to 1.

    >>> number_held(Knowledge.start({"nope": 1, "skip": 3}, Pile(3), {"ann": Pile(1)}), "ann", "nope")
    (Fraction(3, 4), Fraction(1, 4))
    """
    return _numbers(knowledge, Held(pile), kinds)


def holds(knowledge: Knowledge, pile: str, kinds: Kinds, at_least: int = 1) -> Fraction:
    """The chance that a pile holds at least `at_least` cards of these kinds.

    >>> holds(Knowledge.start({"nope": 1, "skip": 3}, Pile(3), {"ann": Pile(1)}), "ann", "nope")
    Fraction(1, 4)
    """
    return sum(number_held(knowledge, pile, kinds)[max(0, at_least) :], Fraction(0))


def certain(knowledge: Knowledge, pile: str) -> dict[str, int]:
    """The cards that a pile certainly holds: the minimum number of each kind.

    It is all that can be deduced: of two nopes in a hand, one is still there after one card was stolen; of
    three cards in a hand, one is a skip when only two others are left.

    >>> certain(Knowledge.start({"nope": 1, "skip": 3}, Pile(2), {"ann": Pile(2)}), "ann")
    {'skip': 1}
    """
    counts: dict[str, int] = {}
    for group in interchangeable(knowledge):
        numbers = number_held(knowledge, pile, group[0])
        least = next(number for number, chance in enumerate(numbers) if chance)
        counts |= dict.fromkeys(group, least)
    return {kind: counts[kind] for kind in knowledge.kinds if counts[kind]}


def known_cards(knowledge: Knowledge, pile: str) -> dict[str, int]:
    """Those of the certain cards that follow from the known ones alone; never too many cases.

    >>> known_cards(Knowledge.start({"nope": 1, "skip": 3}, Pile(2), {"ann": Pile(2)}), "ann")
    {}
    """
    index = knowledge.pile_index(pile)
    piles = [(world.piles[index], world.bags) for _, world in knowledge.worlds]
    contents = {(runs, bags if any(source < 0 for source, _ in runs) else ()) for runs, bags in piles}
    counts = {
        kind: min(least(bags, runs, 1 << number) for runs, bags in contents)
        for number, kind in enumerate(knowledge.kinds)
    }
    return {kind: count for kind, count in counts.items() if count}


def interchangeable(knowledge: Knowledge) -> tuple[tuple[str, ...], ...]:
    """The kinds, grouped so that all answers are the same for the kinds of a group.

    >>> interchangeable(Knowledge.start({"nope": 2, "skip": 2, "cat": 1}, Pile(5), {}))
    (('nope', 'skip'), ('cat',))
    """
    worlds = [world for _, world in knowledge.worlds]
    inside = {kinds for world in worlds for runs in (world.deck, *world.bags) for kinds, _ in runs}
    piles = [{world.piles[index] for world in worlds} for index in range(len(knowledge.piles))]
    types = inside | {kinds for pile in piles for runs in pile for kinds, _ in runs}
    hidden = {kinds for kinds in types if kinds > 0 and not is_known(kinds)}
    groups: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for number, (kind, total) in enumerate(zip(knowledge.kinds, knowledge.totals, strict=True)):
        mask = 1 << number
        counted = [{dict(runs).get(mask, 0) for runs in pile} for pile in piles]
        apart = mask in inside or any(len(counts) > 1 for counts in counted)
        sure = tuple(min(counts) for counts in counted)
        allowed = frozenset(kinds for kinds in hidden if kinds & mask)
        groups[(kind,) if apart else (total, sure, allowed)].append(kind)
    return tuple(tuple(group) for group in groups.values())


def numbers_together(
    knowledge: Knowledge, where: Sequence[Where], kinds: Sequence[Kinds]
) -> dict[tuple[tuple[int, ...], ...], Fraction]:
    """The joint chances of the numbers of cards of several kinds in several places; they sum to 1.

    Args:
        knowledge: the observer's knowledge.
        where: spans of the deck and piles that do not overlap.
        kinds: kinds or sets of kinds that do not overlap.

    Returns:
        The chance of each table `table[i][j]`: the number of cards of `kinds[j]` in `where[i]`.

    Raises:
        ImpossibleCards: `where` or `kinds` overlap.

    >>> deck = Knowledge.start({"nope": 1, "skip": 1}, Pile(2), {})
    >>> numbers_together(deck, [Span(0, 1), Span(1, 1)], ["nope"])
    {((0,), (1,)): Fraction(1, 2), ((1,), (0,)): Fraction(1, 2)}
    """
    lumps = _lumps(knowledge, kinds)
    for place in where:
        _check(knowledge, place)
    _check_apart(where)
    width = len(lumps)
    question = Question(lumps, ((1 << width) - 1,) * len(where))
    same, places = _Same(knowledge), tuple(where)
    # Of one place every kind is asked; of several together, hardly more than once.
    whole = _merged(same, places) if len(places) == 1 else None
    tables, every = (
        tally(_alike(same, places), question, knowledge.totals) if whole is None else whole.tally(question)
    )
    return {
        tuple(flat[row * width : (row + 1) * width] for row in range(len(where))): Fraction(
            tables[flat], every
        )
        for flat in sorted(tables)
    }


def survives(knowledge: Knowledge, draws: int, deadly: Kinds, savers: Kinds, in_hand: int | str) -> Fraction:
    """The chance that a player survives the next `draws` draws, if they make all of them.

    A deadly card costs a saver or kills; a saver drawn on the way helps from then on. A deadly card that was
    survived goes back where these draws do not reach it.

    Args:
        knowledge: the observer's knowledge.
        draws: the number of cards drawn from the top.
        deadly: the kinds that kill (a kitten).
        savers: the kinds that save (a defuse).
        in_hand: the number of savers in the player's hand, or the name of the player's pile to use what the
            observer knows about it.

    Method: in each stretch of cards in random order, only the numbers of deadly cards and savers matter. The
    reflection principle counts the orders in which the savers never run out.

    >>> deck = Knowledge.start({"kitten": 1, "skip": 3}, Pile(4), {})
    >>> survives(deck, 2, "kitten", (), in_hand=0), survives(deck, 2, "kitten", (), in_hand=1)
    (Fraction(1, 2), Fraction(1, 1))
    """
    _check(knowledge, Span(0, draws))
    lumps = _lumps(knowledge, (deadly, savers))
    where: tuple[Where, ...] = (Span(0, draws),)
    if isinstance(in_hand, str):
        _check(knowledge, Held(in_hand))
        where = (*where, Held(in_hand))
    start = in_hand if isinstance(in_hand, int) else 0
    by_length: defaultdict[int, list[Alike]] = defaultdict(list)
    for world in _alike(_Same(knowledge), where):
        drawn, *hand = world.runs
        stretches = [(run,) for run in drawn if _matters(world, run, lumps)]
        by_length[len(stretches)].append(world._replace(runs=(*stretches, *(hand or [()]))))
    lives = sum((_lives_all(knowledge, rows, lumps, start) for rows in by_length.values()), Fraction(0))
    return lives / sum(weight for weight, _ in knowledge.worlds)


def _lives_all(knowledge: Knowledge, rows: list[Alike], lumps: tuple[Type, ...], savers: int) -> Fraction:
    """The weight of the cases in which the player survives, over worlds with equally many stretches."""
    stretches = len(rows[0].runs) - 1
    question = Question(lumps, (_BOTH,) * stretches + (_SAVERS,))
    tables, whole = tally(rows, question, knowledge.totals)
    parts: defaultdict[int, int] = defaultdict(int)
    for table, ways in tables.items():
        lives, orders = _lives(table, savers)
        parts[orders] += lives * ways
    weight = sum(row.weight for row in rows)
    return weight * sum((Fraction(part, orders) for orders, part in parts.items()), Fraction(0)) / whole


_BOTH, _SAVERS = 0b11, 0b10
"""The lumps (deadly, savers) that count, as bits: both in the deck, only savers in the hand."""


def _matters(worlds: Alike, run: tuple[int, int], lumps: tuple[Type, ...]) -> bool:
    """Check that cards of these kinds can lie in a run of the deck."""
    return any(types_of(worlds.bags, run[0]) & lump for lump in lumps)


def _lives(table: tuple[int, ...], savers: int) -> tuple[int, int]:
    """The number of orders of a table's cards in which the player survives, and of all orders.

    The table has (deadly, savers) for each stretch in the order of drawing, then for the player's hand.
    """
    in_hand = savers + table[-1]
    lives = orders = 1
    for down, up in zip(table[:-2:2], table[1:-2:2], strict=True):
        if down:
            part, whole = _never_short(down, up, in_hand)
            lives, orders = lives * part, orders * whole
        in_hand += up - down
    return lives, orders


@lru_cache(maxsize=1 << 12)
def _never_short(down: int, up: int, in_hand: int) -> tuple[int, int]:
    """The orders of `down` deadly cards and `up` savers in which `in_hand` savers never run out: (these,
    all)."""
    if down > in_hand + up:
        return 0, 1
    orders = comb(down + up, down)
    return orders - (comb(down + up, down - in_hand - 1) if down > in_hand else 0), orders


def _numbers(knowledge: Knowledge, where: Where, kinds: Kinds) -> tuple[Fraction, ...]:
    """The chances that 0, 1, 2, … of some cards are of these kinds."""
    tables = numbers_together(knowledge, [where], [kinds])
    most = max(number for ((number,),) in tables)
    return tuple(tables.get(((number,),), Fraction(0)) for number in range(most + 1))


class _Same:
    """A knowledge compared by identity, as a cache key: hashing its value would take longer."""

    __slots__ = ("it",)

    def __init__(self, it: Knowledge) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.it is other.it


@lru_cache(maxsize=1 << 6)
def _alike(same: _Same, where: tuple[Where, ...]) -> tuple[Alike, ...]:
    """A knowledge's worlds, merged if they agree in the places asked about, with their runs there.

    The result does not depend on the kinds asked about, so it is cached.
    """
    knowledge = same.it
    indices = [knowledge.pile_index(place.pile) if isinstance(place, Held) else -1 for place in where]

    def runs(world: World) -> tuple[Runs, ...]:
        return tuple(
            span(world.deck, place.first, place.cards) if isinstance(place, Span) else world.piles[index]
            for place, index in zip(where, indices, strict=True)
        )

    return alike((weight, world, runs(world)) for weight, world in knowledge.worlds)


@lru_cache(maxsize=1 << 6)
def _merged(same: _Same, where: tuple[Where, ...]) -> Merged | None:
    """A knowledge's worlds, merged for every question about these places."""
    return merged(_alike(same, where), same.it.totals)


def _lumps(knowledge: Knowledge, kinds: Sequence[Kinds]) -> tuple[Type, ...]:
    """The kinds as types that do not overlap."""
    lumps = tuple(knowledge.mask(group) for group in kinds)
    taken = 0
    for lump in lumps:
        if lump & taken:
            raise ImpossibleCards(f"a kind is asked about twice: {list(kinds)}")
        taken |= lump
    return lumps


def _check(knowledge: Knowledge, where: Where) -> None:
    """Refuse a place that does not exist."""
    if isinstance(where, Held):
        knowledge.pile_index(where.pile)
    elif where.first < 0 or where.cards < 0 or where.first + where.cards > knowledge.deck_size:
        raise TooFewCards(
            f"the deck has {knowledge.deck_size} cards; asked for {where.cards} from place {where.first} on"
        )


def _check_apart(where: Sequence[Where]) -> None:
    """Refuse places that overlap."""
    piles = [place.pile for place in where if isinstance(place, Held)]
    spans = sorted((span.first, span.first + span.cards) for span in where if isinstance(span, Span))
    crossing = any(before[1] > after[0] for before, after in pairwise(spans))
    if crossing or len(set(piles)) < len(piles):
        raise ImpossibleCards(f"places are asked about twice: {list(where)}")
