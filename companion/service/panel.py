"""Connects the panel's buttons and lamps with the table.

If the game has a move for a press, the press makes it; otherwise it ends the seat's turn, as on a chess
clock. A button on a page does the same as a wired one.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import inf
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic

from companion.errors import CompanionError, InvalidMove, MoveError
from companion.play.table import Table
from companion.service.chess_clock import ClockFile, Spent
from companion.service.panel_state import PanelState, open_state
from hardware.panel import patterns as lamp
from hardware.panel.patterns import PATTERNS, Pattern
from hardware.panel.presses import PAUSE, UNDO, Button, Debounce, Gesture, Meaning, Presses
from hardware.panel.wires import Fault, Wires, button_name, fault_of
from web.panel_port import Curve, Does, PanelFault, PanelNow, PanelSeat

log = logging.getLogger(__name__)

BUTTON = "button"
"""The journal's source for a move made by a button."""
PAGE = "page"
"""`Button.way` of a button on a page."""

PAGE_SILENT_S = 1.2
"""Seconds of silence from a page after which its pressed button is forgotten."""
STOP_S = 0.5
"""How long `stop` waits for each thread, in seconds."""

SAVE_S = 60.0
"""Seconds between two writes of running clocks: each write wears an SD card. A pause is written at once."""

RETRY_S = 10.0
"""Seconds between two attempts to open pins that failed."""
TRY_S = 4.0
"""Seconds after the last request of a page for which the panel is being tried."""
IDLE_S = 1.0
"""Poll the pin levels at least this often, in seconds, in case an edge was missed."""


