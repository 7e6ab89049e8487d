"""Each rule of play, named."""

from __future__ import annotations

import msgspec
import pytest

from companion.errors import IllegalMove, InvalidMove
from companion.games.this_bed_is_mine.board import read_board
from companion.games.this_bed_is_mine.fits import bed_of, can_lay
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import BedState, Lay, Skip
from companion.games.this_bed_is_mine.tests.table import (
    bars,
    bed,
    lays,
    open_squares,
    played,
    refused,
    start,
    tile_set,
)

NARROW = {"board": bed("......"), "tiles": bars(2, 2, 2, 2)}
"""One row of six squares, tiles of two: three fit at most."""

BARE = {"board": bed("......", "......", "......"), "tiles": bars(1, 2, 3, 4, 5)}
"""No zone is marked."""


def lays_of(state: BedState) -> list[Lay]:
    return [move for move in GAME.legal_moves(state) if isinstance(move, Lay)]


def _cells(state: BedState, move: Lay) -> list[tuple[int, int]]:
    ready = bed_of(state.options)
    return ready.listed(ready.covered(move))


def test_a_match_begins_with_an_empty_bed_and_the_cat() -> None:
    state = start()
    assert state.tiles == ()
    assert GAME.turn(state) == "cat"
    assert GAME.seat_names(state) == ("cat", "dog")


def test_it_is_for_two() -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.start(GAME.options({}), seats=3)
    assert caught.value.rule == "not-an-option"


def test_the_sides_alternate() -> None:
    state = played(start(), "c4@5,3")
    assert GAME.turn(state) == "dog"
    assert GAME.turn(played(state, "d9@0,0")) == "cat"


def test_not_your_turn() -> None:
    error = refused(start(), "d9@0,0")
    assert isinstance(error, IllegalMove)
    assert error.rule == "not-your-turn"
    assert str(error) == "It is the cat's turn, not the dog's."
    assert error.says("zh-Hant") == "現在輪到貓貓，不是狗狗。"


def test_a_tile_must_lie_wholly_on_the_bed() -> None:
    state = played(start(), "c1@5,3")
    for written in ("d1@12,0", "d1@-1,0", "d1+1@0,8", "d1+1@0,-1", "d9@14,10"):
        assert refused(state, written).rule == "off-the-bed"
    assert refused(state, Lay("dog", 9, 0, 10**12, -(10**12))).rule == "off-the-bed"
    assert played(state, "d1@11,0").tiles[-1].row == 11


def test_a_tile_lies_on_empty_squares() -> None:
    state = played(start(), "c1@5,3")
    error = refused(state, "d1+1@7,1")
    assert error.rule == "on-a-tile"
    assert str(error) == "The dog's 1 can't lie on the cat's 1; its squares must be empty."


def test_a_tile_may_lie_in_the_hollow_of_another() -> None:
    shapes = tile_set({4: ["#.#", "#.#", "###"], 1: ["#", "#"]})
    assert len(played(start(board=bed("....", "....", "...."), tiles=shapes), "c4@0,0 d1@0,1").tiles) == 2


def test_no_tile_on_a_pillow() -> None:
    state = played(start(board="b"), "c1@5,3")
    error = refused(state, "d1+1@1,2")
    assert error.rule == "on-a-pillow"
    assert str(error) == "The dog's 1 can't lie on a pillow."
    assert played(state, "d1+1@2,2").turn == "cat"


def test_each_side_has_each_digit_once() -> None:
    state = played(start(), "c4@5,3 d4@5,6")
    assert refused(state, "c4@0,0").rule == "tile-already-laid"


def test_no_such_tile() -> None:
    error = refused(start(), "c10@5,3")
    assert isinstance(error, InvalidMove)
    assert error.rule == "no-such-tile"


def test_a_tile_may_be_turned_never_flipped() -> None:
    state = start(board=bed("....", "...."), tiles=tile_set({1: ["###", "#.."]}))
    ways = {(move.turns, frozenset(_cells(state, move))) for move in lays_of(state)}
    mirrored = frozenset({(0, 0), (0, 1), (0, 2), (1, 2)})
    assert len(ways) == 2 * 2  # upright and upside down, at two places each; on its side it is too tall
    assert all(squares != mirrored for _, squares in ways)


