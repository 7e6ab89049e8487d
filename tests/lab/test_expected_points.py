"""What says how far the bed's player is off: the matches that it plays, and the table."""

from __future__ import annotations

from lab.expected_points import Expected, by_left, expected, off


def test_a_match_is_told_from_the_side_in_turn_and_ends_as_expected_once_it_is_exact() -> None:
    moves = expected(0, nodes=20_000)
    assert len({abs(each.came) for each in moves}) == 1
    last = moves[-1]
    assert last.points == last.came
    assert [each.left for each in moves] == sorted((each.left for each in moves), reverse=True)


def test_moves_stand_in_the_row_of_the_placements_left() -> None:
    moves = [Expected(left, 1.0, 2) for left in (2000, 1500, 1499, 600, 599, 250, 249, 0)]
    assert {least: len(some) for least, some in by_left(moves).items()} == {1500: 2, 600: 2, 250: 2, 0: 2}


def test_a_move_is_off_by_points_whoever_is_ahead() -> None:
    assert off([Expected(300, 4.0, 10), Expected(300, -1.0, -9)]) == (7.0, 9.5)
