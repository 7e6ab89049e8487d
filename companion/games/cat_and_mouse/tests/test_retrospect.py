"""What the dice brought each player."""

from __future__ import annotations

from itertools import product

import pytest

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.retrospect import luck_of_throws
from companion.games.cat_and_mouse.state import RaceMove, RaceState, Throw
from companion.games.cat_and_mouse.tests.playing import at, begun
from companion.games.chance import Stream, key_of

Course = list[tuple[RaceState, RaceMove]]


def raced(seed: int) -> tuple[Course, RaceState]:
    """A race to its end, thrown by lot: each move with the state before it, and the end."""
    luck, state, course = Stream(key_of(seed)), GAME.start(GAME.options({}), 2), Course()
    while GAME.outcome(state) is None:
        move = Throw((1 + luck.randbelow(6), 1 + luck.randbelow(6)))
        course.append((state, move))
        state = GAME.play(state, move)
    return course, state


@pytest.mark.parametrize(
    "before", [begun(), at(20, 31, "mouse"), at(58, 64), at(62, 3, "mouse", owes="cat")], ids=str
)
def test_of_all_36_throws_the_gains_make_nothing(before: RaceState) -> None:
    """So what is added up is luck and nothing else."""
    gains = []
    for dice in product(range(1, 7), repeat=2):
        move = Throw(dice)
        [throw] = luck_of_throws([(before, move)], GAME.play(before, move))
        gains.append(throw.gain)
    assert sum(gains) == pytest.approx(0, abs=1e-9)
    assert max(gains) > 0 > min(gains)


def test_both_players_gains_lead_from_the_start_to_the_end() -> None:
    course, end = raced(3)
    throws = luck_of_throws(course, end)
    [winner] = GAME.outcome(end).winners  # type: ignore[union-attr]
    gained = sum(each.gain if each.seat == winner else -each.gain for each in throws)
    start = throws[0].before if throws[0].seat == winner else 1 - throws[0].before
    assert start + gained == pytest.approx(1)
    assert throws[-1].after == 1


def test_the_remarks_name_each_players_throws_and_the_one_that_changed_most() -> None:
    course, end = raced(3)
    remarks = GAME.retrospect.luck_remarks(course, end)
    assert remarks[0].reason == "dice-alone"
    assert [each.seat for each in remarks[1:3]] == ["cat", "mouse"]
    throws = [move for before, move in course if before.standing.thrower]
    assert sum(int(each.facts["times"]) for each in remarks[1:3]) == len(throws)
    most = remarks[-1]
    assert most.reason == "turned"
    assert course[most.move - 1][1] == Throw((int(most.facts["one"]), int(most.facts["two"])))
    assert most.facts["before"] != most.facts["after"]


def test_before_the_first_throw_of_the_race_there_is_nothing_to_say() -> None:
    assert GAME.retrospect.luck_remarks([], begun()) == ()
