"""What a phone may show: the track, the last throw, the chips, the chances, each with its why.

All information is open: every seat sees the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

import msgspec

from companion.games.cat_and_mouse import odds as chances_of
from companion.games.cat_and_mouse import score
from companion.games.cat_and_mouse.board import Board
from companion.games.cat_and_mouse.odds import Chances, Foreseen, Odds
from companion.games.cat_and_mouse.rules import Payment, RaceState, Starter, StartThrow, fee_refusal
from companion.games.cat_and_mouse.steps import SEATS, Dice, How, Seat, Standing, Step, Then
from companion.games.game import Outcome

DECIMALS = 9
"""Of the chances shown: what the last bits of a sum are differs from one processor to the next, and a
view must be the same on all."""


class BoardView(msgspec.Struct, frozen=True):
    """What the squares do, each list in order; `leaps` are the squares where doubles lead.

    `pay_chips` and `earn_chips` are what landing costs or brings.
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
    """By red square, from 1 on: the black one that is the same square of the board."""


class CounterView(msgspec.Struct, frozen=True):
    """One player: where the counter stands (0: its corner), and what they have.

    `also` is the other walk's number of that square; `owes_turn` whether the next turn is lost.
    """

    seat: Seat
    square: int
    also: int | None
    owes_turn: bool
    purse: score.Purse


class StartView(msgspec.Struct, frozen=True):
    """The throws for who is Cat: `by` throws next (None: decided), `cat` is who has become Cat.

    `first_is_cat` is the chance that the player who threw first becomes Cat.
    """

    throws: tuple[StartThrow, ...]
    by: Starter | None
    cat: Starter | None
    first_is_cat: float


class ThrowView(msgspec.Struct, frozen=True):
    """The last throw: where to move the real counter, what followed, what to hand over.

    `jumped` marks a jump over the other (as the board's data has it), whether it cost or not.
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
    """Why the chance is what it is: of 36 ways the dice can fall now, how many do what.

    One way can do several: land on 25, and a chip and a turn are lost.
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
    """What is to be expected, rounded to `decimals` places and exact up to there.

    `change_hands` is the mean number of chips that will yet go either way, the pots aside;
    `net` is what Cat can expect to win (+) or lose from here on by chips alone, `net_with_pots` with
    the stakes. `fees_foretold` is false where only a player can tell a jump.
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
    """What one of the 21 throws would do now.

    `chips` are what the thrower would gain (+) or pay at once, `chance` the thrower's chance to win
    after it, `gains` how much that is more than now.
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
    """What every seat sees of a state."""
    odds = chances_of.odds(state.options)
    standing = state.standing if state.first else Standing(thrower="cat")
    now = odds.chances(standing)
    foreseen = odds.foresee(state.standing)
    return RaceView(
        phase="over" if state.winner else "race" if state.first else "start",
        turn=state.standing.thrower,
        board=board_view(board),
        start=start_view(state),
        counters={seat: _counter(board, state, seat) for seat in SEATS},
        pots=score.in_the_pots(state),
        last=_last(state),
        hand_over=score.last_payments(state),
        ledger=state.ledger,
        may_declare_jump=fee_refusal(state) is None,
        odds=_odds(odds, state, now, foreseen),
        throws=tuple(_foreseen(now, each) for each in foreseen),
        chart=_chart(odds, state),
        outcome=score.outcome(state),
    )


def board_view(board: Board) -> BoardView:
    """The squares as a page draws them."""
    return BoardView(
        squares=board.squares,
        turn_back_to=board.turn_back_to,
        pays=_in_order(board.pays.squares),
        earns=_in_order({*board.earns.squares, *board.earns.by_leap}),
        lost_turn=_in_order(board.lost_turn),
        second_throw=_in_order(board.second_throw),
        leaps=_in_order(leap.to for leap in board.leaps),
        pay_chips=board.pays.chips,
        earn_chips=board.earns.chips,
        met=tuple(board.on_the_others_walk("cat", square) for square in range(1, board.squares + 1)),
    )


def _in_order(squares: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(squares))


def start_view(state: RaceState) -> StartView:
    """Where the throws for Cat stand."""
    if state.first is None:
        chance = chances_of.first_is_cat(tuple(throw.dice for throw in state.start_throws))
        return StartView(state.start_throws, state.starter, None, chance)
    cat: Starter = "first" if state.first == "cat" else "second"
    return StartView(state.start_throws, None, cat, float(cat == "first"))


def _counter(board: Board, state: RaceState, seat: Seat) -> CounterView:
    square = state.standing.square(seat)
    also = board.on_the_others_walk(seat, square)
    return CounterView(seat, square, also, state.standing.owes(seat), score.purse(state, seat))


def _last(state: RaceState) -> ThrowView | None:
    if not state.steps:
        return None
    last = state.steps[-1]
    return ThrowView(
        state.throws, last.seat, last.dice, last.how, last.start, last.to, last.jumped, last.then, last.served
    )


def _odds(odds: Odds, state: RaceState, now: Chances, foreseen: tuple[Foreseen, ...]) -> OddsView:
    stake = 0 if state.winner else state.options.stake
    return OddsView(
        cat=_rounded(now.cat),
        mouse=_rounded(now.mouse),
        cat_pays=_rounded(now.cat_pays),
        mouse_pays=_rounded(now.mouse_pays),
        change_hands=_rounded(now.cat_pays + now.mouse_pays),
        net=_rounded(now.net_with_pots(0)),
        net_with_pots=_rounded(now.net_with_pots(stake)),
        throws=_rounded(now.throws),
        fees_foretold=state.options.jump_fee != "declared",
        decimals=decimals(odds),
        why=shares(foreseen) if foreseen else None,
    )


def decimals(odds: Odds) -> int:
    """How many of the decimals shown are exact."""
    return min(DECIMALS, math.floor(-math.log10(max(odds.error_bound, odds.chips_error_bound))))


def _rounded(value: float) -> float:
    return round(value, DECIMALS) + 0.0  # so that there is no -0.0


def shares(foreseen: Iterable[Foreseen]) -> Shares:
    """Of 36 ways, how many do what."""
    counts: dict[str, int] = {}
    for each in foreseen:
        for effect in effects(each.step):
            counts[effect] = counts.get(effect, 0) + each.ways
    return Shares(**counts)


def effects(step: Step) -> set[str]:
    """What a throw does, as `Shares` names it."""
    done = {each.value.replace("-", "_") for each in (step.how, step.then)} - {"plain", "next"}
    return done | {due.rule for due in step.dues}


def _foreseen(now: Chances, each: Foreseen) -> ForeseenView:
    step = each.step
    chance = each.after.of(step.seat)
    chips = sum(-due.chips if due.pays else due.chips for due in step.dues)
    return ForeseenView(
        step.dice, each.ways, step.how, step.to, step.then, step.jumped, chips, _rounded(chance),
        _rounded(chance - now.of(step.seat)),
    )  # fmt: skip


def _chart(odds: Odds, state: RaceState) -> tuple[ChartPoint, ...]:
    if state.first is None:
        return ()
    n = len(state.start_throws)
    standings = [Standing(thrower="cat"), *(step.standing for step in state.steps)]
    return tuple(ChartPoint(n + k, _rounded(odds.chances(each).cat)) for k, each in enumerate(standings))
