"""The companion's player of This Bed Is Mine; see `companion.games.choosing`."""

from companion.games.this_bed_is_mine.opponent.chooser import CHOOSER

__all__ = ["CHOOSER"]
