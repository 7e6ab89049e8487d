"""The codes of free seats."""

from __future__ import annotations

import re

import pytest

from web.joining import Guesses, Invites, TooManyGuesses

FREE = ("north", "east")
PHONE, OTHER = "192.168.1.20", "192.168.1.21"


@pytest.fixture
def invites() -> Invites:
    """North and east are free, and their codes are shown."""
    made = Invites(Guesses())
    for seat in FREE:
        made.invite(1, seat)
    return made


def wrong(invites: Invites) -> str:
    """A short code that is of no seat."""
    right = {invites.invite(1, seat).code for seat in FREE}
    return next(code for code in ("000000", "000001", "000002") if code not in right)


def test_a_code_is_short_to_type_and_long_to_scan(invites: Invites) -> None:
    north = invites.invite(1, "north")
    assert re.fullmatch(r"\d{6}", north.code)
    assert len(north.link) >= 22
    assert invites.invite(1, "north") == north


@pytest.mark.parametrize("typed", ["{}", " {} ", "{:.3} {}"])
def test_it_is_read_however_it_is_spaced(invites: Invites, typed: str) -> None:
    code = invites.invite(1, "east").code
    spaced = f"{code[:3]} {code[3:]}" if typed == "{:.3} {}" else typed.format(code)
    assert invites.seat(1, spaced, FREE, PHONE) == "east"
    assert invites.seat(1, invites.invite(1, "east").link, FREE, PHONE) == "east"


def test_no_two_free_seats_have_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([7, 7, 7, 8])
    monkeypatch.setattr("web.joining.secrets.randbelow", lambda _: next(drawn))
    invites = Invites(Guesses())
    assert [invites.invite(1, seat).code for seat in FREE] == ["000007", "000008"]


def test_one_of_a_seat_that_is_no_longer_free_opens_nothing(invites: Invites) -> None:
    assert invites.seat(1, invites.invite(1, "north").link, ("east",), PHONE) is None


def test_one_that_was_used_opens_nothing_even_when_the_seat_is_free_again(invites: Invites) -> None:
    used = invites.invite(1, "north")
    invites.void("north")
    assert invites.seat(1, used.code, FREE, PHONE) is None
    assert invites.invite(1, "north") != used


def test_one_of_another_match_opens_nothing(invites: Invites) -> None:
    old = invites.invite(1, "north")
    assert invites.seat(2, old.code, FREE, PHONE) is None
    assert invites.seat(2, old.link, FREE, PHONE) is None


@pytest.mark.parametrize("typed", ["", " ", "x", "１２３４５６", "\ud800", "0" * 10_000])
def test_what_is_no_code_opens_nothing(invites: Invites, typed: str) -> None:
    assert invites.seat(1, typed, FREE, PHONE) is None


def guess(invites: Invites, address: str) -> None:
    """Ten wrong codes from an address."""
    for _ in range(10):
        assert invites.seat(1, wrong(invites), FREE, address) is None


def test_after_ten_wrong_ones_an_address_waits_and_no_other_does(invites: Invites) -> None:
    guess(invites, PHONE)
    with pytest.raises(TooManyGuesses):
        invites.seat(1, invites.invite(1, "north").code, FREE, PHONE)
    assert invites.seat(1, invites.invite(1, "north").code, FREE, OTHER) == "north"


def test_who_has_guessed_may_still_scan(invites: Invites) -> None:
    guess(invites, PHONE)
    assert invites.seat(1, invites.invite(1, "north").link, FREE, PHONE) == "north"


def test_a_new_match_gives_a_guesser_no_new_tries(invites: Invites) -> None:
    guess(invites, PHONE)
    with pytest.raises(TooManyGuesses):
        invites.seat(2, invites.invite(2, "north").code, FREE, PHONE)
