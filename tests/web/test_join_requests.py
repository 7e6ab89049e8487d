"""Phones that ask to be let in wait under a number."""

from __future__ import annotations

import pytest

from companion.play.seats import Player
from tests.web.conftest import Clock
from web.joining import MOST_OF_ADDRESS, MOST_WAITING, NUMBERS, WAIT_S, JoinRequest, JoinRequests


@pytest.fixture
def requests(clock: Clock) -> JoinRequests:
    return JoinRequests(clock)


def test_each_phone_has_a_number_of_its_own(requests: JoinRequests) -> None:
    assert [requests.ask("ada", "a"), requests.ask("bo", "b"), requests.ask("ada", "a")] == [1, 2, 1]
    assert requests.numbers() == (1, 2)
    assert (requests.number_of("bo"), requests.number_of("cy"), requests.number_of("")) == (2, 0, 0)


def test_a_phone_is_shown_with_who_says_to_hold_it(requests: JoinRequests) -> None:
    requests.ask("ada", "a", Player("Ada", "red", "owl"))
    requests.ask("bo", "b")
    assert requests.shown() == (JoinRequest(1, "Ada", "red", "owl"), JoinRequest(2))


def test_who_leaves_waits_no_longer(requests: JoinRequests) -> None:
    requests.ask("ada", "a")
    assert (requests.phone_of(1), requests.phone_of(7)) == ("ada", "")
    requests.leave("ada")
    assert requests.phone_of(1) == ""
    assert requests.numbers() == ()


def test_after_three_minutes_a_phone_asks_again_with_a_new_number(
    requests: JoinRequests, clock: Clock
) -> None:
    requests.ask("ada", "a")
    clock.s += WAIT_S
    assert requests.numbers() == ()
    assert requests.phone_of(1) == ""
    assert requests.ask("ada", "a") == 2


def test_one_address_has_three_at_once(requests: JoinRequests, clock: Clock) -> None:
    assert [requests.ask(f"phone {n}", "a") for n in range(5)] == [1, 2, 3, 0, 0]
    assert requests.ask("another", "b") == 4
    clock.s += WAIT_S
    assert requests.ask("phone 4", "a") == MOST_OF_ADDRESS + 2


def test_of_too_many_the_first_goes(requests: JoinRequests) -> None:
    for n in range(MOST_WAITING + 1):
        requests.ask(f"phone {n}", f"address {n}")
    assert requests.numbers() == tuple(range(2, MOST_WAITING + 2))


def test_numbers_begin_again_and_no_two_wait_under_one(requests: JoinRequests) -> None:
    requests.ask("patient", "p")
    for n in range(2, NUMBERS + 1):
        assert requests.phone_of(requests.ask(f"phone {n}", "a")) == f"phone {n}"
        requests.leave(f"phone {n}")
    assert requests.ask("next", "a") == 2
    assert requests.number_of("patient") == 1
