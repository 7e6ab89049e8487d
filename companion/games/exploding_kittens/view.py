"""The view of a phone: the match, every chance as a fraction, and the reasons for it.

The table's view comes from what all saw. A seat's own view adds its private notes, and the effect of each
card in its hand; nothing in it depends on the notes of another seat.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.games.exploding_kittens import chances as chances_of
from companion.games.exploding_kittens.cards import ACTIONS, DEFUSE, FUTURE, KITTEN, NOPE, SHUFFLE
from companion.games.exploding_kittens.chances import Ahead, Chance, InHand, KindOdds, Risk
from companion.games.exploding_kittens.known import (
    Seen,
    alike,
    all_in_hand,
    answers,
    discarded,
    known,
    most_held,
    nopers,
    targets,
)
from companion.games.exploding_kittens.mine import MineView, mine
from companion.games.exploding_kittens.state import Action, KittensState
from companion.games.game import Outcome
from companion.odds import Knowledge

KEPT = 64


class Fact(msgspec.Struct, frozen=True):
    """A sentence `fact.<name>` of the messages: about a seat, a number, cards."""

    name: str
    seat: str = ""
    count: int = 0
    cards: tuple[str, ...] = ()


class SeatView(msgspec.Struct, frozen=True):
    """A player, as the asker knows: cards in hand, and their possible kinds.

    `defuse` and `nope`: the chances to hold at least one; `hand`: the same for every kind, and more. `ahead`:
    the seat's next draw after this turn; None for who is out, and if the deck ends before.
    """

    seat: str
    alive: bool
    cards: int
    defuse: Chance | None
    nope: Chance | None
    ahead: Ahead | None
    hand: tuple[InHand, ...] = ()


class LastView(msgspec.Struct, frozen=True):
    """The last action, and if it takes effect; `nopers` may hold a nope for it."""

    deed: Action
    works: bool
    nopers: tuple[str, ...]


class Can(msgspec.Struct, frozen=True):
    """The open moves now, by what all saw; cards are kinds, `answers` to a named card."""

    draw: bool = False
    kitten: bool = False
    defuse: bool = False
    explode: bool = False
    play: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
    three: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    answers: tuple[bool, ...] = ()


class OddsView(msgspec.Struct, frozen=True):
    """The deck as the asker knows it.

    `this_draw` and `this_turn` (all turns owed): the risks of the player in turn. `rough`: with too many ways
    to count, earlier knowledge of places is dropped, and all chances are rough.
    """

    kinds: tuple[KindOdds, ...]
    this_draw: Risk | None
    this_turn: Risk | None
    hidden: int
    facts: tuple[Fact, ...]
    rough: bool


class KittensView(msgspec.Struct, frozen=True):
    """Everything on one page. Only a seat's own view has `mine`. `pile`: the newest card that lies open."""

    phase: Literal["turn", "kitten", "asked", "over"]
    turn: str | None
    owed: int
    attacked: bool
    deck: int
    kittens: int
    seats: tuple[SeatView, ...]
    last: LastView | None
    pile: str
    can: Can
    odds: OddsView
    mine: MineView | None
    outcome: Outcome | None


@lru_cache(maxsize=KEPT)
def view(state: KittensState, seat: str | None) -> KittensView:
    """The view of `seat`, from a state that holds no other seat's notes."""
    seen = known(state, seat)
    if seat is not None and not state.notes:
        return replace(view(state, None), mine=mine(state, seen, seat))
    standing, over = state.standing, state.phase == "over"
    return KittensView(
        phase=state.phase,
        turn=None if over else standing.turn,
        owed=standing.owed,
        attacked=standing.attacked,
        deck=standing.deck,
        kittens=state.kittens,
        seats=tuple(_seat(state, seen.knowledge, player) for player in state.seats),
        last=_last(state),
        pile=pile(state),
        can=_can(state),
        odds=_odds(state, seen, seat),
        mine=mine(state, seen, seat) if seat is not None else None,
        outcome=Outcome("last-alive", standing.living) if over else None,
    )


