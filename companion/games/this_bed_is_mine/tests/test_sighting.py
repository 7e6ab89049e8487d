"""What the camera's report means for the match."""

from __future__ import annotations

import pytest

from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import BedState, Lay, Shift, TakeOff
from companion.games.this_bed_is_mine.tests.table import bars, bed, lays, played, shift, start, tiles
from companion.games.watching import Alternative, Die, Observation, Sighting, Tile, Verdict


def seen_tiles(written: str, confidence: float = 1.0) -> tuple[Tile, ...]:
    return tuple(
        Tile(tile.owner, tile.digit, tile.turns, tile.row, tile.col, (), confidence)
        for tile in tiles(written)
    )


def look(state: BedState, written: str, confidence: float = 1.0) -> Sighting:
    """What a sure picture of these tiles means."""
    return GAME.sighting(state, Observation(tiles=seen_tiles(written, confidence)))


BEGUN = "c4@5,3 d9@0,0"


@pytest.fixture
def state() -> BedState:
    return played(start(), BEGUN)


def test_what_the_match_holds_is_nothing_new(state: BedState) -> None:
    assert look(state, "d9@0,0 c4@5,3") == Sighting(Verdict.NOTHING)


def test_an_empty_bed_at_the_start_is_nothing_new() -> None:
    assert look(start(), "").verdict == Verdict.NOTHING


def test_the_same_squares_read_with_another_turn_are_nothing_new() -> None:
    assert look(played(start(), "c1@5,3 d8@11,0"), "c1+2@5,3 d8+2@11,0").verdict == Verdict.NOTHING


def test_dice_are_nothing_to_this_game(state: BedState) -> None:
    assert GAME.sighting(state, Observation(dice=(Die(3),))).verdict == Verdict.NOTHING


def test_a_new_tile_is_played(state: BedState) -> None:
    sighting = look(state, f"{BEGUN} c9@11,0", confidence=0.98)
    assert sighting.verdict == Verdict.PLAY
    assert [guess.moves for guess in sighting.guesses] == [tuple(lays("c9@11,0"))]
    assert sighting.guesses[0].confidence == 0.98


def test_several_new_tiles_are_played_in_turn(state: BedState) -> None:
    sighting = look(state, f"{BEGUN} d1@0,11 d2@5,9 c9@11,0 c8@11,4")
    assert sighting.verdict == Verdict.PLAY
    assert list(sighting.guesses[0].moves) == lays("c9@11,0 d1@0,11 c8@11,4 d2@5,9")


def test_among_several_the_cats_first_tile_is_the_one_that_may_be() -> None:
    sighting = look(start(), "c9@0,0 d9@11,0 c4@5,3")
    assert list(sighting.guesses[0].moves) == lays("c4@5,3 d9@11,0 c9@0,0")


def test_two_of_one_side_are_played_when_the_other_is_skipped_between() -> None:
    # The dog has no room once the cat's 3 lies, but still would if the cat's 1 came first.
    begun = played(start(board=bed("........."), tiles=bars(1, 4, 3)), "c2@0,0 d1@0,8")
    sighting = look(begun, "c2@0,0 d1@0,8 c1@0,7 c3@0,4")
    assert sighting.verdict == Verdict.PLAY
    assert list(sighting.guesses[0].moves) == lays("c3@0,4 c1@0,7")


