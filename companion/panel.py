"""The panel at the table: what presses do, what lamps say, whose time runs.

Here the buttons and lamps (floor 3) meet the table (floor 2); a button on a page goes the same way. A press
is a move where the game says so; else it says that the seat's turn is done, as on a chess clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from threading import Event, RLock, Thread
from time import monotonic

import msgspec

from companion.errors import CompanionError, InvalidMove, MoveError
from companion.games.game import Outcome, Verdict
from companion.table import SightingView, Table
from companion.turn_clock import ClockFile, TurnClock
from companion.words import Fact
from hardware.panel import patterns as lamp
from hardware.panel.patterns import PATTERNS, Pattern
from hardware.panel.presses import PAUSE, UNDO, Button, Debounce, Gesture, Meaning, Presses
from hardware.panel.wires import Fault, Wires, button_name, fault_of
from web.panel_api import Curve, Does, PanelFault, PanelNow, SeatNow

log = logging.getLogger(__name__)

BUTTON = "button"
"""The source that the journal notes for whatever was pressed."""
PAGE = "page"
"""The way of a button that is pressed on a page."""

CAMERA_S = 10.0
"""After the press a seat's time stands for so long: reading the tile is the camera's time, not theirs."""
LATE_S = 4.0
"""A press so soon after one's own move was seen says what is known already: it is no press out of turn."""
DANCE_S = 6.0
"""How long the lamps dance before the winner's burns alone."""
WAIT_SHOWN_S = 2.0
"""A hand passes over the bed at every move: the lamp says so only when the camera has waited for so long."""
PAGE_SILENT_S = 1.2
"""A page says again and again that its button is held; after such a silence nothing was meant by it."""
SAVE_S = 60.0
"""While time runs it is kept at least as often; at each change of turn anyway."""
RETRY_S = 10.0
"""Pins that could not be had are tried again as often."""
IDLE_S = 1.0
"""As often at least it is looked whether the wires say what was heard of them."""


def lamps(
    seats: tuple[str, ...],
    turn: str | None,
    outcome: Outcome | None,
    sighting: SightingView | None,
    *,
    done: frozenset[str] = frozenset(),
    paused: bool = False,
    over_s: float = inf,
) -> dict[str, Pattern]:
    """Each seat's pattern, from what the table knows; `over_s` is for how long the match has been over.

    `done` are the seats that have pressed and whose move has not been seen. Where all act at once
    (`turn` is None), each seat is in turn until it has pressed.
    """
    if outcome is not None:
        return {seat: _ended(seat, outcome, over_s) for seat in seats}
    if paused:
        return dict.fromkeys(seats, lamp.PAUSED)
    verdict = sighting.verdict if sighting else Verdict.NOTHING
    breaker = sighting.facts.get("owner", turn) if sighting and verdict is Verdict.BREAKS else None
    shown = {}
    for seat in seats:
        in_turn = seat == turn or (turn is None and seat not in done)
        if verdict is Verdict.BREAKS and (seat == breaker or (breaker not in seats and in_turn)):
            shown[seat] = lamp.BREAKS
        elif not in_turn:
            shown[seat] = lamp.OFF
        elif seat in done or verdict in (Verdict.WAIT, Verdict.ASK):
            shown[seat] = lamp.WAITING
        else:
            shown[seat] = lamp.YOUR_TURN
    return shown


def _ended(seat: str, outcome: Outcome, over_s: float) -> Pattern:
    if over_s < DANCE_S or not outcome.winners:
        return lamp.OVER
    return lamp.WON if seat in outcome.winners else lamp.OFF


class _No(msgspec.Struct, frozen=True):
    """A lamp that says no: since when, and why (a key of the words and its facts)."""

    since_s: float
    why: str
    facts: dict[str, Fact] = {}


