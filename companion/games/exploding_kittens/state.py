"""A match as plain values: options, moves, the table, the actions, and the seats' private notes.

Cards are the kinds in `data/travel.toml`; seats are `first` to `fourth`. A place is the number of cards
above: 0 is the top.
"""

from __future__ import annotations

from typing import Annotated, Literal, NoReturn

import msgspec
from msgspec import Meta

from companion.errors import IllegalMove, InvalidMove
from companion.games.exploding_kittens import cards
from companion.games.exploding_kittens.cards import ATTACK, SKIP
from companion.games.forms import Forms, choice, each_after, number, word
from companion.games.game import Move, Options, State
from companion.messages import Phrase

SLUG = "exploding-kittens"

Seat = Literal["first", "second", "third", "fourth"]

SEATS: tuple[Seat, ...] = ("first", "second", "third", "fourth")
"""Clockwise, from the one that begins."""

NoteKind = Literal["hand", "drew", "saw", "hid", "took"]


class KittensOptions(Options, frozen=True):
    """Options: choices that the rulebook leaves open, and the odds' reading of what players do."""

    deck: Annotated[
        str, Meta(description="The cards of the box: travel, or the path of a file of your own.")
    ] = cards.TRAVEL
    special_combos: Annotated[
        Literal["on", "off", "cats"],
        Meta(description="On: any two or three alike can be played; off: two cats; cats: two or three cats."),
    ] = "on"
    kitten_back: Annotated[
        Literal["anywhere", "near-the-top"],
        Meta(description="Where the others hold a kitten to be that was put back in secret."),
    ] = "anywhere"
    exploded_had_defuse: Annotated[
        Literal["no", "unknown"],
        Meta(description="Whether a player who explodes is taken to have had no defuse."),
    ] = "no"
    seen_before_nope: Annotated[
        Literal["known", "forgotten"],
        Meta(description="Whether what was seen of a hand before a nope came stays known."),
    ] = "known"

    @property
    def box(self) -> cards.Deck:
        """The cards of the match. Raises `UserError` for an unusable deck."""
        return cards.deck(self.deck)

    def may_combine(self, card: str, count: int) -> bool:
        """True if so many cards of a kind may be played together (成雙成對, 三條)."""
        if self.special_combos == "on":
            return True
        return cards.is_cat(card) and (count == 2 or self.special_combos == "cats")


Card = Annotated[str, Meta(description="A kind of card: kitten, defuse, attack, shuffle, skip, future, …")]


class Draw(Move, frozen=True, tag="draw"):
    """The player in turn drew a card other than a kitten."""


class DrawKitten(Move, frozen=True, tag="kitten"):
    """The player in turn drew a kitten and showed it."""


class Defuse(Move, frozen=True, tag="defuse"):
    """The player defused the kitten and put it back into the deck in secret."""


class Explode(Move, frozen=True, tag="explode"):
    """The kitten was not defused: the player is out, the hand face down."""


class Play(Move, frozen=True, tag="play"):
    """The player in turn played one card: attack, skip, shuffle or see the future."""

    card: Card


class Pair(Move, frozen=True, tag="pair"):
    """The player played two cards alike, and picked a card blindly from the hand of `target`."""

    card: Card
    target: Seat


class Three(Move, frozen=True, tag="three"):
    """The player played three cards alike, and asked `target` for a `named` card."""

    card: Card
    target: Seat
    named: Card


class AnswerAsked(Move, frozen=True, tag="answer"):
    """The asked player handed the named card over, or has none."""

    given: bool


class Nope(Move, frozen=True, tag="nope"):
    """A player played a nope on the last card, or on its nope."""

    seat: Seat


class Hand(Move, frozen=True, tag="hand"):
    """A private note: a seat's whole hand."""

    seat: Seat
    cards: Annotated[tuple[str, ...], Meta(description="The kinds, one entry a card, in any order.")]


