"""Chop! Chop!: one cat, four mice, ten pieces of cheese and a kitchen full of slabs."""

from companion.games.chop_chop.rules import GAME

__all__ = ["GAME"]
