"""Random numbers of the table, in streams that cannot be run backwards.

One key decides all chance in a match. Each purpose (deck, dice, theft) has its own stream, whose numbers
reveal nothing about another stream, nor about its own next number. They are BLAKE2b of the key and a counter,
the same on every machine.

    chance = Chance(key_of(seed))
    chance.stream("deck").shuffle(cards)
    value = 1 + chance.stream("dice").randbelow(6)

A number takes about 0.4 µs, so matches that are played out to weigh a move use these streams as well.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

KEY_BYTES = 32

LAST_WORD = (1 << 64) - 1

_WORDS = Struct("<8Q")
"""A block of BLAKE2b as numbers."""

T = TypeVar("T")


def key_of(seed: int) -> bytes:
    """The key of a seed that nobody must be kept from guessing, as in the arena and in tests."""
    return blake2b(str(seed).encode(), digest_size=KEY_BYTES).digest()


class Stream:
    """The random numbers of one purpose."""

    def __init__(self, key: bytes) -> None:
        self._key, self._block = key, 0
        self._words: list[int] = []

    def randbelow(self, limit: int) -> int:
        """A number from 0 to `limit - 1`, all equally likely."""
        words = self._words or self._next_block()
        product = words.pop() * limit
        if product & LAST_WORD >= limit:
            return product >> 64
        return self._exact(limit, product)

    def choice(self, some: Sequence[T]) -> T:
        """One of these, all equally likely."""
        return some[self.randbelow(len(some))]

    def shuffle(self, some: MutableSequence[T]) -> None:
        """Put these into a random order, all equally likely."""
        randbelow = self.randbelow
        for last in range(len(some) - 1, 0, -1):
            other = randbelow(last + 1)
            some[last], some[other] = some[other], some[last]

    def _next_block(self) -> list[int]:
        counter = self._block.to_bytes(8, "little")
        self._words.extend(_WORDS.unpack(blake2b(counter, key=self._key).digest()))
        self._block += 1
        return self._words

    def _exact(self, limit: int, product: int) -> int:
        """Reject a product that would favour some numbers, and draw again; `limit` may have any size."""
        if limit <= LAST_WORD and product & LAST_WORD >= (LAST_WORD + 1) % limit:
            return product >> 64
        bits = limit.bit_length()
        while True:
            number = 0
            for _ in range(-(-bits // 64)):
                number = number << 64 | (self._words or self._next_block()).pop()
            number &= (1 << bits) - 1
            if number < limit:
                return number


class Chance:
    """One match's streams, by purpose."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._streams: dict[str, Stream] = {}

    def stream(self, purpose: str) -> Stream:
        """The stream of this purpose, at its current position."""
        if purpose not in self._streams:
            key = blake2b(purpose.encode(), key=self._key, digest_size=KEY_BYTES).digest()
            self._streams[purpose] = Stream(key)
        return self._streams[purpose]
