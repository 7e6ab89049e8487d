"""Corrections of the record: judged by the same rules, the turn and the skips worked out again."""

from __future__ import annotations

from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import Skip, TakeOff
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, refused, shift, start

ROW = bed("..........")
"""Ten squares in a row."""


def test_a_shifted_tile_lies_elsewhere_and_keeps_its_place_in_the_order() -> None:
    state = GAME.play(played(start(), "c4@5,3 d9@0,0 c9@11,0"), shift("d9+1@0,5"))
    assert [(tile.owner, tile.digit) for tile in state.tiles] == [("cat", 4), ("dog", 9), ("cat", 9)]
    assert (state.tiles[1].turns, state.tiles[1].row, state.tiles[1].col) == (1, 0, 5)
    assert GAME.turn(state) == "dog"


def test_a_tile_may_be_shifted_over_the_squares_it_lay_on() -> None:
    state = GAME.play(played(start(), "c4@5,3 d9@0,0"), shift("d9@0,1"))
    assert state.tiles[1].col == 1


def test_a_shift_obeys_the_rules_of_laying() -> None:
    state = played(start(board="b"), "c4@5,3 d9@11,0")
    assert refused(state, shift("d9@12,0")).rule == "off-the-bed"
    assert refused(state, shift("d9@1,0")).rule == "on-a-pillow"
    assert refused(state, shift("d9@5,2")).rule == "on-a-tile"
    assert refused(state, shift("d8@11,0")).rule == "tile-not-laid"
    assert refused(state, shift("d10@11,0")).rule == "no-such-tile"


def test_the_cats_first_tile_is_not_shifted_out_of_the_zone() -> None:
    state = played(start(), "c4@5,3 d9@0,0 c9@11,0")
    assert refused(state, shift("c4@5,0")).rule == "first-zone"
    assert GAME.play(state, shift("c4@6,4")).tiles[0].row == 6


def test_the_cats_later_tiles_are_shifted_where_there_is_room() -> None:
    state = played(start(), "c4@5,3 d9@0,0 c1@5,8 d8@11,0")
    assert GAME.play(state, shift("c1@0,11")).tiles[2].row == 0


def test_a_tile_taken_off_is_in_hand_again() -> None:
    state = GAME.play(played(start(), "c4@5,3 d9@0,0"), TakeOff("dog", 9))
    assert state == played(start(), "c4@5,3")
    assert refused(state, TakeOff("dog", 9)).rule == "tile-not-laid"
    assert refused(state, TakeOff("dog", 10)).rule == "no-such-tile"


def test_the_turn_is_the_side_that_is_owed_a_tile() -> None:
    laid = played(start(), "c4@5,3 d9@0,0 c9@11,0")  # the dog's turn
    cat_owed = GAME.play(laid, TakeOff("cat", 9))
    assert GAME.turn(cat_owed) == "cat"
    assert GAME.turn(played(cat_owed, "c8@11,0")) == "dog"
    dog_owed = GAME.play(laid, TakeOff("dog", 9))
    assert GAME.turn(dog_owed) == "dog"
    assert GAME.turn(played(dog_owed, "d8@0,0")) == "dog"
    assert GAME.turn(played(dog_owed, "d8@0,0 d7@0,4")) == "cat"


def test_the_first_tile_taken_off_is_owed_as_a_first_tile() -> None:
    state = GAME.play(played(start(), "c4@5,3 d9@0,0 c9@11,0"), TakeOff("cat", 4))
    assert refused(state, "c8@0,5").rule == "first-digit"
    assert refused(state, "c3@0,5").rule == "first-zone"
    assert GAME.turn(played(state, "c3@5,5")) == "dog"


def test_a_skip_is_judged_anew_while_nothing_has_been_laid_since() -> None:
    state = played(start(board=ROW, tiles=bars(3, 3, 3)), "c1@0,0 d1@0,5")  # gaps of two: both are out
    assert GAME.turn(state) is None
    assert GAME.turn(GAME.play(state, shift("d1@0,3"))) == "cat"
    assert GAME.turn(GAME.play(state, TakeOff("dog", 1))) == "dog"


def test_shifting_there_and_back_restores_the_skips() -> None:
    state = played(start(board=ROW, tiles=bars(3, 3, 3)), "c1@0,0 d1@0,5")
    assert GAME.play(GAME.play(state, shift("d1@0,3")), shift("d1@0,5")) == state


def test_a_skip_stands_once_the_other_side_has_laid_on() -> None:
    state = played(start(board=ROW, tiles=bars(1, 2, 4)), "c3@0,3 d1@0,8 c2@0,0")  # no room for the dog's 2
    assert [skipped.owner for skipped in state.skipped] == ["dog"]
    assert GAME.turn(GAME.play(state, shift("d1@0,9"))) == "dog"
    later = GAME.play(played(state, "c1@0,2"), shift("d1@0,9"))
    assert "dog" in [skipped.owner for skipped in later.skipped]
    assert GAME.turn(later) is None


def test_a_pass_by_mistake_outlives_a_correction() -> None:
    state = GAME.play(played(start(), "c4@5,3"), Skip("dog"))
    assert GAME.turn(GAME.play(state, shift("c4@5,4"))) == "cat"
    assert GAME.turn(GAME.play(state, TakeOff("cat", 4))) == "cat"
    both = GAME.play(state, Skip("cat"))
    assert GAME.turn(GAME.play(both, shift("c4@5,4"))) is None


def test_a_skipped_side_is_owed_what_was_taken_off() -> None:
    state = played(start(board=bed("......."), tiles=bars(1, 5)), "c2@0,0 d1@0,5")
    assert GAME.turn(state) == "cat"
    state = played(state, "c1@0,6")
    assert GAME.turn(state) is None
    state = GAME.play(state, TakeOff("dog", 1))
    assert GAME.turn(state) == "dog"
    assert GAME.turn(played(state, "d1@0,5")) is None


def test_corrections_go_on_after_the_end() -> None:
    state = played(start(board=bed("......"), tiles=bars(2, 2, 2)), "c1@0,0 d1@0,2 c2@0,4")
    assert GAME.turn(state) is None
    assert GAME.turn(GAME.play(state, TakeOff("cat", 2))) == "cat"
