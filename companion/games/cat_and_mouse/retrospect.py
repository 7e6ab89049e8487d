"""A race in words: the effect of each throw, the throw that decided it, and the luck of each player.

All of it is luck: nobody chooses anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.games.cat_and_mouse.odds import odds
from companion.games.cat_and_mouse.state import SEATS, SLUG, RaceMove, RaceState, Seat, Throw, other
from companion.games.retrospect import Decided, Luck, LuckRemark, Retrospect, luck_of
from companion.messages import Fact, Phrase

MEAN, VARIANCE = 7.0, 35 / 6
"""Of two dice's total."""


class ThrowLuck(NamedTuple):
    """A throw of the race: its player, and that player's chance to win before and after it.

    `number`: of the open move, from 1.
    """

    number: int
    move: Throw
    seat: Seat
    before: float
    after: float

    @property
    def gain(self) -> float:
        """The rise in the thrower's chance to win."""
        return self.after - self.before


def luck_of_throws(course: Sequence[tuple[RaceState, RaceMove]], state: RaceState) -> tuple[ThrowLuck, ...]:
    """The throws of the race, with the exact chances before and after each.

    Throws for who is Cat are left out: they belong to nobody yet.
    """
    chances = odds(state.options)
    states = (*(before for before, _ in course), state)
    return tuple(
        ThrowLuck(
            number,
            move,
            seat,
            chances.chances(before.standing).chance_of(seat),
            chances.chances(states[number].standing).chance_of(seat),
        )
        for number, (before, move) in enumerate(course, 1)
        if isinstance(move, Throw) and (seat := before.standing.thrower)
    )


class RaceRetrospect(Retrospect[RaceState, RaceMove]):
    """A race, looked back at."""

    luck_kind = "dice"

    def progress(self, state: RaceState) -> dict[str, int]:
        """The square where each counter stands."""
        return {seat: state.standing.square(seat) for seat in SEATS}

    def lying(self, state: RaceState) -> dict[str, tuple[Fact, ...]]:
        """The counters, by the number of their square."""
        squares = self.progress(state)
        return {
            str(there): tuple(seat for seat in SEATS if squares[seat] == there) for there in squares.values()
        }

    def decided(self, course: Sequence[tuple[RaceState, RaceMove]], state: RaceState) -> Decided | None:
        """The throw that reached the pot, and how far behind the other stood."""
        throws = [move for before, move in course if isinstance(move, Throw) and before.standing.thrower]
        if state.winner is None or not throws:
            return None
        loser = other(state.winner)
        one, two = throws[-1].dice
        square = state.standing.square(loser)
        return Decided(
            "throw", {"one": one, "two": two, "throws": len(throws), "other": loser, "square": square}
        )

    def luck(self, course: Iterable[tuple[RaceState, RaceMove]]) -> dict[str, Luck]:
        """The throws of the race, without those for who is Cat."""
        return luck_of(
            (state.standing.thrower, sum(move.dice), MEAN, VARIANCE)
            for state, move in course
            if isinstance(move, Throw) and state.standing.thrower
        )

    def luck_remarks(
        self, course: Sequence[tuple[RaceState, RaceMove]], state: RaceState
    ) -> tuple[LuckRemark, ...]:
        """Remarks: all was luck, each player's throws, the throw that changed most."""
        throws = luck_of_throws(course, state)
        if not throws:
            return ()
        most = max(throws, key=lambda throw: abs(throw.gain))
        one, two = most.move.dice
        facts = {"one": one, "two": two, "before": _percent(most.before), "after": _percent(most.after)}
        return (
            LuckRemark("dice-alone"),
            *(_of_a_seat(seat, throws) for seat in SEATS),
            LuckRemark("turned", most.seat, facts, most.number),
        )

    def narrate(self, before: RaceState, after: RaceState) -> tuple[Phrase, ...]:
        """The way of a counter and its consequence; nothing for throws for the start."""
        if len(after.steps) <= len(before.steps):
            return ()
        last = after.steps[-1]
        facts = {"seat": last.seat, "from": _square(last.start), "to": _square(last.to)}
        keys = ["race.stay" if last.how == "stay" else "narrated.moved"]
        if last.how in ("leap", "turn-back"):
            keys.append(f"race.how-{last.how}")
        if last.then != "next":
            keys.append(f"race.then-{last.then}")
        said = [Phrase(key, facts, SLUG) for key in keys]
        return (*said, *(Phrase("race.served", {"seat": seat}, SLUG) for seat in last.served))


def _square(square: int) -> Phrase:
    """A square in a sentence; 0 is the corner."""
    return Phrase("race.square", {"square": square}, SLUG) if square else Phrase("race.corner", {}, SLUG)


def _of_a_seat(seat: Seat, throws: Sequence[ThrowLuck]) -> LuckRemark:
    gains = [throw.gain for throw in throws if throw.seat == seat]
    gain = sum(gains)
    at_the_start = throws[0].before if throws[0].seat == seat else 1 - throws[0].before
    facts = {"times": len(gains), "points": _percent(abs(gain)), "start": _percent(at_the_start)}
    return LuckRemark("raised" if gain > 0 else "lowered", seat, facts)


def _percent(chance: float) -> int:
    return round(100 * chance)