def test_a_whole_match_from_one_picture() -> None:
    whole = start()
    while legal := GAME.legal_moves(whole):
        whole = GAME.play(whole, legal[len(legal) // 2])
    seen = [Tile(t.owner, t.digit, t.turns, t.row, t.col) for t in sorted(whole.tiles, key=repr)]
    sighting = GAME.sighting(start(), Observation(tiles=tuple(seen)))
    assert sighting.verdict == Verdict.PLAY
    again = start()
    for move in sighting.guesses[0].moves:
        again = GAME.play(again, move)
    assert GAME.turn(again) is None
    assert GAME.view(again, None).points == GAME.view(whole, None).points


def test_a_nudge_of_the_last_tile_is_played(state: BedState) -> None:
    sighting = look(state, "c4@5,3 d9@0,1")
    assert sighting.verdict == Verdict.PLAY
    assert sighting.guesses[0].moves == (shift("d9@0,1"),)


def test_an_older_tile_that_moved_is_asked(state: BedState) -> None:
    sighting = look(state, "c4@6,3 d9@0,0", confidence=0.9)
    assert (sighting.verdict, sighting.why, sighting.facts) == (
        Verdict.ASK,
        "tile-moved",
        {"owner": "cat", "digit": 4},
    )
    assert [guess.moves for guess in sighting.guesses] == [(shift("c4@6,3"),), ()]
    assert sum(guess.confidence for guess in sighting.guesses) == pytest.approx(1)


def test_a_tile_that_is_gone_is_asked(state: BedState) -> None:
    sighting = look(state, "c4@5,3")
    assert (sighting.verdict, sighting.why, sighting.facts) == (
        Verdict.ASK,
        "tile-gone",
        {"owner": "dog", "digit": 9},
    )
    assert [guess.moves for guess in sighting.guesses] == [(TakeOff("dog", 9),), ()]


def test_a_new_tile_while_another_moved_is_asked(state: BedState) -> None:
    sighting = look(state, "c4@6,3 d9@0,0 c9@11,0", confidence=0.8)
    assert sighting.verdict == Verdict.ASK
    assert [guess.moves for guess in sighting.guesses] == [
        (shift("c4@6,3"), *lays("c9@11,0")),
        tuple(lays("c9@11,0")),
        (),
    ]


def test_a_tile_laid_where_another_was_lifted_is_asked() -> None:
    sighting = look(played(start(), BEGUN), "c4@5,3 d6+2@0,0")
    assert sighting.verdict == Verdict.ASK
    assert [guess.moves for guess in sighting.guesses] == [(TakeOff("dog", 9), *lays("d6+2@0,0")), ()]


def test_tiles_that_changed_places_are_asked() -> None:
    begun = played(start(), f"{BEGUN} c9@11,0 d8@11,4 c8@11,8")
    sighting = look(begun, "c4@5,3 d9@11,0 c9@11,4 d8@0,0 c8@11,8")
    assert sighting.verdict == Verdict.ASK
    again = begun
    for move in sighting.guesses[0].moves:
        again = GAME.play(again, move)
    assert set(again.tiles) == set(tiles("c4@5,3 d9@11,0 c9@11,4 d8@0,0 c8@11,8"))


def test_tiles_shift_one_into_the_others_place() -> None:
    begun = played(start(), f"{BEGUN} c9@11,0 d8@11,3")
    sighting = look(begun, "c4@5,3 d9@0,0 c9@11,3 d8@11,6")
    assert sighting.guesses[0].moves == (shift("d8@11,6"), shift("c9@11,3"))


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        (f"{BEGUN} d8@11,0", "not-your-turn"),
        (f"{BEGUN} c8@11,0 c9@11,4", "not-your-turn"),
        (f"{BEGUN} c8@12,0", "off-the-bed"),
        (f"{BEGUN} c8@-1,5", "off-the-bed"),
        (f"{BEGUN} c8@3,1", "on-a-tile"),
        (f"{BEGUN} c4@5,3 c4@11,0", "tile-already-laid"),
        (f"{BEGUN} c10@11,0", "no-such-tile"),
        ("c4@5,3 d9@12,0", "off-the-bed"),
        ("c4@4,1 d9@0,0", "on-a-tile"),
        ("c4@7,0 d9@0,0", "first-zone"),
    ],
)
def test_what_breaks_a_rule_is_said_and_not_played(state: BedState, written: str, rule: str) -> None:
    sighting = look(state, written)
    assert (sighting.verdict, sighting.rule, sighting.guesses) == (Verdict.BREAKS, rule, ())


def test_the_facts_of_a_broken_rule_are_told(state: BedState) -> None:
    assert look(state, f"{BEGUN} d8@11,0").facts == {"owner": "dog", "turn": "cat"}


@pytest.mark.parametrize(("written", "rule"), [("c9@5,3", "first-digit"), ("c4@0,0", "first-zone")])
def test_a_first_tile_that_may_not_be(written: str, rule: str) -> None:
    assert look(start(), written).rule == rule


def test_a_tile_on_a_pillow() -> None:
    assert look(played(start(board="b"), "c4@5,3"), "c4@5,3 d9@0,0").rule == "on-a-pillow"


def test_a_tile_after_the_end() -> None:
    over = played(start(board=bed("......"), tiles=bars(2, 2, 2)), "c1@0,0 d1@0,2 c2@0,4")
    sighting = look(over, "c1@0,0 d1@0,2 c2@0,4 d2@0,4")
    assert sighting.rule == "match-over"


def test_a_tile_of_another_game() -> None:
    cow = Observation(tiles=(Tile("cow", 4, 0, 5, 3),))
    assert GAME.sighting(start(), cow).rule == "not-a-move"


