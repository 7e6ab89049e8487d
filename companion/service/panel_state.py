"""One match at the panel: turn, presses, clocks and lamps."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Literal

import msgspec

from companion.games.game import Outcome, State
from companion.games.watching import Verdict
from companion.kept_state import KeptState
from companion.messages import Fact
from companion.play.match import Match
from companion.play.table import SightingView, Table
from companion.service.turn_clock import LAST_S, ClockRules, KeptClock, TurnClock
from hardware.panel import patterns as lamp
from hardware.panel.patterns import Pattern
from hardware.panel.wires import PanelFault
from hardware.panel.wiring import Actions

Does = Literal["down", "up", "tap", "cancel", "hold", "both"]
"""A button's event. `tap` is down and up at once; `cancel` undoes a `down`. `hold` and `both` are a whole
long press, and a press with another button."""


class Curve(msgspec.Struct, frozen=True):
    """A lamp's pattern: the brightness (0 to 1) at points (0 to 1) of a period, straight between them.

    `once`: it plays once and stays. `shift`: it is spread over the seats, so that lamps dance. `warns`: in
    red.
    """

    points: tuple[tuple[float, float], ...]
    period_s: float
    once: bool = False
    shift: bool = False
    warns: bool = False


class PanelSeat(msgspec.Struct, frozen=True):
    """A seat on the panel: its lamp's pattern by name and age in seconds, and the seat's clock.

    `left_s` is its time until zero, None if the clock only counts. After `free_s` seconds, it changes by
    `rate` in each second, until the next news. `rule` and `facts` give the reason of a rejected press. `done`
    is true from the press until the camera has seen the move.
    """

    seat: str
    pattern: str
    age_s: float
    spent_s: float
    running: bool
    left_s: float | None = None
    free_s: float = 0.0
    rate: float = 0.0
    done: bool = False
    rule: str = ""
    facts: dict[str, str | int | float] = {}


class PanelNow(msgspec.Struct, frozen=True):
    """The current panel, at `at_s` on its own clock. `clock` is the kind of clock, `actions` what
    presses do.

    `wired`: real buttons and lamps are connected. `begun`: the clock has started. `tried` are the buttons
    pressed in a trial, a seat's place from 1, `undo` or a name; None while the panel is in use.
    """

    match: int
    seats: tuple[PanelSeat, ...]
    paused: bool
    begun: bool
    at_s: float
    clock: ClockRules
    actions: Actions
    wired: bool
    faults: tuple[PanelFault, ...] = ()
    tried: tuple[str, ...] | None = None


MOST_KEPT = 20
CAMERA_S = 10.0
"""Seconds without clock after a seat's press, for the camera to read the move."""
LATE_S = 4.0
"""Seconds after a seat's own move in which its press is ignored: the camera was quicker."""
DANCE_S = 6.0
"""Seconds of dancing lamps at the end, before only the winner's stays on."""
WAIT_SHOWN_S = 2.0
"""Seconds of the camera's waiting before the lamp shows it: a hand passes at every move."""


class ClockFile:
    """The clocks of the newest matches, in one file.

    An unreadable file is replaced; nothing raises.
    """

    def __init__(self, path: Path) -> None:
        self._kept = KeptState(path, dict[int, KeptClock])

    def read_clock(self, match: int) -> KeptClock:
        """The clock of a match; a new one without a kept one."""
        return (self._kept.load() or {}).get(match, KeptClock())

    def write(self, match: int, kept: KeptClock) -> None:
        """Keep the clock of a match; of the others, the marks go."""
        others = (self._kept.load() or {}).items()
        every = {number: msgspec.structs.replace(other, marks={}) for number, other in others} | {match: kept}
        self._kept.save({number: every[number] for number in sorted(every)[-MOST_KEPT:]} | {match: kept})


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
    """Each seat's lamp pattern.

    `done` are the seats that have pressed while their move is still unseen. With `turn` None, all seats act
    at once, and each is in turn until it has pressed. `over_s` is the time since the match ended, in seconds.
    """
    if outcome is not None:
        dances = over_s < DANCE_S or not outcome.winners
        lost = lamp.OVER if dances else lamp.OFF
        return {seat: lamp.WON if seat in outcome.winners and not dances else lost for seat in seats}
    if paused:
        return dict.fromkeys(seats, lamp.PAUSED)
    in_turn = {seat for seat in seats if seat == turn or (turn is None and seat not in done)}
    verdict = verdict_of(sighting)
    waits = in_turn if verdict in (Verdict.WAIT, Verdict.ASK) else in_turn & done
    breaks: set[str] = set()
    if sighting and verdict is Verdict.BREAKS:
        owner = sighting.facts.get("owner")
        breaks = {str(owner)} if owner in seats else in_turn
    shown = {seat: lamp.YOUR_TURN if seat in in_turn else lamp.OFF for seat in seats}
    return shown | dict.fromkeys(waits, lamp.WAITING) | dict.fromkeys(breaks, lamp.BREAKS)


def verdict_of(sighting: SightingView | None) -> Verdict:
    """The verdict of a sighting; `NOTHING` without one."""
    return sighting.verdict if sighting else Verdict.NOTHING


def open_state(match: Match) -> State:
    """The match's state without private facts: everybody sees buttons and lamps."""
    known: State = match.game.hide(match.state, None)
    return known


class Rejection(msgspec.Struct, frozen=True):
    """A rejected press: its time in seconds, the rule, and the rule's facts."""

    since_s: float
    rule: str
    facts: dict[str, Fact] = {}

    @property
    def plain_facts(self) -> dict[str, str | int | float]:
        """Facts for pages; phrases appear only in the rule's sentence."""
        return {name: fact for name, fact in self.facts.items() if isinstance(fact, str | int | float)}


