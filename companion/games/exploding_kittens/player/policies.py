"""Two ways to play Exploding Kittens by rule of thumb.

**The plain player** plays as people do who know the game. It keeps its defuse, counts the kittens against the
cards of the deck, and remembers what it saw. Before a dangerous card it looks at it, attacks, skips, or
shuffles away a kitten that it knows of. It spends two cats on a card of whoever holds most, three on a
defuse. One time in two it nopes an attack or a theft meant for it. It hides its kitten on top one time in
three, else anywhere.

**The careful player** waits for more danger before it spends a card, and for more still with more defuses. It
assumes that a kitten just put back lies on top. It steals where a card is most likely a defuse: from small
hands whose first defuse is still there, and rather not from the next seat, which draws the kittens that it
hides. It keeps its nopes for thefts from its hand, for its own cards, for an attack, and for a skip that
leaves it a dangerous card. Its numbers were tuned against plain players: it wins about 45 % of matches of
four, 59 % of three, 81 % of two.
"""

from __future__ import annotations

from companion.games.exploding_kittens.player.playout import DRAW, DealtMatch, Deed

DANGER = 0.2
"""The chance of a kitten from which on the plain player acts."""

NO_DEFUSE = {2: 0.4, 3: 0.5, 4: 0.6}
"""The same for the careful player without a defuse, by the players left."""

DEFUSE_HELD = (0.7, 0.9)
"""The same with one defuse, and with more."""

UNDER_ATTACK = 0.1
"""The danger that the careful player takes less while it owes several turns."""

LAST_TWO = 0.2
"""The danger that it takes more with one defuse, with two players left."""

LOOKS_FROM = (0.3, 0.5, 0.5)
"""The chance of a kitten from which on the careful player looks at the next cards, by its defuses."""

ON_TOP = 0.8
"""The assumed chance that a kitten just hidden by another seat lies on top."""

SHUFFLES_FROM = 0.6
"""The chance of a kitten from which on the careful player shuffles an unknown deck."""

ATTACKED_FROM = 0.15
"""The chance of a kitten from which on the careful player stops an attack on itself."""

SKIPPED_FROM = 0.7
"""The chance of a kitten from which on the careful player stops a skip that makes it draw next."""

USED_ITS_DEFUSE = 0.1
"""The assumed chance of another defuse in a hand that has used one."""

NEXT_SEAT = 0.7
"""The worth of a theft from the next seat, relative to one from another."""


class Plain:
    """Plays as people do; see above."""

    def turn(self, match: DealtMatch, seat: int) -> Deed:
        """A combo, a way around a dangerous card, or a draw."""
        box, hand = match.box, match.hands[seat]
        danger, sees = match.danger(seat), match.sees_top(seat)
        deed = self._combo(match, seat)
        if deed is not None or danger <= DANGER:
            return deed or DRAW
        if hand[box.future] and not sees:
            return Deed("play", box.future)
        ways_out = (box.attack, box.skip, *((box.shuffle,) if sees else ()))
        return _first_held(match, seat, ways_out) or DRAW

    def _combo(self, match: DealtMatch, seat: int) -> Deed | None:
        box, hand = match.box, match.hands[seat]
        others = match.others(seat)
        for card in box.cats if others else ():
            if hand[card] >= 3 and card in box.threes:
                victim = next((other for other in others if not match.defused[other]), others[0])
                return Deed("three", card, victim, box.defuse)
            if hand[card] >= 2 and card in box.pairs:
                return Deed("pair", card, max(others, key=lambda other: sum(match.hands[other])))
        return None

    def nopes(self, match: DealtMatch, seat: int, by: int, deed: Deed, stopped: int) -> bool:
        """Nope one time in two what is meant for this seat, one in four to save its own card."""
        if stopped:
            return stopped % 2 == 1 and by == seat and match.luck.randbelow(4) == 0
        attacks = deed.what == "play" and deed.card == match.box.attack and match.next(by) == seat
        return (attacks or deed.target == seat) and match.luck.randbelow(2) == 0

    def place(self, match: DealtMatch, seat: int) -> int:
        """On top one time in three, unless it would draw the kitten itself; else anywhere."""
        if match.owed == 1 and match.luck.randbelow(3) == 0:
            return 0
        return match.luck.randbelow(len(match.deck) + 1)


