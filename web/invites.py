"""The codes by which a phone takes a free seat: a short one to type, a long one inside a QR code.

A seat has codes only while it is free, and new ones each time: a code works once. The long one cannot be
guessed; the short one could be, so wrong ones are counted, whoever sends them.
"""

from __future__ import annotations

import re
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from hmac import compare_digest
from time import monotonic

import msgspec

DIGITS = 6
"""Digits of a short code: quick to type with one thumb, in any language."""

MOST_WRONG = 10
"""Wrong short codes within `WITHIN_S` after which every further one is refused.

With one free seat a guesser needs five weeks for an even chance.
"""
WITHIN_S = 60.0
"""Seconds after which a wrong code no longer counts."""


class Invite(msgspec.Struct, frozen=True):
    """The codes of one free seat: `code` to type, `link` to scan."""

    code: str
    link: str


class TooManyGuesses(Exception):
    """Too many wrong codes came; `wait_s` seconds from now they are taken again."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Invites:
    """The codes of the match on the table. To be asked while `AppState.codes_lock` is held."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._match = 0
        self._invites: dict[str, Invite] = {}
        self._wrong: deque[float] = deque()

    def of(self, match: int, seat: str) -> Invite:
        """The codes of a free seat, made when they are first asked for."""
        self._follow(match)
        if seat not in self._invites:
            taken = {each.code for each in self._invites.values()}
            code = next(code for code in iter(_short, "") if code not in taken)
            self._invites[seat] = Invite(code, secrets.token_urlsafe(16))
        return self._invites[seat]

    def void(self, seat: str) -> None:
        """The codes of a seat open nothing any more."""
        self._invites.pop(seat, None)

    def seat(self, match: int, typed: str, free: Iterable[str]) -> str | None:
        """The free seat that a code is of, as it was typed or scanned; None when it is of none.

        Raises `TooManyGuesses` for a short code while too many have been wrong.
        """
        self._follow(match)
        code = re.sub(r"[\s-]", "", typed)
        waiting = [(seat, self._invites[seat]) for seat in free if seat in self._invites]
        for seat, invite in waiting:
            if _same(typed.strip(), invite.link):
                return seat
        self._wait_after_wrong_ones()
        for seat, invite in waiting:
            if _same(code, invite.code):
                return seat
        self._wrong.append(self._clock())
        return None

    def _wait_after_wrong_ones(self) -> None:
        now = self._clock()
        while self._wrong and now - self._wrong[0] >= WITHIN_S:
            self._wrong.popleft()
        if len(self._wrong) >= MOST_WRONG:
            raise TooManyGuesses(self._wrong[0] + WITHIN_S - now)

    def _follow(self, match: int) -> None:
        if match != self._match:
            self._match, self._invites = match, {}


def _short() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode(errors="replace"), other.encode())
