"""The companion at Cat and Mouse: there is nothing to choose, but it may throw."""

from __future__ import annotations

from typing import Any

from companion.games.cat_and_mouse.rules import Throw
from companion.games.choosing import Budget, Choice, Dealer, Lots, Seen

FACES = 6
"""The faces of a die."""


class Thrower:
    """Makes the only move there is, where a fee may be declared: none."""

    levels = ("middle", "random")
    expects = "chance"

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """A throw of the machine's own dice."""
        return Choice(throw(Lots(seed)))


CHOOSER = Thrower()


def throw(lots: Lots) -> Throw:
    """Two dice, thrown."""
    return Throw((1 + lots.below(FACES), 1 + lots.below(FACES)))


class DiceDealer(Dealer):
    """The machine's own dice."""

    def begin(self, state: Any, lots: Lots) -> None:
        """Keep the match's lots."""
        self._lots = lots

    def chance(self, state: Any) -> Any:
        """A throw, which is all that happens."""
        return throw(self._lots)


dealer = DiceDealer
