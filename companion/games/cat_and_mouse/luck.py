"""What the dice brought each player of a finished race: all of it is luck, since nobody chooses anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.cat_and_mouse.odds import odds
from companion.games.cat_and_mouse.rules import RaceMove, RaceState, Throw
from companion.games.cat_and_mouse.steps import SEATS, Seat
from companion.games.game import LuckRemark


class ThrowLuck(NamedTuple):
    """A throw of the race: whose it was, and that player's chance to win before and after it.

    `number` is that of the open move, from 1.
    """

    number: int
    move: Throw
    seat: Seat
    before: float
    after: float

    @property
    def gain(self) -> float:
        """By how much the throw raised its thrower's chance."""
        return self.after - self.before


def luck_of_throws(course: Sequence[tuple[RaceState, RaceMove]], state: RaceState) -> tuple[ThrowLuck, ...]:
    """The throws of the race, with the exact chances before and after each.

    Throws for who is Cat are left out: they are nobody's yet.
    """
    chances = odds(state.options)
    states = (*(before for before, _ in course), state)
    return tuple(
        ThrowLuck(
            number,
            move,
            seat,
            chances.chances(before.standing).of(seat),
            chances.chances(states[number].standing).of(seat),
        )
        for number, (before, move) in enumerate(course, 1)
        if isinstance(move, Throw) and (seat := before.standing.thrower)
    )


def luck_remarks(course: Sequence[tuple[RaceState, RaceMove]], state: RaceState) -> tuple[LuckRemark, ...]:
    """That all was luck, what each player's throws brought, and the throw that changed most."""
    throws = luck_of_throws(course, state)
    if not throws:
        return ()
    most = max(throws, key=lambda each: abs(each.gain))
    one, two = most.move.dice
    facts = {"one": one, "two": two, "before": _percent(most.before), "after": _percent(most.after)}
    return (
        LuckRemark("dice-alone"),
        *(_of_a_seat(seat, throws) for seat in SEATS),
        LuckRemark("turned", most.seat, facts, most.number),
    )


def _of_a_seat(seat: Seat, throws: Sequence[ThrowLuck]) -> LuckRemark:
    own = [each for each in throws if each.seat == seat]
    gain = sum(each.gain for each in own)
    at_the_start = throws[0].before if throws[0].seat == seat else 1 - throws[0].before
    facts = {"times": len(own), "points": _percent(abs(gain)), "start": _percent(at_the_start)}
    return LuckRemark("raised" if gain > 0 else "lowered", seat, facts)


def _percent(chance: float) -> int:
    return round(100 * chance)
