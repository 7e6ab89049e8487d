"""Pictures of dice that the project draws itself: what the reader is trained on and what its tests read.

Nothing here runs at the table. A picture is drawn from a seed alone, so a test that names the seed has the
picture.
"""

from hardware.vision.dice.training.drawing.scene import DrawnDie, DrawnPicture, draw_picture

__all__ = ["DrawnDie", "DrawnPicture", "draw_picture"]
