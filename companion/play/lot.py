"""Lots for the seats: drawn once for a match, then kept in the journal as the names of its players."""

from __future__ import annotations

import secrets

LOT = "lot"
"""The source of an entry that names players at the seats that a lot gave them."""


def draw_lots(seats: tuple[str, ...]) -> tuple[str, ...]:
    """The seats in random order: the first player takes the first of them, and so on."""
    return tuple(secrets.SystemRandom().sample(seats, len(seats)))
