"""What the box has too little of is counted and said, with what to use instead."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.this_bed_is_mine import retrospect
from companion.games.this_bed_is_mine.chips import Shortage
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, start
from companion.games.this_bed_is_mine.view import BedView, UseInstead
from companion.messages import LANGUAGES

ROOMS = 19
"""Regions of two squares that the cat owns in the bed below, one more than there are markers."""

COMB = bed("+" * ROOMS * 3, *["..1" * ROOMS] * 2, side="B")
"""A bed of narrow rooms behind a corridor: a tile as long as the corridor shuts them all at once."""

LONG = bars(ROOMS * 3)
"""One tile, as long as the corridor."""


def ended(board: str, tiles: str, written: str, **options: Any) -> BedView:
    """The view of the end of a match."""
    state = start(board=board, tiles=tiles, **options)
    return GAME.view(GAME.ended(state.options, GAME.lying(played(state, written))), None)


def test_the_box_of_the_rulebook_holds_18_paw_markers_and_8_toys_of_each_kind() -> None:
    options = GAME.options({})
    assert (options.markers, options.toys_each) == (18, 8)
    assert options.chips_10 + options.chips_5 + options.chips_2 + options.chips_1 == 25


def test_paw_markers_that_are_short_are_counted() -> None:
    view = ended(COMB, LONG, "c1@0,0")
    assert sum(region.owner == "cat" for region in view.regions) == ROOMS
    assert Shortage("marker", ROOMS, 18, 1, "coins") in view.short
    assert view.layout[0] == UseInstead("marker", ROOMS, 18, 1, "coins")
    assert not ended(COMB, LONG, "c1@0,0", markers=ROOMS, chips_10=99).short


def test_toys_that_are_short_are_counted_kind_by_kind() -> None:
    board = bed("+" * 12, "b" * 10 + "my", side="B")
    view = ended(board, bars(12), "c1@0,0")
    assert view.short == (Shortage("bone", 10, 8, 2, "slips"),)
    assert view.layout[0] == UseInstead("bone", 10, 8, 2, "slips")
    assert not ended(board, bars(12), "c1@0,0", toys_each=10).short


def test_chips_are_counted_for_points_and_bonus_together() -> None:
    """Two squares with two bones: 2 points and a bonus of 5. Chips for 6 would do for the points alone."""
    view = ended(bed("++", "bb", side="B"), bars(2), "c1@0,0", chips_10=0, chips_5=1, chips_2=0, chips_1=1)
    assert (view.points.cat.regions, view.points.cat.bonus) == (2, 5)
    assert view.short == (Shortage("chips", 7, 6, 1, "note"),)


def test_the_box_has_chips_for_109_points() -> None:
    """A cat's 4 alone on the bed owns the other 183 squares."""
    assert GAME.view(start(board="b"), None).short == ()
    assert ended("a", "digits", "c4@5,3").short == (Shortage("chips", 183, 109, 74, "note"),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_to_use_instead_is_said_before_anything_is_laid_out(language: str) -> None:
    first = next(iter(retrospect.steps(ended(COMB, LONG, "c1@0,0"), language)))
    assert all(str(number) in first for number in (18, ROOMS, 1))


def test_what_to_use_instead_in_english() -> None:
    coins, *_ = retrospect.steps(ended(COMB, LONG, "c1@0,0"), "en")
    assert coins.startswith("There are 18 paw markers and 19 are needed: use 1 coin as well, heads for")
    board = bed("+" * 12, "b" * 10 + "my", side="B")
    slips, *_ = retrospect.steps(ended(board, bars(12), "c1@0,0"), "en")
    assert slips == "bone: there are 8 and 10 are needed. Use slips of paper for the other 2."


def test_the_shortage_crosses_a_wire() -> None:
    view = ended(COMB, LONG, "c1@0,0")
    assert msgspec.json.decode(msgspec.json.encode(view), type=BedView) == view
