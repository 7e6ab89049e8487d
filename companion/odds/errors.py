"""The engine's errors; each inherits the builtin error that one would expect."""

from __future__ import annotations

from companion.errors import CompanionError


class OddsError(CompanionError, ValueError):
    """Root of the odds engine's errors; nothing has changed."""


class UnknownName(OddsError, KeyError):
    """No kind of card, or no pile, has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


class ImpossibleCards(OddsError):
    """Something impossible was entered: it contradicts the cards that exist, or what is already known."""


class TooFewCards(OddsError, IndexError):
    """The deck or the hand has fewer cards than asked for."""


class TooManyWorlds(OddsError, OverflowError):
    """An exact answer would need more cases than the engine's bound; it refuses to round instead."""
