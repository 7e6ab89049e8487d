"""Measures how fast the chances are solved and looked up."""

from __future__ import annotations

from companion.bench.measure import Measure, measure
from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.board import board
from companion.games.cat_and_mouse.odds import odds, solve
from companion.games.cat_and_mouse.rules import RaceState, Throw
from companion.games.cat_and_mouse.steps import RaceOptions

SOLVE_LIMIT_MS = 2000.0
"""The limit for solving the chances of a whole board, once per set of options."""

LOOK_UP_LIMIT_MS = 1.0
"""The limit for looking up the chances of one standing."""

SAMPLES = 7
"""The number of samples, enough for a median of what takes a tenth of a second."""


def midway() -> RaceState:
    """A race of 24 throws, the same in every run."""
    state = GAME.start(RaceOptions(), 2)
    for n in range(24):
        state = GAME.play(state, Throw((1 + n % 6, 1 + n * n % 5)))
    return state


def measures() -> list[Measure]:
    """The figures for `companion bench`."""
    classic, options, state = board("classic"), RaceOptions(), midway()
    solved = odds(options)
    kilobytes = solved.size_bytes // 1000
    return [
        measure(
            "race: chances solved",
            lambda: solve(classic, options),
            samples=SAMPLES,
            limit_ms=SOLVE_LIMIT_MS,
            note=f"17,424 standings, four values each, {kilobytes} kB, error {solved.error_bound:.0e}",
        ),
        measure(
            "race: a look-up",
            lambda: odds(options).chances(state.standing),
            limit_ms=LOOK_UP_LIMIT_MS,
            note="the chances of one standing",
        ),
        measure(
            "race: all 21 throws",
            lambda: solved.foresee(state.standing),
            limit_ms=LOOK_UP_LIMIT_MS,
            note="what each would do now",
        ),
        measure("race: whole view", lambda: GAME.view(state, None), note="all that a phone is shown"),
    ]
