"""The clock of a match: seven kinds, for any game and any number of seats.

There is no clock in here: every time is handed in, in seconds on one monotonic clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Literal

import msgspec

Kind = Literal["none", "total", "turn", "fischer", "delay", "sand", "advisory"]
AtZero = Literal["nothing", "sound", "lost"]

LAST_S = 10.0
"""Seconds before zero in which lamps and pages warn."""


class ClockRules(msgspec.Struct, frozen=True):
    """The kind of clock. Without `reserve_s`, it only counts.

    `reserve_s` is each seat's time: for a match, or for each turn (`turn`, `advisory`). `extra_s` are the
    seconds that `fischer` adds after a turn, and that `delay` (Bronstein) gives free at its beginning. In
    `sand`, the others gain what one uses. `advisory` shows the time of a turn, and never ends a match.
    """

    kind: Kind = "total"
    reserve_s: float | None = None
    extra_s: float = 0.0
    at_zero: AtZero = "sound"

    @property
    def counts_down(self) -> bool:
        """True if a seat's time can run out."""
        return self.kind != "none" and self.reserve_s is not None

    @property
    def ends(self) -> bool:
        """True if the seat whose time runs out loses."""
        return self.at_zero == "lost" and self.kind != "advisory"


COUNTS = ClockRules()
"""The clock that only counts, where nobody has chosen one."""
PRESETS = {
    "quick": ClockRules("turn", 30.0),
    "family": ClockRules("advisory", 90.0),
    "tournament": ClockRules("fischer", 15 * 60.0, 10.0, "lost"),
}
"""The clocks that have a name."""


def rules_of(chosen: str, minutes: float | None, extra_s: float, at_zero: AtZero) -> ClockRules:
    """The clock of a preset; for a kind, that of the other values."""
    reserve_s = None if minutes is None else minutes * 60
    return PRESETS.get(chosen) or ClockRules(msgspec.convert(chosen, Kind), reserve_s, extra_s, at_zero)


