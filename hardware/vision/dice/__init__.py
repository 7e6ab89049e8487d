"""Pip dice: how many lie in a picture, where, of what colour and with what value on top."""

from hardware.vision.dice.reader import DiceReader

__all__ = ["DiceReader"]