def test_turns_are_clockwise() -> None:
    state = played(start(), "c4@5,3")
    (*_, seven) = GAME.view(played(state, "d7+1@12,0"), None).tiles
    assert seven.cells == ((12, 4), (13, 4), (14, 0), (14, 1), (14, 2), (14, 3), (14, 4))


def test_a_six_turned_half_way_covers_a_nine_and_is_a_six() -> None:
    six, nine = lays("c6+2@0,0 c9@0,0")
    state = start()
    assert _cells(state, six) == _cells(state, nine)
    tile = played(state, "c4@5,3 d1@11,0 c6+2@0,0").tiles[-1]
    assert (tile.owner, tile.digit, tile.turns) == ("cat", 6, 2)


@pytest.mark.parametrize(
    ("digit", "ways"),
    [(1, 2), (2, 2), (3, 4), (4, 4), (5, 2), (6, 4), (7, 4), (8, 2), (9, 4)],
)
def test_a_digit_lies_in_as_many_ways_as_its_turns_differ(digit: int, ways: int) -> None:
    assert len(bed_of(GAME.options({})).distinct[digit]) == ways


def test_the_same_squares_told_by_another_turn_are_taken_as_told() -> None:
    state = played(start(), "c1+2@5,3")
    assert state.tiles[0].turns == 2
    assert GAME.view(state, None).tiles[0].cells == GAME.view(played(start(), "c1@5,3"), None).tiles[0].cells


# The cat's first tile


@pytest.mark.parametrize("digit", [1, 2, 3, 4])
def test_the_cats_first_tile_may_be_1_to_4(digit: int) -> None:
    assert GAME.turn(played(start(), f"c{digit}@5,3")) == "dog"


@pytest.mark.parametrize("digit", [5, 6, 7, 8, 9])
def test_the_cats_first_tile_may_not_be_5_to_9(digit: int) -> None:
    error = refused(start(), f"c{digit}@5,3")
    assert error.rule == "first-digit"
    assert "1, 2, 3, 4" in str(error)


def test_the_cats_first_tile_lies_inside_the_zone() -> None:
    assert refused(start(), "c1@0,0").rule == "first-zone"
    assert refused(start(), "c1@4,3").rule == "first-zone"
    assert (
        str(refused(start(), "c1@4,3")) == "The cat's first tile must lie completely inside the marked zone."
    )
    assert GAME.turn(played(start(), "c1@6,8")) == "dog"


def test_choice_first_zone_touching() -> None:
    state = start(first_zone="touching")
    assert refused(state, "c1@0,3").rule == "first-zone"
    assert GAME.turn(played(state, "c1@1,3")) == "dog"
    assert GAME.turn(played(state, "c4+1@7,0")) == "dog"


def test_the_cats_second_tile_is_free() -> None:
    assert len(played(start(), "c4@5,3 d9@0,0 c9@11,0").tiles) == 3


def test_the_dogs_first_tile_is_free() -> None:
    assert len(played(start(), "c4@5,3 d9@0,0").tiles) == 2


def test_choice_dog_first_zone() -> None:
    state = played(start(dog_first_zone=True), "c1@5,3")
    assert refused(state, "d9@0,0").rule == "first-zone"
    assert len(played(state, "d9@5,4 c9@0,0 d8@11,0").tiles) == 4  # any digit, and the second is free


def test_choice_zone_on_side_b() -> None:
    assert refused(start(board="b"), "c1@11,0").rule == "first-zone"
    free = start(board="b", zone_on_side_b=False)
    assert GAME.turn(played(free, "c1@11,0")) == "dog"
    assert refused(free, "c9@11,0").rule == "first-digit"


def test_zone_on_side_b_leaves_side_a_alone() -> None:
    assert refused(start(zone_on_side_b=False), "c1@11,0").rule == "first-zone"


def test_a_bed_without_a_zone_binds_the_digit_alone() -> None:
    assert refused(start(**BARE), "c5@0,0").rule == "first-digit"
    assert GAME.turn(played(start(**BARE), "c4@0,0")) == "dog"
    assert len(played(start(dog_first_zone=True, **BARE), "c4@0,0 d5@1,0").tiles) == 2


