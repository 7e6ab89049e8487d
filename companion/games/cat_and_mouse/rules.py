"""The rules of Cat and Mouse: rulebook, "Rules of play" 1 to 6. The effect of a throw is in `state`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from typing import ClassVar

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.cat_and_mouse import sighting as sightings
from companion.games.cat_and_mouse import view as views
from companion.games.cat_and_mouse.board import DRAWABLE, Board, board
from companion.games.cat_and_mouse.retrospect import RaceRetrospect
from companion.games.cat_and_mouse.state import (
    FACES,
    FORMS,
    SEATS,
    SLUG,
    Dice,
    JumpFee,
    Payment,
    RaceBoard,
    RaceMove,
    RaceOptions,
    RaceState,
    StartThrow,
    Step,
    Then,
    Throw,
    can_be_won,
    other,
    step,
)
from companion.games.cat_and_mouse.view import RaceView
from companion.games.data_files import Fault
from companion.games.game import About, Game, Outcome
from companion.games.watching import Dice as DiceKind
from companion.games.watching import Observation, SeesDice, Sighting
from companion.messages import Phrase


def _drawn_values() -> dict[str, object]:
    first = board("classic")
    return {
        "last": first.squares,
        "turn_back_to": first.turn_back_to,
        "leaps": first.leaps,
        "pays": first.pays.squares,
        "pays_chips": first.pays.chips,
        "earns": first.earns.squares,
        "earns_chips": first.earns.chips,
        "lost_turn": first.lost_turn,
        "second_throw": first.second_throw,
    }


class CatAndMouse(Game[RaceState, RaceMove, RaceOptions], SeesDice):
    """Cat against Mouse, two dice, a race for each other's pot."""

    slug = SLUG
    names: ClassVar = {"en": "Cat and Mouse", "zh-Hant": "貓捉老鼠", "ko": "고양이와 쥐"}
    seat_counts = (2,)
    about = About(
        minutes=(10, 20), files={"board": Board}, editable={"board": DRAWABLE}, drawn_values=_drawn_values
    )
    forms = FORMS
    retrospect = RaceRetrospect()

    def misfits(self, options: RaceOptions) -> Mapping[str, Fault]:
        """A board on which nobody can win."""
        if _can_be_won(options.board, options.past):
            return {}
        return {"board": Fault(Phrase("data.cannot-be-won", game=self.slug), ("turn_back_to",))}

    def set_up(self, options: RaceOptions, seats: int) -> RaceState:
        """The match before anybody is Cat. Raises `InvalidMove` for a board on which nobody can win,
        `UserError` for an unusable one."""
        if not _can_be_won(options.board, options.past):
            last = board(options.board).squares
            raise InvalidMove(
                self.slug, "not-an-option", fault=f"no throw reaches square {last} of that board"
            )
        return RaceState(options)

    def seat_names(self, state: RaceState) -> tuple[str, ...]:
        """Cat and Mouse; throws for the start decide who is who."""
        return SEATS

    def turn(self, state: RaceState) -> str | None:
        """The seat that throws; None during the throws for Cat and after the race."""
        return state.standing.thrower

    def legal_moves(self, state: RaceState) -> Iterable[RaceMove]:
        """The 36 ways the dice can fall, and the fee where it may be declared.

        The winning throw's fee is left out: it corrects the ledger of a match that is over.
        """
        if state.winner is not None:
            return
        for dice in product(FACES, repeat=2):
            yield Throw(dice)
        if state.fee_refusal is None:
            yield JumpFee()

    def play(self, state: RaceState, move: RaceMove) -> RaceState:
        played_on = board(state.options.board)
        if isinstance(move, JumpFee):
            return _declare_fee(played_on, state)
        dice = _two_dice(move.dice)
        if state.winner is not None:
            raise IllegalMove(SLUG, "match-over")
        return _start_throw(state, dice) if state.first is None else _race_throw(played_on, state, dice)

    def outcome(self, state: RaceState) -> Outcome | None:
        """The winner of both stakes; points are the chips won or lost."""
        return state.outcome

    def takes_corrections(self, state: RaceState) -> bool:
        """True while the chip for the winning throw's jump may be claimed."""
        return state.fee_refusal is None

    def view(self, state: RaceState, seat: str | None) -> RaceView:
        """The track, the chips and the chances; all seats see the same."""
        return views.view(board(state.options.board), state)

    def dice_now(self, state: RaceState) -> DiceKind:
        return DiceKind(2)

    def sighting(self, state: RaceState, observation: Observation) -> Sighting:
        """The meaning of dice at rest."""
        return sightings.sighting(self.play, state, observation)


@cache
def _can_be_won(given: str, past: str) -> bool:
    """Remember the result for a board: each list of matches needs it."""
    return can_be_won(board(given), past)


def _two_dice(dice: tuple[int, ...]) -> Dice:
    """The dice of a throw. Raises `InvalidMove` for another number of dice or an impossible value."""
    if len(dice) != 2:
        raise InvalidMove(SLUG, "two-dice", dice=len(dice))
    for value in dice:
        if value not in FACES:
            raise InvalidMove(SLUG, "die-faces", value=value)
    return dice[0], dice[1]


def _start_throw(state: RaceState, dice: Dice) -> RaceState:
    """A throw for who is Cat: the higher total; equal totals throw again (rule 1)."""
    thrown = (*state.start_throws, StartThrow(state.starter, dice))
    state = replace(state, start_throws=thrown)
    if len(thrown) % 2:
        return state
    first, second = sum(thrown[-2].dice), sum(thrown[-1].dice)
    if first == second:
        return state
    stake, last = state.options.stake, thrown[-1].dice
    return replace(
        state,
        first="cat" if first > second else "mouse",
        standing=RaceBoard(thrower="cat"),
        ledger=tuple(Payment(state.throws, last, seat, "pots", stake, "stake", 0) for seat in SEATS if stake),
    )


def _race_throw(board: Board, state: RaceState, dice: Dice) -> RaceState:
    done = step(board, state.options, state.standing, dice)
    return replace(
        state,
        standing=done.standing,
        steps=(*state.steps, done),
        ledger=(*state.ledger, *_payments(state, done)),
        fee_declared=False,
    )


def _payments(state: RaceState, done: Step) -> tuple[Payment, ...]:
    """A throw's lines of the ledger, in the order in which they fall due."""
    lines = []
    for due in done.dues:
        payer, payee = (done.seat, other(done.seat)) if due.pays else (other(done.seat), done.seat)
        lines.append(Payment(state.throws + 1, done.dice, payer, payee, due.chips, due.rule, done.to))
    if done.then is Then.WON and state.options.stake:
        both = 2 * state.options.stake
        lines.append(Payment(state.throws + 1, done.dice, "pots", done.seat, both, "pots", done.to))
    return tuple(lines)


def _declare_fee(board: Board, state: RaceState) -> RaceState:
    """Pay for the last throw's declared jump. Raises `IllegalMove`."""
    if state.fee_refusal is not None:
        raise IllegalMove(SLUG, state.fee_refusal)
    last = state.steps[-1]
    payee, chips = other(last.seat), board.jump_chips
    paid = Payment(state.throws, last.dice, last.seat, payee, chips, "jump", last.to)
    return replace(state, ledger=(*state.ledger, paid), fee_declared=True)


GAME = CatAndMouse()