class PanelState:
    """One match at the panel. All times are in seconds on one monotonic clock.

    No clock runs before the first press or move: nobody thinks yet right after the start. `kept` is the
    clock from before a restart.
    """

    def __init__(self, match: Match, kept: KeptClock, now_s: float, rules: ClockRules) -> None:
        self.match = match
        self.begun = False
        known = open_state(match)
        self.seats = match.game.seat_names(known)
        self.clock = TurnClock(rules, self.seats, kept)
        self.turn = match.snapshot.history.turn_in(known)
        self.rejections: dict[str, Rejection] = {}
        self.over = match.snapshot.history.outcome_in(known)
        self._moves = len(match.snapshot.seen(None))
        self._done: dict[str, float] = {}
        self._moved_s: dict[str, float] = {}
        self._over_s: float | None = None if self.over is None else -inf
        self._sighting: SightingView | None = None
        self._sighted_s = now_s
        self.late = self.clock.late(now_s)

    @property
    def id(self) -> int:
        """The match's number."""
        return self.match.record.id

    @property
    def done(self) -> frozenset[str]:
        """Seats that have pressed while their move is still unseen."""
        return frozenset(self._done)

    def follow(self, table: Table, now_s: float) -> None:
        """Take over changes at the table."""
        match, known = self.match, open_state(self.match)
        history = match.snapshot.history
        turn, moves = history.turn_in(known), len(match.snapshot.seen(None))
        if moves != self._moves:
            self.begun = True
            self._done.clear()
            stays = {turn} if turn is not None else set()
            ended = {*self.seats} - stays if self.turn is None else {self.turn} - stays
            self.clock.move(self._moves, moves, ended, now_s)
        if moves > self._moves:
            self.clock.paused = False
            if self.turn is not None and turn != self.turn:
                self._moved_s[self.turn] = now_s
        self.seats = self.clock.seats = match.game.seat_names(known)
        self.turn, self.over, self._moves = turn, history.outcome_in(known), moves
        if self.over is None:
            self._over_s = None
        elif self._over_s is None:
            self._over_s = now_s
        before, self._sighting = self._sighting, table.snapshot.sighting
        if verdict_of(before) is not verdict_of(self._sighting):
            self._sighted_s = now_s

    def press(self, seat: str, at_s: float) -> None:
        """End a seat's turn. A press out of turn is rejected."""
        if self.turn in (None, seat):
            self.begun = True
            self._done.setdefault(seat, at_s)
        elif at_s - self._moved_s.get(seat, -inf) > LATE_S:
            self.reject(at_s, "press-out-of-turn", seat, facts={"seat": str(self.turn)})

    def pause(self) -> None:
        """Pause the clocks, or resume them. Does nothing after the end."""
        if self.over is None:
            self.clock.paused = not self.clock.paused
            self.begun = True

    def reject(self, at_s: float, rule: str, *seats: str, facts: Mapping[str, Fact] | None = None) -> None:
        """Reject a press: the lamps of `seats` show it, and pages name the rule."""
        self.rejections |= {seat: Rejection(at_s, rule, dict(facts or {})) for seat in seats}

    def run_clock(self, now_s: float) -> bool:
        """Run the thinking seats' clocks. Returns whether those seats have changed."""
        changed = self.clock.run(self._thinking(now_s), now_s)
        self.late = self.clock.late(now_s)
        return changed

    def _thinking(self, now_s: float) -> frozenset[str]:
        if not self.begun or self.clock.paused or self._over_s is not None:
            return frozenset()
        done = {seat for seat, at_s in self._done.items() if self.turn is None or now_s - at_s < CAMERA_S}
        return frozenset(self.seats if self.turn is None else (self.turn,)) - done

    def patterns(self, now_s: float) -> dict[str, tuple[Pattern, float | None]]:
        """Each seat's pattern, in order of play, and its beginning, if known."""
        sighting = self._sighting
        if verdict_of(sighting) is Verdict.WAIT and now_s - self._sighted_s < WAIT_SHOWN_S:
            sighting = None
        basic = lamps(
            self.seats,
            self.turn,
            self.over,
            sighting,
            done=self.done,
            paused=self.clock.paused,
            over_s=inf if self._over_s is None else now_s - self._over_s,
        )
        shown: dict[str, tuple[Pattern, float | None]] = {
            seat: (pattern, None) for seat, pattern in basic.items()
        }
        for seat in self.clock.running & shown.keys():
            left_s = self.clock.left_s(seat, now_s)
            if 0 < left_s <= LAST_S and shown[seat][0] is lamp.YOUR_TURN:
                shown[seat] = lamp.LAST_SECONDS, now_s - (LAST_S - left_s)
        self.rejections = {
            seat: rejection
            for seat, rejection in self.rejections.items()
            if now_s - rejection.since_s < lamp.REJECTED.period_s
        }
        return shown | {
            seat: (lamp.REJECTED, rejection.since_s)
            for seat, rejection in self.rejections.items()
            if seat in shown
        }

    def due_s(self, now_s: float) -> float:
        """The time of the next change by itself; infinite without one."""
        dues = [inf, *(rejection.since_s + lamp.REJECTED.period_s for rejection in self.rejections.values())]
        dues += [at_s + CAMERA_S for at_s in self._done.values()]
        dues += [self._sighted_s + WAIT_SHOWN_S, (self._over_s or 0.0) + DANCE_S]
        dues.append(self.clock.due_s(now_s))
        return min(due for due in dues if due > now_s)
