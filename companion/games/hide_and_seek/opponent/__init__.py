"""The companion's player of Hide and Seek, and the machine's own cards; see `companion.games.choosing`."""

from companion.games.hide_and_seek.opponent.chooser import CHOOSER, own_moves
from companion.games.hide_and_seek.opponent.dealer import HideDealer

dealer = HideDealer

__all__ = ["CHOOSER", "dealer", "own_moves"]
