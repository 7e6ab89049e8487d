"""Measures how fast a throw's squares are found, and how fast the whole page is made."""

from __future__ import annotations

from companion.bench.measure import Measure, measure
from companion.games.chop_chop import GAME
from companion.games.chop_chop.playouts import THROWS, forget
from companion.games.chop_chop.reach import reachable
from companion.games.chop_chop.rules import legal_moves
from companion.games.chop_chop.state import ChopOptions, ChopState, ThrowDie

REACH_LIMIT_MS = 1.0
"""The limit for all squares that a side's pieces can reach with one throw, including the ways there."""

VIEW_LIMIT_MS = 50.0
"""The limit for a new page, including playing out its chances."""

SAMPLES = 9
"""The number of samples, enough for a median of what takes tens of milliseconds."""

LONGEST_THROW = 6
"""The throw with the most ways, on a plain die."""


def midway(throws: int = 24) -> ChopState:
    """A match after this many throws, the same in every run, with all mice alive if possible.

    Each move is the one in the middle of all legal moves.
    """
    state = GAME.start(ChopOptions(dice="plain"), 2)
    while state.throws < throws or state.standing.phase != "throw" or state.standing.side != "mice":
        moves = list(legal_moves(state))
        state = GAME.play(state, moves[len(moves) // 2])
    return state


def measures() -> list[Measure]:
    """The figures for `companion bench`."""
    state = midway()
    thrown = GAME.play(state, ThrowDie((LONGEST_THROW,)))

    def reach() -> int:
        by_piece = reachable(thrown.options, thrown.standing)
        return sum(len(ways.path(to)) for ways in by_piece.values() for to in ways.squares)

    def afresh() -> object:
        forget()
        return GAME.view(state, None)

    by_piece = reachable(thrown.options, thrown.standing)
    squares = sum(len(ways.squares) for ways in by_piece.values())
    return [
        measure(
            "kitchen: all squares for one throw",
            reach,
            limit_ms=REACH_LIMIT_MS,
            note=f"{len(by_piece)} mice, a {LONGEST_THROW}, {squares} squares, with the way to each",
        ),
        measure(
            "kitchen: whole view, new",
            afresh,
            samples=SAMPLES,
            limit_ms=VIEW_LIMIT_MS,
            note=f"{THROWS} throws played out",
        ),
        measure("kitchen: whole view, again", lambda: GAME.view(state, None), note="of the same standing"),
    ]
