"""Measures how fast a move is judged and a phone gets its view."""

from __future__ import annotations

from companion.bench.measure import Measure, measure
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.moves import GoOn, HideState, Own, Seek, TurnUp

SEATS = 6

MOVE_LIMIT_MS = 5.0
"""The limit for turning up one card."""

VIEW_LIMIT_MS = 50.0
"""The limit for a phone's whole view, including the chances of every kind of card."""


def midway() -> HideState:
    """Six players in their second round, every hand touched, the same in every run."""
    state = GAME.start(GAME.options({}), SEATS)
    animals = list(state.set.animals)
    for n in range(3 * SEATS):
        state = GAME.play(state, Own(state.seats[n // 3], animals[n]))
    state = GAME.play(state, Seek(animals[0]))
    for n, seat in enumerate(state.seats):
        for card in ("hide-white", "food", "hide-rainbow")[: 1 + n % 2]:
            state = GAME.play(state, TurnUp(seat, card, animals[(5 * n) % len(animals)]))
    return GAME.play(GAME.play(state, GoOn()), GoOn())


def measures() -> list[Measure]:
    """The figures for `companion bench`."""
    state = midway()
    seeks = next(own.animal for own in state.free if own.seat == state.order[0])
    seeking = GAME.play(state, Seek(seeks))
    card = TurnUp(state.seats[2], "hide-grey", seeks)
    return [
        measure("hide: a card turned up", lambda: GAME.play(seeking, card), limit_ms=MOVE_LIMIT_MS),
        measure(
            "hide: whole view",
            lambda: GAME.view(seeking, None),
            limit_ms=VIEW_LIMIT_MS,
            note="18 animals, the chances of 22 kinds of cards",
        ),
    ]
