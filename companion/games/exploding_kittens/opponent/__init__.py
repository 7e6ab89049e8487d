"""The player of Exploding Kittens, and the machine's own cards; see `companion.games.choosing`."""

from companion.games.exploding_kittens.opponent.chooser import CHOOSER, own_moves
from companion.games.exploding_kittens.opponent.dealer import KittensDealer

dealer = KittensDealer

__all__ = ["CHOOSER", "dealer", "own_moves"]
