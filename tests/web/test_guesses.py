"""Wrong codes are counted by address, and with more patience for the whole house."""

from __future__ import annotations

import pytest

from tests.web.conftest import Clock
from web.joining import Guesses, TooManyGuesses, source_of

GUESSER, PLAYER = "192.168.1.66", "192.168.1.20"


@pytest.fixture
def guesses(clock: Clock) -> Guesses:
    return Guesses(clock)


def as_fast_as_may_be(guesses: Guesses, clock: Clock, addresses: list[str], seconds: int) -> int:
    """How many wrong codes these addresses can send, each trying once a second."""
    taken = 0
    for _ in range(seconds):
        for address in addresses:
            try:
                guesses.check(address)
            except TooManyGuesses:
                continue
            guesses.wrong(address)
            taken += 1
        clock.s += 1
    return taken


def test_after_ten_wrong_codes_an_address_waits_until_the_first_is_a_minute_old(
    guesses: Guesses, clock: Clock
) -> None:
    assert as_fast_as_may_be(guesses, clock, [GUESSER], 10) == 10
    with pytest.raises(TooManyGuesses) as refused:
        guesses.check(GUESSER)
    assert refused.value.wait_s == 50
    clock.s += 50
    guesses.check(GUESSER)


def test_who_goes_on_guessing_waits_the_hour_out(guesses: Guesses, clock: Clock) -> None:
    assert as_fast_as_may_be(guesses, clock, [GUESSER], 3600) == 40


def test_one_guesser_locks_nobody_else_out(guesses: Guesses, clock: Clock) -> None:
    as_fast_as_may_be(guesses, clock, [GUESSER], 3600)
    guesses.check(PLAYER)


def test_many_guessers_together_reach_the_limit_of_the_house(guesses: Guesses, clock: Clock) -> None:
    crowd = [f"192.168.1.{n}" for n in range(100, 112)]
    assert as_fast_as_may_be(guesses, clock, crowd, 1800) == 400
    with pytest.raises(TooManyGuesses) as refused:
        guesses.check(PLAYER)
    assert 0 < refused.value.wait_s <= 3600
    clock.s += 3600
    guesses.check(PLAYER)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("2001:db8::1", "2001:db8::ffff:2", True, id="two addresses of one network"),
        pytest.param("2001:db8::1", "2001:db8:0:1::1", False, id="two networks"),
        pytest.param("fe80::1%eth0", "fe80::2", True, id="with a zone"),
        pytest.param("::ffff:192.0.2.1", "192.0.2.1", True, id="an IPv4 address in IPv6"),
        pytest.param("192.0.2.1", "192.0.2.2", False, id="two IPv4 addresses"),
        pytest.param("a socket", "another", False, id="no address"),
    ],
)
def test_whose_address_it_is(one: str, other: str, same: bool) -> None:
    assert (source_of(one) == source_of(other)) == same