class Careful:
    """Plays for defuses, and for the others' draws; see above."""

    def turn(self, match: DealtMatch, seat: int) -> Deed:
        """A combo, a look, a way around a dangerous card, or a draw."""
        box, hand = match.box, match.hands[seat]
        deed = self._combo(match, seat, (*box.cats, box.shuffle, box.future))
        danger, sees = match.danger(seat), match.sees_top(seat)
        if deed is not None or not danger:
            return deed or DRAW
        hidden = not sees and match.hidden_by not in (None, seat)
        if hidden:
            danger = max(danger, ON_TOP)
        defuses = min(hand[box.defuse], len(DEFUSE_HELD))
        if hand[box.future] and not sees and danger >= LOOKS_FROM[defuses]:
            return Deed("play", box.future)
        if danger <= _danger_taken(match, defuses):
            return DRAW
        out = self._way_out(match, seat, shuffles=sees or hidden or danger >= SHUFFLES_FROM)
        spare = [kind for kind in range(len(hand)) if kind != box.defuse]
        return out or self._combo(match, seat, spare) or DRAW

    def _way_out(self, match: DealtMatch, seat: int, *, shuffles: bool) -> Deed | None:
        """A skip before an attack, which is worth more later: it passes on all owed turns."""
        box = match.box
        first = (box.attack, box.skip) if match.owed > 1 else (box.skip, box.attack)
        return _first_held(match, seat, (*first, *((box.shuffle,) if shuffles else ())))

    def _combo(self, match: DealtMatch, seat: int, spare: tuple[int, ...] | list[int]) -> Deed | None:
        """Two or three alike of cards worth less than another's."""
        box, hand = match.box, match.hands[seat]
        alike = [card for card in spare if hand[card] >= 2]
        others = match.others(seat) if alike else []
        if not others:
            return None
        following = match.next(seat)

        def worth(other: int) -> float:
            defuse = USED_ITS_DEFUSE if match.defused[other] else 1.0
            return defuse * (NEXT_SEAT if other == following else 1.0) / sum(match.hands[other])

        victim = max(others, key=worth)
        for card in alike:
            if not match.defused[victim] and hand[card] >= 3 and card in box.threes:
                return Deed("three", card, victim, box.defuse)
        return next((Deed("pair", card, victim) for card in alike if card in box.pairs), None)

    def nopes(self, match: DealtMatch, seat: int, by: int, deed: Deed, stopped: int) -> bool:
        """Nope if a defuse, or the next card, is at stake."""
        box, hand = match.box, match.hands[seat]
        if by == seat:
            saves = deed.what == "three" or (deed.what == "play" and match.danger(seat) > 0)
            return stopped % 2 == 1 and saves and deed.card != box.future
        if stopped:
            return False
        if deed.target == seat:
            return deed.named in (-1, box.defuse)
        if deed.what != "play" or match.next(by) != seat:
            return False
        if deed.card == box.skip:
            return match.owed == 1 and match.danger(seat) > SKIPPED_FROM
        return deed.card == box.attack and not hand[box.attack] and match.danger(seat) > ATTACKED_FROM

    def place(self, match: DealtMatch, seat: int) -> int:
        """On top for the next player; at the bottom where this seat draws next."""
        return 0 if match.owed == 1 else len(match.deck)


def _first_held(match: DealtMatch, seat: int, cards: tuple[int, ...]) -> Deed | None:
    hand = match.hands[seat]
    return next((Deed("play", card) for card in cards if hand[card]), None)


def _danger_taken(match: DealtMatch, defuses: int) -> float:
    """The chance of a kitten at which the careful player still draws."""
    left = sum(match.alive)
    danger = DEFUSE_HELD[defuses - 1] if defuses else NO_DEFUSE[left]
    if defuses == 1 and left == 2:
        danger += LAST_TWO
    return danger - (UNDER_ATTACK if match.owed > 1 else 0.0)
