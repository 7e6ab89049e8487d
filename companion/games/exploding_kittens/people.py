"""Moves as people make them, for a table that plays by itself.

There is no deck: a kitten is drawn as often as one would lie on top, cards are played about as people play
them, and each seat notes on its phone what it may have drawn, seen, taken or hidden, without contradicting
its own notes.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.games.exploding_kittens.known import can_all_be_true
from companion.games.exploding_kittens.private_notes import legal_notes
from companion.games.exploding_kittens.state import (
    Defuse,
    Draw,
    DrawKitten,
    Explode,
    KittensMove,
    KittensState,
    Nope,
    OpenMove,
    Pair,
    Play,
    Three,
)

WEIGHTS: dict[type, int] = {Play: 400, Pair: 200, Three: 60, Nope: 120, Defuse: 800, Explode: 100}
"""By kind of move, so that a match of two lasts some thirty moves, one of four some eighty, and most kittens
are defused."""
DRAWS = 1200

MOST_TRIES = 12
"""Moves to try until one fits the private notes."""


def likely_move(
    state: KittensState,
    legal: list[OpenMove],
    play: Callable[[KittensState, OpenMove], KittensState],
    below: Callable[[int], int],
) -> KittensMove:
    """A private note if a seat has one to make, else an open move."""
    notes = list(legal_notes(state))
    if notes:
        return notes[below(len(notes))]
    noting = [seat for seat in sorted({note.seat for note in state.notes}) if can_all_be_true(state, seat)]
    for _ in range(MOST_TRIES):
        move = _one_of(state, legal, below)
        after = play(state, move)
        if all(can_all_be_true(after, seat) for seat in noting):
            break
    return move


def _one_of(state: KittensState, legal: list[OpenMove], below: Callable[[int], int]) -> OpenMove:
    kinds: dict[type, list[OpenMove]] = {}
    for move in legal:
        kinds.setdefault(type(move), []).append(move)
    weights = [_weight(state, kind) for kind in kinds]
    drawn = below(sum(weights))
    for weight, moves in zip(weights, kinds.values(), strict=True):
        drawn -= weight
        if drawn < 0:
            return moves[below(len(moves))]
    raise AssertionError("weights add up")


def _weight(state: KittensState, kind: type) -> int:
    deck = state.standing.deck
    if kind is DrawKitten:
        return max(1, DRAWS * state.kittens // deck)
    if kind is Draw:
        return max(1, DRAWS * (deck - state.kittens) // deck)
    return WEIGHTS.get(kind, 100)
