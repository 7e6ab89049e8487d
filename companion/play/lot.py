"""Lots for the seats: drawn once for a match, then kept in the journal as the names of its players."""

from __future__ import annotations

import secrets

LOT = "lot"
"""The source of an entry that names players where a lot has put them."""


def draw_lots(seats: tuple[str, ...]) -> tuple[str, ...]:
    """The seats in an order of chance: whoever is first takes the first of them, and so on."""
    return tuple(secrets.SystemRandom().sample(seats, len(seats)))
