"""Phones that ask to be let in wait under a number."""

from __future__ import annotations

import pytest

from companion.play.seats import Player
from tests.web.conftest import Clock
from web.door import MOST, MOST_OF_ADDRESS, NUMBERS, WAIT_S, Asker, Door


@pytest.fixture
def door(clock: Clock) -> Door:
    return Door(clock)


def test_each_phone_has_a_number_of_its_own(door: Door) -> None:
    assert [door.ask("ada", "a"), door.ask("bo", "b"), door.ask("ada", "a")] == [1, 2, 1]
    assert door.numbers() == (1, 2)
    assert (door.number_of("bo"), door.number_of("cy"), door.number_of("")) == (2, 0, 0)


def test_a_phone_is_shown_with_who_says_to_hold_it(door: Door) -> None:
    door.ask("ada", "a", Player("Ada", "red", "owl"))
    door.ask("bo", "b")
    assert door.askers() == (Asker(1, "Ada", "red", "owl"), Asker(2))


def test_who_leaves_waits_no_longer(door: Door) -> None:
    door.ask("ada", "a")
    assert (door.phone_of(1), door.phone_of(7)) == ("ada", "")
    door.leave("ada")
    assert door.phone_of(1) == ""
    assert door.numbers() == ()


def test_after_three_minutes_a_phone_asks_again_with_a_new_number(door: Door, clock: Clock) -> None:
    door.ask("ada", "a")
    clock.s += WAIT_S
    assert door.numbers() == ()
    assert door.phone_of(1) == ""
    assert door.ask("ada", "a") == 2


def test_one_address_has_three_at_once(door: Door, clock: Clock) -> None:
    assert [door.ask(f"phone {n}", "a") for n in range(5)] == [1, 2, 3, 0, 0]
    assert door.ask("another", "b") == 4
    clock.s += WAIT_S
    assert door.ask("phone 4", "a") == MOST_OF_ADDRESS + 2


def test_of_too_many_the_first_goes(door: Door) -> None:
    for n in range(MOST + 1):
        door.ask(f"phone {n}", f"address {n}")
    assert door.numbers() == tuple(range(2, MOST + 2))


def test_numbers_begin_again_and_no_two_wait_under_one(door: Door) -> None:
    door.ask("patient", "p")
    for n in range(2, NUMBERS + 1):
        assert door.phone_of(door.ask(f"phone {n}", "a")) == f"phone {n}"
        door.leave(f"phone {n}")
    assert door.ask("next", "a") == 2
    assert door.number_of("patient") == 1
