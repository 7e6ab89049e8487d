"""What the camera's report means: a card that has come to rest on the discard pile was played.

It is told once, when it has come to rest, and not again until another lies there. What a card alone does
not say (who said nope, on whom two cats are played) is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import MoveError
from companion.games.exploding_kittens import rules
from companion.games.exploding_kittens.cards import ACTIONS, DEFUSE, KITTEN, NOPE
from companion.games.exploding_kittens.moves import Defuse, DrawKitten, Nope, OpenMove, Pair, Play
from companion.games.exploding_kittens.state import KittensState
from companion.games.watching import Card, Guess, Observation, Sighting, Verdict

MOST_GUESSES = 6
"""Moves offered to choose from."""


def sighting(state: KittensState, seen: Observation) -> Sighting:
    """What a card on the discard pile means for the match; see `Verdict`."""
    if not seen.cards:
        return Sighting(Verdict.NOTHING)
    card = seen.cards[-1]
    moves = tuple(_allowed(state, card.kind))
    if not seen.unsure and not moves:
        return _refused(state, card.kind)
    if not seen.unsure and len(moves) == 1:
        return Sighting(Verdict.PLAY, guesses=(Guess(moves, card.confidence),))
    guesses = _guesses(state, card)
    if not guesses:
        return Sighting(Verdict.NOTHING)
    why = seen.why or ("whose-nope" if card.kind == NOPE else "whose-cats")
    return Sighting(Verdict.ASK, why=why, guesses=guesses)


def _guesses(state: KittensState, card: Card) -> tuple[Guess, ...]:
    """What can have been played, the likeliest first; moves of one kind of card share its chance evenly."""
    guesses = []
    chances = {card.kind: card.confidence} | {other.kind: other.confidence for other in card.others}
    for kind, chance in chances.items():
        moves = tuple(_allowed(state, kind))
        guesses += [Guess((move,), round(chance / len(moves), 6)) for move in moves]
    return tuple(sorted(guesses, key=lambda guess: -guess.confidence)[:MOST_GUESSES])


def _allowed(state: KittensState, kind: str) -> Iterator[OpenMove]:
    """The moves that lay such a card, and that the rules take now."""
    for move in _moves(state, kind):
        try:
            rules.play(state, move)
        except MoveError:
            continue
        yield move


def _moves(state: KittensState, kind: str) -> tuple[OpenMove, ...]:
    if kind == KITTEN:
        return (DrawKitten(),)
    if kind == DEFUSE:
        return (Defuse(),)
    if kind in ACTIONS:
        return (Play(kind),)
    if kind == NOPE:
        return tuple(Nope(seat) for seat in state.seats)
    return tuple(Pair(kind, target) for target in rules.targets(state))


def _refused(state: KittensState, kind: str) -> Sighting:
    """Why no move lays such a card now."""
    try:
        rules.play(state, next(iter(_moves(state, kind)), Play(kind)))
    except MoveError as error:
        facts = {name: fact for name, fact in error.facts.items() if isinstance(fact, int | str)}
        return Sighting(Verdict.BREAKS, rule=error.rule, facts=facts)
    return Sighting(Verdict.NOTHING)
