"""The companion's player of This Bed Is Mine; see `companion.games.players`."""

from companion.games.this_bed_is_mine.player.chooser import PLAYER

__all__ = ["PLAYER"]
