"""One observer's knowledge about the cards, from everything that they saw so far.

A `Knowledge` is a frozen value. Each change returns a new one; an impossible change is refused and changes
nothing. It holds the observer's worlds (see `world`) with integer weights: an exact mixture, never a sample.
A change can turn one world into this many:

| change | worlds |
| --- | --- |
| `shuffle`, `draw`, `steal`, `lay_down`, `gather` | 1 |
| `put` | 1 for each stretch of equal chances and one source; at most the deck's size + 1 |
| `see`, a card seen in passing | 1 for each type in the place's bag, and in the bags within it |
| `play` read as any card | 1 for each type in the hand, and for each number of its stolen cards by type |
| `play` read as held, `count` | the product of each hand type's possibilities; 1 if it was known |

Worlds that mean the same are merged, so a game with few secrets stays at a few worlds; many are told apart by
the places of one kind's cards, if that leaves fewer (`sorted_out`). Beyond `WORLDS`, a change is refused with
`TooManyWorlds`: nothing is ever rounded or dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from companion.odds import learning, moving
from companion.odds.errors import ImpossibleCards, TooFewCards, TooManyWorlds, UnknownName
from companion.odds.learning import Fall
from companion.odds.sorted_out import MOST, contested, sorted_out
from companion.odds.world import Run, Type, World, covers, joined, size, tidy

WORLDS = 4_096
"""The maximum number of one observer's worlds; an answer over 2,300 takes about 15 ms."""

Kinds: TypeAlias = str | Collection[str]
"""A kind of card, or several that count alike in a question."""


class Reading(Enum):
    """The conclusion from a card that the holder of a hidden hand plays."""

    ANY = "any"
    """The card is any card of the hand with equal chance, so the rest stays as unknown as before."""
    HELD = "held"
    """The card only shows that the hand had one, because its holder would surely have played it."""


