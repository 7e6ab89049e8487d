"""Turns buttons that go down and up into gestures: a press, a hold, two at once, a stuck button.

There are no pins, threads or clocks here: names and times come in, gestures go out. A seat's wired button and
its button on the page are two buttons, so that a stuck wire does not affect the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import inf

import msgspec

from hardware.panel.patterns import FADE_AFTER_S, PAUSE_HOLD_S, UNDO_HOLD_S

STUCK_S = 20.0
"""Seconds until a pressed button counts as stuck, and is ignored until its release."""

UNDO = "undo"
"""The button that takes the last move back as soon as it goes down."""
PAUSE = "pause"
"""The button that pauses as soon as it goes down. A number is a seat's button; others act at once, too."""


class Meaning(StrEnum):
    """The meaning of a gesture."""

    PRESS = "press"
    """Down and up again within `FADE_AFTER_S`."""
    UNDO = "undo"
    """Held for `UNDO_HOLD_S`, or the undo button."""
    PAUSE = "pause"
    """Two buttons held together for `PAUSE_HOLD_S`, or the pause button."""
    STUCK = "stuck"
    """Down for `STUCK_S`, or from the start."""
    FREED = "freed"
    """A stuck button was released and counts again."""


class Button(msgspec.Struct, frozen=True):
    """A button. A seat has one on a wire and one on the page."""

    name: str
    """The number of the button's seat, from 1; or `undo`, `pause` or a name of its own."""
    way: str = "wire"
    """The button's kind: `wire` or `page`."""

    @property
    def is_seat(self) -> bool:
        """True for a seat's button."""
        return self.name.isdecimal()


class Gesture(msgspec.Struct, frozen=True):
    """A gesture's meaning, its button, and its time (in seconds, on the clock of the events)."""

    meaning: Meaning
    button: Button
    at_s: float


@dataclass(slots=True)
class _Down:
    since_s: float
    is_fading: bool = False
    """It has been held longer than a press, so its lamp fades."""
    is_used: bool = False
    """It has already acted, or is one of two held together: its release means nothing."""
    is_stuck: bool = False
    """It is ignored until its release."""


class Presses:
    """The state of every button. Each call returns the gestures that it completes.

    `at_s` is in seconds and never runs backwards. `advance` returns the gestures that time alone completes.
    """

    def __init__(self) -> None:
        self._down: dict[Button, _Down] = {}
        self._together_s: float | None = None
        self._together: set[Button] = set()

    def down(self, button: Button, at_s: float) -> list[Gesture]:
        """A button goes down."""
        gestures = self.advance(at_s)
        if button in self._down:
            return gestures
        self._down[button] = _Down(at_s)
        if not button.is_seat:
            self._down[button].is_used = True
            meaning = Meaning(button.name) if button.name in (UNDO, PAUSE) else Meaning.PRESS
            return [*gestures, Gesture(meaning, button, at_s)]
        fresh = {other for other, state in self._down.items() if not state.is_used}
        if len({other.name for other in fresh}) > 1:
            for other in fresh:
                self._down[other].is_used, self._down[other].is_fading = True, False
            self._together_s, self._together = at_s, fresh
        return gestures

    def up(self, button: Button, at_s: float, held_s: float | None = None) -> list[Gesture]:
        """A button is released. A page tells for how long it was held: its network may be slow."""
        gestures = self.advance(at_s)
        state = self._down.pop(button, None)
        is_short = held_s is not None and held_s < FADE_AFTER_S
        if state is None:
            # A seat's button that was forgotten meanwhile: its page seemed to be silent.
            is_press = is_short and button.is_seat
            return [*gestures, Gesture(Meaning.PRESS, button, at_s)] if is_press else gestures
        if held_s is not None:
            state.is_fading = not is_short
        if button in self._together:
            self._together_s, self._together = None, set()
        if state.is_stuck:
            return [*gestures, Gesture(Meaning.FREED, button, at_s)]
        if not state.is_used and not state.is_fading:
            return [*gestures, Gesture(Meaning.PRESS, button, at_s)]
        return gestures

    def tap(self, button: Button, at_s: float) -> list[Gesture]:
        """A button is pressed and released at once."""
        return [*self.down(button, at_s), *self.up(button, at_s)]

    def down_at_start(self, button: Button, at_s: float) -> list[Gesture]:
        """A button is down at the first poll. Nobody pressed it, so it is stuck."""
        self._down[button] = _Down(at_s, is_used=True, is_stuck=True)
        return [Gesture(Meaning.STUCK, button, at_s)]

    def forget(self, button: Button) -> None:
        """A button is gone, and its unfinished gesture means nothing."""
        self._down.pop(button, None)
        if button in self._together:
            self._together_s, self._together = None, set()

    def advance(self, at_s: float) -> list[Gesture]:
        """The gestures that are due by `at_s`."""
        gestures = []
        if self._together_s is not None and at_s - self._together_s >= PAUSE_HOLD_S:
            first = min(self._together, key=lambda button: button.name)
            gestures.append(Gesture(Meaning.PAUSE, first, self._together_s + PAUSE_HOLD_S))
            self._together_s, self._together = None, set()
        for button, state in self._down.items():
            state.is_fading = not state.is_used and at_s - state.since_s >= FADE_AFTER_S
            if state.is_fading and at_s - state.since_s >= UNDO_HOLD_S:
                state.is_used, state.is_fading = True, False
                gestures.append(Gesture(Meaning.UNDO, button, state.since_s + UNDO_HOLD_S))
            if not state.is_stuck and at_s - state.since_s >= STUCK_S:
                state.is_stuck = state.is_used = True
                gestures.append(Gesture(Meaning.STUCK, button, state.since_s + STUCK_S))
        return gestures

    def due_s(self) -> float:
        """The next time when `advance` may return something; infinite while no button is down."""
        dues = [inf] if self._together_s is None else [self._together_s + PAUSE_HOLD_S]
        for state in self._down.values():
            if not state.is_used:
                dues.append(state.since_s + (UNDO_HOLD_S if state.is_fading else FADE_AFTER_S))
            if not state.is_stuck:
                dues.append(state.since_s + STUCK_S)
        return min(dues)

    def undoing(self) -> dict[str, float]:
        """The buttons whose hold will take a move back, by name, and when each one's lamp began to fade."""
        return {
            button.name: state.since_s + FADE_AFTER_S
            for button, state in self._down.items()
            if state.is_fading
        }

    def pausing(self) -> dict[str, float]:
        """The buttons that are held together, by name, and when that began."""
        since = self._together_s
        return {} if since is None else {button.name: since for button in self._together}


class Debounce:
    """Accepts a wire's level once it has lasted for `bounce_s` seconds, because contacts bounce."""

    def __init__(self, bounce_s: float, *, down: bool) -> None:
        self._bounce_s = bounce_s
        self._accepted = self._raw = down
        self._since_s = -inf

    def edge(self, at_s: float, *, down: bool) -> None:
        """The wire's level has changed, perhaps only by a bounce."""
        if down != self._raw:
            self._raw, self._since_s = down, at_s

    def settled(self, at_s: float) -> tuple[bool, float] | None:
        """The level newly accepted by `at_s` and its beginning, if there is one."""
        if self._raw == self._accepted or at_s - self._since_s < self._bounce_s:
            return None
        self._accepted = self._raw
        return self._accepted, self._since_s

    def due_s(self) -> float:
        """The next time when `settled` may return a level; infinite while the wire is quiet."""
        return inf if self._raw == self._accepted else self._since_s + self._bounce_s
