"""The companion at Cat and Mouse: it only throws."""

from __future__ import annotations

from typing import Any, ClassVar

from companion.games.cat_and_mouse.board import HIGHEST_FACE
from companion.games.cat_and_mouse.state import Throw
from companion.games.chance import Chance, Stream
from companion.games.players import Budget, Choice, Dealer, GamePlayer, Handicap, Seen


class DiceDealer(Dealer):
    """The machine's own dice."""

    def begin(self, state: Any, chance: Chance) -> None:
        self._dice = chance.stream("dice")

    def chance(self, state: Any) -> Any:
        return throw(self._dice)


class Thrower(GamePlayer):
    """Makes the only move without a declared fee: a throw."""

    levels: ClassVar[dict[str, Handicap]] = {"top": Handicap()}

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
        return [Choice(throw(luck))]

    def dealer(self) -> Dealer:
        return DiceDealer()


PLAYER = Thrower()


def throw(dice: Stream) -> Throw:
    """Two dice, thrown."""
    return Throw((1 + dice.randbelow(HIGHEST_FACE), 1 + dice.randbelow(HIGHEST_FACE)))
