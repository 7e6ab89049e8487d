"""The chances held against many games, played by code that shares nothing with them."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.odds import odds
from companion.games.cat_and_mouse.state import SEATS, RaceBoard, RaceOptions, Seat, Throw
from companion.games.cat_and_mouse.tests.playing import at
from companion.games.cat_and_mouse.tests.simulation import Games

DEFAULTS = RaceOptions()
ALL_OTHERS = RaceOptions(
    past="at-or-beyond", pays_on_plain_11=True, fee_on_double=False, fee_on_turn_back=True
)
NO_FEES = RaceOptions(jump_fee="off", pays_on_plain_11=True)

START = RaceBoard(thrower="cat")

SIGMAS = 4.5
"""How far a mean of many games may lie from the truth: seven in a million runs would go further."""


def agree(options: RaceOptions, n: int, standing: RaceBoard = START) -> None:
    """Play `n` games from `standing` and hold the four means against the chances."""
    thrower: Seat = standing.thrower or "cat"
    result = Games(
        options, n, seed=11, cat=standing.cat, mouse=standing.mouse, thrower=SEATS.index(thrower),
        owes=(int(standing.cat_owes), int(standing.mouse_owes)),
    ).run()  # fmt: skip
    chances = odds(options).chances(standing)
    for played, computed in (
        (result.cat_won, chances.cat),
        (result.cat_paid, chances.cat_pays),
        (result.mouse_paid, chances.mouse_pays),
        (result.throws, chances.throws),
    ):
        error = float(np.std(played)) / math.sqrt(n)
        assert abs(float(np.mean(played)) - computed) < SIGMAS * error


@pytest.mark.slow
def test_the_chances_are_those_of_a_million_games() -> None:
    agree(DEFAULTS, 1_000_000)


@pytest.mark.slow
@pytest.mark.parametrize("options", [ALL_OTHERS, NO_FEES], ids=["all other choices", "no fees"])
@pytest.mark.parametrize(
    "standing",
    [
        RaceBoard(thrower="cat"),
        RaceBoard(40, 33, "mouse", cat_owes=True),
        RaceBoard(56, 63, "cat", mouse_owes=True),
    ],
    ids=["from the start", "from the middle, Cat owing a turn", "near the end, Mouse owing a turn"],
)
def test_the_chances_of_other_choices_and_standings_too(options: RaceOptions, standing: RaceBoard) -> None:
    agree(options, 200_000, standing)


@pytest.mark.parametrize("options", [DEFAULTS, ALL_OTHERS, NO_FEES], ids=["defaults", "others", "no fees"])
def test_the_quick_simulation_is_a_fair_copy_of_the_rules(options: RaceOptions) -> None:
    random = Random(7)
    for _ in range(150):
        state, games = at(0, 0, options=options), Games(options, 1, seed=0)
        before = state.gained("cat")
        while state.winner is None:
            dice = (random.randint(1, 6), random.randint(1, 6))
            state = GAME.play(state, Throw(dice))
            games.throw(np.array([dice]))
            paid = state.gained("cat") - before
            if state.winner is None:
                assert games.at.tolist() == [[state.standing.cat, state.standing.mouse]]
                assert SEATS[games.seat[0]] == state.standing.thrower
                assert paid == games.paid[0, 1] - games.paid[0, 0]
        assert SEATS[games.won[0]] == state.winner


def test_the_chances_of_a_few_thousand_games() -> None:
    agree(DEFAULTS, 5_000)