class TablePanel:
    """The panel of one table. It is the pages' `Panel`; safe from any thread.

    `wires` are real pins, None where there are none. `limit_s` is each seat's time for a match. `kept` is
    the file that keeps clocks across restarts, None for none. `camera_well` is for the status lamp.
    """

    def __init__(
        self,
        table: Table,
        wires: Wires | None = None,
        *,
        limit_s: float | None = None,
        kept: Path | None = None,
        camera_well: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._table = table
        self._wires = wires
        self._limit_s = limit_s
        self._file = ClockFile(kept) if kept else None
        self._camera_well = camera_well
        self._clock = clock
        self._lock = RLock()
        self._wake = Event()
        if wires is not None:
            wires.told = self._wake.set
        self._stopping = Event()
        self._presses = Presses()
        self._bounces: dict[str, Debounce] = {}
        self._page_heard: dict[str, float] = {}
        self._stuck: dict[str, Fault] = {}
        self._shown: dict[str, tuple[Pattern, float]] = {}
        self._beep: tuple[Pattern, float] | None = None
        self._told: object = None
        self._version = -1
        self._polled_s = self._tried_s = -inf
        self._match_id = 0
        now = clock()
        self._follow(now)
        self._light(now)
        self._told = self._picture()
        self._threads = [
            Thread(target=self._run, name="panel", daemon=True),
            Thread(target=self._listen, name="panel-news", daemon=True),
        ]

    def start(self) -> None:
        """Take the pins, and begin to serve them."""
        if self._wires is not None:
            self._wires.open()
            self._find_levels(self._clock())
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Keep the clocks, let lamps go dark. Quiet when called twice."""
        self._stopping.set()
        self._wake.set()
        self._table.tell()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(2)
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
                # Whatever trips the panel must not take the evening with it: the phones go on.
                log.exception("The panel stumbled.")
                due_s = IDLE_S
            self._wake.wait(min(IDLE_S, due_s))

    def _listen(self) -> None:
        version = self._table.version
        while not self._stopping.is_set():
            version = self._table.wait(version, IDLE_S)
            self._wake.set()

    def step(self) -> float:
        """Do what is due now; returns in how many seconds something is due again."""
        with self._lock:
            now = self._clock()
            self._hear(now)
            self._mean(self._presses.advance(now))
            self._follow(now)
            self._run_clock(now)
            due_s = min(self._light(now), self._next_due(now) - now)
            told, self._told = self._told, self._picture()
            changed = told != self._told
        if changed:
            self._table.tell()
        return max(0.0, due_s)

    # Buttons.

    def button(self, name: str, does: Does) -> PanelNow:
        """A button on a page: a seat's by its name, `undo` or `pause`. Raises `InvalidMove` for others."""
        with self._lock:
            now = self._clock()
            self._follow(now)
            if name not in (UNDO, PAUSE, *self._seats):
                raise InvalidMove(self._table.match.game.slug, "no-such-seat", seat=name)
            place = name if name in (UNDO, PAUSE) else str(self._seats.index(name) + 1)
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

    def _hear(self, now: float) -> None:
        """Take what the wires have said, in order, and let go of page buttons that fell silent."""
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
            self._find_levels(now)
        self._settle(now)

    def _find_levels(self, now: float) -> None:
        """Look at every wire itself: an edge may have been lost, a button may be down from the start."""
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
                self._mean(self._presses.found_down(Button(name), now))

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
            match gesture.meaning:
                case Meaning.PRESS:
                    self._press(int(gesture.button.name) - 1, gesture.at_s)
                case Meaning.UNDO:
                    self._undo(gesture.button.name, gesture.at_s)
                case Meaning.PAUSE:
                    self._pause(gesture.at_s)
                case Meaning.STUCK:
                    self._note_stuck(gesture.button)
                case Meaning.FREED:
                    self._stuck.pop(gesture.button.name, None)

    def _press(self, place: int, at_s: float) -> None:
        self._follow(at_s)
        if place >= len(self._seats):
            return
        seat, match = self._seats[place], self._table.match
        if match.outcome is not None:
            self._say_no(at_s, "rule.match-over", seat)
            return
        if self._turns.paused:
            self._turns.paused = False
            return
        n, move = match.n, match.game.pressed(match.state, seat)
        if move is not None:
            self._try(at_s, lambda: self._table.play(move, BUTTON, n=n), seat)
        elif self._turn in (None, seat):
            self._awake = True
            self._done.setdefault(seat, at_s)
        elif at_s - self._moved_s.get(seat, -inf) > LATE_S:
            self._say_no(at_s, "panel.not-your-turn", seat, facts={"seat": str(self._turn)})

    def _undo(self, name: str, at_s: float) -> None:
        askers = self._seats if name == UNDO else self._seats[int(name) - 1 : int(name)]
        if askers and self._try(at_s, lambda: self._table.undo(BUTTON), *askers):
            self._beep = lamp.BEEP_DONE, at_s

    def _try(self, at_s: float, change: Callable[[], None], *seats: str) -> bool:
        """Change the table; where that is refused, the seats' lamps say no."""
        try:
            change()
        except MoveError as error:
            self._say_no(at_s, f"rule.{error.rule}", *seats, facts=error.facts)
            return False
        except CompanionError as error:
            log.error("%s", error)
            self._say_no(at_s, "panel.not-kept", *seats)
            return False
        self._awake = True
        return True

    def _pause(self, at_s: float) -> None:
        self._follow(at_s)
        if self._table.match.outcome is None:
            self._turns.paused = not self._turns.paused
            self._awake = True

    def _say_no(self, at_s: float, why: str, *seats: str, facts: Mapping[str, Fact] | None = None) -> None:
        self._no |= {seat: _No(at_s, why, dict(facts or {})) for seat in seats}
        self._beep = lamp.BEEP_NO, at_s

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
        """Take over what has happened at the table since it was last looked at."""
        version, match = self._table.version, self._table.match
        if version == self._version:
            return
        self._version = version
        if match.record.id != self._match_id:
            self._take_up(now)
            return
        turn, moves = match.game.turn(match.state), len(match.moves)
        if moves != self._moves:
            self._awake = True
            self._done.clear()
            if moves > self._moves:
                self._turns.paused = False
                if self._turn is not None and turn != self._turn:
                    self._moved_s[self._turn] = now
        self._seats = match.game.seat_names(match.state)
        self._turn, self._moves = turn, moves
        over = match.outcome is not None
        self._over_s = (now if self._over_s is None else self._over_s) if over else None
        self._see(now)

    def _take_up(self, now: float) -> None:
        """Another match is played: its clock, its seats. Time stands until somebody presses or plays."""
        if self._match_id:
            self._keep(now)
        match = self._table.match
        self._match_id = match.record.id
        self._turns = TurnClock(self._file.read(self._match_id)) if self._file else TurnClock()
        self._saved = self._turns.kept(now)
        self._saved_s = now
        self._awake = False
        self._seats = match.game.seat_names(match.state)
        self._turn, self._moves = match.game.turn(match.state), len(match.moves)
        self._done: dict[str, float] = {}
        self._no: dict[str, _No] = {}
        self._moved_s: dict[str, float] = {}
        self._late = self._out_of_time(now)
        self._over_s = None if match.outcome is None else -inf
        self._sighting: SightingView | None = None
        self._sighted_s = now
        self._see(now)

    def _see(self, now: float) -> None:
        before, self._sighting = self._sighting, self._table.sighting
        if _verdict(before) is not _verdict(self._sighting):
            self._sighted_s = now

    def _out_of_time(self, now: float) -> frozenset[str]:
        limit_s = inf if self._limit_s is None else self._limit_s
        return frozenset(seat for seat in self._seats if self._turns.spent_s(seat, now) >= limit_s)

    def _thinking(self, now: float) -> frozenset[str]:
        """The seats whose time runs."""
        if not self._awake or self._turns.paused or self._over_s is not None:
            return frozenset()
        done = {seat for seat, at_s in self._done.items() if self._turn is None or now - at_s < CAMERA_S}
        return frozenset(self._seats if self._turn is None else (self._turn,)) - done

    def _run_clock(self, now: float) -> None:
        changed = self._turns.run(self._thinking(now), now)
        late = self._out_of_time(now)
        if late - self._late:
            self._beep = lamp.BEEP_TIME_UP, now
        self._late = late
        if changed or self._turns.paused != self._saved.paused or now - self._saved_s >= SAVE_S:
            self._keep(now)

    def _keep(self, now: float) -> None:
        kept = self._turns.kept(now)
        self._saved_s = now
        if kept != self._saved and self._file is not None:
            self._file.write(self._match_id, kept)
        self._saved = kept

    # Lamps.

    def _patterns(self, now: float) -> dict[str, tuple[Pattern, float | None]]:
        """Each seat's pattern, and when it began where that is known."""
        outcome, sighting = self._table.match.outcome, self._sighting
        if _verdict(sighting) is Verdict.WAIT and now - self._sighted_s < WAIT_SHOWN_S:
            sighting = None
        shown: dict[str, tuple[Pattern, float | None]] = {
            seat: (pattern, None)
            for seat, pattern in lamps(
                self._seats,
                self._turn,
                outcome,
                sighting,
                done=frozenset(self._done),
                paused=self._turns.paused,
                over_s=inf if self._over_s is None else now - self._over_s,
            ).items()
        }
        self._no = {seat: no for seat, no in self._no.items() if now - no.since_s < lamp.NO.period_s}
        shown |= {seat: (lamp.NO, no.since_s) for seat, no in self._no.items() if seat in shown}
        for held, pattern in (
            (self._presses.undoing(now), lamp.UNDOING),
            (self._presses.pausing(), lamp.PAUSING),
        ):
            for name, since_s in held.items():
                place = int(name) - 1 if name != UNDO else len(self._seats)
                if place < len(self._seats):
                    shown[self._seats[place]] = pattern, since_s
        return shown

    def _light(self, now: float) -> float:
        """Let every lamp show its pattern; returns in how many seconds one of them has to be set again."""
        before, self._shown = self._shown, {}
        for seat, (pattern, since_s) in self._patterns(now).items():
            was = before.get(seat)
            if since_s is None:
                since_s = was[1] if was and was[0] == pattern else now
            self._shown[seat] = pattern, since_s
        if self._wires is None:
            return inf
        places, dues = len(self._seats), [inf]
        for place, (pattern, since_s) in enumerate(self._shown.values()):
            self._wires.light(place, pattern.level(now - since_s, place, places), warns=pattern.warns)
            dues.append(pattern.changes_in(now - since_s, place, places))
        for place in range(places, self._wires.wiring.seats):
            self._wires.light(place, 0.0)
        status = lamp.WELL if self._camera_well() and not self._faults() else lamp.TROUBLE
        self._wires.status(status.level(now))
        dues.append(status.changes_in(now))
        return min(*dues, self._sound(now))

    def _sound(self, now: float) -> float:
        assert self._wires is not None
        if self._beep is None:
            return inf
        pattern, since_s = self._beep
        self._wires.buzz(on=pattern.level(now - since_s) > 0.5)
        if now - since_s >= pattern.period_s:
            self._beep = None
            return inf
        return pattern.changes_in(now - since_s)

    def _next_due(self, now: float) -> float:
        """When something is due that is neither pressed nor played nor a lamp."""
        dues = [self._presses.due_s(), *(bounce.due_s() for bounce in self._bounces.values())]
        dues += [no.since_s + lamp.NO.period_s for no in self._no.values()]
        dues += [at_s + CAMERA_S for at_s in self._done.values() if now - at_s < CAMERA_S]
        dues += [heard_s + PAGE_SILENT_S for heard_s in self._page_heard.values()]
        if self._over_s is not None and now - self._over_s < DANCE_S:
            dues.append(self._over_s + DANCE_S)
        if _verdict(self._sighting) is Verdict.WAIT and now - self._sighted_s < WAIT_SHOWN_S:
            dues.append(self._sighted_s + WAIT_SHOWN_S)
        if self._limit_s is not None:
            left = [
                self._limit_s - self._turns.spent_s(seat, now) for seat in self._turns.running - self._late
            ]
            dues += [now + max(0.0, each) for each in left]
        return min(dues)

    # What the pages ask.

    def now(self) -> PanelNow:
        """How it stands now."""
        with self._lock:
            now = self._clock()
            return PanelNow(
                match=self._match_id,
                seats=tuple(self._seat_now(seat, now) for seat in self._shown),
                paused=self._turns.paused,
                begun=self._awake,
                limit_s=self._limit_s,
                wired=self._wires is not None,
                faults=tuple(
                    PanelFault(each.part, each.why, each.seat, each.gpio, each.pin, each.detail)
                    for each in self._faults()
                ),
            )

    def _seat_now(self, seat: str, now: float) -> SeatNow:
        pattern, since_s = self._shown[seat]
        no = self._no.get(seat)
        return SeatNow(
            seat=seat,
            pattern=pattern.name,
            age_s=round(max(0.0, now - since_s), 3),
            spent_s=round(self._turns.spent_s(seat, now), 1),
            running=seat in self._turns.running,
            done=seat in self._done,
            why=no.why if no else "",
            facts=no.facts if no else {},
        )

    def curves(self) -> dict[str, Curve]:
        """Every pattern by name."""
        return {
            name: Curve(each.points, each.period_s, each.once, each.shift, each.warns)
            for name, each in PATTERNS.items()
        }

    def _faults(self) -> tuple[Fault, ...]:
        return () if self._wires is None else (*self._wires.faults, *self._stuck.values())

    def _picture(self) -> object:
        """All that pages show anew when it changes; time that runs is theirs to count."""
        shown = {seat: (pattern.name, self._no.get(seat)) for seat, (pattern, _) in self._shown.items()}
        return self._match_id, shown, self._turns.running, self._turns.paused, self._late, self._faults()


def _verdict(sighting: SightingView | None) -> Verdict:
    return sighting.verdict if sighting else Verdict.NOTHING


def _is_of(part: str, name: str, button: Button) -> bool:
    return part in ("button", "undo") and name == button.name
