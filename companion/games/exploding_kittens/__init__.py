"""Exploding Kittens, travel edition: who draws a kitten and has no defuse is out."""

from companion.games.exploding_kittens.game import GAME

__all__ = ["GAME"]