@pytest.mark.parametrize("first_zone", ["inside", "touching"])
def test_a_bed_where_the_cats_first_tile_fits_nowhere_is_refused(first_zone: str) -> None:
    options = GAME.options({"board": bed("++..", "...."), "tiles": bars(5), "first_zone": first_zone})
    with pytest.raises(InvalidMove) as caught:
        GAME.start(options, seats=2)
    assert caught.value.rule == "first-tile-fits-nowhere"


# Skipping and the end


def test_choice_mistaken_pass_lets_a_pass_stand_although_a_tile_fits() -> None:
    state = GAME.play(start(), Skip("cat"))
    assert (GAME.turn(state), state.is_out("cat"), GAME.outcome(state)) == ("dog", True, None)
    assert GAME.turn(played(state, "d9@0,0")) == "dog"
    assert refused(played(state, "d9@0,0"), "c4@5,3").rule == "stays-out"
    assert GAME.outcome(GAME.play(state, Skip("dog"))) is not None


def test_the_table_shows_where_a_tile_fits_before_a_pass() -> None:
    fit = GAME.view(start(), None).fit
    assert fit == Lay("cat", 1, 0, 5, 3)
    assert GAME.turn(GAME.play(start(), fit)) == "dog"
    ended = played(start(**NARROW), "c1@0,0 d1@0,2 c2@0,4")
    assert GAME.view(ended, None).fit is None


def test_choice_mistaken_pass_refuse_a_player_who_can_lay_must() -> None:
    error = refused(start(mistaken_pass="refuse"), Skip("cat"))
    assert error.rule == "must-lay"
    assert error.says() == "The cat can't pass while a tile fits: the cat's 1 at D6."
    assert GAME.turn(GAME.play(start(), Lay("cat", 1, 0, 5, 3))) == "dog"
    for language in ("en", "zh-Hant", "ko"):
        assert "D6" in error.says(language)


def test_a_claimed_skip_out_of_turn_is_refused() -> None:
    assert refused(start(), Skip("dog")).rule == "not-your-turn"
    nothing_fits_yet_it_is_not_its_turn = played(
        start(board=bed("......"), tiles=bars(1, 3)), "c2@0,0 d1@0,3"
    )
    error = refused(nothing_fits_yet_it_is_not_its_turn, Skip("dog"))
    assert (error.rule, error.facts["turn"]) == ("not-your-turn", "cat")


def test_who_can_lay_nothing_is_skipped_without_being_told() -> None:
    state = played(start(board=bed("....."), tiles=bars(1, 3)), "c1@0,4 d2@0,0")
    assert [skipped.owner for skipped in state.skipped] == ["cat"]
    assert GAME.turn(state) == "dog"  # the last square is the dog's


def test_claiming_a_skip_that_is_so_changes_nothing() -> None:
    state = played(start(board=bed("....."), tiles=bars(1, 3)), "c1@0,4 d2@0,0")
    assert GAME.play(state, Skip("cat")) == state


def test_who_was_skipped_stays_out() -> None:
    state = played(start(board=bed("....."), tiles=bars(1, 3)), "c1@0,4 d2@0,0")
    assert refused(state, "c2@0,0").rule == "stays-out"
    assert refused(state, "c2@0,0").says("en").startswith("The cat was skipped and stays out")


def test_who_was_skipped_stays_out_even_if_a_place_is_found_later() -> None:
    # The dog's first tile is bound to a zone that is full; elsewhere there is room, but it stays out.
    state = played(start(board=bed("++.....", "......."), tiles=bars(2, 2, 2), dog_first_zone=True), "c1@0,0")
    assert [skipped.owner for skipped in state.skipped] == ["dog"]
    assert can_lay(state.options, (), "dog")
    assert refused(state, "d1@1,0").rule == "stays-out"
    assert GAME.turn(played(state, "c2@1,0")) == "cat"