class Drew(Move, frozen=True, tag="drew"):
    """A private note: a seat's last drawn card."""

    seat: Seat
    card: Card


class Saw(Move, frozen=True, tag="saw"):
    """A private note: the cards that See the Future showed, the top card first."""

    seat: Seat
    cards: Annotated[tuple[str, ...], Meta(description="The kinds from the top.")]


class Hid(Move, frozen=True, tag="hid"):
    """A private note: the number of cards above the kitten that a seat put back."""

    seat: Seat
    place: Annotated[int, Meta(ge=0, description="Cards above the kitten; 0 is the top.")]


class Took(Move, frozen=True, tag="took"):
    """A private note: the card that a seat took from another, or lost to one."""

    seat: Seat
    card: Card


OpenMove = Draw | DrawKitten | Defuse | Explode | Play | Pair | Three | AnswerAsked | Nope
PrivateMove = Hand | Drew | Saw | Hid | Took
KittensMove = OpenMove | PrivateMove

PRIVATE = (Hand, Drew, Saw, Hid, Took)

FORMS = Forms(
    {
        "card": word,
        "named": word,
        "cards": each_after(" ", word),
        "seat": choice(*SEATS),
        "target": choice(*SEATS),
        "given": choice(yes=True, no=False),
        "place": number,
    },
    {
        Draw: "draw",
        DrawKitten: "kitten",
        Defuse: "defuse",
        Explode: "explode",
        Play: "play {card}",
        Pair: "pair {card} {target}",
        Three: "three {card} {target} {named}",
        AnswerAsked: "answer {given}",
        Nope: "nope {seat}",
        Hand: "{seat} hand:{cards}",
        Drew: "{seat} drew {card}",
        Took: "{seat} took {card}",
        Saw: "{seat} saw{cards}",
        Hid: "{seat} hid {place}",
    },
)


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer to a named card that all saw before a nope came, when `nopes` nopes lay there."""

    given: bool
    nopes: int = 0


class Action(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action on the table, with its nopes in order, by seat.

    `given`: the answer to a named card, None while it is open. `answered`: the answers before the last nope.
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
        """True if it takes effect: a nope stops it, a nope on that lets it go on."""
        return len(self.nopes) % 2 == 0

    @property
    def can_be_noped(self) -> bool:
        """True for a card or a combo; kittens, defuses and draws cannot be noped."""
        return self.what in ("play", "pair", "three")

    @property
    def laid(self) -> int:
        """Cards laid from its player's hand, without nopes."""
        return {"defuse": 1, "play": 1, "pair": 2, "three": 3}.get(self.what, 0)

    @property
    def answers(self) -> int:
        """The number of answers to it, with those before nopes."""
        return len(self.answered) + (self.given is not None)

    def answer_at(self, nopes: int) -> bool | None:
        """The answer while that many nopes lay there; None without one."""
        if nopes == len(self.nopes):
            return self.given
        return next((answer.given for answer in self.answered if answer.nopes == nopes), None)

    def takes(self) -> bool:
        """True if it moves a card from hand to hand unless noped."""
        return self.what == "pair" or (self.what == "three" and bool(self.given))