def _seat(state: KittensState, knowledge: Knowledge, seat: str) -> SeatView:
    standing = state.standing
    if not standing.lives(seat):
        return SeatView(seat, alive=False, cards=0, defuse=None, nope=None, ahead=None)
    ahead = chances_of.ahead(knowledge, seat, _draws_before(state, seat)) if state.phase != "over" else None
    hand = chances_of.in_hand(knowledge, seat)
    holds = {kind.card: kind.holds for kind in hand}
    never = chances_of.chance(Fraction(0))
    return SeatView(
        seat,
        alive=True,
        cards=standing.hand_size(seat),
        defuse=holds.get(DEFUSE, never),
        nope=holds.get(NOPE, never),
        ahead=ahead,
        hand=hand,
    )


def _draws_before(state: KittensState, seat: str) -> int:
    """Cards drawn before the seat's next turn after this one, if nobody plays a card."""
    standing, draws = state.standing, state.standing.owed - (state.phase == "kitten")
    player = standing.after(standing.turn)
    while player != seat:
        draws, player = draws + 1, standing.after(player)
    return draws


def _last(state: KittensState) -> LastView | None:
    last = state.last
    return None if last is None else LastView(last, last.works, nopers(state))


def pile(state: KittensState) -> str:
    """The newest card that lies open."""
    for action in reversed(state.record):
        if action.what == "defuse":
            return DEFUSE
        if action.what != "draw":
            return action.card or KITTEN
    return ""


def _can(state: KittensState) -> Can:
    turn, phase = state.standing.turn, state.phase
    if phase == "over":
        return Can()
    if phase == "kitten":
        return Can(defuse=bool(most_held(state, turn, DEFUSE)), explode=True)
    if phase == "asked":
        return Can(answers=answers(state))
    in_hand, others = all_in_hand(state, turn), targets(state)
    return Can(
        draw=state.standing.deck > state.kittens,
        kitten=bool(state.kittens),
        play=tuple(card for card in ACTIONS if in_hand[card]),
        pair=alike(state, in_hand, 2) if others else (),
        three=alike(state, in_hand, 3) if others else (),
        targets=others,
    )


def _odds(state: KittensState, seen: Seen, seat: str | None) -> OddsView:
    knowledge, turn = seen.knowledge, state.standing.turn
    plays = state.phase in ("turn", "asked")
    return OddsView(
        kinds=chances_of.kinds(knowledge, discarded(state)),
        this_draw=chances_of.risk(knowledge, 1, turn) if plays else None,
        this_turn=chances_of.risk(knowledge, state.standing.owed, turn) if plays else None,
        hidden=sum(state.standing.hands) + knowledge.pile_size("out"),
        facts=facts_of(state, seat),
        rough=seen.rough,
    )


def facts_of(state: KittensState, seat: str | None) -> tuple[Fact, ...]:
    """Facts about places in the deck since its last shuffle, and the hands that are out."""
    facts: list[Fact] = []
    drawn = 0
    out = [Fact("out", action.seat) for action in state.record if action.what == "explode"]
    for index, action in enumerate(state.record):
        drawn += action.what in ("draw", "kitten")
        if action.what == "play" and action.card == SHUFFLE and action.works:
            facts, drawn = [Fact("shuffled")], 0
        fact = _fact(state, seat, index, action)
        if fact:
            facts.append(fact)
    if not facts or facts[0].name != "shuffled":
        facts.insert(0, Fact("dealt"))
    return (*facts, *([Fact("drawn", count=drawn)] if drawn else []), *out)


def _fact(state: KittensState, seat: str | None, index: int, action: Action) -> Fact | None:
    """An action's fact: a kitten put back, or cards that the asker looked at."""
    mine = {note.what: note for note in state.notes if note.action == index and note.seat == seat}
    if action.what == "defuse":
        hid = mine.get("hid")
        return (
            Fact("hid", action.seat, count=hid.place) if hid else Fact(state.options.kitten_back, action.seat)
        )
    counts = action.works or state.options.seen_before_nope == "known"
    if action.what == "play" and action.card == FUTURE and counts and "saw" in mine:
        return Fact("saw", action.seat, cards=mine["saw"].cards)
    return None
