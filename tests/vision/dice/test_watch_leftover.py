"""Where each side has its own die, the other's still lies there: it is no part of this throw."""

from __future__ import annotations

from collections.abc import Iterable

from companion.games.watching import Die, Observation
from hardware.vision.dice.throw_detector import ThrowDetector
from tests.vision.dice.test_watch import Scripted, shot, table


def die(value: int, colour: str, x: int, y: int) -> Die:
    """A die of 30 px."""
    return Die(value, colour, (x, y, 30, 30), 0.99)


GREY, BLUE = die(2, "grey", 10, 10), die(3, "blue", 80, 10)
GREY_AGAIN, BLUE_AGAIN = die(2, "grey", 60, 70), die(1, "blue", 120, 60)
UNSURE = Observation(dice=(), unsure=True, why="dice")


def throws(tables: Iterable[Observation], numbers: Iterable[int]) -> list[tuple[tuple[int, ...], bool]]:
    """The values of the throws told while these tables are seen, five pictures a second; unsure or not."""
    watch = ThrowDetector(Scripted(*tables))
    watch.expect(1, (1, 2, 3, 4), others_lie=True)
    reported = (watch.detect_throw(shot(number), 0.2 * n) for n, number in enumerate(numbers))
    return [(reading.values, reading.unsure) for reading in reported if reading is not None]


def test_a_die_left_lying_is_no_part_of_the_next_throw() -> None:
    tables = (table(GREY), table(GREY, BLUE), table(GREY_AGAIN, BLUE))
    assert throws(tables, [0] * 8 + [1] * 8 + [2] * 8) == [((2,), False), ((3,), False), ((2,), False)]


def test_it_is_told_once() -> None:
    assert throws((table(GREY), table(GREY, BLUE)), [0] * 8 + [1] * 20) == [((2,), False), ((3,), False)]


def test_a_hand_over_one_of_them_makes_no_throw() -> None:
    tables = (table(GREY, BLUE), table(BLUE), UNSURE, table(GREY, BLUE))
    first, *more = throws(tables, [0] * 8 + [1] * 8 + [2] * 8 + [3] * 8)
    assert first[0] == (2, 3)
    assert more == []


def test_two_thrown_at_once_are_both_told_and_unsure() -> None:
    tables = (table(GREY, BLUE), table(GREY_AGAIN, BLUE_AGAIN))
    assert throws(tables, [0] * 8 + [1] * 8)[1] == ((1, 2), True)


def test_an_empty_table_makes_whatever_comes_next_a_throw() -> None:
    assert len(throws((table(GREY), table(), table(GREY)), [0] * 8 + [1] * 8 + [2] * 8)) == 2


def test_a_die_is_held_against_its_own_faces_not_those_of_one_that_lies_there() -> None:
    four, five = die(4, "grey", 10, 10), die(5, "blue", 80, 10)
    watch = ThrowDetector(Scripted(table(four), table(four, BLUE), table(four, five)))
    watch.expect(1, (1, 2, 3, 4), others_lie=True)
    reported = []
    for n in range(24):
        reading = watch.detect_throw(shot(n // 8), 0.2 * n)
        if reading is not None:
            reported.append((reading.values, reading.unsure))
            watch.expect(1, (1, 2, 3), others_lie=True)
    assert reported == [((4,), False), ((3,), False), ((5,), True)]
