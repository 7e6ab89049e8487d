"""A finished bed recorded whole, as from a photo: scored as at the end of a match, and corrected there."""

from __future__ import annotations

import pytest

from companion.errors import IllegalMove
from companion.games import watching
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import BedState, Finish, TakeOff
from companion.games.this_bed_is_mine.tests.table import lays, played, refused, shift, start, tiles

LAID = "c4@5,3 d9@0,0 c9@11,0 d8@11,5"
"""Four tiles on a bed where many more would fit."""


def finished(written: str = LAID) -> BedState:
    """A bed on which these tiles were recorded at once."""
    return GAME.play(start(), Finish(tiles(written)))


def test_it_is_over_with_these_tiles_and_their_score_whatever_would_still_fit() -> None:
    by_hand, at_once = played(start(), LAID), finished()
    assert GAME.outcome(by_hand) is None
    assert GAME.turn(at_once) is None
    assert at_once.tiles == by_hand.tiles
    outcome = GAME.outcome(at_once)
    assert outcome is not None
    board = GAME.view(by_hand, None)
    assert outcome.points == {"cat": board.points.cat.total, "dog": board.points.dog.total}
    assert GAME.view(at_once, None).layout[-1].winners == outcome.winners  # type: ignore[union-attr]


def test_neither_turns_nor_the_first_tiles_zone_are_judged() -> None:
    assert [tile.owner for tile in finished("c9@0,0 c8@0,4 c7@0,8").tiles] == ["cat"] * 3


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("c9@12,0", "off-the-bed"),
        ("c9@0,0 d9@1,1", "on-a-tile"),
        ("c9@0,0 c9@0,5", "tile-already-laid"),
        ("c10@0,0", "no-such-tile"),
    ],
)
def test_tiles_lie_as_the_rules_want_it(written: str, rule: str) -> None:
    assert refused(start(), Finish(tiles(written))).rule == rule


def test_a_tile_on_a_pillow_is_refused() -> None:
    assert refused(start(board="b"), Finish(tiles("c9@0,0"))).rule == "on-a-pillow"


def test_already_begun() -> None:
    assert refused(played(start(), "c4@5,3"), Finish(tiles(LAID))).rule == "already-begun"


def test_nobody_lays_on_a_finished_bed() -> None:
    assert refused(finished(), lays("c1@0,10")[0]).rule == "match-over"


def test_it_stays_finished_whatever_is_corrected() -> None:
    for state in (GAME.play(finished(), shift("d9@0,1")), GAME.play(finished(), TakeOff("dog", 9))):
        assert GAME.turn(state) is None
        assert GAME.outcome(state) is not None
    assert len(GAME.play(finished(), TakeOff("dog", 9)).tiles) == 3


def test_it_may_be_recorded_again_with_other_tiles() -> None:
    again = GAME.play(finished(), Finish(tiles("c1@0,0")))
    assert [tile.digit for tile in again.tiles] == [1]


def test_what_was_seen_becomes_the_move() -> None:
    seen = watching.Tile("cat", 4, 1, 5, 3, cells=((5, 3),), confidence=0.8)
    assert GAME.finish([seen]) == Finish(tiles("c4+1@5,3"))
    with pytest.raises(IllegalMove):
        GAME.play(finished(), GAME.finish([seen, seen]))


def test_a_tile_that_would_still_fit_is_named_for_each_side() -> None:
    assert [(tile.owner, tile.kind) for tile in GAME.still_fits(finished())] == [("cat", 1), ("dog", 1)]
