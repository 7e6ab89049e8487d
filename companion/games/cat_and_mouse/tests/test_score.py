"""Chips: who paid whom, what is in hand, what is owed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import Purse, RaceOptions, RaceState, Throw
from companion.games.cat_and_mouse.tests.playing import at, begun, play

STAKES = RaceOptions(stake=5, chips=20)


def purses(state: RaceState) -> dict[str, Purse]:
    """What both have."""
    return {"cat": state.purse("cat"), "mouse": state.purse("mouse")}


def test_each_line_says_who_paid_whom_by_which_throw_for_what() -> None:
    state = play(begun(), "11", "31")
    first, second = state.ledger
    assert (first.throw, first.dice, first.payer, first.payee) == (3, (1, 1), "mouse", "cat")
    assert (first.chips, first.reason, first.square) == (2, "earns", 11)
    assert (second.throw, second.payer, second.payee, second.chips) == (4, "mouse", "cat", 1)
    assert (second.reason, second.square) == ("pays", 4)


def test_the_stakes_leave_the_hand_and_lie_in_the_pots() -> None:
    state = begun(STAKES)
    assert purses(state) == {"cat": Purse(15, 0, -5), "mouse": Purse(15, 0, -5)}
    assert state.gained("pots") == 10


def test_whoever_cannot_pay_runs_into_debt_and_is_not_refused() -> None:
    state = play(begun(RaceOptions(stake=0, chips=1)), "66")
    assert purses(state) == {"cat": Purse(0, 1, -2), "mouse": Purse(3, 0, 2)}


def test_debts_are_paid_back_by_what_is_earned() -> None:
    state = play(begun(RaceOptions(stake=0, chips=0)), "66", "66")
    assert purses(state)["cat"] == Purse(0, 0, 0)


def test_the_pots_are_empty_once_won() -> None:
    state = play(at(64, 0, options=STAKES), "11")
    assert state.gained("pots") == 0
    assert purses(state)["cat"] == Purse(25, 0, 5)


def test_the_chips_of_the_last_throw_are_to_be_handed_over() -> None:
    state = play(at(31, 34), "41")
    assert [(line.chips, line.reason) for line in GAME.view(state, None).hand_over] == [
        (1, "jump"),
        (1, "pays"),
    ]
    assert GAME.view(play(state, "21"), None).hand_over == ()


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=60), st.integers(0, 9))
def test_chips_are_never_made_nor_lost(throws: list[tuple[int, int]], stake: int) -> None:
    state = GAME.start(RaceOptions(stake=stake), 2)
    for dice in throws:
        if GAME.outcome(state) is None:
            state = GAME.play(state, Throw(dice))
    assert sum(state.gained(whose) for whose in ("cat", "mouse", "pots")) == 0
    assert state.gained("pots") == (0 if state.winner or state.first is None else 2 * stake)
