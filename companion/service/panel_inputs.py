"""The panel's buttons and lamps, wired and on pages: events become gestures, patterns become light."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from math import inf

from companion.service.panel_state import Does
from hardware.panel import patterns as lamp
from hardware.panel.patterns import Pattern
from hardware.panel.presses import Button, Debounce, Gesture, Meaning, Presses
from hardware.panel.wires import PanelFault, Wires, button_name, fault_of
from hardware.panel.wiring import BUTTONS

log = logging.getLogger(__name__)

PAGE = "page"
"""`Button.way` for pages."""
PAGE_SILENT_S = 1.2
"""Seconds of a page's silence after which its pressed button is forgotten."""
RETRY_S = 10.0
TRY_S = 4.0
"""Seconds of a trial after a page's last request."""
IDLE_S = 1.0
"""Seconds between polls of the pins, in case an edge was missed."""

Shown = dict[str, tuple[Pattern, float]]


class PanelInputs:
    """Turns the edges of wires and the events of pages into gestures. Not thread-safe."""

    def __init__(self, wires: Wires | None) -> None:
        self.presses = Presses()
        self._wires = wires
        self._gestures: list[Gesture] = []
        self._bounces: dict[str, Debounce] = {}
        self._page_heard: dict[str, float] = {}
        self._stuck: dict[str, PanelFault] = {}
        self._polled_s = self._tried_s = -inf

    @property
    def faults(self) -> tuple[PanelFault, ...]:
        """Broken wires and stuck buttons."""
        return () if self._wires is None else (*self._wires.faults, *self._stuck.values())

    def use_page(self, place: str, does: Does, now_s: float, held_s: float | None = None) -> list[Gesture]:
        """Use a button on a page: a seat's place from 1, `undo` or `pause`. An `up` was held for `held_s`."""
        pressed = Button(place, PAGE)
        if does == "tap":
            self._add(self.presses.tap(pressed, now_s))
        elif does == "cancel":
            self._page_heard.pop(place, None)
            self.presses.forget(pressed)
        elif does == "up":
            self._page_heard.pop(place, None)
            self._add(self.presses.up(pressed, now_s, held_s))
        elif does in ("hold", "both"):
            self._add([Gesture(Meaning.UNDO if does == "hold" else Meaning.PAUSE, pressed, now_s)])
        else:
            self._page_heard[place] = now_s
            self._add(self.presses.down(pressed, now_s))
        return self._taken()

    def gestures(self, now_s: float) -> list[Gesture]:
        """Process the wires' edges in order, and forget silent pages' buttons."""
        for name, heard_s in list(self._page_heard.items()):
            if now_s - heard_s > PAGE_SILENT_S:
                del self._page_heard[name]
                self.presses.forget(Button(name, PAGE))
        if self._wires is not None:
            self._hear_wires(self._wires, now_s)
        self._add(self.presses.advance(now_s))
        return self._taken()

    def _hear_wires(self, wires: Wires, now_s: float) -> None:
        if wires.faults and now_s - self._tried_s >= RETRY_S:
            self._tried_s = now_s
            wires.retry()
        for edge in wires.edges():
            self._settle(edge.at_s)
            bounce = self._bounces.setdefault(edge.name, self._debounce(wires, down=False))
            bounce.edge(edge.at_s, down=edge.down)
        if now_s - self._polled_s >= IDLE_S:
            self._poll(wires, now_s)
        self._settle(now_s)

    def _poll(self, wires: Wires, now_s: float) -> None:
        """Read every wire's level: an edge may be missed, or a button down at the start."""
        self._polled_s = now_s
        levels = wires.levels()
        for name in self._bounces.keys() - levels.keys():
            del self._bounces[name]
            self.presses.forget(Button(name))
            self._stuck.pop(name, None)
        for name, down in levels.items():
            if name in self._bounces:
                self._bounces[name].edge(now_s, down=down)
                continue
            self._bounces[name] = self._debounce(wires, down=down)
            if down:
                self._add(self.presses.down_at_start(Button(name), now_s))

    @staticmethod
    def _debounce(wires: Wires, *, down: bool) -> Debounce:
        return Debounce(wires.wiring.buttons.debounce_ms / 1000, down=down)

    def _settle(self, at_s: float) -> None:
        for name, bounce in self._bounces.items():
            settled = bounce.settled(at_s)
            if settled is not None:
                down, since_s = settled
                turned = self.presses.down if down else self.presses.up
                self._add(turned(Button(name), since_s))

    def _add(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            if gesture.meaning is Meaning.STUCK:
                self._note_stuck(gesture.button)
            elif gesture.meaning is Meaning.FREED:
                self._stuck.pop(gesture.button.name, None)
            else:
                self._gestures.append(gesture)

    def _note_stuck(self, button: Button) -> None:
        if button.way == PAGE or self._wires is None:
            self.presses.forget(button)
            return
        wire = next(
            wire
            for wire in self._wires.wiring.wires()
            if wire.part in BUTTONS and button_name(wire) == button.name
        )
        self._stuck[button.name] = fault_of(wire, "stuck")
        log.warning("Panel: %s", self._stuck[button.name].says)

    def _taken(self) -> list[Gesture]:
        taken, self._gestures = self._gestures, []
        return taken

    def due_s(self) -> float:
        """The time of the next step, if no button moves before."""
        return min(
            self.presses.due_s(),
            *(bounce.due_s() for bounce in self._bounces.values()),
            *(heard_s + PAGE_SILENT_S for heard_s in self._page_heard.values()),
            inf,
        )


class PanelLamps:
    """Lights the wired lamps and sounds the buzzer. `camera_well` feeds the status lamp."""

    def __init__(self, wires: Wires | None, camera_well: Callable[[], bool]) -> None:
        self.beeps = True
        self.trial_pressed: tuple[str, ...] = ()
        """The buttons pressed in a trial."""
        self._wires, self._camera_well = wires, camera_well
        self._beep: tuple[Pattern, float] | None = None
        self._trial_s = -inf
        self._trial_lamp: int | None = None

    def beep(self, pattern: Pattern, at_s: float) -> None:
        """Sound a pattern from `at_s`."""
        self._beep = pattern, at_s

    def is_tried(self, now_s: float) -> bool:
        """True during a trial of the panel."""
        return now_s - self._trial_s < TRY_S

    def try_out(self, lamp: int | None, now_s: float) -> None:
        """Light only the lamp at this place for `TRY_S`."""
        if not self.is_tried(now_s):
            self.trial_pressed = ()
        self._trial_s, self._trial_lamp = now_s, lamp

    def light(self, shown: Mapping[str, tuple[Pattern, float]], now_s: float, *, well: bool) -> float:
        wires = self._wires
        if wires is None:
            return inf
        places, dues = len(shown), [inf]
        for place, (pattern, since_s) in enumerate(shown.values()):
            wires.light(place, pattern.level(now_s - since_s, place, places), warns=pattern.warns)
            dues.append(pattern.changes_in(now_s - since_s, place, places))
        for place in range(places, wires.wiring.seats):
            wires.light(place, 0.0)
        if self.is_tried(now_s):
            for place in range(wires.wiring.seats):
                wires.light(place, float(place == self._trial_lamp))
            dues.append(self._trial_s + TRY_S - now_s)
        status = lamp.WELL if self._camera_well() and well else lamp.TROUBLE
        wires.status(status.level(now_s))
        return min(*dues, status.changes_in(now_s), self._sound(wires, now_s))

    def _sound(self, wires: Wires, now_s: float) -> float:
        if self._beep is None:
            return inf
        pattern, since_s = self._beep
        wires.buzz(on=self.beeps and pattern.level(now_s - since_s) > 0.5)
        if now_s - since_s >= pattern.period_s:
            self._beep = None
            return inf
        return pattern.changes_in(now_s - since_s)
