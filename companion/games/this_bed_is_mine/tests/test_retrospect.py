"""What decided a finished bed, on beds small enough to count by eye."""

from __future__ import annotations

from companion.games.retrospect import Decided
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import Finish
from companion.games.this_bed_is_mine.tests.table import bed, start, tiles


def decided_by(written: str, board: str) -> Decided | None:
    """What decided a bed on which these tiles lie."""
    state = GAME.play(start(board=board, tiles="squares"), Finish(tiles(written)))
    return GAME.retrospect.decided((), state)


def test_the_largest_region_did_where_without_it_nobody_would_be_ahead() -> None:
    by = decided_by("c9@0,2 c7@1,2 d6@2,0 d9@2,1", bed("...", "...", "..."))
    assert by == Decided(
        "region", {"owner": "cat", "other": "dog", "margin": 4, "points": 4}
    )  # fmt: skip


def test_several_regions_did_where_each_alone_is_less_than_the_lead() -> None:
    by = decided_by("c1@0,2", bed("....."))
    assert by == Decided(
        "regions", {"owner": "cat", "other": "dog", "margin": 4, "points": 2}
    )  # fmt: skip


def test_the_toys_did_where_the_regions_are_equal() -> None:
    by = decided_by("c1@0,2 d1@0,3", bed("b.....", side="B"))
    assert by == Decided("toys", {"owner": "cat", "other": "dog", "margin": 5, "points": 5})


def test_nothing_did_where_both_share_the_bed() -> None:
    assert decided_by("c1@0,2 d1@0,3", bed("......")) is None
