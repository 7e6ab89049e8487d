"""A match as plain values: where it stands, what was done, and the private notes of the seats."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.games.exploding_kittens import cards
from companion.games.exploding_kittens.cards import ATTACK, SKIP
from companion.games.game import Options, State

SLUG = "exploding-kittens"
"""The game's name in addresses and files."""

Seat = Literal["first", "second", "third", "fourth"]

SEATS: tuple[Seat, ...] = ("first", "second", "third", "fourth")
"""The seats clockwise, from the one that begins."""

NoteKind = Literal["hand", "drew", "saw", "hid", "took"]
"""The kinds of private notes."""


class KittensOptions(Options, frozen=True):
    """What the rulebook leaves open, and how the odds read what players do."""

    deck: Annotated[
        str, msgspec.Meta(description="The cards of the box: travel, or the path of a file of your own.")
    ] = cards.TRAVEL
    special_combos: Annotated[
        Literal["on", "off", "cats"],
        msgspec.Meta(
            description="On: any two or three alike can be played; off: two cats; cats: two or three cats."
        ),
    ] = "on"
    kitten_back: Annotated[
        Literal["anywhere", "near-the-top"],
        msgspec.Meta(description="Where the others hold a kitten to be that was put back in secret."),
    ] = "anywhere"
    exploded_had_defuse: Annotated[
        Literal["no", "unknown"],
        msgspec.Meta(description="Whether a player who explodes is taken to have had no defuse."),
    ] = "no"
    seen_before_nope: Annotated[
        Literal["known", "forgotten"],
        msgspec.Meta(description="Whether what was seen of a hand before a nope came stays known."),
    ] = "known"

    @property
    def box(self) -> cards.Deck:
        """The cards that are played with. Raises `MendableError` for a deck that cannot be read."""
        return cards.deck(self.deck)

    def may_combine(self, card: str, count: int) -> bool:
        """Whether so many cards of a kind may be played together (成雙成對, 三條)."""
        if self.special_combos == "on":
            return True
        return cards.is_cat(card) and (count == 2 or self.special_combos == "cats")


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to a named card, given before a nope came: all saw it, when `nopes` nopes lay there."""

    given: bool
    nopes: int = 0


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing done on the table, with the nopes on it, in order, by seat.

    `given` is the answer to a named card, None while it is open; `answered` are the answers before the last
    nope.
    """

    what: Literal["draw", "kitten", "defuse", "explode", "play", "pair", "three"]
    seat: str
    card: str = ""
    target: str = ""
    named: str = ""
    given: bool | None = None
    nopes: tuple[str, ...] = ()
    answered: tuple[Answered, ...] = ()

    @property
    def works(self) -> bool:
        """Whether it takes effect: a nope stops it, a nope on that lets it go on."""
        return len(self.nopes) % 2 == 0

    @property
    def can_be_noped(self) -> bool:
        """Whether it is a card or a combo; kittens, defuses and draws cannot be noped."""
        return self.what in ("play", "pair", "three")

    @property
    def laid(self) -> int:
        """How many cards it laid on the discard pile from its player's hand, nopes aside."""
        return {"defuse": 1, "play": 1, "pair": 2, "three": 3}.get(self.what, 0)

    @property
    def answers(self) -> int:
        """How often it has been answered, nopes or not."""
        return len(self.answered) + (self.given is not None)

    def answer_at(self, nopes: int) -> bool | None:
        """The answer while that many nopes lay there; None where there was none."""
        if nopes == len(self.nopes):
            return self.given
        return next((each.given for each in self.answered if each.nopes == nopes), None)

    def takes(self) -> bool:
        """Whether it moves a card from hand to hand, were it not noped."""
        return self.what == "pair" or (self.what == "three" and bool(self.given))


class PrivateNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat noted on its own phone, for itself alone.

    It belongs to the action with that index (-1: before the first). A hand is the hand at that moment: when
    `nopes` nopes lay on the action, and it had been answered `answers` times. A card taken is that of the
    theft at that moment.
    """

    seat: str
    what: NoteKind
    action: int
    nopes: int = 0
    cards: tuple[str, ...] = ()
    place: int = 0
    answers: int = 0


class Standing(msgspec.Struct, frozen=True):
    """Where the match stands, as all see it: cards by count; `owed` turns include this one.

    `attacked` says whether the turns come from an attack; `hands` and `alive` are in the order of the seats.
    """

    turn: Seat
    deck: int
    hands: tuple[int, ...]
    alive: tuple[bool, ...]
    owed: int = 1
    attacked: bool = False

    def hand_size(self, seat: str) -> int:
        """How many cards a seat holds."""
        return self.hands[SEATS.index(seat)]

    def lives(self, seat: str) -> bool:
        """Whether a seat is at the table and has not exploded."""
        return seat in SEATS[: len(self.alive)] and self.alive[SEATS.index(seat)]

    @property
    def living(self) -> tuple[Seat, ...]:
        """The seats that have not exploded, in order."""
        return tuple(seat for seat, alive in zip(SEATS, self.alive, strict=False) if alive)

    def after(self, seat: str) -> Seat:
        """The next seat that lives."""
        count, at = len(self.alive), SEATS.index(seat)
        return next(SEATS[(at + n) % count] for n in range(1, count + 1) if self.alive[(at + n) % count])

    def with_hand(self, seat: str, more: int) -> Standing:
        """With `more` cards more in a hand (or fewer)."""
        at = SEATS.index(seat)
        hands = (*self.hands[:at], self.hands[at] + more, *self.hands[at + 1 :])
        return msgspec.structs.replace(self, hands=hands)

    def turn_done(self) -> Standing:
        """One owed turn is over; after the last, the next seat has one turn."""
        if self.owed > 1:
            return msgspec.structs.replace(self, owed=self.owed - 1)
        return msgspec.structs.replace(self, turn=self.after(self.turn), owed=1, attacked=False)

    def attack(self, turns: int) -> Standing:
        """The next seat takes the turns of the attack, and those still owed to an earlier one."""
        owed = turns + (self.owed if self.attacked else 0)
        return msgspec.structs.replace(self, turn=self.after(self.turn), owed=owed, attacked=True)

    def explode(self) -> Standing:
        """The player in turn is out: the hand is laid down, the turns owed are gone."""
        at, turn = SEATS.index(self.turn), self.after(self.turn)
        alive = (*self.alive[:at], False, *self.alive[at + 1 :])
        hands = (*self.hands[:at], 0, *self.hands[at + 1 :])
        return Standing(turn, self.deck, hands, alive)

    def effect(self, action: Action, attack_turns: int) -> Standing:
        """What a card or combo does that is not noped; an attack brings `attack_turns`."""
        if action.card == ATTACK and action.what == "play":
            return self.attack(attack_turns)
        if action.card == SKIP and action.what == "play":
            return self.turn_done()
        if action.takes() and self.hand_size(action.target):
            return self.with_hand(action.target, -1).with_hand(action.seat, 1)
        return self


class KittensState(State, frozen=True):
    """All that the rules need.

    `before` is the standing before the last action took effect, its cards laid and its nopes too: what a
    nope goes back to. `notes` are private, each to its seat.
    """

    options: KittensOptions
    standing: Standing
    before: Standing
    record: tuple[Action, ...] = ()
    notes: tuple[PrivateNote, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, those that exploded too."""
        return SEATS[: len(self.standing.alive)]

    @property
    def last(self) -> Action | None:
        """What was done last."""
        return self.record[-1] if self.record else None

    @property
    def phase(self) -> Literal["turn", "kitten", "asked", "over"]:
        """What is waited for: a turn's next card, what becomes of a kitten, an answer, nothing."""
        if len(self.standing.living) == 1:
            return "over"
        last = self.last
        if last and last.what == "kitten":
            return "kitten"
        return "asked" if last and last.what == "three" and last.works and last.given is None else "turn"

    @property
    def kittens(self) -> int:
        """Kittens in the deck, which all can count."""
        return len(self.standing.living) - 1 - (self.phase == "kitten")


def began(options: KittensOptions, seats: int) -> KittensState:
    """Hands dealt, kittens in the deck (rulebook, set-up 1 to 6); the first seat begins."""
    deck = options.box
    standing = Standing(SEATS[0], deck.left(seats), (deck.dealt + 1,) * seats, (True,) * seats)
    return KittensState(options, standing, standing)
