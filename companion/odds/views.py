"""One knowledge for the table and one for each seat: who saw what.

Every event is public, for it happens on the table; a seat may have seen more of it, and tells that
to its own phone alone. What a seat tells changes that seat's knowledge and no other's, so nothing
can be read off another's odds: the views of all others are the same values, told or not told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from companion.odds.errors import ImpossibleCards, TooManyWorlds, UnknownName
from companion.odds.knowledge import Kinds, Knowledge, Reading

Change: TypeAlias = Callable[[Knowledge], Knowledge]
"""What an event does to an observer's knowledge."""


@dataclass(frozen=True, slots=True)
class Views:
    """The table's knowledge, each seat's, and the seats whose own knowledge had to be given up.

    A seat's hand is the pile of the seat's name. All events raise what `Knowledge` raises, for what
    is wrong with the event as the table sees it or with what a seat tells of it; nothing has changed
    then. A seat that was told wrong earlier never stops the table: its view becomes the table's, and it
    stands in `lost` until it tells its hand again.
    """

    table: Knowledge
    seats: tuple[tuple[str, Knowledge], ...]
    lost: tuple[str, ...] = ()

    @classmethod
    def start(cls, table: Knowledge, seats: Sequence[str]) -> Views:
        """All know what the table knows.

        >>> Views.start(Knowledge.start({"nope": 2}, Pile(1), {"ann": Pile(1)}), ["ann"]).of("ann").deck_size
        1
        """
        for seat in seats:
            table.pile_index(seat)
        return cls(table, tuple((seat, table) for seat in seats))

    def of(self, seat: str | None) -> Knowledge:
        """What a seat knows; None: what the whole table knows."""
        if seat is None:
            return self.table
        for name, knowledge in self.seats:
            if name == seat:
                return knowledge
        raise UnknownName(f"no such seat: {seat!r}")

    def event(self, public: Change, private: Mapping[str, Change] | None = None) -> Views:
        """Something happened: `public` as all saw it, `private` by seat for those who tell more."""
        told = private or {}
        for seat in told:
            self.of(seat)
        table = public(self.table)
        seats: list[tuple[str, Knowledge]] = []
        lost = list(self.lost)
        for seat, knowledge in self.seats:
            if seat in told:
                seats.append((seat, told[seat](knowledge)))
                continue
            try:
                seats.append((seat, public(knowledge)))
            except (ImpossibleCards, TooManyWorlds):
                seats.append((seat, table))
                lost.append(seat)
        return replace(self, table=table, seats=tuple(seats), lost=tuple(sorted(set(lost))))

    def tell(self, seat: str, change: Change) -> Views:
        """A seat tells its own phone what it knows; nobody else's view changes.

        `views.tell("ann", lambda mine: mine.count("bob", "nope", at_least=1))`
        """
        return self.event(lambda same: same, {seat: change})

    def tell_hand(self, seat: str, cards: Mapping[str, int]) -> Views:
        """A seat tells its own phone its whole hand; one that was lost starts anew from the table's view."""
        mine = self.table if seat in self.lost else self.of(seat)
        told = mine.contains(seat, cards)
        left = tuple(name for name in self.lost if name != seat)
        return replace(self.tell(seat, lambda _: told), lost=left)

    def shuffle(self) -> Views:
        """The deck was shuffled: nobody knows a place any more."""
        return self.event(Knowledge.shuffle)

    def draw(
        self,
        seat: str,
        kind: str | None = None,
        *,
        unlike: Sequence[str] = (),
        seen: Mapping[str, str] | None = None,
    ) -> Views:
        """A seat drew the top card.

        Args:
            seat: who drew.
            kind: what it was, when the table saw it.
            unlike: kinds that the table saw it was not (it did not explode: no kitten).
            seen: by seat, what it was, for seats that tell their own phone.
        """

        def public(knowledge: Knowledge) -> Knowledge:
            kinds: Kinds | None = kind or (knowledge.others(*unlike) if unlike else None)
            return knowledge.draw(seat, kinds)

        return self.event(public, {who: _drawn(seat, card) for who, card in (seen or {}).items()})

    def peek(self, seat: str, kinds: Sequence[str]) -> Views:
        """A seat looked at the top cards and tells its own phone what they are, the top first."""

        def looked(knowledge: Knowledge) -> Knowledge:
            for place, kind in enumerate(kinds):
                knowledge = knowledge.see(place, kind)
            return knowledge

        return self.tell(seat, looked)

    def put(
        self,
        seat: str,
        kind: str,
        *,
        place: int | None = None,
        weights: Sequence[Fraction | int] | None = None,
    ) -> Views:
        """A seat put a card of this kind back into the deck, in secret.

        Args:
            seat: whose hand it comes from.
            kind: its kind, which all know.
            place: how many cards lie above it, if the seat tells its own phone.
            weights: how likely the others hold each place, from the top (default: all alike).
        """
        private = {} if place is None else {seat: lambda mine: mine.put(seat, kind, place)}
        return self.event(lambda knowledge: knowledge.put(seat, kind, weights=weights), private)

    def play(self, seat: str, to: str, kind: str, reading: Reading = Reading.ANY) -> Views:
        """A seat laid out a card of its hand, for all to see."""
        return self.event(lambda knowledge: knowledge.play(seat, to, kind, reading))

    def steal(self, victim: str, thief: str, *, seen: Mapping[str, str] | None = None) -> Views:
        """A card picked blindly went from hand to hand; `seen`: by seat, what it was, for those who tell."""
        private = {who: _stolen(victim, thief, card) for who, card in (seen or {}).items()}
        return self.event(lambda knowledge: knowledge.steal(victim, thief), private)

    def give(self, giver: str, taker: str, kind: str) -> Views:
        """A card that was named went from hand to hand, for all to see (three alike)."""
        return self.event(lambda knowledge: knowledge.play(giver, taker, kind, Reading.HELD))

    def has_none(self, seat: str, kinds: Kinds) -> Views:
        """All learnt that a seat has no card of these kinds (it was asked for one)."""
        return self.event(lambda knowledge: knowledge.count(seat, kinds, at_most=0))

    def lay_down(self, seat: str, to: str) -> Views:
        """A seat is out: its whole hand goes to a pile, unseen."""
        return self.event(lambda knowledge: knowledge.lay_down(seat, to))


def _drawn(seat: str, kind: str) -> Change:
    """The draw of a card, for one who saw it."""
    return lambda knowledge: knowledge.draw(seat, kind)


def _stolen(victim: str, thief: str, kind: str) -> Change:
    """The theft of a card, for one who saw it."""
    return lambda knowledge: knowledge.steal(victim, thief, kind)
