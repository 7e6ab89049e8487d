"""One match as the panel shows it: turn, presses, clocks and lamps."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

import msgspec

from companion.games.game import Outcome, State
from companion.games.watching import Verdict
from companion.messages import Fact
from companion.play.match import Match
from companion.play.table import SightingView, Table
from companion.service.chess_clock import ChessClock, Spent
from hardware.panel import patterns as lamp
from hardware.panel.patterns import Pattern

CAMERA_S = 10.0
"""Seconds for which a seat's clock stops after its press, so that the camera can read the move."""
LATE_S = 4.0
"""Seconds after a seat's own move in which its press is ignored, not rejected: the camera was quicker."""
DANCE_S = 6.0
"""Seconds for which the lamps dance at the end. After that, only the winner's lamp is on."""
WAIT_SHOWN_S = 2.0
"""Seconds of waiting before the lamp shows that the camera waits: a hand passes at every move."""


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
        return {seat: _ended(seat, outcome, over_s) for seat in seats}
    if paused:
        return dict.fromkeys(seats, lamp.PAUSED)
    in_turn = {seat for seat in seats if seat == turn or (turn is None and seat not in done)}
    verdict = verdict_of(sighting)
    waits = in_turn if verdict in (Verdict.WAIT, Verdict.ASK) else in_turn & done
    breaks = _breakers(sighting, seats, in_turn) if sighting and verdict is Verdict.BREAKS else set()
    shown = {seat: lamp.YOUR_TURN if seat in in_turn else lamp.OFF for seat in seats}
    return shown | dict.fromkeys(waits, lamp.WAITING) | dict.fromkeys(breaks, lamp.BREAKS)


def _breakers(sighting: SightingView, seats: tuple[str, ...], in_turn: set[str]) -> set[str]:
    """The seats to warn: the owner of the tile that breaks a rule if a seat owns it, else those in turn."""
    owner = sighting.facts.get("owner")
    return {str(owner)} if owner in seats else in_turn


def _ended(seat: str, outcome: Outcome, over_s: float) -> Pattern:
    if over_s < DANCE_S or not outcome.winners:
        return lamp.OVER
    return lamp.WON if seat in outcome.winners else lamp.OFF


def verdict_of(sighting: SightingView | None) -> Verdict:
    """The verdict of a sighting; `NOTHING` without one."""
    return sighting.verdict if sighting else Verdict.NOTHING


def open_state(match: Match) -> State:
    """The match's state without private facts, because everybody sees buttons and lamps."""
    known: State = match.game.hide(match.state, None)
    return known


class Rejection(msgspec.Struct, frozen=True):
    """A rejected press: the time in seconds, the rule, and the rule's facts."""

    since_s: float
    rule: str
    facts: dict[str, Fact] = {}

    @property
    def plain_facts(self) -> dict[str, str | int | float]:
        """The facts that a page can show as they are; phrases appear only in the rule's sentence."""
        return {name: fact for name, fact in self.facts.items() if isinstance(fact, str | int | float)}


class PanelState:
    """One match at the panel. All times are in seconds on one monotonic clock.

    No clock runs before the first press or move, because nobody is thinking yet when the companion has just
    started. `kept` are the clocks from before a restart; `limit_s` is each seat's time for the match.
    """

    def __init__(self, match: Match, kept: Spent, now_s: float, *, limit_s: float | None) -> None:
        self.match = match
        self.clock = ChessClock(kept)
        self.limit_s = limit_s
        self.begun = False
        known = open_state(match)
        self.seats = match.game.seat_names(known)
        self.turn = match.game.turn(known)
        self.rejections: dict[str, Rejection] = {}
        self.over = match.game.outcome(known)
        self._moves = len(match.seen(None))
        self._done: dict[str, float] = {}
        self._moved_s: dict[str, float] = {}
        self._over_s: float | None = None if self.over is None else -inf
        self._sighting: SightingView | None = None
        self._sighted_s = now_s
        self.late = self._out_of_time(now_s)

    @property
    def id(self) -> int:
        """The match's number."""
        return self.match.record.id

    @property
    def done(self) -> frozenset[str]:
        """The seats that have pressed while their move is still unseen."""
        return frozenset(self._done)

    def follow(self, table: Table, now_s: float) -> None:
        """Take over what changed at the table since the last call."""
        match, known = self.match, open_state(self.match)
        turn, moves = match.game.turn(known), len(match.seen(None))
        if moves != self._moves:
            self.begun = True
            self._done.clear()
        if moves > self._moves:
            self.clock.paused = False
            if self.turn is not None and turn != self.turn:
                self._moved_s[self.turn] = now_s
        self.seats = match.game.seat_names(known)
        self.turn, self.over, self._moves = turn, match.game.outcome(known), moves
        if self.over is None:
            self._over_s = None
        elif self._over_s is None:
            self._over_s = now_s
        before, self._sighting = self._sighting, table.sighting
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
        """Run the clocks of the seats that are thinking. Returns whether those seats have changed."""
        changed = self.clock.run(self._thinking(now_s), now_s)
        self.late = self._out_of_time(now_s)
        return changed

    def _thinking(self, now_s: float) -> frozenset[str]:
        if not self.begun or self.clock.paused or self._over_s is not None:
            return frozenset()
        done = {seat for seat, at_s in self._done.items() if self.turn is None or now_s - at_s < CAMERA_S}
        return frozenset(self.seats if self.turn is None else (self.turn,)) - done

    def _out_of_time(self, now_s: float) -> frozenset[str]:
        limit_s = inf if self.limit_s is None else self.limit_s
        return frozenset(seat for seat in self.seats if self.clock.spent_s(seat, now_s) >= limit_s)

    def patterns(self, now_s: float) -> dict[str, tuple[Pattern, float | None]]:
        """Each seat's pattern, in order of play, and when it began, if known."""
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
        self.rejections = {
            seat: each
            for seat, each in self.rejections.items()
            if now_s - each.since_s < lamp.REJECTED.period_s
        }
        return shown | {
            seat: (lamp.REJECTED, each.since_s) for seat, each in self.rejections.items() if seat in shown
        }

    def due_s(self, now_s: float) -> float:
        """The next time when something changes by itself; infinite if never."""
        dues = [inf, *(each.since_s + lamp.REJECTED.period_s for each in self.rejections.values())]
        dues += [at_s + CAMERA_S for at_s in self._done.values()]
        dues += [self._sighted_s + WAIT_SHOWN_S, (self._over_s or 0.0) + DANCE_S]
        if self.limit_s is not None:
            left = (self.limit_s - self.clock.spent_s(seat, now_s) for seat in self.clock.running - self.late)
            dues += [now_s + max(0.0, each) for each in left]
        return min(due for due in dues if due > now_s)
