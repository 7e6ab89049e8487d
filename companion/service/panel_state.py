"""One match as the panel follows it: whose turn it is, who has pressed, whose time runs, what lamps say."""

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
"""After the press a seat's time stands for so long: reading the move is the camera's time, not theirs."""
LATE_S = 4.0
"""A press so soon after one's own move was seen says what is known already: it is no press out of turn."""
DANCE_S = 6.0
"""How long the lamps dance before the winner's burns alone."""
WAIT_SHOWN_S = 2.0
"""A hand passes over the bed at every move: the lamp says so only when the camera has waited for so long."""


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
    in_turn = {seat for seat in seats if seat == turn or (turn is None and seat not in done)}
    verdict = verdict_of(sighting)
    waits = in_turn if verdict in (Verdict.WAIT, Verdict.ASK) else in_turn & done
    breaks = _breakers(sighting, seats, in_turn) if sighting and verdict is Verdict.BREAKS else set()
    shown = {seat: lamp.YOUR_TURN if seat in in_turn else lamp.OFF for seat in seats}
    return shown | dict.fromkeys(waits, lamp.WAITING) | dict.fromkeys(breaks, lamp.BREAKS)


def _breakers(sighting: SightingView, seats: tuple[str, ...], in_turn: set[str]) -> set[str]:
    """Whose tile breaks a rule: its owner's where that is a seat, else it is up to whoever is in turn."""
    owner = sighting.facts.get("owner")
    return {str(owner)} if owner in seats else in_turn


def _ended(seat: str, outcome: Outcome, over_s: float) -> Pattern:
    if over_s < DANCE_S or not outcome.winners:
        return lamp.OVER
    return lamp.WON if seat in outcome.winners else lamp.OFF


def verdict_of(sighting: SightingView | None) -> Verdict:
    """What a sighting comes to; nothing when there is none."""
    return sighting.verdict if sighting else Verdict.NOTHING


def open_state(match: Match) -> State:
    """What all may know of a match: buttons and lamps are seen by everybody."""
    known: State = match.game.hide(match.state, None)
    return known


class No(msgspec.Struct, frozen=True):
    """A lamp that says no: since when (seconds), and the rule with its facts."""

    since_s: float
    rule: str
    facts: dict[str, Fact] = {}


class PanelState:
    """One match at the panel. Times are seconds of one clock that runs on.

    The seats' time stands until somebody presses or plays: whoever has just switched the companion on is
    not thinking yet.
    """

    def __init__(self, match: Match, kept: Spent, now_s: float, *, limit_s: float | None) -> None:
        self.match = match
        self.clock = ChessClock(kept)
        self.limit_s = limit_s
        self.begun = False
        known = open_state(match)
        self.seats = match.game.seat_names(known)
        self.turn = match.game.turn(known)
        self.nos: dict[str, No] = {}
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
        """The seats that have pressed and whose move has not been seen."""
        return frozenset(self._done)

    def follow(self, table: Table, now_s: float) -> None:
        """Take over what has happened at the table since it was last looked at."""
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
        """A seat says that its turn is done; out of turn its lamp says no."""
        if self.turn in (None, seat):
            self.begun = True
            self._done.setdefault(seat, at_s)
        elif at_s - self._moved_s.get(seat, -inf) > LATE_S:
            self.say_no(at_s, "press-out-of-turn", seat, facts={"seat": str(self.turn)})

    def pause(self) -> None:
        """Let all clocks stand, or run again; nothing when the match is over."""
        if self.over is None:
            self.clock.paused = not self.clock.paused
            self.begun = True

    def say_no(self, at_s: float, rule: str, *seats: str, facts: Mapping[str, Fact] | None = None) -> None:
        """Let the seats' lamps say no."""
        self.nos |= {seat: No(at_s, rule, dict(facts or {})) for seat in seats}

    def run_clock(self, now_s: float) -> bool:
        """Let the time run of those who think; returns whether that are others than before."""
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
        """Each seat's pattern, in order of play, and since when where that is known."""
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
        self.nos = {seat: no for seat, no in self.nos.items() if now_s - no.since_s < lamp.NO.period_s}
        return shown | {seat: (lamp.NO, no.since_s) for seat, no in self.nos.items() if seat in shown}

    def due_s(self, now_s: float) -> float:
        """When time alone changes something next; infinite when never."""
        dues = [inf, *(no.since_s + lamp.NO.period_s for no in self.nos.values())]
        dues += [at_s + CAMERA_S for at_s in self._done.values()]
        dues += [self._sighted_s + WAIT_SHOWN_S, (self._over_s or 0.0) + DANCE_S]
        if self.limit_s is not None:
            left = (self.limit_s - self.clock.spent_s(seat, now_s) for seat in self.clock.running - self.late)
            dues += [now_s + max(0.0, each) for each in left]
        return min(due for due in dues if due > now_s)
