"""This Bed Is Mine: number tiles part a bed into regions, and cat and dog fight for them."""

from companion.games.this_bed_is_mine.rules import GAME

__all__ = ["GAME"]
