"""Pictures of dice, each drawn from a seed alone, on which the reader is trained and tested."""

from lab.dice.drawing.scene import DrawnDie, DrawnPicture, draw_picture

__all__ = ["DrawnDie", "DrawnPicture", "draw_picture"]
