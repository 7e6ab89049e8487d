"""What people mean by pressing: a press, a hold, two at once; and what only looks like it.

Plain values and times in, plain values out: no pins, no threads, no clock of its own. A button has a name and
a way by which it is pressed (a wire, the page), so that a wire that is stuck leaves the page's button alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

import msgspec

from hardware.panel.patterns import ABOUT_S, BOTH_S, HELD_S

STUCK_S = 20.0
"""Nobody holds a button for so long: it is stuck, and left aside until it is let go."""

UNDO, PAUSE = "undo", "pause"
"""Buttons that do what they do as soon as they go down; all others are of seats."""


class Meaning(StrEnum):
    """What a gesture means."""

    PRESS = "press"
    UNDO = "undo"
    PAUSE = "pause"
    STUCK = "stuck"
    FREED = "freed"
    """A stuck button was let go: it counts again."""


class Button(msgspec.Struct, frozen=True):
    """A button and the way by which it is pressed."""

    name: str
    way: str = "wire"


class Gesture(msgspec.Struct, frozen=True):
    """Something was meant: by which button, and when (seconds)."""

    meaning: Meaning
    button: Button
    at_s: float


@dataclass(slots=True)
class _Down:
    since_s: float
    about: bool = False
    """It is held for longer than a press: its lamp fades."""
    spent: bool = False
    """It has done what it does, or takes part in two at once: letting go means nothing more."""
    stuck: bool = False


class Presses:
    """Follows every button: told of each that goes down or up, it says what was meant.

    Times must not run backwards. Between events `advance` says what time alone brings.
    """

    def __init__(self) -> None:
        self._down: dict[Button, _Down] = {}
        self._together_s: float | None = None
        self._together: set[Button] = set()

    def down(self, button: Button, at_s: float) -> list[Gesture]:
        """A button goes down."""
        said = self.advance(at_s)
        if button in self._down:
            return said
        self._down[button] = _Down(at_s)
        if button.name in (UNDO, PAUSE):
            self._down[button].spent = True
            return [*said, Gesture(Meaning(button.name), button, at_s)]
        fresh = {each for each, held in self._down.items() if not held.spent}
        if len({each.name for each in fresh}) > 1:
            for each in fresh:
                self._down[each].spent, self._down[each].about = True, False
            self._together_s, self._together = at_s, fresh
        return said

    def up(self, button: Button, at_s: float) -> list[Gesture]:
        """A button is let go."""
        said = self.advance(at_s)
        held = self._down.pop(button, None)
        if held is None:
            return said
        if button in self._together:
            self._together_s, self._together = None, set()
        if held.stuck:
            return [*said, Gesture(Meaning.FREED, button, at_s)]
        if not held.spent and not held.about:
            return [*said, Gesture(Meaning.PRESS, button, at_s)]
        return said

    def tap(self, button: Button, at_s: float) -> list[Gesture]:
        """A button is pressed and let go at once."""
        return [*self.down(button, at_s), *self.up(button, at_s)]

    def found_down(self, button: Button, at_s: float) -> list[Gesture]:
        """A button is down already when it is first looked at: nobody has pressed it."""
        self._down[button] = _Down(at_s, spent=True, stuck=True)
        return [Gesture(Meaning.STUCK, button, at_s)]

    def forget(self, button: Button) -> None:
        """A button is there no more."""
        self._down.pop(button, None)
        if button in self._together:
            self._together_s, self._together = None, set()

    def advance(self, at_s: float) -> list[Gesture]:
        """What time has brought up to `at_s`."""
        said = []
        if self._together_s is not None and at_s - self._together_s >= BOTH_S:
            first = min(self._together, key=lambda each: each.name)
            said.append(Gesture(Meaning.PAUSE, first, self._together_s + BOTH_S))
            self._together_s, self._together = None, set()
        for button, held in self._down.items():
            held.about = not held.spent and at_s - held.since_s >= ABOUT_S
            if held.about and at_s - held.since_s >= HELD_S:
                held.spent, held.about = True, False
                said.append(Gesture(Meaning.UNDO, button, held.since_s + HELD_S))
            if not held.stuck and at_s - held.since_s >= STUCK_S:
                held.stuck = held.spent = True
                said.append(Gesture(Meaning.STUCK, button, held.since_s + STUCK_S))
        return said

    def due_s(self) -> float:
        """When `advance` may bring something next; infinite when nothing is held."""
        dues = [inf] if self._together_s is None else [self._together_s + BOTH_S]
        for held in self._down.values():
            if not held.spent:
                dues.append(held.since_s + (HELD_S if held.about else ABOUT_S))
            if not held.stuck:
                dues.append(held.since_s + STUCK_S)
        return min(dues)

    def undoing(self) -> dict[str, float]:
        """The buttons that are about to take back, by name: since when."""
        return {button.name: held.since_s + ABOUT_S for button, held in self._down.items() if held.about}

    def pausing(self) -> dict[str, float]:
        """The buttons that are held together, by name: since when."""
        since = self._together_s
        return {} if since is None else {button.name: since for button in self._together}


class Debounce:
    """Believes a wire's level when it has been the same for `quiet_s` seconds: contacts bounce."""

    def __init__(self, quiet_s: float, *, down: bool) -> None:
        self._quiet_s = quiet_s
        self._believed = self._raw = down
        self._since_s = -inf

    def edge(self, at_s: float, *, down: bool) -> None:
        """The wire's level has changed, or seems to have."""
        if down != self._raw:
            self._raw, self._since_s = down, at_s

    def settled(self, at_s: float) -> tuple[bool, float] | None:
        """The level that is believed anew by `at_s`, and when it came; None when there is none."""
        if self._raw == self._believed or at_s - self._since_s < self._quiet_s:
            return None
        self._believed = self._raw
        return self._believed, self._since_s

    def due_s(self) -> float:
        """When `settled` may say something next; infinite when the wire is quiet."""
        return inf if self._raw == self._believed else self._since_s + self._quiet_s
