"""Pip dice: how many lie in a picture, where, of what colour and with what value on top."""

from hardware.vision.dice.reader import DiceReader
from hardware.vision.dice.reading import COLOURS, Colour, DiceReading, Die

__all__ = ["COLOURS", "Colour", "DiceReader", "DiceReading", "Die"]
