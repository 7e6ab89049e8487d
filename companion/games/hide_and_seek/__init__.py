"""Hide and Seek: duels of colour and speed among cats and dogs."""

from companion.games.hide_and_seek.rules import GAME

__all__ = ["GAME"]
