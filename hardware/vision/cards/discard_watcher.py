"""Detects cards in live pictures. A card is reported once, when it comes to rest on the discard spot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np

from companion.games.watching import Card, Observation
from hardware.arrays import Float32, Picture
from hardware.vision.cards.reader import CardReader
from hardware.vision.motion import Stillness
from hardware.vision.register.markers import find_markers, to_gray

Bounds = tuple[int, int, int, int]
"""Left, top, right and bottom, px."""

MIDDLE = 0.5
"""The share of the picture's width and height that the spot has without markers, in the middle."""
LEAST = 0.1
"""The share of the picture below which the distance of markers marks no spot."""
PATCHES = (24, 18)
MOST_READINGS = 3
STAYED = 0.04
"""The maximum shift of the corners of an untouched card, as a share of its long side."""
NUDGED = 0.6
"""The maximum shift, in its long sides, of a card of the last kind that may be the same one, nudged."""
WIDER = 0.4
"""The part read around the spot, in its own width and height; a card counts if its centre is in the spot."""
REMEMBERED = 12
"""The number of reported cards to remember; one that reappears is asked about."""


def middle_of(picture: Picture) -> Bounds:
    """The spot where nothing marks one: the middle of the picture."""
    height, width = picture.shape[:2]
    x, y = round(width * (1 - MIDDLE) / 2), round(height * (1 - MIDDLE) / 2)
    return x, y, width - x, height - y


def spot_of(picture: Picture) -> Bounds:
    """The spot in a BGR picture: the part between the printed markers (all four, or two in opposite corners),
    else the middle."""
    markers = find_markers(to_gray(picture))
    if not markers:
        return middle_of(picture)
    height, width = picture.shape[:2]
    middles = np.array([corners.mean(0) for corners in markers.values()])
    left, top = (int(v) for v in np.clip(middles.min(0), 0, (width, height)))
    right, bottom = (int(v) for v in np.clip(middles.max(0), 0, (width, height)))
    if right - left < LEAST * width or bottom - top < LEAST * height:
        return middle_of(picture)
    return left, top, right, bottom


class DiscardWatcher:
    """Watches the discard spot for newly laid cards."""

    def __init__(self, reader: CardReader, spot: Callable[[Picture], Bounds] = spot_of) -> None:
        """`spot` finds the discard spot in a picture; it is called each time things come to rest."""
        self._reader, self._spot = reader, spot
        self._bounds: Bounds | None = None
        self._stillness = Stillness(PATCHES, MOST_READINGS)
        self._lying: tuple[Card, ...] | None = None
        self._past: tuple[Card, ...] = ()
        self._asked: tuple[Card, ...] = ()
        self._answered: tuple[Card, ...] = ()

    def answered(self) -> None:
        """Settle the open question, because people answered or play went on; it is not reported again."""
        self._answered, self._asked = self._asked, ()

    def detect_cards(self, picture: Picture, at_s: float) -> Observation | None:
        """The newly laid cards in this picture (BGR), taken at `at_s` seconds; usually None.

        Cards of the first picture were laid before, and are not reported.
        """
        left, top, right, bottom = self._bounds = self._bounds or self._spot(picture)
        if self._stillness.waits(picture[top:bottom, left:right], at_s):
            return None
        if not self._stillness.begun:
            self._bounds = self._spot(picture)
        settled = self._stillness.settle(self._read(picture, self._bounds), _same)
        if settled is None:
            return None
        reading, agreed = settled
        if not agreed:
            cards = tuple(msgspec.structs.replace(card, unsure=True) for card in reading.cards or ())
            reading = msgspec.structs.replace(reading, cards=cards, why="card-unclear")
        return self._new_cards(reading)

    def _read(self, picture: Picture, spot: Bounds) -> Observation:
        """The cards whose centre is in the spot, with corners in px of the whole picture."""
        left, top, right, bottom = spot
        x, y = round(WIDER * (right - left)), round(WIDER * (bottom - top))
        left, top = max(0, left - x), max(0, top - y)
        reading = self._reader.read_cards(np.ascontiguousarray(picture[top : bottom + y, left : right + x]))
        cards = tuple(
            msgspec.structs.replace(card, corners=tuple((x + left, y + top) for x, y in card.corners))
            for card in reading.cards or ()
        )
        middles = ((card, _corners(card).mean(0)) for card in cards)
        here = tuple(card for card, (x, y) in middles if spot[0] <= x <= spot[2] and spot[1] <= y <= spot[3])
        return Observation(unsure=any(card.unsure for card in here), why=reading.why, cards=here)

    def _new_cards(self, reading: Observation) -> Observation | None:
        """The new cards in a reading at rest, or None; those that are unsure only after all others."""
        cards = reading.cards or ()
        if self._lying is None:
            self._lying = self._answered = cards
            return None
        known = self._lying
        new = tuple(card for card in cards if not self._is_known(card))
        if not new:
            return None
        clear = _clear(new)
        if not clear:
            if _all_stayed(new, self._asked):
                return None
            self._asked = new
            return Observation(cards=new, unsure=True, why=reading.why)
        if clear != new:
            self._stillness.again()
        # A hand that hides everything is not an empty table, so cards are remembered until others replace
        # them.
        self._past = (*self._past, *known)[-REMEMBERED:]
        self._lying, self._asked = _clear(cards), ()
        self._answered = tuple(card for card in cards if card.unsure and card not in new)
        alike = ((card, other) for card in clear for other in known if card.kind == other.kind)
        seen_before = any(_distance(*two) < NUDGED for two in alike)
        seen_before |= any(_stayed(card, other) for card in clear for other in self._past)
        if seen_before:
            self._asked = clear
            return Observation(cards=clear, unsure=True, why="same-card")
        return Observation(cards=clear)

    def _is_known(self, card: Card) -> bool:
        """True if a card in this position was already reported or answered, whatever it looks like now."""
        reported = any(_stayed(card, other) for other in self._lying or ())
        return reported or any(_distance(card, other) < STAYED for other in self._answered)


def _corners(card: Card) -> Float32:
    return np.array(card.corners, np.float32)


def _distance(one: Card, two: Card) -> float:
    """The maximum distance between the corners of two cards, in long sides of the first."""
    first = _corners(one)
    return float(np.linalg.norm(first - _corners(two), axis=1).max() / np.linalg.norm(first[3] - first[0]))


def _stayed(card: Card, other: Card) -> bool:
    return card.kind == other.kind and _distance(card, other) < STAYED


def _clear(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not card.unsure)


def _same(one: Observation, two: Observation) -> bool:
    """True if the sure cards of two readings agree, and both or neither hold an unsure one."""
    cards, others = _clear(one.cards or ()), _clear(two.cards or ())
    return one.unsure == two.unsure and len(cards) == len(others) and _all_stayed(cards, others)


def _all_stayed(cards: Sequence[Card], others: Sequence[Card]) -> bool:
    return all(any(_stayed(card, other) for other in others) for card in cards)