def test_a_flipped_tile(state: BedState) -> None:
    sighting = GAME.sighting(state, Observation(unsure=True, why="flipped"))
    assert (sighting.verdict, sighting.rule) == (Verdict.BREAKS, "face-up")


@pytest.mark.parametrize("why", ["hand", "marker-covered"])
def test_a_hand_or_motion_means_wait(state: BedState, why: str) -> None:
    sighting = GAME.sighting(state, Observation(unsure=True, why=why, tiles=seen_tiles(f"{BEGUN} c9@11,0")))
    assert (sighting.verdict, sighting.why, sighting.guesses) == (Verdict.WAIT, why, ())


def test_nothing_read_means_wait(state: BedState) -> None:
    assert GAME.sighting(state, Observation(unsure=True, why="markers")).verdict == Verdict.WAIT


def test_unsure_readings_are_asked_likeliest_first(state: BedState) -> None:
    others = (
        Alternative(seen_tiles(f"{BEGUN} c9@11,0"), 0.3),
        Alternative(seen_tiles(f"{BEGUN} c6+2@11,0"), 0.6),
        Alternative(seen_tiles(f"{BEGUN} d6+2@11,0"), 0.1),  # against the rules: not offered
    )
    believed = seen_tiles(BEGUN, 0.05)  # what lay there before
    sighting = GAME.sighting(
        state, Observation(unsure=True, why="alike", tiles=believed, alternatives=others)
    )
    assert (sighting.verdict, sighting.why) == (Verdict.ASK, "alike")
    assert [(guess.moves, guess.confidence) for guess in sighting.guesses] == [
        (tuple(lays("c6+2@11,0")), 0.6),
        (tuple(lays("c9@11,0")), 0.3),
        ((), 0.05),
    ]


def test_what_is_believed_so_far_is_no_likelier_than_the_rest_leaves_room_for(state: BedState) -> None:
    others = (Alternative(seen_tiles(f"{BEGUN} c9@11,0"), 0.75),)
    sighting = GAME.sighting(
        state, Observation(unsure=True, why="alike", tiles=seen_tiles(BEGUN), alternatives=others)
    )
    assert [guess.confidence for guess in sighting.guesses] == [0.75, 0.25]


@pytest.mark.parametrize(
    ("why", "rule"), [("tile-off-bed", "half-off-the-bed"), ("overlap", "tiles-overlap")]
)
def test_what_lies_against_the_rules_is_said_as_such(state: BedState, why: str, rule: str) -> None:
    sighting = GAME.sighting(state, Observation(unsure=True, why=why, tiles=seen_tiles(BEGUN)))
    assert (sighting.verdict, sighting.why, sighting.rule) == (Verdict.BREAKS, why, rule)
    others = (Alternative(seen_tiles(f"{BEGUN} c9@11,0"), 0.9),)
    assert GAME.sighting(state, Observation(unsure=True, why=why, alternatives=others)).verdict == Verdict.ASK


def test_an_unsure_reading_without_others_is_asked_itself(state: BedState) -> None:
    sighting = GAME.sighting(
        state, Observation(unsure=True, why="glare", tiles=seen_tiles(f"{BEGUN} c9@11,0", 0.4))
    )
    assert [(guess.moves, guess.confidence) for guess in sighting.guesses] == [(tuple(lays("c9@11,0")), 0.4)]


def test_readings_that_mean_the_same_are_one_guess(state: BedState) -> None:
    reading = seen_tiles(f"{BEGUN} c9@11,0")
    others = (Alternative(reading, 0.2), Alternative(reading[::-1], 0.7))
    sighting = GAME.sighting(state, Observation(unsure=True, alternatives=others))
    assert [guess.confidence for guess in sighting.guesses] == [0.7]


def test_unsure_of_what_is_held_anyway_means_wait(state: BedState) -> None:
    sighting = GAME.sighting(state, Observation(unsure=True, why="glare", tiles=seen_tiles(BEGUN, 0.4)))
    assert (sighting.verdict, sighting.why) == (Verdict.WAIT, "glare")


def test_too_many_tiles_of_one_side_are_out_of_turn_however_they_were_laid() -> None:
    nine = "c4@5,3 c1+1@0,0 c2@1,0 c3@1,3 c5@1,6 c6@1,9 c7@11,0 c8@11,3 c9@11,6"
    assert look(start(), nine).rule == "not-your-turn"


def test_guesses_are_moves_of_the_game(state: BedState) -> None:
    sighting = look(state, "c4@6,3 d9@0,0 c9@11,0")
    kinds = {type(move) for guess in sighting.guesses for move in guess.moves}
    assert kinds == {Shift, Lay}
