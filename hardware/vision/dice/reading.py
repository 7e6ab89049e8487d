"""What a reading of dice says: plain values that go over a wire or onto a disk."""

from typing import Literal

import msgspec

Colour = Literal["white", "grey", "black", "red", "blue", "green", "yellow", "other"]
COLOURS: tuple[Colour, ...] = ("white", "grey", "black", "red", "blue", "green", "yellow", "other")
"""The colours that a die can be said to have, in the order of the classifier's outputs."""


class Die(msgspec.Struct, frozen=True):
    """A die that was read: `box` is its uppermost face as (x, y, width, height) in px, `confidence` 0–1."""

    value: int
    colour: Colour
    box: tuple[int, int, int, int]
    confidence: float


class DiceReading(msgspec.Struct, frozen=True):
    """The dice of one picture, left to right; `unsure` where a person would have to be asked, `why` says
    what about."""

    dice: tuple[Die, ...]
    unsure: bool
    why: str = ""

    @property
    def values(self) -> tuple[int, ...]:
        """The values read, smallest first."""
        return tuple(sorted(die.value for die in self.dice))
