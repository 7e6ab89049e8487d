"""Cards on a live picture: a card is told once, when it has come to rest on the discard spot, and not again
until another lies there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import cv2
import msgspec
import numpy as np

from companion.games.watching import Card, Observation
from hardware.arrays import Float32, Picture
from hardware.vision.cards.spot import Bounds, spot_of

REST_S = 0.5
"""How long nothing may stir before what lies there is read."""
STIR_LEVELS = 7.0
"""A patch whose mean grey moves by more than this from one picture to the next stirs."""
PATCHES = (24, 18)
"""Columns and rows of patches that the spot is looked at in."""
MOST_LOOKS = 3
"""So often what lies at rest is looked at for two readings that agree. These are the dice's."""
STAYED = 0.04
"""A card whose corners are all within this share of its long side of where they were was not touched."""
NUDGED = 0.6
"""A card of the kind told last that lies nearer than this to it may be the same one, nudged, or another:
a person is asked."""
WIDER = 0.4
"""So much beyond the spot, in its own width and height, is read as well: a card counts whose middle lies in
the spot."""
REMEMBERED = 12
"""So many cards told before are remembered: one that comes to light again is asked about."""


class Reader(Protocol):
    """What reads cards in a picture: `CardReader`, or a stand-in."""

    def read(self, picture: Picture) -> Observation:
        """The cards that lie on top."""


class DiscardWatcher:
    """Watches the discard spot for cards that are laid there."""

    def __init__(self, reader: Reader, spot: Callable[[Picture], Bounds] = spot_of) -> None:
        """`spot` finds the discard spot in a picture; it is asked again each time things come to rest."""
        self._reader, self._spot = reader, spot
        self._box: Bounds | None = None
        self._before: Float32 | None = None
        self._stirred_s = float("-inf")
        self._settled = False
        self._looks: list[Observation] = []
        self._lying: tuple[Card, ...] | None = None
        self._past: tuple[Card, ...] = ()
        self._asked: tuple[Card, ...] = ()
        self._answered: tuple[Card, ...] = ()

    def answered(self) -> None:
        """People have told what was asked about, or play went on without it: it is not told any more."""
        self._answered, self._asked = self._asked, ()

    def look(self, picture: Picture, at_s: float) -> Observation | None:
        """The cards that this picture (BGR), taken at `at_s` seconds, shows newly laid; mostly None.

        What lies there at the first look was laid before, and is not told.
        """
        if self._box is None:
            self._box = self._spot(picture)
        if self._stirs(picture):
            self._stirred_s, self._settled = at_s, False
            self._looks.clear()
        if self._settled or at_s - self._stirred_s < REST_S:
            return None
        if not self._looks:
            self._box = self._spot(picture)
        self._looks.append(self._read(picture))
        agreed = len(self._looks) > 1 and _same(self._looks[-1], self._looks[-2])
        if not agreed and len(self._looks) < MOST_LOOKS:
            return None
        self._settled = True
        reading = self._looks[-1]
        if not agreed:
            reading = msgspec.structs.replace(reading, unsure=bool(reading.cards), why="card-unclear")
        return self._tell(reading)

    def _read(self, picture: Picture) -> Observation:
        """The cards whose middle lies in the spot, corners in px of the whole picture."""
        left, top, right, bottom = spot = self._box or (0, 0, picture.shape[1], picture.shape[0])
        x, y = round(WIDER * (right - left)), round(WIDER * (bottom - top))
        left, top = max(0, left - x), max(0, top - y)
        reading = self._reader.read(np.ascontiguousarray(picture[top : bottom + y, left : right + x]))
        cards = tuple(
            msgspec.structs.replace(card, corners=tuple((x + left, y + top) for x, y in card.corners))
            for card in reading.cards or ()
        )
        here = tuple(card for card in cards if _lies_in(card, spot))
        return msgspec.structs.replace(reading, cards=here) if here else Observation(cards=())

    def _tell(self, reading: Observation) -> Observation | None:
        """What is new in a reading at rest; None where nothing is."""
        cards = reading.cards or ()
        if self._lying is None:
            self._lying = self._answered = cards
            return None
        known = self._lying
        new = tuple(card for card in cards if not self._is_known(card))
        if not new:
            return None
        if reading.unsure:
            if _all_stayed(new, self._asked):
                return None
            self._asked = new
            return msgspec.structs.replace(reading, cards=new)
        # A hand that hides everything is no empty table: what lay there is remembered until others lie there.
        self._past = (*self._past, *known)[-REMEMBERED:]
        self._lying, self._asked, self._answered = cards, (), ()
        seen_before = any(_nudged(card, other) for card in new for other in known)
        seen_before |= any(_stayed(card, other) for card in new for other in self._past)
        if seen_before:
            self._asked = new
            return Observation(cards=new, unsure=True, why="same-card")
        return Observation(cards=new)

    def _is_known(self, card: Card) -> bool:
        """Whether a card was told, or answered for, as it lies there: then whatever it looks like now."""
        told = any(_stayed(card, other) for other in self._lying or ())
        return told or any(_apart(card, other) < STAYED for other in self._answered)

    def _stirs(self, picture: Picture) -> bool:
        """Whether the spot differs from the picture before; lamps that brighten it all alike are no stir."""
        left, top, right, bottom = self._box or (0, 0, picture.shape[1], picture.shape[0])
        grey = cv2.cvtColor(picture[top:bottom, left:right], cv2.COLOR_BGR2GRAY)
        now = np.asarray(cv2.resize(grey, PATCHES, interpolation=cv2.INTER_AREA), np.float32)
        before, self._before = self._before, now
        if before is None:
            return True
        change = now - before
        return bool(np.abs(change - np.median(change)).max() > STIR_LEVELS)


def _lies_in(card: Card, box: Bounds) -> bool:
    x, y = _corners(card).mean(0)
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])


def _corners(card: Card) -> Float32:
    return np.array(card.corners, np.float32)


def _apart(one: Card, two: Card) -> float:
    """How far the corners of two cards are apart at most, in long sides of the first."""
    at = _corners(one)
    return float(np.linalg.norm(at - _corners(two), axis=1).max() / np.linalg.norm(at[3] - at[0]))


def _stayed(card: Card, other: Card) -> bool:
    return card.kind == other.kind and _apart(card, other) < STAYED


def _nudged(card: Card, other: Card) -> bool:
    return card.kind == other.kind and _apart(card, other) < NUDGED


def _same(one: Observation, two: Observation) -> bool:
    """Whether two readings say the same."""
    cards, others = one.cards or (), two.cards or ()
    return one.unsure == two.unsure and len(cards) == len(others) and _all_stayed(cards, others)


def _all_stayed(cards: Sequence[Card], others: Sequence[Card]) -> bool:
    return all(any(_stayed(card, other) for other in others) for card in cards)
