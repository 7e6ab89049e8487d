"""Cat and Mouse: two dice, two counters, and a race for each other's pot."""

from companion.games.cat_and_mouse.rules import GAME

__all__ = ["GAME"]
