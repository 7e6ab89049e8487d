"""The view: the track, the last throw, the chips and the chances, each with its reason.

All information is open: every seat sees the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

import msgspec

from companion.games.cat_and_mouse import odds as chances_of
from companion.games.cat_and_mouse.board import Board
from companion.games.cat_and_mouse.odds import Chances, Foreseen, Odds
from companion.games.cat_and_mouse.state import (
    SEATS,
    Dice,
    How,
    Payment,
    Purse,
    RaceBoard,
    RaceState,
    Seat,
    Starter,
    StartThrow,
    Step,
    Then,
)
from companion.games.game import Outcome

DECIMALS = 9
"""Decimals shown: the last bits of a sum differ between processors, but a view must not."""


class BoardView(msgspec.Struct, frozen=True):
    """The effects of the squares, each list in order; `leaps`: squares to which doubles lead.

    Landing costs `pay_chips` or brings `earn_chips`.
    """

    squares: int
    turn_back_to: int
    pays: tuple[int, ...]
    earns: tuple[int, ...]
    lost_turn: tuple[int, ...]
    second_throw: tuple[int, ...]
    leaps: tuple[int, ...]
    pay_chips: int
    earn_chips: int
    met: tuple[int | None, ...]
    """The same square's black number, by red square from 1 on."""


class CounterView(msgspec.Struct, frozen=True):
    """One player: the square of the counter (0: its corner), and the chips.

    `also`: the square's number on the other walk. `owes_turn`: the next turn is lost.
    """

    seat: Seat
    square: int
    also: int | None
    owes_turn: bool
    purse: Purse


class StartView(msgspec.Struct, frozen=True):
    """The throws for who is Cat: `by` throws next (None: decided), `cat` has become Cat.

    `first_is_cat`: the chance that the player who threw first becomes Cat.
    """

    throws: tuple[StartThrow, ...]
    by: Starter | None
    cat: Starter | None
    first_is_cat: float


class ThrowView(msgspec.Struct, frozen=True):
    """The last throw: the way of the real counter, and the consequence.

    `jumped`: over the other (as the board's data has it), whether it cost or not.
    """

    n: int
    seat: Seat
    dice: Dice
    how: How
    start: int
    to: int
    jumped: bool
    then: Then
    served: tuple[Seat, ...]


class Shares(msgspec.Struct, frozen=True):
    """The reasons for a chance: of the 36 ways the dice can fall, the number with each effect.

    One way can have several: on square 25, a chip and a turn are lost.
    """

    won: int = 0
    second_throw: int = 0
    lost_turn: int = 0
    turn_back: int = 0
    stay: int = 0
    leap: int = 0
    pays: int = 0
    earns: int = 0
    jump: int = 0


class OddsView(msgspec.Struct, frozen=True):
    """The expectation, exact to `decimals` places.

    `change_hands`: the mean number of chips still to be paid either way, without the pots. `net`: Cat's mean
    gain (+) or loss from here on by chips alone, `net_with_pots` with the stakes. `fees_foretold`: false if
    only a player can declare a jump.
    """

    cat: float
    mouse: float
    cat_pays: float
    mouse_pays: float
    change_hands: float
    net: float
    net_with_pots: float
    throws: float
    fees_foretold: bool
    decimals: int
    why: Shares | None


class ForeseenView(msgspec.Struct, frozen=True):
    """The effect that one of the 21 throws would have now.

    `chips`: the thrower's gain (+) or payment at once. `chance`: the thrower's chance to win after it;
    `gains`: the rise from now.
    """

    dice: Dice
    ways: int
    how: How
    to: int
    then: Then
    jumped: bool
    chips: int
    chance: float
    gains: float


class ChartPoint(msgspec.Struct, frozen=True):
    """Cat's chance to win after throw `n`; the first point is the start of the race."""

    n: int
    cat: float


class RaceView(msgspec.Struct, frozen=True):
    """Everything on one page."""

    phase: Literal["start", "race", "over"]
    turn: Seat | None
    board: BoardView
    start: StartView
    counters: dict[str, CounterView]
    pots: int
    last: ThrowView | None
    hand_over: tuple[Payment, ...]
    ledger: tuple[Payment, ...]
    may_declare_jump: bool
    odds: OddsView
    throws: tuple[ForeseenView, ...]
    chart: tuple[ChartPoint, ...]
    outcome: Outcome | None


