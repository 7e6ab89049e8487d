"""Score sheet: points, turns, throws and notes for any game on the table."""

from companion.games.score_sheet.rules import GAME

__all__ = ["GAME"]
