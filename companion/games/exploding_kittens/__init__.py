"""Exploding Kittens, travel edition: who draws a kitten and has no defuse is out."""

from companion.games.exploding_kittens.rules import GAME

__all__ = ["GAME"]
