"""The view of a score sheet: the table of points, and each throw with its exact chances."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from companion.games.game import Outcome
from companion.games.score_sheet import odds
from companion.games.score_sheet.sheet import Sheet
from companion.games.score_sheet.state import SheetState, Thrown

MOST_SHOWN = 60
"""The newest throws are shown."""


class Chance(msgspec.Struct, frozen=True):
    """An exact chance as a fraction, and as a number from 0 to 1."""

    part: int
    of: int
    chance: float


class ThrowView(msgspec.Struct, frozen=True):
    """A throw: its move, counted from 1, its round, who threw, the dice, their sum and the chances.

    `as_sum`: of that sum; `at_least`: of as much or more; `just_these`: of these dice in any order.
    """

    move: int
    line: int
    seat: str
    dice: tuple[int, ...]
    sum: int
    as_sum: Chance
    at_least: Chance
    just_these: Chance


class SheetView(msgspec.Struct, frozen=True):
    """Everything on one page. `cells`: each player's entries by line. `open`: the lines to fill now.

    `began`: the number of moves before each round. `throws`: the newest first.
    """

    sheet: Sheet
    turn: str | None
    round: int
    rounds: int
    cells: dict[str, tuple[int | None, ...]]
    open: dict[str, tuple[int, ...]]
    totals: dict[str, int]
    throws: tuple[ThrowView, ...]
    notes: dict[int, str]
    began: tuple[int, ...]
    moves: int
    outcome: Outcome | None


def view(state: SheetState, turn: str | None, outcome: Outcome | None) -> SheetView:
    """The view of every seat."""
    rounds = len(state.sheet.rows) or state.sheet.rounds
    return SheetView(
        sheet=state.sheet,
        turn=turn,
        round=min(state.round, rounds or state.round),
        rounds=rounds,
        cells=dict(zip(state.seats, state.cells, strict=True)),
        open={seat: () if outcome else state.open_lines(n) for n, seat in enumerate(state.seats)},
        totals=state.totals,
        throws=tuple(map(_throw, reversed(state.throws[-MOST_SHOWN:]))),
        notes=state.notes,
        began=state.began,
        moves=state.moves,
        outcome=outcome,
    )


def _throw(thrown: Thrown) -> ThrowView:
    dice = thrown.dice
    return ThrowView(
        *(thrown.move, thrown.line, thrown.seat, dice, sum(dice)),
        _chance(odds.sum_chance(dice)),
        _chance(odds.at_least_chance(dice)),
        _chance(odds.just_these_chance(dice)),
    )


def _chance(exact: Fraction) -> Chance:
    return Chance(exact.numerator, exact.denominator, float(exact))
