"""What a phone may show: where the match stands, every chance as a fraction, and why it is what it is.

The table's view comes from what all saw. A seat's own view adds its private notes, and what each card in
its hand would change; nothing in it depends on the notes of another seat.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.games.exploding_kittens import chances as chances_of
from companion.games.exploding_kittens import rules
from companion.games.exploding_kittens.cards import ACTIONS, DEFUSE, NOPE
from companion.games.exploding_kittens.chances import Ahead, Chance, InHand, KindOdds, Risk
from companion.games.exploding_kittens.facts import Fact, facts_of
from companion.games.exploding_kittens.known import Seen, known
from companion.games.exploding_kittens.mine import MineView, mine
from companion.games.exploding_kittens.state import Action, KittensState
from companion.games.game import Outcome
from companion.odds import Knowledge

KEPT = 64
"""Views that are kept: of some states, for the table and every seat."""


class SeatView(msgspec.Struct, frozen=True):
    """A player, as the asker knows: cards in hand, and what may be among them.

    `defuse` and `nope` are the chances to hold at least one, `hand` says the same of every kind and more.
    `ahead` is the seat's next draw that is not of this turn: None for who is out, and where the deck does not
    reach so far.
    """

    seat: str
    alive: bool
    cards: int
    defuse: Chance | None
    nope: Chance | None
    ahead: Ahead | None
    hand: tuple[InHand, ...] = ()


class LastView(msgspec.Struct, frozen=True):
    """What was done last, and whether it takes effect; `nopers` may hold a nope to lay on it."""

    deed: Action
    works: bool
    nopers: tuple[str, ...]


class Can(msgspec.Struct, frozen=True):
    """What can be done on the table now, from what all saw; cards are kinds, `answers` to a named card."""

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

    `this_draw` and `this_turn` (all turns owed) are the risks of the player in turn. `rough`: too many
    ways to count, so what was known of places before is no longer followed, and all is about so.
    """

    kinds: tuple[KindOdds, ...]
    this_draw: Risk | None
    this_turn: Risk | None
    hidden: int
    facts: tuple[Fact, ...]
    rough: bool


class KittensView(msgspec.Struct, frozen=True):
    """Everything on one page. `mine` is there in a seat's own view alone."""

    phase: Literal["turn", "kitten", "asked", "over"]
    turn: str | None
    owed: int
    attacked: bool
    deck: int
    kittens: int
    seats: tuple[SeatView, ...]
    last: LastView | None
    can: Can
    odds: OddsView
    mine: MineView | None
    outcome: Outcome | None


@lru_cache(maxsize=KEPT)
def view(state: KittensState, seat: str | None) -> KittensView:
    """What `seat` may see of a state that holds no other seat's notes."""
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
        seats=tuple(_seat(state, seen.knowledge, each) for each in state.seats),
        last=_last(state),
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
    """Cards drawn before the seat's next turn that is not this one, when nobody plays a card."""
    standing, draws = state.standing, state.standing.owed - (state.phase == "kitten")
    each = standing.after(standing.turn)
    while each != seat:
        draws, each = draws + 1, standing.after(each)
    return draws


def _last(state: KittensState) -> LastView | None:
    last = state.last
    return None if last is None else LastView(last, last.works, rules.nopers(state))


def _can(state: KittensState) -> Can:
    """The open moves, kind by kind."""
    turn, phase = state.standing.turn, state.phase
    if phase == "over":
        return Can()
    if phase == "kitten":
        return Can(defuse=bool(rules.most_held(state, turn, DEFUSE)), explode=True)
    if phase == "asked":
        return Can(answers=rules.answers(state))
    in_hand = rules.all_in_hand(state, turn)
    targets = rules.targets(state)
    return Can(
        draw=state.standing.deck > state.kittens,
        kitten=bool(state.kittens),
        play=tuple(card for card in ACTIONS if in_hand[card]),
        pair=rules.alike(state, in_hand, 2) if targets else (),
        three=rules.alike(state, in_hand, 3) if targets else (),
        targets=targets,
    )


def _odds(state: KittensState, seen: Seen, seat: str | None) -> OddsView:
    knowledge, turn = seen.knowledge, state.standing.turn
    plays = state.phase in ("turn", "asked")
    return OddsView(
        kinds=chances_of.kinds(knowledge, rules.discarded(state)),
        this_draw=chances_of.risk(knowledge, 1, turn) if plays else None,
        this_turn=chances_of.risk(knowledge, state.standing.owed, turn) if plays else None,
        hidden=sum(state.standing.hands) + knowledge.pile_size("out"),
        facts=facts_of(state, seat),
        rough=seen.rough,
    )
