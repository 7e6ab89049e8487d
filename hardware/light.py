"""Judges the light of a picture, for every part that asks: too dark, too bright, or no picture at all."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec
import numpy as np

from hardware.arrays import Gray, Picture

STEP_PX = 8
"""Distance in px, across and down, between the examined pixels."""
BRIGHT_ENOUGH = 110
"""Level of 255 that the brightest twentieth of a picture has to reach.

In every folder of photographs and rendered beds the darkest picture reaches 151.
"""
BLACK_LEVEL = 14
"""Level of 255 that the brightest twentieth of a black picture does not reach."""
WHITE = 250
"""The level from which a pixel counts as white."""
MOST_WHITE_PERCENT = 8
"""The largest share of white pixels. In the same folders it is 1.7 % at most."""
OVEREXPOSED_LEVEL = 246
"""Level of 255 above which lies most (`OVEREXPOSED_PERCENT`) of an overexposed picture."""
OVEREXPOSED_PERCENT = 70
DARKER = 0.55
"""The share of the light at the set-up below which the table is too dark; a lamp of two switched off: 0.5."""
BRIGHTER = 1.5
"""The multiple of the light at the set-up above which the table is too bright."""


Advice = Literal["", "dark", "bright"]
"""The fault of the light; empty: it is fine."""


class Exposure(StrEnum):
    """The light of a picture."""

    BLACK = "black"
    """Nearly the whole picture is black: nothing can be read."""
    DARK = "dark"
    """The table is too dark."""
    FINE = "fine"
    """The table is bright enough, without glare."""
    BRIGHT = "bright"
    """Part of the table is burnt out."""
    OVEREXPOSED = "overexposed"
    """Most of the picture is white: nothing can be read."""

    @property
    def advice(self) -> Advice:
        """The fault of this light."""
        return ADVICE[self]


ADVICE: dict[Exposure, Advice] = {
    Exposure.BLACK: "dark",
    Exposure.DARK: "dark",
    Exposure.FINE: "",
    Exposure.BRIGHT: "bright",
    Exposure.OVEREXPOSED: "bright",
}


class Levels(msgspec.Struct, frozen=True):
    """The levels of a picture, and their judgement."""

    brightest: float
    """Level (0 to 255) that the brightest twentieth reaches."""
    median: float
    white_percent: float
    exposure: Exposure

    def change_from(self, before: Exposure, median: float) -> Advice:
        """The fault since the set-up, whose light was `before` with that median level."""
        if self.exposure.advice != before.advice and self.exposure.advice:
            return self.exposure.advice
        if self.median < DARKER * median:
            return "dark"
        return "bright" if self.median > BRIGHTER * median else ""


def levels_of(picture: Picture | Gray) -> Levels:
    """Measure and judge the light of a picture."""
    some = picture[::STEP_PX, ::STEP_PX]
    highs, lows = (some, some) if some.ndim == 2 else (some.max(axis=2), some.min(axis=2))
    median, brightest = (float(level) for level in np.percentile(highs, (50, 95)))
    white_percent = 100 * float((lows >= WHITE).mean())
    return Levels(brightest, median, white_percent, _judged(brightest, white_percent, lows))


def _judged(brightest: float, white_percent: float, lows: Gray) -> Exposure:
    if brightest < BLACK_LEVEL:
        return Exposure.BLACK
    if brightest < BRIGHT_ENOUGH:
        return Exposure.DARK
    if np.percentile(lows, 100 - OVEREXPOSED_PERCENT) > OVEREXPOSED_LEVEL:
        return Exposure.OVEREXPOSED
    return Exposure.BRIGHT if white_percent > MOST_WHITE_PERCENT else Exposure.FINE
