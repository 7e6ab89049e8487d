"""Connects the panel's buttons and lamps with the table.

A press makes the game's move for it, if there is one; otherwise it ends the seat's turn, as on a chess clock.
A page's button does the same as a wired one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import inf
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic

from companion.errors import CompanionError, InvalidMove, MoveError
from companion.games.game import Stop
from companion.play.snapshot import CLOCK
from companion.play.table import Table
from companion.service.panel_inputs import IDLE_S, PanelInputs, PanelLamps, Shown
from companion.service.panel_state import (
    ClockFile,
    Curve,
    Does,
    PanelNow,
    PanelSeat,
    PanelState,
    open_state,
)
from companion.service.turn_clock import COUNTS, ClockRules, KeptClock, shares
from hardware.panel import patterns as lamp
from hardware.panel.patterns import PATTERNS, Pattern
from hardware.panel.presses import PAUSE, UNDO, Gesture, Meaning
from hardware.panel.wires import Wires
from hardware.panel.wiring import Actions

log = logging.getLogger(__name__)

BUTTON = "button"
"""The journal's source for buttons."""
STOP_S = 0.5

SAVE_S = 60.0
"""Seconds between two writes of running clocks, which wear an SD card. A pause is written at once."""


class TablePanel:
    """One table's panel, and the `Panel` that pages use. Safe from any thread.

    `wires` are the real pins, or None. `rules` are those of the clock. `kept` is the file that keeps the
    clocks across restarts, or None. `camera_well` is true while the camera works, for the status lamp.
    `shows_for` gives the seat whose move a person should lay. `on_other` takes the action of a button that is
    not of the match.
    """

    def __init__(
        self,
        table: Table,
        wires: Wires | None = None,
        *,
        rules: ClockRules = COUNTS,
        kept: Path | None = None,
        camera_well: Callable[[], bool] = lambda: True,
        shows_for: Callable[[], str | None] = lambda: None,
        on_other: Callable[[str], object] = lambda action: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._table = table
        self._wires = wires
        self._rules = rules
        self._actions = Actions() if wires is None else wires.wiring.actions
        self._on_other = on_other
        self._file = ClockFile(kept) if kept else None
        self._shows_for = shows_for
        self._clock = clock
        self._lock = RLock()
        self._wake = Event()
        if wires is not None:
            wires.on_edge = self._wake.set
        self._stopping = Event()
        self._inputs = PanelInputs(wires)
        self._lamps = PanelLamps(wires, camera_well)
        self._shown: Shown = {}
        now_s = clock()
        self._version = table.snapshot.version
        self._state, self._saved, self._saved_s = self._take_up(now_s)
        self._light(now_s)
        self._shown_on_pages = self._page_state()
        self._threads = [
            Thread(target=self._run, name="panel", daemon=True),
            Thread(target=self._listen, name="panel-news", daemon=True),
        ]

    def start(self) -> None:
        """Open the pins and start the threads."""
        if self._wires is not None:
            self._wires.open()
            with self._lock:
                self._mean(self._inputs.gestures(self._clock()))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Save the clocks and switch the lamps off. A second call does nothing."""
        self._stopping.set()
        self._wake.set()
        self._table.notify()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(STOP_S)
        with self._lock:
            self._keep(self._clock())
            if self._wires is not None:
                self._wires.close()

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.clear()
            try:
                due_s = self.step()
            except Exception:
                # An error must not end the panel's thread: the panel tries again, the phones play on.
                log.exception("The panel failed; it goes on.")
                due_s = IDLE_S
            self._wake.wait(min(IDLE_S, due_s))

    def _listen(self) -> None:
        version = self._table.snapshot.version
        while not self._stopping.is_set():
            version = self._table.wait_for_change(version, IDLE_S)
            self._wake.set()

    def step(self) -> float:
        """Do what is due. Returns the seconds until the next step."""
        with self._lock:
            now_s = self._clock()
            self._mean(self._inputs.gestures(now_s))
            self._follow(now_s)
            self._run_clock(now_s)
            due_s = min(self._light(now_s), self._state.due_s(now_s) - now_s, self._inputs.due_s() - now_s)
            before, self._shown_on_pages = self._shown_on_pages, self._page_state()
            changed = before != self._shown_on_pages
        if changed:
            self._table.notify()
        return max(0.0, due_s)

    # Buttons.

    def button(self, name: str, does: Does, held_s: float | None = None) -> PanelNow:
        """Use a button on a page: a seat's name or its place from 1, `undo`, `pause` or a further one's name.
        Raises `InvalidMove` for any other.

        `held_s` are the seconds for which it was held before an `up`, by the page's own clock.
        """
        with self._lock:
            now_s = self._clock()
            self._follow(now_s)
            seats = self._state.seats
            places = {seat: str(n) for n, seat in enumerate(seats, 1)}
            place = places.get(name, name)
            if place not in (UNDO, PAUSE, *places.values(), *self._actions.buttons):
                raise InvalidMove(self._table.match.game.slug, "no-such-seat", seat=name)
            self._mean(self._inputs.use_page(place, does, now_s, held_s))
        self.step()
        self._wake.set()
        return self.status()

    def set_clock(self, rules: ClockRules) -> None:
        """Use this kind of clock; what was used before counts on."""
        with self._lock:
            self._rules = self._state.clock.rules = rules
            self._state.late = self._state.clock.late(self._clock())
        self._wake.set()
        self._table.notify()

    def let_beep(self, *, on: bool) -> None:
        """Switch the buzzer on or off."""
        self._lamps.beeps = on

    def try_out(self, lamp: int | None) -> PanelNow:
        """Try the panel for a while: light only this lamp, and note presses without acting."""
        with self._lock:
            self._lamps.try_out(lamp, self._clock())
        self._wake.set()
        return self.status()

    def _mean(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            if self._lamps.is_tried(gesture.at_s) and gesture.meaning in (Meaning.PRESS, Meaning.UNDO):
                self._lamps.trial_pressed = tuple({*self._lamps.trial_pressed, gesture.button.name})
                continue
            name, at_s, is_seat = gesture.button.name, gesture.at_s, gesture.button.is_seat
            seats, turn = self._state.seats, self._state.turn
            # A button beside the seats acts for the seat in turn.
            place = int(name) - 1 if is_seat else seats.index(turn) if turn in seats else len(seats)
            actions = {Meaning.PRESS: self._actions.press, Meaning.UNDO: self._actions.hold}
            given = self._actions.buttons.get(name) or actions.get(gesture.meaning, self._actions.both)
            match name if name in (UNDO, PAUSE) else given:
                case "undo":
                    askers = seats[place : place + 1] if is_seat else seats
                    if askers and self._try(at_s, lambda: self._table.undo(BUTTON), *askers):
                        self._lamps.beep(lamp.BEEP_DONE, at_s)
                case "pause":
                    self._follow(at_s)
                    self._state.pause()
                case "call" | "ask-turn" | "ask-standing" as action:
                    self._on_other(action)
                case action:
                    self._press(place, at_s, plays=action == "next")

    def _press(self, place: int, at_s: float, *, plays: bool) -> None:
        self._follow(at_s)
        state = self._state
        if place >= len(state.seats):
            return
        seat = state.seats[place]
        if state.over is not None:
            state.reject(at_s, "match-over", seat)
            self._lamps.beep(lamp.BEEP_REJECTED, at_s)
        elif state.clock.paused:
            state.pause()
        else:
            with self._table.locked() as match:
                n, move = match.n_of(None), match.game.pressed(open_state(match), seat) if plays else None
            if move is not None:
                self._try(at_s, lambda: self._table.play(move, BUTTON, n=n), seat)
                return
            state.press(seat, at_s)
            if seat in state.rejections:
                self._lamps.beep(lamp.BEEP_REJECTED, at_s)

    def _try(self, at_s: float, change: Callable[[], None], *seats: str) -> bool:
        """Call `change`. If the table refuses, reject the press of `seats`. Returns whether it worked."""
        try:
            change()
        except MoveError as error:
            self._state.reject(at_s, error.rule, *seats, facts=error.facts)
        except CompanionError as error:
            log.error("%s", error)
            self._state.reject(at_s, "press-not-kept", *seats)
        else:
            return True
        self._lamps.beep(lamp.BEEP_REJECTED, at_s)
        return False

    # The table.

    def _follow(self, now_s: float) -> None:
        version = self._table.snapshot.version
        if version == self._version:
            return
        self._version = version
        if self._table.match is not self._state.match:
            self._keep(now_s)
            self._state, self._saved, self._saved_s = self._take_up(now_s)
        self._state.follow(self._table, now_s)

    def _take_up(self, now_s: float) -> tuple[PanelState, KeptClock, float]:
        """The match on the table as a `PanelState`, its saved clocks, and the time they were read."""
        match = self._table.match
        kept = self._file.read_clock(match.record.id) if self._file else KeptClock()
        return PanelState(match, kept, now_s, self._rules), kept, now_s

    def _run_clock(self, now_s: float) -> None:
        state = self._state
        late = state.late
        state.run_clock(now_s)
        up = state.late - late
        if up and self._rules.at_zero != "nothing":
            self._lamps.beep(lamp.BEEP_TIME_UP, now_s)
        if up and self._rules.ends and state.over is None:
            self._try(now_s, lambda: self._table.play(Stop(min(up)), CLOCK), *up)
        if state.clock.paused != self._saved.paused or now_s - self._saved_s >= SAVE_S:
            self._keep(now_s)

    def _keep(self, now_s: float) -> None:
        kept = self._state.clock.kept(now_s)
        self._saved_s = now_s
        if kept != self._saved and self._file is not None:
            self._file.write(self._state.id, kept)
        self._saved = kept

    # Lamps.

    def _patterns(self, now_s: float) -> dict[str, tuple[Pattern, float | None]]:
        """Each seat's pattern, and its beginning, if known. A pressed button's pattern takes precedence."""
        seats, shown = self._state.seats, self._state.patterns(now_s)
        laid_for = self._shows_for()
        if laid_for is not None and laid_for in shown and shown[laid_for][0] is lamp.YOUR_TURN:
            shown[laid_for] = lamp.LAY_FOR_TABLE, None
        pressed = self._inputs.presses
        for names, pattern in ((pressed.undoing(), lamp.UNDOING), (pressed.pausing(), lamp.PAUSING)):
            for name, since_s in names.items():
                for seat in seats[int(name) - 1 : int(name)]:
                    shown[seat] = pattern, since_s
        return shown

    def _light(self, now_s: float) -> float:
        """Set every lamp. Returns the seconds until one of them changes."""
        shown = {}
        for seat, (pattern, since_s) in self._patterns(now_s).items():
            was = self._shown.get(seat)
            if since_s is None:
                since_s = was[1] if was and was[0] == pattern else now_s
            shown[seat] = pattern, since_s
        self._shown = shown
        return self._lamps.light(shown, now_s, well=not self._inputs.faults)

    # What the pages ask.

    def status(self) -> PanelNow:
        """The panel's current state."""
        with self._lock:
            now_s, state = self._clock(), self._state
            return PanelNow(
                match=state.id,
                seats=tuple(self._seat_now(seat, now_s) for seat in self._shown),
                paused=state.clock.paused,
                begun=state.begun,
                at_s=round(now_s, 3),
                clock=self._rules,
                actions=self._actions,
                wired=self._wires is not None,
                faults=self._inputs.faults,
                tried=self._lamps.trial_pressed if self._lamps.is_tried(now_s) else None,
            )

    def _seat_now(self, seat: str, now_s: float) -> PanelSeat:
        pattern, since_s = self._shown[seat]
        state = self._state
        rejection = state.rejections.get(seat)
        left_s = state.clock.left_s(seat, now_s)
        return PanelSeat(
            seat=seat,
            pattern=pattern.name,
            age_s=round(max(0.0, now_s - since_s), 3),
            spent_s=round(state.clock.spent_s(seat, now_s), 2),
            running=seat in state.clock.running,
            left_s=None if left_s == inf else round(left_s, 2),
            free_s=round(state.clock.free_s(seat, now_s), 2),
            rate=round(state.clock.rate(seat), 3),
            done=seat in state.done,
            rule=rejection.rule if rejection else "",
            facts=rejection.plain_facts if rejection else {},
        )

    @property
    def counts_down(self) -> bool:
        """True while the clock shows how much time is left."""
        return self._rules.counts_down

    def shares(self, match: int) -> dict[str, int]:
        """Each seat's share of the time in a match, in percent; empty where no clock counted down."""
        with self._lock:
            if not self.counts_down:
                return {}
            if match == self._state.id:
                return shares(self._state.clock.times(self._clock()))
        return shares(self._file.read_clock(match)) if self._file else {}

    def curves(self) -> dict[str, Curve]:
        """Every pattern by name."""
        return {
            name: Curve(pattern.points, pattern.period_s, pattern.once, pattern.shift, pattern.warns)
            for name, pattern in PATTERNS.items()
        }

    def _page_state(self) -> object:
        """State whose changes wake the pages. Pages count running clocks themselves."""
        state = self._state
        shown = {
            seat: (pattern.name, state.rejections.get(seat)) for seat, (pattern, _) in self._shown.items()
        }
        clock = state.clock.running, state.clock.paused, state.late, state.begun, self._rules
        return state.id, shown, clock, state.done, self._inputs.faults, self._lamps.trial_pressed
