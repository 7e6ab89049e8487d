"""Two ways to play Exploding Kittens by rule of thumb.

**The plain player** plays as people do who know the game. It keeps its defuse, counts the kittens against
the cards of the deck, and remembers what it saw. Once the next card is dangerous it looks at it, attacks,
skips, or shuffles away a kitten that it knows of. It spends two cats on a card of whoever holds most, three
on a defuse. One time in two it lays a nope on an attack or a theft that is meant for it. It hides its kitten
on top one time in three, else anywhere.

**The careful player** waits for more danger before it spends a card, the more the better it is off for
defuses. It takes a kitten that was just put back for one that is likely to lie on top. It steals from those
who may still hold their first defuse. It keeps its nopes for its own defuse, for an attack, and for whoever
wants to get away from a kitten that it knows of.
"""

from __future__ import annotations

from companion.games.exploding_kittens.opponent.playout import DRAW, Deed, Playout

DANGER = 0.2
"""The chance of a kitten from which on the plain player does something about it."""

DANGERS = (0.3, 0.5, 0.9)
"""The same for the careful player, with no defuse, with one, and with more. Tried on thousands of matches
against three plain players: between 0.2 and 0.5 a defuse more or less matters far more than this number."""

LOOKS_FROM = 0.3
"""The chance of a kitten from which on the careful player looks at the next cards."""

ON_TOP = 0.4
"""The chance at which the careful player takes the next card for the kitten that another has just hidden."""

COUNTERS_FROM = 0.3
"""The chance of a kitten from which on the careful player saves its own card from a nope."""

ATTACKED_FROM = 0.15
"""The chance of a kitten from which on the careful player stops an attack on itself."""

DEFUSE_AT_RISK = 0.2
"""The chance to lose a defuse by a blind theft from which on the careful player stops that."""


class Plain:
    """Plays as people do; see above."""

    def turn(self, match: Playout, seat: int) -> Deed:
        """A combo, a way around a dangerous card, or a draw."""
        box, hand = match.box, match.hands[seat]
        danger, sees = match.danger(seat), match.sees_top(seat)
        deed = self._combo(match, seat)
        if deed is not None or danger <= DANGER:
            return deed or DRAW
        if hand[box.future] and not sees:
            return Deed("play", box.future)
        return _way_out(match, seat, shuffles=sees) or DRAW

    def _combo(self, match: Playout, seat: int) -> Deed | None:
        box, hand = match.box, match.hands[seat]
        others = match.others(seat)
        for card in box.cats if others else ():
            if hand[card] >= 3 and card in box.threes:
                return Deed("three", card, (_first_defuses(match, others) or others)[0], box.defuse)
            if hand[card] >= 2 and card in box.pairs:
                return Deed("pair", card, max(others, key=lambda each: sum(match.hands[each])))
        return None

    def nopes(self, match: Playout, seat: int, by: int, deed: Deed, stopped: int) -> bool:
        """One time in two, if it is meant for this seat; its own card it saves one time in four."""
        if stopped:
            return stopped % 2 == 1 and by == seat and match.lots.below(4) == 0
        return _is_meant_for(match, seat, by, deed) and match.lots.below(2) == 0

    def place(self, match: Playout, seat: int) -> int:
        """On top one time in three, unless it would draw the kitten itself; else anywhere."""
        if match.owed == 1 and match.lots.below(3) == 0:
            return 0
        return match.lots.below(len(match.deck) + 1)


class Careful:
    """Plays for defuses, and for the others' draws; see above."""

    def turn(self, match: Playout, seat: int) -> Deed:
        """A combo, a look, a way around a dangerous card, or a draw."""
        box, hand = match.box, match.hands[seat]
        deed = self._combo(match, seat, (*box.cats, box.shuffle, box.future))
        danger, sees = match.danger(seat), match.sees_top(seat)
        if deed is not None or not danger:
            return deed or DRAW
        hidden = not sees and match.hidden_by not in (None, seat)
        if hidden:
            danger = max(danger, ON_TOP)
        if hand[box.future] and not sees and danger >= LOOKS_FROM:
            return Deed("play", box.future)
        if danger <= DANGERS[min(hand[box.defuse], len(DANGERS) - 1)]:
            return DRAW
        out = _way_out(match, seat, shuffles=sees or hidden)
        spare = [kind for kind in range(len(hand)) if kind != box.defuse]
        return out or self._combo(match, seat, spare) or DRAW

    def _combo(self, match: Playout, seat: int, spare: tuple[int, ...] | list[int]) -> Deed | None:
        """Two or three alike of the cards that are worth less than another's."""
        box, hand = match.box, match.hands[seat]
        alike = [card for card in spare if hand[card] >= 2]
        others = match.others(seat) if alike else []
        if not others:
            return None
        first = _first_defuses(match, others)
        victim = min(first or others, key=lambda each: sum(match.hands[each]))
        for card in alike:
            if first and hand[card] >= 3 and card in box.threes:
                return Deed("three", card, victim, box.defuse)
        return next((Deed("pair", card, victim) for card in alike if card in box.pairs), None)

    def nopes(self, match: Playout, seat: int, by: int, deed: Deed, stopped: int) -> bool:
        """Where a defuse, or the next card, is at stake."""
        box, hand = match.box, match.hands[seat]
        if by == seat:
            saves = deed.what == "three" or (deed.what == "play" and match.danger(seat) > COUNTERS_FROM)
            return stopped % 2 == 1 and saves and deed.card != box.future
        if stopped:
            return False
        if deed.target == seat:
            if deed.what == "three":
                return deed.named == box.defuse and hand[box.defuse] > 0
            return hand[box.defuse] >= DEFUSE_AT_RISK * sum(hand)
        if deed.card not in (box.attack, box.skip, box.shuffle) or deed.what != "play":
            return False
        if match.sees_top(seat) and match.danger(seat):
            return True
        return (
            _is_meant_for(match, seat, by, deed)
            and not hand[box.attack]
            and match.danger(seat) > ATTACKED_FROM
        )

    def place(self, match: Playout, seat: int) -> int:
        """On top for the next player; at the bottom where this seat draws next."""
        return 0 if match.owed == 1 else len(match.deck)


def _way_out(match: Playout, seat: int, *, shuffles: bool) -> Deed | None:
    """A card that keeps the seat from drawing the next one."""
    box, hand = match.box, match.hands[seat]
    for card in (box.attack, box.skip, *((box.shuffle,) if shuffles else ())):
        if hand[card]:
            return Deed("play", card)
    return None


def _first_defuses(match: Playout, seats: list[int]) -> list[int]:
    """Those of the seats that have not used the defuse that each was dealt."""
    return [seat for seat in seats if not match.defused[seat]]


def _is_meant_for(match: Playout, seat: int, by: int, deed: Deed) -> bool:
    """Whether it is a theft from the seat, or an attack on it."""
    attacks = deed.what == "play" and deed.card == match.box.attack and match.next(by) == seat
    return attacks or deed.target == seat