@dataclass(frozen=True, slots=True)
class Pile:
    """A number of cards, some of them known to everybody.

    >>> Pile(6, {"defuse": 1})
    Pile(cards=6, known={'defuse': 1})
    """

    cards: int
    known: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """One observer's knowledge of a deck and of named piles (hands, discards, cards out of play).

    Places in the deck count from 0 at the top. Kinds and piles are identified by their names. All changes
    raise `UnknownName` for an unknown name, `TooFewCards` for a missing place or card, `ImpossibleCards` for
    a contradiction, and `TooManyWorlds`.
    """

    kinds: tuple[str, ...]
    totals: tuple[int, ...]
    piles: tuple[str, ...]
    worlds: tuple[tuple[int, World], ...]
    weighed: bool = True
    """False if it says only what can be."""

    @classmethod
    def start(cls, cards: Mapping[str, int], deck: Pile, piles: Mapping[str, Pile]) -> Knowledge:
        """A shuffled deck, and piles dealt blindly except for the cards known to be in each.

        Args:
            cards: the number of each kind, in the deck and all piles together.
            deck: the deck; its known cards lie anywhere in it.
            piles: the piles by name, including empty ones where cards will go.

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
        """The number of cards in the deck."""
        return size(self.worlds[0][1].deck)

    def pile_size(self, pile: str) -> int:
        """The number of cards in a pile."""
        return size(self.worlds[0][1].piles[self.pile_index(pile)])

    def unweighed(self) -> Knowledge:
        """The same knowledge to ask only what can be: chances are lost, and far fewer worlds are left."""
        return replace(self, worlds=_widest([world for _, world in self.worlds]), weighed=False)

    def shuffle(self) -> Knowledge:
        """After the deck was shuffled: the places are forgotten, the cards are not."""
        return self._after(moving.shuffle, "a shuffle")

    def see(self, place: int, kinds: Kinds) -> Knowledge:
        """After a card in the deck was seen (or became known to be one of several kinds)."""
        self._reach(place)
        mask, totals = self.mask(kinds), self.totals
        return self._after(
            lambda world: learning.learn_in_deck(world, place, mask, totals),
            f"{_named(kinds)} at place {place} of the deck",
        )

    def draw(self, pile: str, kinds: Kinds | None = None, *, place: int = 0) -> Knowledge:
        """After the top card (or the one at `place`) went to a pile; it was seen if `kinds` is given.

        `kinds` may name several, such as `knowledge.others("kitten")` for a card that was not a kitten.
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
        """After a card of this kind went from a pile into the deck.

        Args:
            pile: the pile that it came from; its presence there is learnt, read as `HELD`.
            kind: the card's kind.
            place: the number of cards above it, for an observer who saw it.
            weights: for any other observer, a weight for each of the deck's size + 1 places, from the top,
                0 for never. Default: equal weights.

        Raises:
            ImpossibleCards: the weights are not chances, or not one per place.
        """
        index, mask = self.pile_index(pile), self.mask(kind)
        chances = self._chances(place, weights)
        taken = self._taken(index, kind, Reading.HELD)
        return taken._after(lambda world: moving.put(world, index, mask, chances), "a card put back")

    def play(self, pile: str, to: str, kind: str, reading: Reading = Reading.ANY) -> Knowledge:
        """After the holder of a pile chose and played a card of this kind to another pile."""
        index, target, mask = self.pile_index(pile), self.pile_index(to), self.mask(kind)
        taken = self._taken(index, kind, reading)
        return taken._after(
            lambda world: iter([(Fraction(1), moving.move_known(world, index, target, mask))]),
            "a card played",
        )

    def steal(self, victim: str, thief: str, kind: str | None = None) -> Knowledge:
        """After a blindly picked card went from pile to pile; it was seen if `kind` is given."""
        if kind is not None:
            return self.play(victim, thief, kind, Reading.ANY)
        index, to = self.pile_index(victim), self.pile_index(thief)
        self._require_card(victim)
        return self._after(lambda world: moving.move_any(world, index, to), "a theft")

    def lay_down(self, pile: str, to: str) -> Knowledge:
        """After all cards of a pile went to another, unseen (a player is out)."""
        index, target = self.pile_index(pile), self.pile_index(to)
        if index == target:
            return self
        return self._after(lambda world: moving.move_all(world, index, target), "a hand laid down")

    def gather(self, pile: str) -> Knowledge:
        """After all cards of a pile were shuffled into the deck."""
        index = self.pile_index(pile)
        return self._after(lambda world: moving.move_to_deck(world, index), "a pile gathered").shuffle()

    def count(self, pile: str, kinds: Kinds, at_least: int = 0, at_most: int | None = None) -> Knowledge:
        """After learning a minimum and a maximum number of a pile's cards of these kinds.

        `count("ann", "nope", at_most=0)`: Ann has no nope.
        """
        index, mask, totals = self.pile_index(pile), self.mask(kinds), self.totals
        numbers = range(at_least, (self.pile_size(pile) if at_most is None else at_most) + 1)
        return self._after(
            lambda world: learning.learn_count(world, index, mask, numbers, totals),
            f"{at_least} to {numbers.stop - 1} {_named(kinds)} in {pile}",
        )

    def contains(self, pile: str, cards: Mapping[str, int]) -> Knowledge:
        """After a whole pile was seen: exactly these cards.

        Raises:
            ImpossibleCards: also if their number is not the pile's size.
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
        """All kinds except these."""
        self.mask(kinds)
        return tuple(kind for kind in self.kinds if kind not in kinds)

    def mask(self, kinds: Kinds) -> Type:
        """The type of a card of one of these kinds."""
        mask = 0
        for kind in (kinds,) if isinstance(kinds, str) else kinds:
            if kind not in self.kinds:
                raise UnknownName(f"no such kind of card: {kind!r}; there are {', '.join(self.kinds)}")
            mask |= 1 << self.kinds.index(kind)
        return mask

    def pile_index(self, pile: str) -> int:
        """The index of a pile among the piles."""
        if pile not in self.piles:
            raise UnknownName(f"no such pile: {pile!r}; there are {', '.join(self.piles)}")
        return self.piles.index(pile)

    def _after(self, change: Callable[[World], Fall], what: str) -> Knowledge:
        """The knowledge after each world was split by `change`, sorted out if that leaves fewer worlds."""
        after = self._split(change, what, WORLDS)
        kind = contested([world for _, world in after.worlds]) if self.weighed else 0
        if kind:
            with suppress(TooManyWorlds):
                fewer = min(len(after.worlds) - 1, MOST)
                return after._split(lambda world: sorted_out(world, kind, self.totals), what, fewer)
        return after

    def _split(self, change: Callable[[World], Fall], what: str, most: int) -> Knowledge:
        """The knowledge after each world was split by `change`, with the results tidied and merged."""
        parts: dict[World, dict[int, int]] = {}
        tidied: dict[World, World] = {}
        for weight, world in self.worlds:
            for chance, after in change(world):
                if after not in tidied:  # many worlds come to the same
                    tidied[after] = tidy(after, self.totals)
                shares = parts.setdefault(tidied[after], {})
                shares[chance.denominator] = shares.get(chance.denominator, 0) + weight * chance.numerator
                if len(parts) > most:
                    raise TooManyWorlds(f"{what} leaves more than {most} cases")
        if not parts:
            raise ImpossibleCards(f"cannot be, from all that is known: {what}")
        return replace(self, worlds=_whole(parts) if self.weighed else _widest(parts))

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
    """A pile's places: the known cards, and the unknown rest."""
    known = pile.known or {}
    for kind in known:
        if kind not in names:
            raise UnknownName(f"no such kind of card: {kind!r}; there are {', '.join(names)}")
    hidden = pile.cards - sum(known.values())
    if hidden < 0 or min(known.values(), default=0) < 0:
        raise ImpossibleCards(f"a pile of {pile.cards} cards cannot hold {dict(known)}")
    runs: Iterable[Run] = [(1 << names.index(kind), count) for kind, count in known.items()]
    return joined((*runs, ((1 << len(names)) - 1, hidden)))


def _whole(parts: Mapping[World, Mapping[int, int]]) -> tuple[tuple[int, World], ...]:
    """The worlds in a fixed order, with integer weights that have no common divisor.

    Args:
        parts: for each world, parts of its weight by their denominator.
    """
    common = lcm(*{of for shares in parts.values() for of in shares})
    weights = {
        world: sum(part * (common // of) for of, part in shares.items()) for world, shares in parts.items()
    }
    shared = gcd(*weights.values())
    return tuple((weights[world] // shared, world) for world in sorted(weights))


def _widest(worlds: Collection[World]) -> tuple[tuple[int, World], ...]:
    """The worlds in a fixed order without those that another covers, all with one weight."""
    kept: list[World] = []
    for world in sorted(worlds):
        if not any(covers(wide, world) for wide in kept):
            kept = [*(narrow for narrow in kept if not covers(world, narrow)), world]
    return tuple((1, world) for world in kept)


def _named(kinds: Kinds) -> str:
    """Kinds as text for an error."""
    return kinds if isinstance(kinds, str) else " or ".join(kinds)