def view(board: Board, state: RaceState) -> RaceView:
    """The view of a state, the same for every seat."""
    odds = chances_of.odds(state.options)
    standing = state.standing if state.first else RaceBoard(thrower="cat")
    chances = odds.chances(standing)
    foreseen = odds.foresee(state.standing)
    return RaceView(
        phase="over" if state.winner else "race" if state.first else "start",
        turn=state.standing.thrower,
        board=board_view(board),
        start=start_view(state),
        counters={seat: _counter(board, state, seat) for seat in SEATS},
        pots=state.gained("pots"),
        last=_last(state),
        hand_over=tuple(line for line in state.ledger if line.throw == state.throws),
        ledger=state.ledger,
        may_declare_jump=state.fee_refusal is None,
        odds=_odds(odds, state, chances, foreseen),
        throws=tuple(_foreseen(chances, throw) for throw in foreseen),
        chart=_chart(odds, state),
        outcome=state.outcome,
    )


def board_view(board: Board) -> BoardView:
    """The squares as a page draws them."""
    return BoardView(
        squares=board.squares,
        turn_back_to=board.turn_back_to,
        pays=tuple(sorted(board.pays.squares)),
        earns=tuple(sorted({*board.earns.squares, *board.earns.by_leap})),
        lost_turn=tuple(sorted(board.lost_turn)),
        second_throw=tuple(sorted(board.second_throw)),
        leaps=tuple(sorted(leap.to for leap in board.leaps)),
        pay_chips=board.pays.chips,
        earn_chips=board.earns.chips,
        met=tuple(board.on_the_others_walk("cat", square) for square in range(1, board.squares + 1)),
    )


def start_view(state: RaceState) -> StartView:
    """The throws for Cat so far."""
    if state.first is None:
        chance = chances_of.first_is_cat(tuple(throw.dice for throw in state.start_throws))
        return StartView(state.start_throws, state.starter, None, chance)
    cat: Starter = "first" if state.first == "cat" else "second"
    return StartView(state.start_throws, None, cat, float(cat == "first"))


def _counter(board: Board, state: RaceState, seat: Seat) -> CounterView:
    square = state.standing.square(seat)
    also = board.on_the_others_walk(seat, square)
    return CounterView(seat, square, also, state.standing.owes(seat), state.purse(seat))


def _last(state: RaceState) -> ThrowView | None:
    if not state.steps:
        return None
    last = state.steps[-1]
    return ThrowView(
        state.throws, last.seat, last.dice, last.how, last.start, last.to, last.jumped, last.then, last.served
    )


def _odds(odds: Odds, state: RaceState, chances: Chances, foreseen: tuple[Foreseen, ...]) -> OddsView:
    stake = 0 if state.winner else state.options.stake
    return OddsView(
        cat=_rounded(chances.cat),
        mouse=_rounded(chances.mouse),
        cat_pays=_rounded(chances.cat_pays),
        mouse_pays=_rounded(chances.mouse_pays),
        change_hands=_rounded(chances.cat_pays + chances.mouse_pays),
        net=_rounded(chances.net_with_pots(0)),
        net_with_pots=_rounded(chances.net_with_pots(stake)),
        throws=_rounded(chances.throws),
        fees_foretold=state.options.jump_fee != "declared",
        decimals=min(DECIMALS, math.floor(-math.log10(max(odds.error_bound, odds.chips_error_bound)))),
        why=shares(foreseen) if foreseen else None,
    )


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # so that there is no -0.0


def shares(foreseen: Iterable[Foreseen]) -> Shares:
    """The number of the 36 ways with each effect."""
    counts: dict[str, int] = {}
    for throw in foreseen:
        for effect in effects(throw.step):
            counts[effect] = counts.get(effect, 0) + throw.ways
    return Shares(**counts)


def effects(step: Step) -> set[str]:
    """The effects of a throw, as `Shares` names them."""
    done = {part.value.replace("-", "_") for part in (step.how, step.then)} - {"plain", "next"}
    return done | {due.rule for due in step.dues}


def _foreseen(chances: Chances, throw: Foreseen) -> ForeseenView:
    step = throw.step
    chance = throw.after.chance_of(step.seat)
    return ForeseenView(
        dice=step.dice,
        ways=throw.ways,
        how=step.how,
        to=step.to,
        then=step.then,
        jumped=step.jumped,
        chips=sum(-due.chips if due.pays else due.chips for due in step.dues),
        chance=_rounded(chance),
        gains=_rounded(chance - chances.chance_of(step.seat)),
    )


def _chart(odds: Odds, state: RaceState) -> tuple[ChartPoint, ...]:
    if state.first is None:
        return ()
    n = len(state.start_throws)
    standings = [RaceBoard(thrower="cat"), *(step.standing for step in state.steps)]
    return tuple(
        ChartPoint(n + k, _rounded(odds.chances(standing).cat)) for k, standing in enumerate(standings)
    )
