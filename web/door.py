"""Phones that ask to be let in: each has a number, which it and those who may let it in are shown."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic

import msgspec

from companion.play.seats import Animal, Colour, Player

WAIT_S = 180.0
"""Seconds after which a phone that nobody let in has to ask again."""

MOST = 12
"""Phones that may wait at once; the oldest goes first."""

MOST_OF_ADDRESS = 3
"""Phones of one address that may wait at once: nobody pushes out all others, or wakes all by asking again."""

NOBODY = Player()
"""The player of a phone that says nothing of itself."""

NUMBERS = 99
"""The numbers begin at 1 again after this one: two digits can be read out at a table."""


class Asker(msgspec.Struct, frozen=True):
    """A phone that waits, as those who may let it in see it: its number, and who says to hold it."""

    number: int
    name: str = ""
    colour: Colour = ""
    animal: Animal = ""


class Asking(msgspec.Struct, frozen=True):
    """A phone that waits, by its number."""

    number: int
    phone: str
    address: str
    since_s: float
    player: Player


class Door:
    """Who waits to be let in. Safe from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._last = 0
        self._asking: tuple[Asking, ...] = ()

    def ask(self, phone: str, address: str, player: Player = NOBODY) -> int:
        """A phone asks; its number, which stays the same when it asks again; 0 for one too many.

        `player` says to hold it.
        """
        with self._lock:
            now = self._now()
            known = [each.number for each in now if each.phone == phone]
            if known or sum(each.address == address for each in now) >= MOST_OF_ADDRESS:
                return known[0] if known else 0
            others = now[max(0, len(now) - MOST + 1) :]
            numbers = (n % NUMBERS + 1 for n in range(self._last, self._last + NUMBERS))
            self._last = next(n for n in numbers if n not in {each.number for each in others})
            self._asking = (*others, Asking(self._last, phone, address, self._clock(), player))
            return self._last

    def numbers(self) -> tuple[int, ...]:
        """The numbers of all who wait, the first who asked first."""
        with self._lock:
            return tuple(each.number for each in self._now())

    def askers(self) -> tuple[Asker, ...]:
        """Who waits, in the order of `numbers`."""
        with self._lock:
            return tuple(
                Asker(each.number, each.player.name, each.player.colour, each.player.animal)
                for each in self._now()
            )

    def number_of(self, phone: str) -> int:
        """The number of a phone that waits; 0 for one that does not."""
        with self._lock:
            return next((each.number for each in self._now() if phone and each.phone == phone), 0)

    def phone_of(self, number: int) -> str:
        """The phone that waits with that number; empty if none does."""
        with self._lock:
            return next((each.phone for each in self._now() if each.number == number), "")

    def leave(self, phone: str) -> None:
        """A phone waits no longer."""
        with self._lock:
            self._asking = tuple(each for each in self._asking if each.phone != phone)

    def _now(self) -> tuple[Asking, ...]:
        since_s = self._clock() - WAIT_S
        self._asking = tuple(each for each in self._asking if each.since_s > since_s)
        return self._asking
