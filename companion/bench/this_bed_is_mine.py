"""Measures how fast the rules are, and how their time grows with the bed."""

from __future__ import annotations

from companion.bench.measure import Measure, measure
from companion.games.this_bed_is_mine import fits, score, view
from companion.games.this_bed_is_mine.moves import BedOptions, BedState, Owner
from companion.games.this_bed_is_mine.rules import play, start

FITS_LIMIT_MS = 2.0
"""The limit for all legal placements of a side on a bed of 16 × 12."""

SCORE_LIMIT_MS = 0.5
"""The limit for the score with its regions on a bed of 16 × 12."""

STRIDE = 7919
"""The prime step between the placements taken: it scatters a match over the bed, the same in every run."""

GROWTH = (
    ("14 × 14, squares", BedOptions(board="square-14", tiles="squares")),
    ("20 × 20", BedOptions(board="square-20")),
    ("64 × 64", BedOptions(board="square-64")),
)


def scattered(options: BedOptions, most: int = 18) -> BedState:
    """A match of up to `most` tiles, the same in every run."""
    state = start(options)
    while state.turn and len(state.tiles) < most:
        legal = fits.lays(options, state.tiles, state.turn)
        state = play(state, legal[STRIDE * (len(state.tiles) + 1) % len(legal)])
    return state


def measures() -> list[Measure]:
    """The figures for `companion bench`."""
    figures = _of_a_bed("16 × 12", BedOptions(), FITS_LIMIT_MS, SCORE_LIMIT_MS)
    figures += [
        each
        for name, options in GROWTH
        for each in _of_a_bed(name, options, fits_limit_ms=None, score_limit_ms=None)
    ]
    return figures


def _of_a_bed(
    name: str, options: BedOptions, fits_limit_ms: float | None, score_limit_ms: float | None
) -> list[Measure]:
    early, late = scattered(options, most=1), scattered(options)
    side: Owner = "dog"
    return [
        measure(
            f"rules: all placements, {name}",
            lambda: fits.lays(options, early.tiles, side),
            limit_ms=fits_limit_ms,
            note=f"{fits.count(options, early.tiles, side)} placements of nine tiles, as moves",
        ),
        measure(
            f"rules: what fits, {name}",
            lambda: fits.count(options, early.tiles, side),
            limit_ms=fits_limit_ms,
            note="the same, counted and not listed",
        ),
        measure(
            f"rules: score, {name}",
            lambda: score.score(options, late.tiles),
            limit_ms=score_limit_ms,
            note=f"{len(score.score(options, late.tiles).regions)} regions, {len(late.tiles)} tiles",
        ),
        measure(f"rules: whole view, {name}", lambda: view.view(late), note="all that a phone is shown"),
    ]
