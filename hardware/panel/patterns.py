"""The blink patterns of the lamps and the buzzer, each a named value.

A pattern is a curve of perceived brightness over one period. The real lamps and the panel on a page use the
same numbers.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

import msgspec

FRAME_S = 0.04
"""Seconds between two steps of a fading lamp, too short for the eye."""

UNDO_HOLD_S = 1.5
"""Seconds to hold a button to take the last move back."""
FADE_AFTER_S = 0.6
"""Seconds after which a pressed button counts as held, and its lamp begins to fade."""
PAUSE_HOLD_S = 3.0
"""Seconds to hold two buttons to pause or resume."""

Point = tuple[float, float]
"""A point in the period (0 to 1), and the brightness there (0 to 1)."""


class Pattern(msgspec.Struct, frozen=True):
    """One blink pattern of a lamp."""

    name: str
    points: tuple[Point, ...]
    """The curve, straight from point to point. Two points at the same time make a jump."""
    period_s: float = 1.0
    """Length of the curve in seconds."""
    once: bool = False
    """True if it plays once and stays at its last point."""
    shift: bool = False
    """True if the seats show it one after another, spread evenly over the period."""
    warns: bool = False
    """True if an RGB lamp shows it in red."""

    @property
    def is_steady(self) -> bool:
        """True if the brightness never changes."""
        return len({level for _, level in self.points}) == 1

    def level(self, at_s: float, place: int = 0, places: int = 1) -> float:
        """The brightness (0 to 1) `at_s` seconds after the start, at seat `place` (from 0) of `places`."""
        return self._segment(self._part(at_s, place, places))[0]

    def changes_in(self, at_s: float, place: int = 0, places: int = 1) -> float:
        """Seconds until the lamp must be set again; infinite if never."""
        if self.is_steady or (self.once and at_s >= self.period_s):
            return inf
        part = self._part(at_s, place, places)
        _, flat_until = self._segment(part)
        return max(FRAME_S, (flat_until - part) * self.period_s)

    def _part(self, at_s: float, place: int, places: int) -> float:
        part = at_s / self.period_s
        if self.once:
            return min(max(part, 0.0), 1.0)
        return (part - (place / places if self.shift else 0.0)) % 1.0

    def _segment(self, part: float) -> tuple[float, float]:
        """The brightness at a point of the period, and the point until which it stays the same."""
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
"""It is another seat's turn."""
YOUR_TURN = _steady("your-turn", 1.0)
"""It is this seat's turn."""
LAST_SECONDS = _blink("last-seconds", 1.0)
"""It is this seat's turn, and its last ten seconds run."""
LAY_FOR_TABLE = Pattern(
    "lay-for-table",
    ((0.0, 1.0), (0.15, 1.0), (0.15, 0.1), (0.3, 0.1), (0.3, 1.0), (0.45, 1.0), (0.45, 0.1), (1.0, 0.1)),
    1.6,
)
"""The table plays this seat, and shows what to lay for it: two flashes and a pause."""
WAITING = _blink("waiting", 1.6)
"""The camera waits for this seat's move."""
BREAKS = _blink("breaks", 0.3, warns=True)
"""The tile on the table breaks a rule; the phone says which."""
PAUSED = Pattern("paused", ((0.0, 0.05), (0.5, 1.0), (1.0, 0.05)), 4.0)
"""The match is paused: the lamps breathe."""
OVER = _blink("over", 0.7, shift=True)
"""The match is over: the lamps dance."""
WON = _steady("won", 1.0)
"""This seat has won."""
REJECTED = Pattern(
    "no",
    ((0.0, 1.0), (0.2, 1.0), (0.2, 0.0), (0.4, 0.0), (0.4, 1.0), (0.6, 1.0), (0.6, 0.0), (1.0, 0.0)),
    0.7,
    once=True,
    warns=True,
)
"""The press was rejected: nothing has changed."""
UNDOING = Pattern("undoing", ((0.0, 1.0), (1.0, 0.0)), UNDO_HOLD_S - FADE_AFTER_S, once=True)
"""The last move is taken back once the lamp is dark. Releasing the button earlier changes nothing."""
PAUSING = Pattern("pausing", ((0.0, 1.0), (1.0, 0.0)), PAUSE_HOLD_S, once=True)
"""The match pauses or resumes once the lamp is dark."""

WELL = _steady("well", 1.0)
"""Status lamp: camera and panel work."""
TROUBLE = _blink("trouble", 1.0, warns=True)
"""Status lamp: the camera or the panel needs a person; the page says why."""

_LAMPS = (OFF, YOUR_TURN, LAST_SECONDS, LAY_FOR_TABLE, WAITING, BREAKS, PAUSED, OVER, WON)
_OTHERS = (REJECTED, UNDOING, PAUSING, WELL, TROUBLE)
PATTERNS = {pattern.name: pattern for pattern in (*_LAMPS, *_OTHERS)}
"""Every lamp's pattern by its name. The name is also its key in the messages (`web.panel-lamp-<name>`)."""

BEEP_REJECTED = REJECTED
"""Buzzer: the press was rejected. The buzzer sounds while the level is above one half."""
BEEP_DONE = Pattern("beep-done", ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0)), 0.12, once=True)
"""Buzzer: the last move was taken back."""
BEEP_TIME_UP = Pattern("beep-time-up", ((0.0, 1.0), (1.0, 1.0), (1.0, 0.0)), 1.2, once=True)
"""Buzzer: a seat's time is up."""
