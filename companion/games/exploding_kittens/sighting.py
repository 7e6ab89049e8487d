"""The meaning of the camera's report: a card at rest on the discard pile was played.

A card is reported once. What it does not show (who said nope, on whom two cats are played) is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.errors import MoveError
from companion.games.exploding_kittens.cards import ACTIONS, DEFUSE, KITTEN, NOPE
from companion.games.exploding_kittens.known import targets
from companion.games.exploding_kittens.state import (
    Defuse,
    DrawKitten,
    KittensState,
    Nope,
    OpenMove,
    Pair,
    Play,
)
from companion.games.watching import Card, Guess, Judge, Observation, Sighting, Verdict

MOST_GUESSES = 6


def sighting(play: Judge, state: KittensState, seen: Observation) -> Sighting:
    """The meaning of a card on the discard pile; see `Verdict`."""
    if not seen.cards:
        return Sighting(Verdict.NOTHING)
    card = seen.cards[-1]
    moves = tuple(_allowed(play, state, card.kind))
    if not seen.unsure and not moves:
        return _refused(play, state, card.kind)
    if not seen.unsure and len(moves) == 1:
        return Sighting(Verdict.PLAY, guesses=(Guess(moves, card.confidence),))
    guesses = _guesses(play, state, card)
    if not guesses:
        return Sighting(Verdict.NOTHING)
    why = seen.why or ("whose-nope" if card.kind == NOPE else "whose-cats")
    return Sighting(Verdict.ASK, why=why, guesses=guesses)


def _guesses(play: Judge, state: KittensState, card: Card) -> tuple[Guess, ...]:
    """Moves that may have been made, the likeliest first; those with one kind of card share its chance."""
    guesses = []
    chances = {card.kind: card.confidence} | {other.kind: other.confidence for other in card.others}
    for kind, chance in chances.items():
        moves = tuple(_allowed(play, state, kind))
        guesses += [Guess((move,), round(chance / len(moves), 6)) for move in moves]
    return tuple(sorted(guesses, key=lambda guess: -guess.confidence)[:MOST_GUESSES])


def _allowed(play: Judge, state: KittensState, kind: str) -> Iterator[OpenMove]:
    for move in _moves(state, kind):
        try:
            play(state, move)
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
    return tuple(Pair(kind, target) for target in targets(state))


def _refused(play: Judge, state: KittensState, kind: str) -> Sighting:
    try:
        play(state, next(iter(_moves(state, kind)), Play(kind)))
    except MoveError as error:
        return Sighting.broken(error)
    return Sighting(Verdict.NOTHING)
