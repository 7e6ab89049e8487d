"""The codes by which a phone takes a free seat: a short one to type, a long one inside a QR code.

A seat has codes only while it is free, and new ones each time: a code works once. The long one cannot be
guessed; the short one could be, so wrong ones are counted (`guesses`). The host's PIN is one, too.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from hmac import compare_digest

import msgspec

from web.guesses import Guesses

DIGITS = 6
"""Digits of a short code: quick to type with one thumb, in any language."""


class Invite(msgspec.Struct, frozen=True):
    """The codes of one free seat: `code` to type, `link` to scan."""

    code: str
    link: str


class Invites:
    """The codes of the match on the table. To be asked while `AppState.codes_lock` is held."""

    def __init__(self, guesses: Guesses) -> None:
        self._guesses = guesses
        self._match = 0
        self._invites: dict[str, Invite] = {}

    def of(self, match: int, seat: str) -> Invite:
        """The codes of a free seat, made when they are first asked for."""
        self._follow(match)
        if seat not in self._invites:
            taken = {each.code for each in self._invites.values()}
            code = next(code for code in iter(short_code, "") if code not in taken)
            self._invites[seat] = Invite(code, secrets.token_urlsafe(16))
        return self._invites[seat]

    def void(self, seat: str) -> None:
        """The codes of a seat open nothing any more."""
        self._invites.pop(seat, None)

    def seat(self, match: int, typed: str, free: Iterable[str], address: str) -> str | None:
        """The free seat that a code is of, as it was typed or scanned; None when it is of none.

        `address` is where it comes from. Raises `TooManyGuesses` for a short code while too many were wrong.
        """
        self._follow(match)
        waiting = [(seat, self._invites[seat]) for seat in free if seat in self._invites]
        for seat, invite in waiting:
            if _same(typed.strip(), invite.link):
                return seat
        self._guesses.check(address)
        for seat, invite in waiting:
            if is_code(typed, invite.code):
                return seat
        self._guesses.wrong(address)
        return None

    def _follow(self, match: int) -> None:
        if match != self._match:
            self._match, self._invites = match, {}


def short_code() -> str:
    """A short code, drawn by chance."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def is_code(typed: str, code: str) -> bool:
    """Whether what was typed is a short code; spaces and dashes in it do not count."""
    return _same(re.sub(r"[\s-]", "", typed), code)


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode(errors="replace"), other.encode())
