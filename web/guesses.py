"""Wrong codes are counted, by the address that they come from and for the whole house.

An address that guesses is soon refused, and locks nobody else out. The house has a limit as well, against
many addresses together: so high that one address alone does not reach it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from time import monotonic

import msgspec


class Limit(msgspec.Struct, frozen=True):
    """The number of wrong codes allowed within a number of seconds; after that, the next has to wait."""

    most: int
    within_s: float


OF_ADDRESS = (Limit(10, 60.0), Limit(40, 3600.0))
"""Wrong codes of one address: a person who mistypes waits a minute, a guesser an hour."""

OF_HOUSE = Limit(400, 3600.0)
"""Wrong codes of all addresses: ten guessers at full speed, who need seven weeks for an even chance."""

HOME_BITS = 64
"""Bits of an IPv6 address that belong to the network: within it a machine gives itself any address."""


class TooManyGuesses(Exception):
    """Too many wrong codes came; `wait_s` seconds from now they are taken again."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class Guesses:
    """The wrong codes of the last hour. To be asked while `AppState.codes_lock` is held."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._wrong: deque[tuple[float, str]] = deque()

    def check(self, address: str) -> None:
        """Before a code is compared. Raises `TooManyGuesses` where one more may not be tried."""
        now_s, source = self._clock(), source_of(address)
        while self._wrong and now_s - self._wrong[0][0] >= OF_HOUSE.within_s:
            self._wrong.popleft()
        every = [at_s for at_s, _ in self._wrong]
        own = [at_s for at_s, each in self._wrong if each == source]
        waits = [_wait_s(own, limit, now_s) for limit in OF_ADDRESS]
        wait_s = max(*waits, _wait_s(every, OF_HOUSE, now_s))
        if wait_s > 0:
            raise TooManyGuesses(wait_s)

    def wrong(self, address: str) -> None:
        """A code of that address was wrong."""
        self._wrong.append((self._clock(), source_of(address)))


def source_of(address: str) -> str:
    """Whose address it is: all IPv6 addresses of one network count as one."""
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
