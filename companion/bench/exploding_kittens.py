"""Measures how fast a phone gets the odds."""

from __future__ import annotations

from companion.bench.measure import Measure, measure
from companion.bench.odds import forget
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens import known as known_module
from companion.games.exploding_kittens import view as view_module
from companion.games.exploding_kittens.state import KittensState

VIEW_LIMIT_MS = 50.0
"""The limit for everything that a phone shows after a move, computed from the start: over sixty chances."""

SAMPLES = 9
"""The number of samples, enough for a median of what takes about ten milliseconds."""

MIDWAY: tuple[dict[str, object], ...] = (
    {"move": "hand", "seat": "first", "cards": ["attack", "defuse", "future", "shuffle", "skip", "cat-a"]},
    {"move": "draw"},
    {"move": "drew", "seat": "first", "card": "nope"},
    {"move": "kitten"},
    {"move": "defuse"},
    {"move": "play", "card": "attack"},
    {"move": "pair", "card": "cat-b", "target": "first"},
    {"move": "took", "seat": "first", "card": "cat-a"},
    {"move": "draw"},
    {"move": "kitten"},
    {"move": "defuse"},
    {"move": "draw"},
    {"move": "draw"},
    {"move": "draw"},
)
"""The moves of three players: a hand noted, two kittens put back in secret, a card stolen, an attack."""


def midway(**options: str) -> KittensState:
    """A match with much of what makes odds hard, the same in every run."""
    state = GAME.start(GAME.options(options), 4)
    for move in MIDWAY:
        state = GAME.play(state, GAME.move(move))
    return state


def first_view(state: KittensState, seat: str | None) -> None:
    """The view of a seat, with nothing computed before except the moves before the last."""
    forget()
    view_module.view.cache_clear()
    GAME.view(state, seat)


def measures() -> list[Measure]:
    """The figures for `companion bench`."""
    figures = []
    for name, options in (("", {}), (", near the top", {"kitten_back": "near-the-top"})):
        state = midway(**options)
        for seat in (None, "first"):
            worlds = len(known_module.known(state, seat).knowledge.worlds)
            figures.append(
                measure(
                    f"kittens: view of {seat or 'the table'}{name}",
                    lambda state=state, seat=seat: first_view(state, seat),  # type: ignore[misc]
                    limit_ms=VIEW_LIMIT_MS,
                    note=f"{worlds} ways to tell apart",
                    samples=SAMPLES,
                )
            )
    return figures