def test_the_other_side_lays_on_alone() -> None:
    state = played(start(**NARROW), "c1@0,0 d1@0,2")
    assert GAME.turn(state) == "cat"
    state = played(start(board=bed("......"), tiles=bars(1, 4)), "c1@0,5 d2@0,0")
    assert GAME.turn(state) == "dog"


def test_when_both_are_skipped_the_match_ends() -> None:
    state = played(start(**NARROW), "c1@0,0 d1@0,2 c2@0,4")
    assert GAME.turn(state) is None
    assert GAME.outcome(state) is not None
    assert list(GAME.legal_moves(state)) == []
    assert refused(state, "d2@0,0").rule == "match-over"


def test_it_goes_on_until_then() -> None:
    assert GAME.outcome(played(start(**NARROW), "c1@0,0 d1@0,2")) is None


def test_a_hand_without_tiles_is_skipped() -> None:
    state = played(start(board=bed("......"), tiles=bars(1)), "c1@0,0 d1@0,1")
    assert GAME.turn(state) is None


def test_claiming_a_skip_after_the_end_changes_nothing() -> None:
    state = played(start(**NARROW), "c1@0,0 d1@0,2 c2@0,4")
    assert GAME.play(state, Skip("dog")) == state


# Moves from outside


@pytest.mark.parametrize(
    "given",
    [
        {"move": "lay", "owner": "cow", "digit": 4, "turns": 1, "row": 5, "col": 3},
        {"move": "lay", "owner": "cat", "digit": 4, "turns": 4, "row": 5, "col": 3},
        {"move": "lay", "owner": "cat", "digit": 4, "turns": -1, "row": 5, "col": 3},
        {"move": "lay", "owner": "cat", "digit": "4", "turns": 1, "row": 5, "col": 3},
        {"move": "lay", "owner": "cat", "digit": 4, "turns": 1, "row": 5},
        {"move": "lay", "owner": "cat", "digit": 4, "turns": 1, "row": 5, "col": 3, "flipped": True},
        {"move": "jump", "owner": "cat"},
        {"owner": "cat"},
        "lay",
        None,
    ],
    ids=lambda given: str(given)[-30:],
)
def test_not_a_move(given: object) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.move(given)
    assert caught.value.rule == "not-a-move"


def test_a_move_as_it_is_written() -> None:
    given = {"move": "lay", "owner": "cat", "digit": 4, "turns": 1, "row": 5, "col": 3}
    assert GAME.move(given) == Lay("cat", 4, 1, 5, 3)
    assert msgspec.to_builtins(Lay("cat", 4, 1, 5, 3)) == given


@pytest.mark.parametrize(
    ("option", "default"),
    [
        ("first_zone", "inside"),
        ("dog_first_zone", False),
        ("zone_on_side_b", True),
        ("touch", "edge"),
        ("mistaken_pass", "warn"),
        ("toys_per", "picture"),
    ],
)
def test_every_choice_is_an_option_with_its_default(option: str, default: object) -> None:
    assert getattr(GAME.options({}), option) == default


def test_options_as_they_are_typed() -> None:
    options = GAME.options(
        {"dog_first_zone": "true", "chips_1": "12", "touch": "edge-or-corner"}, from_text=True
    )
    assert (options.dog_first_zone, options.chips_1, options.touch) == (True, 12, "edge-or-corner")


@pytest.mark.parametrize(
    "given", [{"colour": "red"}, {"touch": "corner"}, {"chips_1": -1}, {"dog_first_zone": 1}]
)
def test_not_an_option(given: dict[str, object]) -> None:
    with pytest.raises(InvalidMove) as caught:
        GAME.options(given)
    assert caught.value.rule == "not-an-option"


def test_a_bed_of_64_by_64_is_played_like_any() -> None:
    state = played(start(board="square-64"), "c4@30,30 d9@0,0 c9@59,61")
    assert GAME.turn(state) == "dog"
    assert sum(region.size for region in GAME.view(state, None).regions) == 64 * 64 - 9 - 12 - 12


def test_a_bed_of_14_by_14_with_tiles_of_one_square() -> None:
    state = start(board="square-14", tiles="squares")
    assert len(list(GAME.legal_moves(state))) == 4 * 36
    assert len(open_squares(read_board("square-14"))) == 196
