"""What a lamp can say: each pattern is one named value, and everything that shows lamps shows it from here.

A pattern is a curve of brightness over one period, as the eye sees it. The real lamps follow it, and so
does the panel on a page, which gets the very same numbers.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

import msgspec

FRAME_S = 0.04
"""While a lamp swells or fades it is set anew after so long: no eye sees the steps."""

HELD_S = 1.5
"""A button held for so long takes the last move back."""
ABOUT_S = 0.6
"""Held for so long it is no press any more: the lamp shows that it is about to take back."""
BOTH_S = 3.0
"""Two buttons held together for so long: pause, or go on."""

Point = tuple[float, float]
"""A part of the period (0 to 1), and the brightness then (0 to 1)."""


class Pattern(msgspec.Struct, frozen=True):
    """One thing a lamp can say.

    `points` is the curve over `period_s` seconds, straight between points; two at one place are a jump.
    `once`: it plays once and stays at its last point. `shift`: at two seats it is so much of a period
    later at the second, and evenly spread where there are more. `warns`: a lamp of many colours is red.
    """

    name: str
    points: tuple[Point, ...]
    period_s: float = 1.0
    once: bool = False
    shift: bool = False
    warns: bool = False

    @property
    def still(self) -> bool:
        """Whether it never changes."""
        return len({level for _, level in self.points}) == 1

    def level(self, at_s: float, place: int = 0, places: int = 1) -> float:
        """The brightness (0 to 1) `at_s` seconds after it began, at one of `places` seats."""
        return self._look(self._part(at_s, place, places))[0]

    def changes_in(self, at_s: float, place: int = 0, places: int = 1) -> float:
        """In how many seconds the lamp has to be set again; infinite when never."""
        if self.still or (self.once and at_s >= self.period_s):
            return inf
        part = self._part(at_s, place, places)
        _, flat_until = self._look(part)
        return max(FRAME_S, (flat_until - part) * self.period_s)

    def _part(self, at_s: float, place: int, places: int) -> float:
        part = at_s / self.period_s
        if self.once:
            return min(max(part, 0.0), 1.0)
        return (part - (place / places if self.shift else 0.0)) % 1.0

    def _look(self, part: float) -> tuple[float, float]:
        """The brightness at a part of the period, and until which part it stays so."""
        for (begin, low), (end, high) in pairwise(self.points):
            if begin <= part < end:
                if low == high:
                    return low, end
                return low + (high - low) * (part - begin) / (end - begin), part
        return self.points[-1][1], 1.0


def _steady(name: str, level: float) -> Pattern:
    return Pattern(name, ((0.0, level), (1.0, level)))


def _blink(name: str, period_s: float, *, shift: bool = False, warns: bool = False) -> Pattern:
    return Pattern(name, ((0.0, 1.0), (0.5, 1.0), (0.5, 0.0), (1.0, 0.0)), period_s, shift=shift, warns=warns)


OFF = _steady("off", 0.0)
"""Another's turn."""
YOUR_TURN = _steady("your-turn", 1.0)
WAITING = _blink("waiting", 1.6)
"""The camera is waiting for your tile."""
BREAKS = _blink("breaks", 0.3, warns=True)
"""That tile breaks a rule; the phone says which."""
PAUSED = Pattern("paused", ((0.0, 0.05), (0.5, 1.0), (1.0, 0.05)), 4.0)
OVER = _blink("over", 0.7, shift=True)
"""The match is over: the lamps dance."""
WON = _steady("won", 1.0)
NO = Pattern(
    "no",
    ((0.0, 1.0), (0.2, 1.0), (0.2, 0.0), (0.4, 0.0), (0.4, 1.0), (0.6, 1.0), (0.6, 0.0), (1.0, 0.0)),
    0.7,
    once=True,
    warns=True,
)
"""Not now: nothing has happened."""
UNDOING = Pattern("undoing", ((0.0, 1.0), (1.0, 0.0)), HELD_S - ABOUT_S, once=True)
"""About to take the last move back: dark means done. Let go before, and nothing happens."""
PAUSING = Pattern("pausing", ((0.0, 1.0), (1.0, 0.0)), BOTH_S, once=True)
"""About to pause, or to go on: dark means done."""

WELL = _steady("well", 1.0)
"""Of the status lamp: all is well."""
TROUBLE = _blink("trouble", 1.0, warns=True)
"""Of the status lamp: the camera or the panel needs somebody; the page says what."""

PATTERNS = {
    each.name: each
    for each in (OFF, YOUR_TURN, WAITING, BREAKS, PAUSED, OVER, WON, NO, UNDOING, PAUSING, WELL, TROUBLE)
}
"""Every pattern by its name, which is also its key in the words (`web.panel-lamp-<name>`)."""

BEEP_NO = NO
"""What the buzzer says: it sounds while the level is above one half."""
BEEP_DONE = Pattern("beep-done", ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0)), 0.12, once=True)
BEEP_TIME_UP = Pattern("beep-time-up", ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0)), 1.2, once=True)
