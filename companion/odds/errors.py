"""What the engine refuses; each error is a reason of its own and the builtin one would expect."""

from __future__ import annotations

from companion.errors import CompanionError


class OddsError(CompanionError, ValueError):
    """Root of all that the odds engine refuses; nothing has changed."""


class UnknownName(OddsError, KeyError):
    """No kind of card, or no pile, has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


class ImpossibleCards(OddsError):
    """Something impossible was entered: it contradicts the cards there are, or what is known already."""


class TooFewCards(OddsError, IndexError):
    """The deck or the hand has fewer cards than asked for."""


class TooManyWorlds(OddsError, OverflowError):
    """An exact answer would need more cases than the engine's bound; it refuses to round instead."""
