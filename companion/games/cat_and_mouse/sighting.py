"""The meaning of the camera's report: two dice at rest are a throw.

The camera reports a throw once, when the dice have come to rest; so dice in sight are a new throw, even with
the same values.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

from companion.errors import MoveError
from companion.games.cat_and_mouse.state import FACES, RaceState, Throw
from companion.games.watching import IN_THE_WAY, Die, Guess, Judge, Observation, Sighting, Verdict, judged

MOST_GUESSES = 6
"""As many as an unseen die has faces."""


def sighting(play: Judge, state: RaceState, seen: Observation) -> Sighting:
    """The meaning of a picture of dice for the match."""
    if not seen.dice:
        return Sighting(Verdict.NOTHING)
    if seen.why in IN_THE_WAY:
        return Sighting(Verdict.WAIT, why=seen.why)
    values = tuple(die.value for die in seen.dice)
    clear = not seen.unsure and len(values) == 2 and set(values) <= set(FACES)
    if clear or len(values) > 2:
        return judged(play, state, Throw(values), prod(die.confidence for die in seen.dice))
    why = seen.why or ("one-die" if len(seen.dice) == 1 else "die-unclear")
    return _asked(play, state, why, seen.dice)


def _asked(play: Judge, state: RaceState, why: str, dice: Iterable[Die]) -> Sighting:
    """The possible throws, the likeliest first; the rule's refusal if it allows no throw."""
    likely = [_values(die) for die in dice]
    likely += [_even()] * (2 - len(likely))
    throws: dict[tuple[int, int], float] = {}
    for (one, p), (two, q) in product(likely[0].items(), likely[1].items()):
        lower, higher = sorted((one, two))
        throws[lower, higher] = throws.get((lower, higher), 0.0) + p * q
    ranked = sorted(throws.items(), key=lambda guess: -guess[1])
    try:
        play(state, Throw(ranked[0][0]))
    except MoveError as error:
        return Sighting(Verdict.BREAKS, why=why, rule=error.rule)
    guesses = tuple(Guess((Throw(values),), round(chance, 6)) for values, chance in ranked[:MOST_GUESSES])
    return Sighting(Verdict.ASK, why=why, guesses=guesses)


def _values(die: Die) -> dict[int, float]:
    """The chance of each face: that of the reading, and the rest shared evenly by the others."""
    if die.value not in FACES:
        return _even()
    left = (1 - die.confidence) / 5
    return {face: die.confidence if face == die.value else left for face in FACES}


def _even() -> dict[int, float]:
    return dict.fromkeys(FACES, 1 / 6)