class PrivateNote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat's own note on its phone, for itself alone.

    It belongs to the action with that index (-1: before the first). A hand is that of the moment when `nopes`
    nopes lay on the action, after `answers` answers; so is a stolen card.
    """

    seat: str
    what: NoteKind
    action: int
    nopes: int = 0
    cards: tuple[str, ...] = ()
    place: int = 0
    answers: int = 0


class KittensTable(msgspec.Struct, frozen=True):
    """The table as all see it: the turn, and the numbers of cards; `owed` turns include this one.

    `attacked`: the turns come from an attack. `hands` and `alive`: in the order of the seats.
    """

    turn: Seat
    deck: int
    hands: tuple[int, ...]
    alive: tuple[bool, ...]
    owed: int = 1
    attacked: bool = False

    def hand_size(self, seat: str) -> int:
        """The number of cards in a seat's hand."""
        return self.hands[SEATS.index(seat)]

    def lives(self, seat: str) -> bool:
        """True for a seat of the match that has not exploded."""
        return seat in SEATS[: len(self.alive)] and self.alive[SEATS.index(seat)]

    @property
    def living(self) -> tuple[Seat, ...]:
        """The seats that have not exploded, in order."""
        return tuple(seat for seat, alive in zip(SEATS, self.alive, strict=False) if alive)

    def after(self, seat: str) -> Seat:
        count, own_n = len(self.alive), SEATS.index(seat)
        places = (n % count for n in range(own_n + 1, own_n + count + 1))
        return next(SEATS[n] for n in places if self.alive[n])

    def with_hand(self, seat: str, more: int) -> KittensTable:
        """The table with `more` cards in a hand (below 0: fewer)."""
        place = SEATS.index(seat)
        hands = (*self.hands[:place], self.hands[place] + more, *self.hands[place + 1 :])
        return msgspec.structs.replace(self, hands=hands)

    def turn_done(self) -> KittensTable:
        """End an owed turn; after the last, the next seat has one turn."""
        if self.owed > 1:
            return msgspec.structs.replace(self, owed=self.owed - 1)
        return msgspec.structs.replace(self, turn=self.after(self.turn), owed=1, attacked=False)

    def attack(self, turns: int) -> KittensTable:
        """Give the next seat the turns of the attack, and those still owed to an earlier one."""
        owed = turns + (self.owed if self.attacked else 0)
        return msgspec.structs.replace(self, turn=self.after(self.turn), owed=owed, attacked=True)

    def explode(self) -> KittensTable:
        """Put the player in turn out: the hand is laid down, the turns owed are gone."""
        place, turn = SEATS.index(self.turn), self.after(self.turn)
        alive = (*self.alive[:place], False, *self.alive[place + 1 :])
        hands = (*self.hands[:place], 0, *self.hands[place + 1 :])
        return KittensTable(turn, self.deck, hands, alive)

    def effect(self, action: Action, attack_turns: int) -> KittensTable:
        """The effect of an unnoped card or combo; an attack brings `attack_turns`."""
        if action.card == ATTACK and action.what == "play":
            return self.attack(attack_turns)
        if action.card == SKIP and action.what == "play":
            return self.turn_done()
        if action.takes() and self.hand_size(action.target):
            return self.with_hand(action.target, -1).with_hand(action.seat, 1)
        return self


class KittensState(State, frozen=True):
    """All that the rules need.

    `before`: the standing before the effect of the last action, with its cards and nopes laid, for a nope to
    go back to. `notes`: private, each to its seat.
    """

    options: KittensOptions
    standing: KittensTable
    before: KittensTable
    record: tuple[Action, ...] = ()
    notes: tuple[PrivateNote, ...] = ()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, with those that exploded."""
        return SEATS[: len(self.standing.alive)]

    @property
    def last(self) -> Action | None:
        """The last action."""
        return self.record[-1] if self.record else None

    @property
    def phase(self) -> Literal["turn", "kitten", "asked", "over"]:
        """The next step: a card in a turn, a defuse or an explosion, an answer, nothing."""
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


def check_card(state: KittensState, card: str, *more: str) -> None:
    """Refuse a kind of card that no hand can hold."""
    if card not in (*state.options.box.in_hands, *more):
        raise InvalidMove(SLUG, "no-such-card", card=card)


def check_lives(state: KittensState, seat: str) -> None:
    """Refuse a seat that is not there, or is out."""
    if seat not in state.seats:
        raise InvalidMove(SLUG, "no-such-seat", seat=seat)
    if not state.standing.lives(seat):
        refuse("out-of-the-game", seat=seat)


def refuse(rule: str, **facts: str | int | Phrase) -> NoReturn:
    raise IllegalMove(SLUG, rule, **facts)
