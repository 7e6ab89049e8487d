"""Moves of Whispers as plain values."""

from __future__ import annotations

DRAW = {"move": "draw"}


def lay(card: int) -> dict[str, object]:
    """The seat to play lays a card."""
    return {"move": "lay", "card": card}


def tell(seat: str, card: int) -> dict[str, object]:
    """A seat tells its phone of a card."""
    return {"move": "tell", "seat": seat, "card": card}
