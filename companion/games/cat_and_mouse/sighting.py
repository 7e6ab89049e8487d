"""What the camera's report means: two dice at rest are a throw.

The camera tells a throw once, when the dice have come to rest, and not again until they have moved;
so dice that are seen are a new throw, even if they show what the last one showed.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from companion.errors import MoveError
from companion.games.cat_and_mouse.board import Board
from companion.games.cat_and_mouse.rules import RaceState, Throw, play
from companion.games.cat_and_mouse.steps import FACES
from companion.games.watching import IN_THE_WAY, Die, Guess, Observation, Sighting, Verdict


def sighting(board: Board, state: RaceState, seen: Observation) -> Sighting:
    """What a picture of dice means for the match; see `Verdict`."""
    if not seen.dice:
        return Sighting(Verdict.NOTHING)
    if seen.why in IN_THE_WAY:
        return Sighting(Verdict.WAIT, why=seen.why)
    if len(seen.dice) > 2:
        return _judged(board, state, Throw(tuple(die.value for die in seen.dice)), seen)
    strange = any(die.value not in FACES for die in seen.dice)
    if not seen.unsure and len(seen.dice) == 2 and not strange:
        return _judged(board, state, Throw((seen.dice[0].value, seen.dice[1].value)), seen)
    why = seen.why or ("one-die" if len(seen.dice) == 1 else "die-unclear")
    return _asked(board, state, why, seen.dice)


def _judged(board: Board, state: RaceState, throw: Throw, seen: Observation) -> Sighting:
    """A throw that is plain to see: played, or refused by the rule that it breaks."""
    try:
        play(board, state, throw)
    except MoveError as error:
        facts = {name: fact for name, fact in error.facts.items() if isinstance(fact, int | str)}
        return Sighting(Verdict.BREAKS, rule=error.rule, facts=facts)
    confidence = _confidence(seen.dice or ())
    return Sighting(Verdict.PLAY, guesses=(Guess((throw,), confidence),))


def _asked(board: Board, state: RaceState, why: str, dice: Iterable[Die]) -> Sighting:
    """The throws that it may have been, the likeliest first; the rule's refusal where none is allowed."""
    likely = [_values(die) for die in dice]
    while len(likely) < 2:
        likely.append(_even())
    throws: dict[tuple[int, int], float] = {}
    for (one, p), (two, q) in product(likely[0].items(), likely[1].items()):
        lower, higher = sorted((one, two))
        throws[lower, higher] = throws.get((lower, higher), 0.0) + p * q
    ranked = sorted(throws.items(), key=lambda guess: -guess[1])
    try:
        play(board, state, Throw(ranked[0][0]))
    except MoveError as error:
        return Sighting(Verdict.BREAKS, why=why, rule=error.rule)
    guesses = tuple(Guess((Throw(values),), round(chance, 6)) for values, chance in ranked[:MOST_GUESSES])
    return Sighting(Verdict.ASK, why=why, guesses=guesses)


MOST_GUESSES = 6
"""Throws offered to choose from: as many as one die not seen can show."""


def _values(die: Die) -> dict[int, float]:
    """What a die may show: what was read, and any other face with what is left, evenly."""
    if die.value not in FACES:
        return _even()
    left = (1 - die.confidence) / 5
    return {face: die.confidence if face == die.value else left for face in FACES}


def _even() -> dict[int, float]:
    return dict.fromkeys(FACES, 1 / 6)


def _confidence(dice: Iterable[Die]) -> float:
    product_of = 1.0
    for die in dice:
        product_of *= die.confidence
    return product_of
