"""What one observer knows of the cards: what happened so far, as that observer saw it.

A `Knowledge` is a frozen value. Each change gives a new one; a change that cannot be is refused and
changes nothing. It holds the observer's worlds (see `world`) with whole weights: an exact mixture,
never a sample. How many worlds a change can make of one:

| change | worlds |
| --- | --- |
| `shuffle`, `draw`, `steal`, `lay_down`, `gather` | 1 |
| `put` | 1 for each stretch of equal chances and one source; at most the deck's size + 1 |
| `see`, a card seen on its way | 1 for each type in the place's bag, and in the bags that lie in it |
| `play` read as any card | 1 for each type in the hand |
| `play` read as held, `count` | the products of what each type in the hand can be; 1 where it was known |

Worlds that mean the same are one, so a game with few secrets stays at a few. Beyond `WORLDS` a
change is refused with `TooManyWorlds`: nothing is ever rounded or dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from companion.odds import learning, moving
from companion.odds.errors import ImpossibleCards, TooFewCards, TooManyWorlds, UnknownName
from companion.odds.learning import Fall
from companion.odds.world import Run, Type, World, joined, size, tidy

WORLDS = 4_096
"""Most worlds of one observer. Tried on Exploding Kittens with a weight of its own for each place: three
kittens put back into a deck of 22 make 2,300, and an answer takes some 15 ms."""

Kinds: TypeAlias = str | Collection[str]
"""A kind of card, or several that are alike to the question."""


class Reading(Enum):
    """What is concluded when the holder of a hidden hand lays out a card."""

    ANY = "any"
    """The card laid is any of the hand's with equal chance, so the rest stays as unknown as it was."""
    HELD = "held"
    """It shows that the hand had one, no more: for a card that its holder would surely have played."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A number of cards, some of which everybody knows to be there.

    >>> Pile(6, {"defuse": 1})
    Pile(cards=6, known={'defuse': 1})
    """

    cards: int
    known: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """One observer's knowledge of a deck and of named piles (hands, discards, cards that are out).

    Places in the deck count from the top, which is 0. Kinds and piles are known by their names. All
    changes raise `UnknownName` for a name that is not there, `TooFewCards` for a place or a card
    that is not there, `ImpossibleCards` for what contradicts all that is known, and `TooManyWorlds`.
    """

    kinds: tuple[str, ...]
    totals: tuple[int, ...]
    piles: tuple[str, ...]
    worlds: tuple[tuple[int, World], ...]

    @classmethod
    def start(cls, cards: Mapping[str, int], deck: Pile, piles: Mapping[str, Pile]) -> Knowledge:
        """A shuffled deck and piles dealt blindly, but for the cards that are known to be in each.

        Args:
            cards: how many there are of each kind, in the deck and all piles together.
            deck: the deck; its known cards lie anywhere in it.
            piles: the piles by name; an empty one for each place where cards will go.

        Raises:
            ImpossibleCards: the piles do not add up to the cards.

        >>> Knowledge.start({"nope": 2, "skip": 2}, Pile(3), {"ann": Pile(1)}).deck_size
        3
        """
        names = tuple(cards)
        bag = _content(names, deck)
        hands = tuple(_content(names, pile) for pile in piles.values())
        totals = tuple(cards.values())
        if size(bag) + sum(size(hand) for hand in hands) != sum(totals) or min(totals, default=0) < 0:
            raise ImpossibleCards(f"the deck and the piles do not add up to the cards: {dict(cards)}")
        world = World(((~0, size(bag)),) if bag else (), hands, (bag,) if bag else ())
        start = cls(names, totals, tuple(piles), ((1, world),))
        return start._after(lambda same: learning.possible(same, totals), f"the start with {dict(cards)}")

    @property
    def deck_size(self) -> int:
        """How many cards the deck has."""
        return size(self.worlds[0][1].deck)

    def pile_size(self, pile: str) -> int:
        """How many cards a pile has."""
        return size(self.worlds[0][1].piles[self.pile_index(pile)])

    def shuffle(self) -> Knowledge:
        """The deck was shuffled: its places are forgotten, its cards are not."""
        return self._after(moving.shuffle, "a shuffle")

    def see(self, place: int, kinds: Kinds) -> Knowledge:
        """The card at a place of the deck was seen (or is known to be one of several kinds)."""
        self._reach(place)
        mask, totals = self.mask(kinds), self.totals
        return self._after(
            lambda world: learning.learn_in_deck(world, place, mask, totals),
            f"{_named(kinds)} at place {place} of the deck",
        )

    def draw(self, pile: str, kinds: Kinds | None = None, *, place: int = 0) -> Knowledge:
        """The top card (or the one at `place`) went to a pile; seen, where its kind is given.

        `kinds` may name several: `knowledge.others("kitten")` for a card that was no kitten.
        """
        self._reach(place)
        to = self.pile_index(pile)
        known = self if kinds is None else self.see(place, kinds)
        return known._after(lambda world: moving.draw(world, place, to), "a draw")

    def put(
        self,
        pile: str,
        kind: str,
        place: int | None = None,
        *,
        weights: Sequence[Fraction | int] | None = None,
    ) -> Knowledge:
        """A card of this kind went from a pile into the deck.

        Args:
            pile: where it comes from; that it was there is learnt, read as `HELD`.
            kind: its kind.
            place: how many cards lie above it, for one who saw.
            weights: for one who did not: a weight for each of the deck's size + 1 places, from the
                top, 0 for never. Default: all alike.

        Raises:
            ImpossibleCards: the weights are no chances, or not one a place.
        """
        index, mask = self.pile_index(pile), self.mask(kind)
        chances = self._chances(place, weights)
        taken = self._taken(index, kind, Reading.HELD)
        return taken._after(lambda world: moving.put(world, index, mask, chances), "a card put back")

    def play(self, pile: str, to: str, kind: str, reading: Reading = Reading.ANY) -> Knowledge:
        """The holder of a pile laid out a card of this kind, chosen by the holder; it goes to a pile."""
        index, target, mask = self.pile_index(pile), self.pile_index(to), self.mask(kind)
        taken = self._taken(index, kind, reading)
        return taken._after(
            lambda world: iter([(Fraction(1), moving.move_known(world, index, target, mask))]),
            "a card played",
        )

    def steal(self, victim: str, thief: str, kind: str | None = None) -> Knowledge:
        """A card picked blindly went from pile to pile; seen, where its kind is told."""
        if kind is not None:
            return self.play(victim, thief, kind, Reading.ANY)
        index, to = self.pile_index(victim), self.pile_index(thief)
        self._require_card(victim)
        return self._after(lambda world: moving.move_any(world, index, to), "a theft")

    def lay_down(self, pile: str, to: str) -> Knowledge:
        """All cards of a pile went to another, unseen (a player is out)."""
        index, target = self.pile_index(pile), self.pile_index(to)
        if index == target:
            return self
        return self._after(lambda world: moving.move_all(world, index, target), "a hand laid down")

    def gather(self, pile: str) -> Knowledge:
        """All cards of a pile were shuffled into the deck."""
        index = self.pile_index(pile)
        return self._after(lambda world: moving.move_to_deck(world, index), "a pile gathered").shuffle()

    def count(self, pile: str, kinds: Kinds, at_least: int = 0, at_most: int | None = None) -> Knowledge:
        """It was learnt how many of a pile's cards are of these kinds: exactly, at least, at most.

        `count("ann", "nope", at_most=0)`: she has no nope.
        """
        index, mask, totals = self.pile_index(pile), self.mask(kinds), self.totals
        numbers = range(at_least, (self.pile_size(pile) if at_most is None else at_most) + 1)
        return self._after(
            lambda world: learning.learn_count(world, index, mask, numbers, totals),
            f"{at_least} to {numbers.stop - 1} {_named(kinds)} in {pile}",
        )

    def contains(self, pile: str, cards: Mapping[str, int]) -> Knowledge:
        """A pile was seen whole: these cards, no others.

        Raises:
            ImpossibleCards: also when there are more or fewer of them than the pile has cards.
        """
        index, totals = self.pile_index(pile), self.totals
        seen = tuple(cards.get(kind, 0) for kind in self.kinds)
        for kind in cards:
            self.mask(kind)
        if sum(seen) != self.pile_size(pile) or min(seen) < 0:
            raise ImpossibleCards(f"{pile} has {self.pile_size(pile)} cards, told were {dict(cards)}")
        return self._after(
            lambda world: learning.learn_contents(world, index, seen, totals), f"{dict(cards)} in {pile}"
        )

    def others(self, *kinds: str) -> tuple[str, ...]:
        """All kinds but these."""
        self.mask(kinds)
        return tuple(kind for kind in self.kinds if kind not in kinds)

    def mask(self, kinds: Kinds) -> Type:
        """The type of a card that is of one of these kinds."""
        mask = 0
        for kind in (kinds,) if isinstance(kinds, str) else kinds:
            if kind not in self.kinds:
                raise UnknownName(f"no such kind of card: {kind!r}; there are {', '.join(self.kinds)}")
            mask |= 1 << self.kinds.index(kind)
        return mask

    def pile_index(self, pile: str) -> int:
        """Where a pile stands among the piles."""
        if pile not in self.piles:
            raise UnknownName(f"no such pile: {pile!r}; there are {', '.join(self.piles)}")
        return self.piles.index(pile)

    def _after(self, change: Callable[[World], Fall], what: str) -> Knowledge:
        """The knowledge after each world fell into others, tidy and with equal ones joined."""
        weights: dict[World, Fraction] = {}
        for weight, world in self.worlds:
            for chance, after in change(world):
                simple = tidy(after, self.totals)
                weights[simple] = weights.get(simple, Fraction(0)) + weight * chance
                if len(weights) > WORLDS:
                    raise TooManyWorlds(f"{what} leaves more than {WORLDS} cases")
        if not weights:
            raise ImpossibleCards(f"cannot be, from all that is known: {what}")
        return replace(self, worlds=_whole(weights))

    def _taken(self, pile: int, kind: str, reading: Reading) -> Knowledge:
        """The knowledge that a pile holds a card of this kind, in a place of known type."""
        name, mask, totals = self.piles[pile], self.mask(kind), self.totals
        self._require_card(name)
        take = learning.take_held if reading is Reading.HELD else learning.take_any
        return self._after(lambda world: take(world, pile, mask, totals), f"{kind} in {name}")

    def _chances(self, place: int | None, weights: Sequence[Fraction | int] | None) -> list[Fraction]:
        """The chance of each place for a card put back, from the top."""
        places = self.deck_size + 1
        if place is not None:
            if not 0 <= place < places:
                raise TooFewCards(f"the deck has {self.deck_size} cards; {place} above cannot be")
            weights = [int(number == place) for number in range(places)]
        chances = [Fraction(weight) for weight in weights] if weights is not None else [Fraction(1)] * places
        if len(chances) != places or min(chances) < 0 or not any(chances):
            raise ImpossibleCards(f"weights are needed for {places} places, none below 0: {weights}")
        whole = sum(chances)
        return [chance / whole for chance in chances]

    def _reach(self, place: int) -> None:
        """Refuse a place that the deck does not have."""
        if not 0 <= place < self.deck_size:
            raise TooFewCards(f"the deck has {self.deck_size} cards; none lies at place {place}")

    def _require_card(self, pile: str) -> None:
        """Refuse to take from an empty pile."""
        if not self.pile_size(pile):
            raise TooFewCards(f"{pile} has no cards")


def _content(names: tuple[str, ...], pile: Pile) -> tuple[Run, ...]:
    """A pile's places: the known cards, and the rest of which nothing is known."""
    known = pile.known or {}
    for kind in known:
        if kind not in names:
            raise UnknownName(f"no such kind of card: {kind!r}; there are {', '.join(names)}")
    hidden = pile.cards - sum(known.values())
    if hidden < 0 or min(known.values(), default=0) < 0:
        raise ImpossibleCards(f"a pile of {pile.cards} cards cannot hold {dict(known)}")
    runs: Iterable[Run] = [(1 << names.index(kind), count) for kind, count in known.items()]
    return joined((*runs, ((1 << len(names)) - 1, hidden)))


def _whole(chances: Mapping[World, Fraction]) -> tuple[tuple[int, World], ...]:
    """The worlds in a fixed order, with whole weights that have no common divisor."""
    common = lcm(*(chance.denominator for chance in chances.values()))
    weights = {world: int(chance * common) for world, chance in chances.items()}
    shared = gcd(*weights.values())
    return tuple((weights[world] // shared, world) for world in sorted(weights))


def _named(kinds: Kinds) -> str:
    """Kinds as an error says them."""
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
