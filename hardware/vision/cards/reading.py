"""What a reading of cards says: plain values that go over a wire or onto a disk."""

from __future__ import annotations

import msgspec

Corners = tuple[tuple[float, float], ...]
"""A card's four corners in px of the picture: its own top left first, then clockwise on the card."""


class KindSeen(msgspec.Struct, frozen=True):
    """A kind that a card may be of, and how likely that is (0 to 1)."""

    kind: str
    confidence: float


class CardSeen(msgspec.Struct, frozen=True):
    """A card that lies in sight: its kind, how likely (0 to 1), and the other kinds it may be, the
    likeliest first."""

    kind: str
    confidence: float
    corners: Corners
    others: tuple[KindSeen, ...] = ()


class CardsReading(msgspec.Struct, frozen=True):
    """The cards of one picture that lie on top, of the kinds that were taught.

    `unsure` where a person would have to be asked: then `cards` are the best guesses, and `why` says in a
    word what is in the way: `cards-alike` (two kinds fit), `card-unclear` (covered, glaring, or of no kind
    that was taught).
    """

    cards: tuple[CardSeen, ...] = ()
    unsure: bool = False
    why: str = ""
