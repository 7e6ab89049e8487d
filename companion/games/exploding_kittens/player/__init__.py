"""The player of Exploding Kittens, and the machine's own cards; see `companion.games.players`."""

from companion.games.exploding_kittens.player.chooser import PLAYER

__all__ = ["PLAYER"]