class TablePanel:
    """One table's panel, and the `Panel` that pages use. Safe from any thread.

    `wires` are the real pins, or None without any. `limit_s` is each seat's time for a match in seconds, or
    None for no limit. `kept` is the file that keeps the clocks across restarts, or None. `camera_well` says
    whether the camera works, for the status lamp. `shows_for` gives the seat for which the table shows what
    a person should lay.
    """

    def __init__(
        self,
        table: Table,
        wires: Wires | None = None,
        *,
        limit_s: float | None = None,
        kept: Path | None = None,
        camera_well: Callable[[], bool] = lambda: True,
        shows_for: Callable[[], str | None] = lambda: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._table = table
        self._wires = wires
        self._limit_s = limit_s
        self._file = ClockFile(kept) if kept else None
        self._camera_well, self._shows_for = camera_well, shows_for
        self._clock = clock
        self._lock = RLock()
        self._wake = Event()
        if wires is not None:
            wires.on_edge = self._wake.set
        self._stopping = Event()
        self._presses = Presses()
        self._bounces: dict[str, Debounce] = {}
        self._page_heard: dict[str, float] = {}
        self._stuck: dict[str, Fault] = {}
        self._shown: dict[str, tuple[Pattern, float]] = {}
        self._beep: tuple[Pattern, float] | None = None
        self._polled_s = self._tried_s = -inf
        self._beeps = True
        self._trial_s = -inf
        self._trial_lamp: int | None = None
        self._trial_pressed: tuple[str, ...] = ()
        now = clock()
        self._version = table.version
        self._state, self._saved, self._saved_s = self._take_up(now)
        self._light(now)
        self._shown_on_pages = self._page_state()
        self._threads = [
            Thread(target=self._run, name="panel", daemon=True),
            Thread(target=self._listen, name="panel-news", daemon=True),
        ]

    def start(self) -> None:
        """Open the pins and start the threads."""
        if self._wires is not None:
            self._wires.open()
            self._poll_levels(self._clock())
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
        version = self._table.version
        while not self._stopping.is_set():
            version = self._table.wait_for_change(version, IDLE_S)
            self._wake.set()

    def step(self) -> float:
        """Do what is due now. Returns the seconds until the next thing is due."""
        with self._lock:
            now = self._clock()
            self._hear(now)
            self._mean(self._presses.advance(now))
            self._follow(now)
            self._run_clock(now)
            due_s = min(self._light(now), self._next_due(now) - now)
            before, self._shown_on_pages = self._shown_on_pages, self._page_state()
            changed = before != self._shown_on_pages
        if changed:
            self._table.notify()
        return max(0.0, due_s)

    # Buttons.

    def button(self, name: str, does: Does) -> PanelNow:
        """Use a button on a page: a seat's name, `undo` or `pause`. Raises `InvalidMove` for any other."""
        with self._lock:
            now = self._clock()
            self._follow(now)
            seats = self._state.seats
            if name not in (UNDO, PAUSE, *seats):
                raise InvalidMove(self._table.match.game.slug, "no-such-seat", seat=name)
            place = name if name in (UNDO, PAUSE) else str(seats.index(name) + 1)
            pressed = Button(place, PAGE)
            if does == "tap":
                self._mean(self._presses.tap(pressed, now))
            elif does == "cancel":
                self._page_heard.pop(pressed.name, None)
                self._presses.forget(pressed)
            elif does == "up":
                self._page_heard.pop(pressed.name, None)
                self._mean(self._presses.up(pressed, now))
            else:
                self._page_heard[pressed.name] = now
                self._mean(self._presses.down(pressed, now))
        self.step()
        self._wake.set()
        return self.now()

    def limit(self, limit_s: float | None) -> None:
        """Set each seat's time for a match in seconds; None: no limit."""
        with self._lock:
            self._limit_s = self._state.limit_s = limit_s
        self._wake.set()
        self._table.notify()

    def let_beep(self, *, on: bool) -> None:
        """Let the buzzer beep, or be silent."""
        self._beeps = on

    def try_out(self, lamp: int | None) -> PanelNow:
        """Try the panel for `TRY_S`: only the lamp at this place shines, and presses are but noted."""
        with self._lock:
            now = self._clock()
            if not self._is_tried(now):
                self._trial_pressed = ()
            self._trial_s, self._trial_lamp = now, lamp
        self._wake.set()
        return self.now()

    def _is_tried(self, now: float) -> bool:
        return now - self._trial_s < TRY_S

    def _hear(self, now: float) -> None:
        """Process the wires' edges in order, and forget page buttons that fell silent."""
        for name, heard_s in list(self._page_heard.items()):
            if now - heard_s > PAGE_SILENT_S:
                del self._page_heard[name]
                self._presses.forget(Button(name, PAGE))
        if self._wires is None:
            return
        if self._wires.faults and now - self._tried_s >= RETRY_S:
            self._tried_s = now
            self._wires.retry()
        for edge in self._wires.edges():
            self._settle(edge.at_s)
            self._bounce(edge.name).edge(edge.at_s, down=edge.down)
        if now - self._polled_s >= IDLE_S:
            self._poll_levels(now)
        self._settle(now)

    def _poll_levels(self, now: float) -> None:
        """Read every wire's level, because an edge may be missed, or a button be down at the start."""
        assert self._wires is not None
        self._polled_s = now
        levels = self._wires.levels()
        for name in self._bounces.keys() - levels.keys():
            del self._bounces[name]
            self._presses.forget(Button(name))
            self._stuck.pop(name, None)
        for name, down in levels.items():
            if name in self._bounces:
                self._bounces[name].edge(now, down=down)
                continue
            self._bounces[name] = self._debounce(down=down)
            if down:
                self._mean(self._presses.down_at_start(Button(name), now))

    def _bounce(self, name: str) -> Debounce:
        return self._bounces.setdefault(name, self._debounce(down=False))

    def _debounce(self, *, down: bool) -> Debounce:
        assert self._wires is not None
        return Debounce(self._wires.wiring.buttons.debounce_ms / 1000, down=down)

    def _settle(self, at_s: float) -> None:
        for name, bounce in self._bounces.items():
            settled = bounce.settled(at_s)
            if settled is None:
                continue
            down, since_s = settled
            turned = self._presses.down if down else self._presses.up
            self._mean(turned(Button(name), since_s))

    def _mean(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            if self._is_tried(gesture.at_s) and gesture.meaning in (Meaning.PRESS, Meaning.UNDO):
                self._trial_pressed = tuple({*self._trial_pressed, gesture.button.name})
                continue
            match gesture.meaning:
                case Meaning.PRESS:
                    self._press(int(gesture.button.name) - 1, gesture.at_s)
                case Meaning.UNDO:
                    self._undo(gesture.button.name, gesture.at_s)
                case Meaning.PAUSE:
                    self._follow(gesture.at_s)
                    self._state.pause()
                case Meaning.STUCK:
                    self._note_stuck(gesture.button)
                case Meaning.FREED:
                    self._stuck.pop(gesture.button.name, None)

    def _press(self, place: int, at_s: float) -> None:
        self._follow(at_s)
        state = self._state
        if place >= len(state.seats):
            return
        seat = state.seats[place]
        if state.over is not None:
            state.reject(at_s, "match-over", seat)
            self._beep = lamp.BEEP_REJECTED, at_s
        elif state.clock.paused:
            state.pause()
        else:
            with self._table.locked() as match:
                n, move = match.n_of(None), match.game.pressed(open_state(match), seat)
            if move is not None:
                self._try(at_s, lambda: self._table.play(move, BUTTON, n=n), seat)
                return
            state.press(seat, at_s)
            if seat in state.rejections:
                self._beep = lamp.BEEP_REJECTED, at_s

    def _undo(self, name: str, at_s: float) -> None:
        seats = self._state.seats
        askers = seats if name == UNDO else seats[int(name) - 1 : int(name)]
        if askers and self._try(at_s, lambda: self._table.undo(BUTTON), *askers):
            self._beep = lamp.BEEP_DONE, at_s

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
        self._beep = lamp.BEEP_REJECTED, at_s
        return False

    def _note_stuck(self, button: Button) -> None:
        if button.way == PAGE or self._wires is None:
            self._presses.forget(button)
            return
        wire = next(
            each for each in self._wires.wiring.wires() if _is_of(each.part, button_name(each), button)
        )
        self._stuck[button.name] = fault_of(wire, "stuck")
        log.warning("Panel: %s", self._stuck[button.name].says)

    # The table.

    def _follow(self, now: float) -> None:
        """Take over what changed at the table since the last call."""
        version = self._table.version
        if version == self._version:
            return
        self._version = version
        if self._table.match is not self._state.match:
            self._keep(now)
            self._state, self._saved, self._saved_s = self._take_up(now)
        self._state.follow(self._table, now)

    def _take_up(self, now: float) -> tuple[PanelState, Spent, float]:
        """The match on the table as a `PanelState`, its saved clocks, and when they were read."""
        match = self._table.match
        kept = self._file.read(match.record.id) if self._file else Spent()
        return PanelState(match, kept, now, limit_s=self._limit_s), kept, now

    def _run_clock(self, now: float) -> None:
        state = self._state
        late = state.late
        state.run_clock(now)
        if state.late - late:
            self._beep = lamp.BEEP_TIME_UP, now
        if state.clock.paused != self._saved.paused or now - self._saved_s >= SAVE_S:
            self._keep(now)

    def _keep(self, now: float) -> None:
        kept = self._state.clock.kept(now)
        self._saved_s = now
        if kept != self._saved and self._file is not None:
            self._file.write(self._state.id, kept)
        self._saved = kept

    # Lamps.

    def _patterns(self, now: float) -> dict[str, tuple[Pattern, float | None]]:
        """Each seat's pattern, and when it began, if known. A pressed button's pattern takes precedence."""
        seats, shown = self._state.seats, self._state.patterns(now)
        laid_for = self._shows_for()
        if laid_for is not None and laid_for in shown and shown[laid_for][0] is lamp.YOUR_TURN:
            shown[laid_for] = lamp.LAY_FOR_TABLE, None
        for names, pattern in (
            (self._presses.undoing(), lamp.UNDOING),
            (self._presses.pausing(), lamp.PAUSING),
        ):
            for name, since_s in names.items():
                for seat in seats[int(name) - 1 : int(name)]:
                    shown[seat] = pattern, since_s
        return shown

    def _light(self, now: float) -> float:
        """Set every lamp. Returns the seconds until one of them changes."""
        shown = {}
        for seat, (pattern, since_s) in self._patterns(now).items():
            was = self._shown.get(seat)
            if since_s is None:
                since_s = was[1] if was and was[0] == pattern else now
            shown[seat] = pattern, since_s
        self._shown = shown
        if self._wires is None:
            return inf
        places, dues = len(self._shown), [inf]
        for place, (pattern, since_s) in enumerate(self._shown.values()):
            self._wires.light(place, pattern.level(now - since_s, place, places), warns=pattern.warns)
            dues.append(pattern.changes_in(now - since_s, place, places))
        for place in range(places, self._wires.wiring.seats):
            self._wires.light(place, 0.0)
        if self._is_tried(now):
            for place in range(self._wires.wiring.seats):
                self._wires.light(place, float(place == self._trial_lamp))
            dues.append(self._trial_s + TRY_S - now)
        status = lamp.WELL if self._camera_well() and not self._faults() else lamp.TROUBLE
        self._wires.status(status.level(now))
        dues.append(status.changes_in(now))
        return min(*dues, self._sound(now))

    def _sound(self, now: float) -> float:
        assert self._wires is not None
        if self._beep is None:
            return inf
        pattern, since_s = self._beep
        self._wires.buzz(on=self._beeps and pattern.level(now - since_s) > 0.5)
        if now - since_s >= pattern.period_s:
            self._beep = None
            return inf
        return pattern.changes_in(now - since_s)

    def _next_due(self, now: float) -> float:
        """The time when something other than a lamp is due."""
        dues = [self._state.due_s(now), self._presses.due_s()]
        dues += [bounce.due_s() for bounce in self._bounces.values()]
        dues += [heard_s + PAGE_SILENT_S for heard_s in self._page_heard.values()]
        return min(dues)

    # What the pages ask.

    def now(self) -> PanelNow:
        """The panel's current state."""
        with self._lock:
            now, state = self._clock(), self._state
            return PanelNow(
                match=state.id,
                seats=tuple(self._seat_now(seat, now) for seat in self._shown),
                paused=state.clock.paused,
                begun=state.begun,
                limit_s=self._limit_s,
                wired=self._wires is not None,
                faults=tuple(
                    PanelFault(each.part, each.why, each.seat, each.gpio, each.pin, each.detail)
                    for each in self._faults()
                ),
                tried=self._trial_pressed if self._is_tried(now) else None,
            )

    def _seat_now(self, seat: str, now: float) -> PanelSeat:
        pattern, since_s = self._shown[seat]
        state = self._state
        rejection = state.rejections.get(seat)
        return PanelSeat(
            seat=seat,
            pattern=pattern.name,
            age_s=round(max(0.0, now - since_s), 3),
            spent_s=round(state.clock.spent_s(seat, now), 1),
            running=seat in state.clock.running,
            done=seat in state.done,
            rule=rejection.rule if rejection else "",
            facts=rejection.plain_facts if rejection else {},
        )

    def curves(self) -> dict[str, Curve]:
        """Every pattern by name."""
        return {
            name: Curve(each.points, each.period_s, each.once, each.shift, each.warns)
            for name, each in PATTERNS.items()
        }

    def _faults(self) -> tuple[Fault, ...]:
        return () if self._wires is None else (*self._wires.faults, *self._stuck.values())

    def _page_state(self) -> object:
        """Everything whose change wakes the pages. Pages count running clocks themselves."""
        state = self._state
        shown = {
            seat: (pattern.name, state.rejections.get(seat)) for seat, (pattern, _) in self._shown.items()
        }
        clock = state.clock.running, state.clock.paused, state.late, state.begun
        return state.id, shown, clock, state.done, self._faults(), self._trial_pressed


def _is_of(part: str, name: str, button: Button) -> bool:
    return part in ("button", "undo") and name == button.name
