"""The companion at Cat and Mouse: it only throws."""

from __future__ import annotations

from typing import Any

from companion.games.cat_and_mouse.board import HIGHEST_FACE
from companion.games.cat_and_mouse.state import Throw
from companion.games.chance import Chance, Stream, key_of
from companion.games.players import RANDOM, Budget, Choice, Dealer, GamePlayer, Seen


class DiceDealer(Dealer):
    """The machine's own dice."""

    def begin(self, state: Any, chance: Chance) -> None:
        self._dice = chance.stream("dice")

    def chance(self, state: Any) -> Any:
        return throw(self._dice)


class Thrower(GamePlayer):
    """Makes the only move without a declared fee: a throw."""

    levels = ("middle", RANDOM)

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        return Choice(throw(Stream(key_of(seed))))

    def dealer(self) -> Dealer:
        return DiceDealer()


PLAYER = Thrower()


def throw(dice: Stream) -> Throw:
    """Two dice, thrown."""
    return Throw((1 + dice.randbelow(HIGHEST_FACE), 1 + dice.randbelow(HIGHEST_FACE)))
