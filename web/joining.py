"""Admits phones: codes for free seats, limits on guessing them, and requests to be let in.

A free seat has two codes, and new ones each time, because a code works once: a short one to type, and a long
one inside a QR code. The long one cannot be guessed. Wrong short ones are counted, by address and for the
whole house. An address that guesses is soon refused, and locks nobody else out. The house's limit, against
many addresses together, is so high that one alone does not reach it. The host's PIN is a short code, too.
"""

from __future__ import annotations

import re
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from threading import Lock
from time import monotonic

import msgspec

from companion.play.seats import Animal, Colour, Player


class Limit(msgspec.Struct, frozen=True):
    """The number of wrong codes allowed within a number of seconds; the next has to wait."""

    most: int
    within_s: float


OF_ADDRESS = (Limit(10, 60.0), Limit(40, 3600.0))
"""Limits of one address: a person who mistypes waits a minute, a guesser an hour."""

OF_HOUSE = Limit(400, 3600.0)
"""The limit of all addresses: ten guessers need seven weeks for an even chance."""

HOME_BITS = 64
"""The network's bits of an IPv6 address; a machine chooses the others freely."""


class TooManyGuesses(Exception):
    """Too many wrong codes; `wait_s` seconds from now they are taken again."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Guesses:
    """The wrong codes of the last hour. Hold `AppState.codes_lock`."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._wrong: deque[tuple[float, str]] = deque()

    def check(self, address: str) -> None:
        """Allow one more guess. Raises `TooManyGuesses`."""
        now_s, source = self._clock(), source_of(address)
        while self._wrong and now_s - self._wrong[0][0] >= OF_HOUSE.within_s:
            self._wrong.popleft()
        every = [at_s for at_s, _ in self._wrong]
        theirs = [at_s for at_s, origin in self._wrong if origin == source]
        waits = [_wait_s(theirs, limit, now_s) for limit in OF_ADDRESS]
        wait_s = max(*waits, _wait_s(every, OF_HOUSE, now_s))
        if wait_s > 0:
            raise TooManyGuesses(wait_s)

    def wrong(self, address: str) -> None:
        """Count a wrong code of that address."""
        self._wrong.append((self._clock(), source_of(address)))


def source_of(address: str) -> str:
    """The address as it counts: all IPv6 addresses of one network are one."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> HOME_BITS << HOME_BITS))


def _wait_s(wrong_s: list[float], limit: Limit, now_s: float) -> float:
    """Seconds until fewer than `limit.most` of these times lie within `limit.within_s`."""
    return wrong_s[-limit.most] + limit.within_s - now_s if len(wrong_s) >= limit.most else 0.0


DIGITS = 6
"""The length of a short code, quick to type with one thumb in any language."""


class Invite(msgspec.Struct, frozen=True):
    """The codes of one free seat: `code` to type, `link` to scan."""

    code: str
    link: str


class Invites:
    """The codes of the match on the table. Hold `AppState.codes_lock`."""

    def __init__(self, guesses: Guesses) -> None:
        self._guesses = guesses
        self._match = 0
        self._invites: dict[str, Invite] = {}

    def invite(self, match: int, seat: str) -> Invite:
        """The codes of a free seat, made at the first call."""
        self._follow(match)
        if seat not in self._invites:
            taken = {invite.code for invite in self._invites.values()}
            code = next(code for code in iter(short_code, "") if code not in taken)
            self._invites[seat] = Invite(code, secrets.token_urlsafe(16))
        return self._invites[seat]

    def void(self, seat: str) -> None:
        """Cancel the codes of a seat."""
        self._invites.pop(seat, None)

    def seat(self, match: int, typed: str, free: Iterable[str], address: str) -> str | None:
        """The free seat for a typed or scanned code, or None.

        `address` is the asker's. Raises `TooManyGuesses` for a short code while too many were wrong.
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
    """Draw a short code by chance."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def is_code(typed: str, code: str) -> bool:
    """Compare typed text with a short code, except spaces and dashes."""
    return _same(re.sub(r"[\s-]", "", typed), code)


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode(errors="replace"), other.encode())


WAIT_S = 180.0
"""Seconds after which a waiting phone has to ask again."""

MOST_WAITING = 12
"""The most waiting phones; the oldest goes first."""

MOST_OF_ADDRESS = 3
"""The most waiting phones of one address, so that nobody pushes out all others."""

NOBODY = Player()

NUMBERS = 99
"""The highest number, two digits to read out; then they begin at 1 again."""


class JoinRequest(msgspec.Struct, frozen=True):
    """A phone that asks to be let in, as the table's players see it: its number and holder."""

    number: int
    name: str = ""
    colour: Colour = ""
    animal: Animal = ""


class _Waiting(msgspec.Struct, frozen=True):
    number: int
    phone: str
    address: str
    since_s: float
    player: Player


class JoinRequests:
    """The phones that wait to be let in. Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._last = 0
        self._asking: tuple[_Waiting, ...] = ()

    def ask(self, phone: str, address: str, player: Player = NOBODY) -> int:
        """Let a phone of `player` wait; its number, the same when it asks again, 0 if too many wait."""
        with self._lock:
            waiting = self._now()
            known = [other.number for other in waiting if other.phone == phone]
            if known or sum(other.address == address for other in waiting) >= MOST_OF_ADDRESS:
                return known[0] if known else 0
            others = waiting[max(0, len(waiting) - MOST_WAITING + 1) :]
            numbers = (n % NUMBERS + 1 for n in range(self._last, self._last + NUMBERS))
            self._last = next(n for n in numbers if n not in {other.number for other in others})
            self._asking = (*others, _Waiting(self._last, phone, address, self._clock(), player))
            return self._last

    def numbers(self) -> tuple[int, ...]:
        """The numbers of waiting phones, in order."""
        with self._lock:
            return tuple(waiting.number for waiting in self._now())

    def shown(self) -> tuple[JoinRequest, ...]:
        """The waiting phones, in the order of `numbers`."""
        with self._lock:
            return tuple(
                JoinRequest(waiting.number, waiting.player.name, waiting.player.colour, waiting.player.animal)
                for waiting in self._now()
            )

    def number_of(self, phone: str) -> int:
        """The number of a waiting phone, else 0."""
        with self._lock:
            return next((waiting.number for waiting in self._now() if phone and waiting.phone == phone), 0)

    def phone_of(self, number: int) -> str:
        """The waiting phone with that number, else empty."""
        with self._lock:
            return next((waiting.phone for waiting in self._now() if waiting.number == number), "")

    def leave(self, phone: str) -> None:
        """Let a phone wait no longer."""
        with self._lock:
            self._asking = tuple(waiting for waiting in self._asking if waiting.phone != phone)

    def _now(self) -> tuple[_Waiting, ...]:
        since_s = self._clock() - WAIT_S
        self._asking = tuple(waiting for waiting in self._asking if waiting.since_s > since_s)
        return self._asking
