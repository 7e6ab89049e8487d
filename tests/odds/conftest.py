"""A second engine that shares nothing with the first: it lists every way the cards can lie.

`Listing` holds each arrangement of a small deck and its piles with its chance, and plays each event
on all of them, one by one. It is slow and plain, so that it can be believed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations

Lie = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""The deck from the top, and the cards of each pile, sorted."""


def all_deals(cards: Mapping[str, int], sizes: Sequence[int]) -> Iterable[Lie]:
    """Every order of all cards (each its own), cut into the deck and piles of these sizes."""
    for order in permutations([kind for kind, count in cards.items() for _ in range(count)]):
        parts, rest = [], list(order)
        for size in sizes:
            parts.append(tuple(rest[:size]))
            rest = rest[size:]
        yield parts[0], tuple(tuple(sorted(part)) for part in parts[1:])


class Listing:
    """Every way the cards can lie, with its chance; events change it in place."""

    def __init__(self, cards: Mapping[str, int], sizes: Sequence[int], known: Sequence[Mapping[str, int]]):
        counts = Counter(all_deals(cards, sizes))
        self.chances = {lie: Fraction(count) for lie, count in counts.items()}
        self._start(known)

    def _start(self, known: Sequence[Mapping[str, int]]) -> None:
        """Known cards are put where they are before the rest is dealt: not the same as seeing them there.

        Of `n` alike cards of a kind in a pile, any `k` may be the known ones: C(n, k) ways to come about.
        """

        def ways(lie: Lie) -> int:
            product = 1
            for part, sure in zip((lie[0], *lie[1]), known, strict=True):
                for kind, count in sure.items():
                    product *= sum(1 for _ in combinations(range(part.count(kind)), count))
            return product

        self._replace((lie, chance * ways(lie)) for lie, chance in self.chances.items())

    def _replace(self, falls: Iterable[tuple[Lie, Fraction]]) -> None:
        weights: defaultdict[Lie, Fraction] = defaultdict(Fraction)
        for lie, chance in falls:
            if chance:
                weights[lie] += chance
        whole = sum(weights.values())
        self.chances = {lie: chance / whole for lie, chance in weights.items()}

    @property
    def possible(self) -> bool:
        return bool(self.chances)

    def keep(self, test: Callable[[Lie], bool]) -> None:
        """Only what passes the test was so."""
        self._replace((lie, chance) for lie, chance in self.chances.items() if test(lie))

    def shuffle(self) -> None:
        def falls() -> Iterable[tuple[Lie, Fraction]]:
            for (deck, piles), chance in self.chances.items():
                orders = set(permutations(deck))
                for order in orders:
                    yield (order, piles), chance / len(orders)

        self._replace(falls())

    def draw(self, place: int, pile: int) -> None:
        self._replace(
            ((deck[:place] + deck[place + 1 :], _given(piles, pile, deck[place])), chance)
            for (deck, piles), chance in self.chances.items()
        )

    def put(self, pile: int, kind: str, weights: Sequence[int]) -> None:
        self.keep(lambda lie: kind in lie[1][pile])
        self._replace(
            (((*deck[:place], kind, *deck[place:]), _taken(piles, pile, kind)), chance * weight)
            for (deck, piles), chance in self.chances.items()
            for place, weight in enumerate(weights)
        )

    def steal(self, victim: int, thief: int, kind: str | None) -> None:
        self._replace(
            ((deck, _given(_taken(piles, victim, card), thief, card)), chance)
            for (deck, piles), chance in self.chances.items()
            for card in piles[victim]
            if kind in (None, card)
        )

    def play_held(self, pile: int, to: int, kind: str) -> None:
        self.keep(lambda lie: kind in lie[1][pile])
        self.steal_named(pile, to, kind)

    def steal_named(self, pile: int, to: int, kind: str) -> None:
        self._replace(
            ((deck, _given(_taken(piles, pile, kind), to, kind)), chance)
            for (deck, piles), chance in self.chances.items()
        )

    def move_all(self, pile: int, to: int) -> None:
        def moved(piles: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
            changed = list(piles)
            changed[pile], changed[to] = (), tuple(sorted(piles[to] + piles[pile]))
            return tuple(changed)

        self._replace(((deck, moved(piles)), chance) for (deck, piles), chance in self.chances.items())

    def gather(self, pile: int) -> None:
        self._replace(
            ((deck + piles[pile], (*piles[:pile], (), *piles[pile + 1 :])), chance)
            for (deck, piles), chance in self.chances.items()
        )
        self.shuffle()

    def chance(self, test: Callable[[Lie], bool]) -> Fraction:
        return sum((chance for lie, chance in self.chances.items() if test(lie)), Fraction(0))

    def numbers(self, number: Callable[[Lie], int]) -> dict[int, Fraction]:
        chances: defaultdict[int, Fraction] = defaultdict(Fraction)
        for lie, chance in self.chances.items():
            chances[number(lie)] += chance
        return dict(chances)

    def survival(self, draws: int, deadly: str, saver: str, in_hand: int | None, pile: int) -> Fraction:
        """Walks each deck from the top, card by card."""

        def lives(lie: Lie) -> bool:
            savers = lie[1][pile].count(saver) if in_hand is None else in_hand
            for card in lie[0][:draws]:
                savers += (card == saver) - (card == deadly)
                if savers < 0:
                    return False
            return True

        return self.chance(lives)


def _given(piles: tuple[tuple[str, ...], ...], pile: int, card: str) -> tuple[tuple[str, ...], ...]:
    return (*piles[:pile], tuple(sorted((*piles[pile], card))), *piles[pile + 1 :])


def _taken(piles: tuple[tuple[str, ...], ...], pile: int, card: str) -> tuple[tuple[str, ...], ...]:
    left = Counter(piles[pile])
    left[card] -= 1
    return (*piles[:pile], tuple(sorted(left.elements())), *piles[pile + 1 :])
