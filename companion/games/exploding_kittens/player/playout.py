"""A match of Exploding Kittens with every card dealt, to play out quickly and weigh moves by.

It follows `companion.games.exploding_kittens.rules`, without their errors and their knowledge of cards; a
test replays it by them. Seats and kinds are numbers here. The deck's top card is the last of the list, so
that a card below keeps its place when the top one is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from companion.games.chance import Stream
from companion.games.exploding_kittens.cards import (
    ATTACK,
    DEFUSE,
    FUTURE,
    KITTEN,
    NOPE,
    SHUFFLE,
    SKIP,
    is_cat,
)
from companion.games.exploding_kittens.state import (
    SEATS,
    AnswerAsked,
    Defuse,
    Draw,
    DrawKitten,
    Explode,
    KittensOptions,
    Nope,
    OpenMove,
    Pair,
    Play,
    Three,
)

LAID = {"play": 1, "pair": 2, "three": 3}
LAID_BY: dict[type, int] = {Play: 1, Pair: 2, Three: 3}


class Deed(NamedTuple):
    """An act of a player in a turn: `draw`, `play`, `pair` or `three`; kinds and seats by number, else -1."""

    what: str
    card: int = -1
    target: int = -1
    named: int = -1


DRAW = Deed("draw")


class Box:
    """The kinds of a deck by number, and the rules that options choose."""

    def __init__(self, options: KittensOptions) -> None:
        deck = options.box
        self.kinds = tuple(deck.cards)
        self.number = {kind: number for number, kind in enumerate(self.kinds)}
        self.kitten, self.defuse, self.nope = (self.number[kind] for kind in (KITTEN, DEFUSE, NOPE))
        self.attack, self.skip, self.shuffle, self.future = (
            self.number[kind] for kind in (ATTACK, SKIP, SHUFFLE, FUTURE)
        )
        self.cats = tuple(number for number, kind in enumerate(self.kinds) if is_cat(kind))
        self.pairs = tuple(n for n, kind in enumerate(self.kinds) if options.may_combine(kind, 2))
        self.threes = tuple(n for n, kind in enumerate(self.kinds) if options.may_combine(kind, 3))
        self.seen, self.attack_turns = deck.seen, deck.attack_turns

    def move(self, deed: Deed) -> OpenMove:
        """The move for a deed."""
        kind = self.kinds
        match deed.what:
            case "play":
                return Play(kind[deed.card])
            case "pair":
                return Pair(kind[deed.card], SEATS[deed.target])
            case "three":
                return Three(kind[deed.card], SEATS[deed.target], kind[deed.named])
        return Draw()

    def deed(self, what: str, card: str, target: str = "", named: str = "") -> Deed:
        """The deed for an action on the table with a card."""
        number = self.number
        return Deed(what, number[card], SEATS.index(target) if target else -1, number.get(named, -1))


class Policy(Protocol):
    """The play of a seat in a dealt match, by the seat's own knowledge alone."""

    def turn(self, match: DealtMatch, seat: int) -> Deed:
        """The seat's next act in its turn."""

    def nopes(self, match: DealtMatch, seat: int, by: int, deed: Deed, stopped: int) -> bool:
        """True to lay a nope on this, or on the last of `stopped` nopes."""

    def place(self, match: DealtMatch, seat: int) -> int:
        """The number of cards to put above a kitten."""


