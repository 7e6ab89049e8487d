"""Regions, sums and points: each rule of scoring, named."""

from __future__ import annotations

import pytest

from companion.errors import MoveError
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.score import Region, Score, outcome, score
from companion.games.this_bed_is_mine.state import OWNERS
from companion.games.this_bed_is_mine.tests.table import bars, bed, played, start, tile_set, tiles
from companion.games.watching import Tile

CORNER = bed("...", "...", "...")
"""A bed of 3 × 3: four tiles of one square part its corner of 2 × 2 from the last square."""


def scored(written: str, board: str = CORNER, tile_set: str = "squares", touch: str = "edge") -> Score:
    return score(GAME.options({"board": board, "tiles": tile_set, "touch": touch}), tiles(written))


def first_region(written: str, board: str = CORNER, touch: str = "edge") -> Region:
    return scored(written, board, touch=touch).regions[0]


def test_an_empty_bed_is_one_region_that_nobody_owns() -> None:
    (region,) = score(GAME.options({}), ()).regions
    assert (region.size, region.owner, region.why, region.points) == (192, None, "untouched", 0)


def test_a_full_bed_has_no_regions() -> None:
    assert scored("c1@0,0 d1@0,1", bed("..")).regions == ()


def test_worked_example_nine_to_nine_is_nobodys() -> None:
    region = first_region("c4@0,2 c5@1,2 d3@2,0 d6@2,1")
    assert region.sums == {"cat": 9, "dog": 9}
    assert (region.size, region.owner, region.why, region.points) == (4, None, "equal", 0)


def test_worked_example_sixteen_to_fifteen_is_the_cats() -> None:
    bed_score = scored("c9@0,2 c7@1,2 d6@2,0 d9@2,1")
    region = bed_score.regions[0]
    assert region.sums == {"cat": 16, "dog": 15}
    assert (region.owner, region.why, region.points) == ("cat", "higher", 4)
    assert (bed_score.total("cat"), bed_score.total("dog")) == (4, 0)


def test_worked_example_at_the_border_is_the_dogs() -> None:
    # Two sides of the region are the border, which parts it as tiles do.
    bed_score = scored("c9@0,2 c7@1,2 d9@2,0 d8@2,1")
    assert bed_score.regions[0].sums == {"cat": 16, "dog": 17}
    assert (bed_score.regions[0].owner, bed_score.total("dog")) == ("dog", 4)


def test_squares_are_joined_by_edges_not_corners() -> None:
    sizes = [region.size for region in scored("c1@0,1 d1@1,0", bed("..", "..")).regions]
    assert sizes == [1, 1]


def test_the_end_of_a_row_does_not_touch_the_next_row() -> None:
    sizes = [region.size for region in scored("c1@0,1 c2@0,2 c3@1,0 c4@1,1", CORNER).regions]
    assert sizes == [1, 4]
    assert [region.size for region in scored("c1@0,0 c2@0,1 c3@1,1 c4@1,2", CORNER).regions] == [1, 4]


def test_a_region_of_one_square_never_scores() -> None:
    region = first_region("c9@0,1 d1@1,0", bed("..", ".."))
    assert (region.owner, region.why, region.points) == (None, "single", 0)
    assert region.sums == {"cat": 9, "dog": 1}


def test_a_region_of_two_squares_scores() -> None:
    assert first_region("c9@0,2", bed("...")).points == 2


def test_a_hole_inside_one_tile_follows_the_same_rules() -> None:
    upper, lower = scored("c8@0,0", bed(*["..."] * 5), "digits").regions
    assert [(hole.size, hole.why, hole.sums["cat"]) for hole in (upper, lower)] == [(1, "single", 8)] * 2
    wide = tile_set({1: ["####", "#..#", "####"]})
    assert scored("c1@0,0", bed(*["...."] * 3), wide).total("cat") == 2


def test_a_tile_counts_once_in_full_for_every_region_it_touches() -> None:
    left, right = scored("c3@0,2", bed("....."), bars(1, 1, 1)).regions
    assert left.sums == right.sums == {"cat": 3, "dog": 0}
    (around,) = scored("c7@1,1", bed(*["....."] * 7), "digits").regions
    assert around.sums == {"cat": 7, "dog": 0}


def test_choice_touch_edge_or_corner() -> None:
    # The dog's 9 stands at the region's corner only.
    board = bed("..+", ".++", "+++")
    written = "c1@0,2 c2@1,2 c3@2,0 c4@2,1 d9@2,2"
    assert first_region(written, board).sums == {"cat": 10, "dog": 0}
    assert first_region(written, board, touch="edge-or-corner").sums == {"cat": 10, "dog": 9}


def test_every_corner_counts_by_the_choice_and_none_without() -> None:
    board = bed(*["...."] * 4)
    ring = "c1@0,1 c2@0,2 c3@1,0 c4@2,0 c5@1,3 c6@2,3 c7@3,1 c8@3,2"
    for corner in ("d9@0,0", "d9@0,3", "d9@3,0", "d9@3,3"):
        edge = next(each for each in scored(f"{ring} {corner}", board).regions if each.size == 4)
        either = scored(f"{ring} {corner}", board, touch="edge-or-corner").regions
        assert edge.sums["dog"] == 0
        assert next(each for each in either if each.size == 4).sums["dog"] == 9


