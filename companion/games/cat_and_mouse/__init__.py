"""Cat and Mouse: two dice, two counters, and a race for each other's pot."""

from companion.games.cat_and_mouse.game import GAME

__all__ = ["GAME"]