@dataclass
class DealtMatch:
    """A match with all cards dealt: hands as numbers of cards by kind, the deck with its top last.

    `knows`: places of the deck, from the bottom, where a seat knows if a kitten lies. `defused`: kittens that
    a seat has defused, which all saw. `hidden_by`: the seat that put a kitten back since the last draw. A
    list `moves`, if given, collects the moves.
    """

    box: Box
    hands: list[list[int]]
    deck: list[int]
    alive: list[bool]
    turn: int
    owed: int
    attacked: bool
    knows: list[set[int]]
    defused: list[int]
    hidden_by: int | None
    policies: Sequence[Policy]
    luck: Stream
    moves: list[OpenMove] | None = None

    def copy(self, policies: Sequence[Policy], luck: Stream) -> DealtMatch:
        """The same match, for other policies and other luck."""
        return DealtMatch(
            self.box,
            [hand.copy() for hand in self.hands],
            self.deck.copy(),
            self.alive.copy(),
            self.turn,
            self.owed,
            self.attacked,
            [places.copy() for places in self.knows],
            self.defused.copy(),
            self.hidden_by,
            policies,
            luck,
        )

    def run(self) -> int:
        """Play to the end. Returns the winning seat."""
        while sum(self.alive) > 1:
            self.do(self.policies[self.turn].turn(self, self.turn))
        return self.alive.index(True)

    def do(self, deed: Deed) -> None:
        """Do this for the seat in turn, and let the others nope it."""
        if deed.what == "draw":
            self._draw()
            return
        seat, hand = self.turn, self.hands[self.turn]
        hand[deed.card] -= LAID[deed.what]
        if self.moves is not None:
            self.moves.append(self.box.move(deed))
        self.resolve(seat, deed)

    def resolve(self, by: int, deed: Deed, stopped: int = 0, last: int | None = None, asked: int = 0) -> None:
        """Let the seats nope a laid card; then it takes effect, unless it was stopped.

        `stopped` nopes lie on it already. `last` laid the last of them, or else the card (None: `by`).
        `asked` seats after `last` have declined.
        """
        last = by if last is None else last
        while (noper := self._noper(by, deed, stopped, last, asked)) is not None:
            self.hands[noper][self.box.nope] -= 1
            self._did(Nope(SEATS[noper]))
            stopped, last, asked = stopped + 1, noper, 0
        if stopped % 2 == 0:
            self._effect(by, deed)

    def danger(self, seat: int) -> float:
        """The chance that the next card is a kitten, by the places that the seat knows."""
        top, knows, kitten = len(self.deck) - 1, self.knows[seat], self.box.kitten
        if top in knows:
            return float(self.deck[top] == kitten)
        kittens = sum(self.alive) - 1 - sum(self.deck[place] == kitten for place in knows)
        return kittens / (len(self.deck) - len(knows))

    def sees_top(self, seat: int) -> bool:
        """True if the seat knows whether the next card is a kitten."""
        return len(self.deck) - 1 in self.knows[seat]

    def next(self, seat: int) -> int:
        """The next living seat."""
        count = len(self.alive)
        return next(n % count for n in range(seat + 1, seat + count + 1) if self.alive[n % count])

    def others(self, seat: int) -> list[int]:
        """The other living seats with cards."""
        return [who for who, alive in enumerate(self.alive) if alive and who != seat and any(self.hands[who])]

    def put_back(self, seat: int, above: int) -> None:
        """Put a kitten under that many cards; the seat's turn is over."""
        place = len(self.deck) - above
        self.deck.insert(place, self.box.kitten)
        self.knows = [{known + (known >= place) for known in knows} for knows in self.knows]
        self.knows[seat].add(place)
        self.hidden_by = seat
        self._turn_done()

    def _noper(self, by: int, deed: Deed, stopped: int, last: int, asked: int) -> int | None:
        count, nope = len(self.alive), self.box.nope
        for n in range(last + 1 + asked, last + count):
            seat = n % count
            holds = self.alive[seat] and self.hands[seat][nope]
            if holds and self.policies[seat].nopes(self, seat, by, deed, stopped):
                return seat
        return None

    def _effect(self, seat: int, deed: Deed) -> None:
        box = self.box
        if deed.what == "pair":
            self._steal(seat, deed.target)
        elif deed.what == "three":
            given = self.hands[deed.target][deed.named] > 0
            self._did(AnswerAsked(given))
            if given:
                self._hand_over(deed.target, seat, deed.named)
        elif deed.card == box.attack:
            owed = box.attack_turns + (self.owed if self.attacked else 0)
            self.turn, self.owed, self.attacked = self.next(seat), owed, True
        elif deed.card == box.skip:
            self._turn_done()
        elif deed.card == box.shuffle:
            self.luck.shuffle(self.deck)
            self.hidden_by = None
            for knows in self.knows:
                knows.clear()
        elif deed.card == box.future:
            cards = len(self.deck)
            self.knows[seat].update(range(max(0, cards - box.seen), cards))

    def _steal(self, thief: int, victim: int) -> None:
        hand = self.hands[victim]
        cards = sum(hand)
        if not cards:
            return
        picked = self.luck.randbelow(cards)
        for kind, count in enumerate(hand):
            picked -= count
            if picked < 0:
                self._hand_over(victim, thief, kind)
                return

    def _hand_over(self, giver: int, taker: int, kind: int) -> None:
        self.hands[giver][kind] -= 1
        self.hands[taker][kind] += 1

    def _draw(self) -> None:
        seat, defuse = self.turn, self.box.defuse
        card = self.deck.pop()
        self.hidden_by = None
        for knows in self.knows:
            knows.discard(len(self.deck))
        if card != self.box.kitten:
            self._did(Draw())
            self.hands[seat][card] += 1
            self._turn_done()
            return
        self._did(DrawKitten())
        if self.hands[seat][defuse]:
            self.hands[seat][defuse] -= 1
            self.defused[seat] += 1
            self._did(Defuse())
            self.put_back(seat, self.policies[seat].place(self, seat))
        else:
            self._did(Explode())
            self.alive[seat] = False
            self.hands[seat] = [0] * len(self.box.kinds)
            self.turn, self.owed, self.attacked = self.next(seat), 1, False

    def _turn_done(self) -> None:
        if self.owed > 1:
            self.owed -= 1
        else:
            self.turn, self.owed, self.attacked = self.next(self.turn), 1, False

    def _did(self, move: OpenMove) -> None:
        if self.moves is not None:
            self.moves.append(move)
