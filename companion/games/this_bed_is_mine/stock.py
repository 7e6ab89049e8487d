"""What the box has too little of, and what to use instead: paw markers, toys, chips."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from companion.games.this_bed_is_mine.board import TOYS
from companion.games.this_bed_is_mine.moves import OWNERS, BedOptions
from companion.games.this_bed_is_mine.score import Score

What = Literal["marker", "bone", "mouse", "yarn", "chips"]
"""What there can be too little of."""

Instead = Literal["coins", "slips", "note"]
"""What does as well: coins for paw markers, slips of paper for toys, a note of the points for chips."""


class Shortage(msgspec.Struct, frozen=True):
    """Something of which `need` are needed (chips: points with bonuses), but only `there` are there."""

    what: What
    need: int
    there: int
    short: int
    instead: Instead


def shortages(options: BedOptions, scored: Score, owed: int) -> Iterator[Shortage]:
    """All that is short; `owed` are the points for which there are no chips."""
    markers = sum(region.owner is not None for region in scored.regions)
    if markers > options.markers:
        yield Shortage("marker", markers, options.markers, markers - options.markers, "coins")
    for kind in TOYS:
        tokens = sum(scored.toys[kind].values())
        if tokens > options.toys_each:
            yield Shortage(_toy(kind), tokens, options.toys_each, tokens - options.toys_each, "slips")
    if owed:
        points = sum(scored.total(owner) for owner in OWNERS)
        yield Shortage("chips", points, points - owed, owed, "note")


def _toy(kind: str) -> What:
    toys: dict[str, What] = {"bone": "bone", "mouse": "mouse", "yarn": "yarn"}
    return toys[kind]