class Times(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seconds that each seat has used in the match and in its turn, and that it was given."""

    spent_s: dict[str, float] = {}
    turn_s: dict[str, float] = {}
    given_s: dict[str, float] = {}

    def after(self, passed_s: float, running: frozenset[str], given: Iterable[str] = ()) -> Times:
        """The times after `passed_s` seconds of the `running` seats, a share of which was `given`."""
        rest = [seat for seat in given if passed_s]
        shares = {seat: passed_s * len(running - {seat}) / (len(rest) - 1 or 1) for seat in rest}
        return Times(
            _plus(self.spent_s, dict.fromkeys(running, passed_s)),
            _plus(self.turn_s, dict.fromkeys(running, passed_s)),
            _plus(self.given_s, shares),
        )

    def after_turn(self, ended: Iterable[str], rules: ClockRules) -> Times:
        """The times once the turns of the `ended` seats are over."""
        had = {seat: self.turn_s.get(seat, 0.0) for seat in ended}
        given: dict[str, float] = {}
        if rules.kind in ("fischer", "delay"):
            given = {
                seat: rules.extra_s if rules.kind == "fischer" else min(rules.extra_s, had[seat])
                for seat in had
            }
        still = {seat: used_s for seat, used_s in self.turn_s.items() if seat not in had}
        return Times(self.spent_s, still, _plus(self.given_s, given))


def _plus(times: dict[str, float], more: dict[str, float]) -> dict[str, float]:
    return times | {seat: round(times.get(seat, 0.0) + seconds, 6) for seat, seconds in more.items()}


class KeptClock(Times, frozen=True, omit_defaults=True):
    """One match's saved clock. `marks` are the times before each open move, by its number from 0."""

    paused: bool = False
    marks: dict[int, Times] = {}


class TurnClock:
    """One match's clock, with a mark before each move, so that undo gives the time back."""

    def __init__(self, rules: ClockRules, seats: tuple[str, ...], kept: KeptClock) -> None:
        self.rules, self.seats, self.paused = rules, seats, kept.paused
        self.running: frozenset[str] = frozenset()
        """Seats with a running clock."""
        self._times: Times = Times(kept.spent_s, kept.turn_s, kept.given_s)
        self._marks, self._since_s = dict(kept.marks), 0.0

    def times(self, now_s: float) -> Times:
        """The times at `now_s`."""
        if not self.running:
            return self._times
        given = self.seats if self.rules.kind == "sand" else ()
        return self._times.after(now_s - self._since_s, self.running, given)

    def run(self, seats: frozenset[str], now_s: float) -> bool:
        """Run only these seats' clocks. Returns whether that is a change."""
        changed = seats != self.running
        if changed:
            self._times, self.running, self._since_s = self.times(now_s), seats, now_s
        return changed

    def move(self, before: int, moves: int, ended: Iterable[str], now_s: float) -> None:
        """Follow the match from `before` open moves to `moves`. The turns of the `ended` seats are over.

        After an undo, everybody has the time that they had before the undone move.
        """
        times, self._since_s = self.times(now_s), now_s
        if moves < before:
            self._times = self._marks.get(moves, times)
        else:
            self._marks |= dict.fromkeys(range(before, moves), times)
            self._times = times.after_turn(ended, self.rules)
        self._marks = {number: mark for number, mark in self._marks.items() if number < moves}

    def spent_s(self, seat: str, now_s: float) -> float:
        """A seat's time in the match, in seconds."""
        return self.times(now_s).spent_s.get(seat, 0.0)

    def left_s(self, seat: str, now_s: float) -> float:
        """A seat's time until zero, less than zero afterwards; infinite if it only counts."""
        rules, times = self.rules, self.times(now_s)
        if rules.reserve_s is None or not rules.counts_down:
            return inf
        turn_s = times.turn_s.get(seat, 0.0)
        if rules.kind in ("turn", "advisory"):
            return rules.reserve_s - turn_s
        free_s = min(rules.extra_s, turn_s) if rules.kind == "delay" else 0.0
        return rules.reserve_s + times.given_s.get(seat, 0.0) + free_s - times.spent_s.get(seat, 0.0)

    def free_s(self, seat: str, now_s: float) -> float:
        """The seconds of a running clock before its time begins to fall."""
        turn_s = self.times(now_s).turn_s.get(seat, 0.0)
        return max(0.0, self.rules.extra_s - turn_s) if self.rules.kind == "delay" else 0.0

    def rate(self, seat: str) -> float:
        """The change of a seat's time in each second, after its free seconds."""
        others = len(self.running - {seat}) if self.rules.kind == "sand" else 0
        return others / (len(self.seats) - 1 or 1) - (seat in self.running)

    def late(self, now_s: float) -> frozenset[str]:
        """Seats whose time is up."""
        return frozenset(seat for seat in self.seats if self.left_s(seat, now_s) <= 0)

    def due_s(self, now_s: float) -> float:
        """The next time when a seat's last seconds begin or end; infinite if there is none."""
        dues = [inf]
        for seat in self.running:
            rate, left_s = self.rate(seat), self.left_s(seat, now_s)
            if rate < 0 and left_s < inf:
                begin_s = now_s + self.free_s(seat, now_s)
                dues += [begin_s + (left_s - mark) / -rate for mark in (0.0, LAST_S) if left_s > mark]
        return min(dues)

    def kept(self, now_s: float) -> KeptClock:
        """The clock at `now_s`, to save."""
        times = self.times(now_s)
        return KeptClock(times.spent_s, times.turn_s, times.given_s, self.paused, dict(self._marks))


def shares(times: Times) -> dict[str, int]:
    """Each seat's share of the time, in percent; they add up to 100. Empty before anybody has used any."""
    total_s = sum(times.spent_s.values())
    if total_s <= 0:
        return {}
    exact = {seat: 100 * spent / total_s for seat, spent in times.spent_s.items()}
    rest = 100 - sum(map(int, exact.values()))
    most_cut = sorted(exact, key=lambda seat: int(exact[seat]) - exact[seat])[:rest]
    return {seat: int(share) + (seat in most_cut) for seat, share in exact.items()}
