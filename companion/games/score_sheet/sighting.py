"""The meaning of the camera's report: dice at rest are a throw of the player in turn."""

from __future__ import annotations

from math import prod

from companion.games.score_sheet.state import FACES, SheetState, Throw
from companion.games.watching import IN_THE_WAY, Guess, Judge, Observation, Sighting, Verdict, judged


def sighting(play: Judge, state: SheetState, seen: Observation) -> Sighting:
    """The meaning of a picture of dice for the match; where they are unclear, a person confirms them."""
    if not seen.dice:
        return Sighting(Verdict.NOTHING)
    if seen.why in IN_THE_WAY:
        return Sighting(Verdict.WAIT, why=seen.why)
    values = tuple(die.value for die in seen.dice)
    move = Throw(state.seats[state.up], values)
    sure = prod(die.confidence for die in seen.dice)
    known = judged(play, state, move, sure)
    if known.verdict is Verdict.BREAKS or not (seen.unsure or set(values) - set(FACES)):
        return known
    return Sighting(Verdict.ASK, why="dice-unclear", guesses=(Guess((move,), round(sure, 6)),))