def test_pillows_part_regions_as_the_border_does() -> None:
    bed_score = scored("c1@0,0 d2@0,5", bed("..11..", side="B"))
    assert [(region.size, region.owner) for region in bed_score.regions] == [(1, None), (1, None)]
    bed_score = scored("c1@0,0 d2@0,7", bed("...11...", side="B"))
    assert [(region.size, region.owner) for region in bed_score.regions] == [(2, "cat"), (2, "dog")]


def test_why_names_the_tiles_that_touch() -> None:
    region = first_region("c9@0,2 c7@1,2 d6@2,0 d9@2,1 c1@2,2")
    assert [(tile.owner, tile.digit) for tile in region.tiles] == [
        ("cat", 9),
        ("cat", 7),
        ("dog", 6),
        ("dog", 9),
    ]


# Side B: toys

TOYS = {"board": bed("bb.b.m", "yy....", "bBy..m", side="B")}
"""Pictures of four bones, three balls of yarn and two mice."""


def test_an_owner_takes_a_token_for_each_picture_in_its_region() -> None:
    bed_score = scored("c1@0,2 c2@1,2 c3@2,2", TOYS["board"])
    assert bed_score.toys["bone"] == {"cat": 5, "dog": 0}
    assert bed_score.toys["yarn"] == {"cat": 2, "dog": 0}  # the third lies under the cat's 3
    assert bed_score.toys["mouse"] == {"cat": 2, "dog": 0}


def test_choice_toys_per_region_gives_one_token_of_a_kind_for_each_region() -> None:
    options = GAME.options({**TOYS, "tiles": "squares", "toys_per": "region"})
    bed_score = score(options, tiles("c1@0,2 c2@1,2 c3@2,2"))
    left_and_right = [region.toys for region in bed_score.regions]
    assert left_and_right == [{"bone": 1, "mouse": 0, "yarn": 1}, {"bone": 1, "mouse": 1, "yarn": 0}]
    assert bed_score.toys["bone"] == {"cat": 2, "dog": 0}


def test_a_picture_under_a_tile_gives_no_token() -> None:
    assert scored("c1@0,0", TOYS["board"]).toys["bone"] == {"cat": 4, "dog": 0}


def test_a_picture_in_a_region_that_nobody_owns_gives_no_token() -> None:
    bed_score = scored("c3@0,0 d3@0,3", bed(".bb.", side="B"))
    assert bed_score.regions[0].toys["bone"] == 2
    assert bed_score.toys["bone"] == {"cat": 0, "dog": 0}


def test_a_picture_in_a_region_that_does_not_score_gives_no_token() -> None:
    bed_score = scored("c1@0,1", bed("b....", side="B"))
    assert bed_score.regions[0].toys["bone"] == 1
    assert bed_score.toys["bone"] == {"cat": 0, "dog": 0}


def test_worked_example_three_bones_against_four_and_yarn_four_each() -> None:
    bed_score = scored("c1@0,7 d1@0,8", bed("bbbyyyy..bbbbyyyy", side="B"))
    assert bed_score.toys["bone"] == {"cat": 3, "dog": 4}
    assert bed_score.toys["yarn"] == {"cat": 4, "dog": 4}
    assert bed_score.bonus == {"bone": "dog", "yarn": None, "mouse": None}
    assert (bed_score.bonus_points("cat"), bed_score.bonus_points("dog")) == (0, 5)
    assert (bed_score.total("cat"), bed_score.total("dog")) == (7, 8 + 5)


def test_toys_bring_15_points_at_most() -> None:
    bed_score = scored("c1@0,6", bed("bbmmyy.", side="B"))
    assert bed_score.bonus_points("cat") == 15


# The end


def test_most_points_win() -> None:
    state = played(start(board=bed("......."), tiles=bars(3)), "c1@0,2")
    assert GAME.turn(state) is None
    ended = outcome(state)
    assert ended is not None
    assert (ended.reason, ended.winners, ended.points) == ("most-points", ("cat",), {"cat": 4, "dog": 0})


def test_equal_points_share_the_bed() -> None:
    state = played(start(board=bed(".."), tiles=bars(1)), "c1@0,0 d1@0,1")
    ended = outcome(state)
    assert ended is not None
    assert (ended.reason, ended.winners, ended.points) == ("shared", ("cat", "dog"), {"cat": 0, "dog": 0})


def lying(written: str) -> list[Tile]:
    return [Tile(tile.owner, tile.digit, tile.turns, tile.row, tile.col) for tile in tiles(written)]


def test_a_bed_found_at_its_end_is_scored_however_it_came_to_that() -> None:
    state = GAME.ended(
        GAME.options({"board": CORNER, "tiles": "squares"}), lying("d6@2,0 c9@0,2 c7@1,2 d9@2,1")
    )
    ended = GAME.outcome(state)
    assert ended is not None
    assert ended.points == {"cat": 4, "dog": 0}


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("c9@0,2 c9@1,2", "tile-already-laid"),
        ("c9@0,2 d9@0,2", "on-a-tile"),
        ("c9@0,3", "off-the-bed"),
        ("c10@0,2", "no-such-tile"),
    ],
)
def test_a_bed_found_at_its_end_obeys_the_rules_of_lying(written: str, rule: str) -> None:
    with pytest.raises(MoveError) as caught:
        GAME.ended(GAME.options({"board": CORNER, "tiles": "squares"}), lying(written))
    assert caught.value.rule == rule


@pytest.mark.parametrize("owner", OWNERS)
def test_the_score_is_told_at_any_moment(owner: str) -> None:
    points = GAME.view(played(start(), "c4@5,3"), None).points
    assert getattr(points, owner).total == (183 if owner == "cat" else 0)
