"""Every square that exactly so many steps reach, held against walking every walk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.chop_chop.kitchen import Kitchen, Square, kitchen
from companion.games.chop_chop.reach import Ground, ways
from companion.games.chop_chop.state import Returning

MIDDLE = kitchen("middle")
ANYWHERE = Ground(MIDDLE.board_mask, MIDDLE.board_mask)


def walked(
    board: Kitchen, start: Square, steps: int, ground: Ground, came_from: Square | None, rule: Returning
) -> Iterator[tuple[Square, ...]]:
    """Every walk, one after another."""
    paths: list[tuple[Square, ...]] = [(start,)]
    for step in range(steps):
        may = ground.ends if step == steps - 1 else ground.free
        longer = []
        for path in paths:
            left = path[-2] if len(path) > 1 else came_from
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                to = path[-1][0] + down, path[-1][1] + right
                inside = 0 <= to[0] < board.rows and 0 <= to[1] < board.cols
                if inside and board.bit(to) & may and (rule == "not-end-on-start" or to != left):
                    longer.append((*path, to))
        paths = longer
    yield from (path for path in paths if rule == "no-step-back" or path[-1] != start)


squares = st.sampled_from(MIDDLE.all_squares)


@given(
    start=squares,
    steps=st.integers(1, 6),
    taken=st.sets(squares),
    barred=st.sets(squares),
    rule=st.sampled_from(get_args(Returning)),
)
def test_all_squares_are_those_that_some_walk_reaches(
    start: Square, steps: int, taken: set[Square], barred: set[Square], rule: Returning
) -> None:
    ground = Ground(MIDDLE.board_mask & ~MIDDLE.mask(taken), MIDDLE.board_mask & ~MIDDLE.mask(barred))
    paths = list(walked(MIDDLE, start, steps, ground, None, rule))
    reached = ways(MIDDLE, start, steps, ground, rule)
    assert set(reached.squares) == {path[-1] for path in paths}
    for to in reached.squares:
        assert reached.path(to) in paths
        assert set(reached.came_from(to)) == {path[-2] for path in paths if path[-1] == to}


@given(start=squares, steps=st.integers(1, 3), data=st.data())
def test_the_square_just_left_is_not_stepped_back_to(start: Square, steps: int, data: st.DataObject) -> None:
    beside = [path[-1] for path in walked(MIDDLE, start, 1, ANYWHERE, None, "no-step-back")]
    left = data.draw(st.sampled_from(beside))
    reached = ways(MIDDLE, start, steps, ANYWHERE, "no-step-back", came_from=(left,))
    assert set(reached.squares) == {
        path[-1] for path in walked(MIDDLE, start, steps, ANYWHERE, left, "no-step-back")
    }


def test_one_of_two_squares_may_have_been_left() -> None:
    reached = ways(MIDDLE, (2, 2), 1, ANYWHERE, "no-step-back", came_from=((2, 1), (1, 2)))
    assert set(reached.squares) == {(2, 1), (1, 2), (2, 3), (3, 2)}


def test_a_way_is_as_straight_as_it_can_be() -> None:
    assert ways(MIDDLE, (0, 0), 4, ANYWHERE, "both").path((0, 4)) == ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))
    around = ways(MIDDLE, (0, 0), 5, ANYWHERE, "both").path((1, 0))
    assert around == ((0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (1, 0))


@pytest.mark.parametrize("steps", [1, 2, 3, 4, 5, 6])
def test_no_way_leads_around_the_edge(steps: int) -> None:
    for to in ways(MIDDLE, (0, 6), steps, ANYWHERE, "both").squares:
        assert abs(to[0]) + abs(to[1] - 6) <= steps
