"""What chance brought each side of a finished hunt: the dice, and the cheese under the slabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from companion.games.chop_chop.chance import slab_chances
from companion.games.chop_chop.kitchen import Side
from companion.games.chop_chop.state import ChopMove, ChopState, ThrowDie, TurnSlab
from companion.games.game import LuckRemark

Course = Sequence[tuple[ChopState, ChopMove]]
"""Every open move of a match, with the state before it."""

SIDES: tuple[Side, Side] = ("mice", "cat")


def thrown(course: Course, side: Side) -> tuple[int, int, Fraction]:
    """The throws of a side, what they showed together, and what they would show on average."""
    throws = [
        (state, move) for state, move in course if isinstance(move, ThrowDie) and state.standing.side == side
    ]
    total = sum(sum(move.dice) for _, move in throws)
    return len(throws), total, sum((_mean(state, side) for state, _ in throws), Fraction(0))


def cheese(course: Course, side: Side) -> tuple[int, int, Fraction]:
    """The slabs that a side turned, the cheeses under them, and how many would be so on average."""
    slabs = [
        (state, move) for state, move in course if isinstance(move, TurnSlab) and state.standing.side == side
    ]
    cheeses = sum(move.slab == "cheese" for _, move in slabs)
    return len(slabs), cheeses, sum((slab_chances(state)[0].chance for state, _ in slabs), Fraction(0))


def luck_remarks(course: Course) -> Iterator[LuckRemark]:
    """What the dice and the slabs brought each side."""
    for side in SIDES:
        times, total, expected = thrown(course, side)
        if times:
            yield LuckRemark("threw", side, {"times": times, "total": total, "expected": _decimal(expected)})
    for side in SIDES:
        slabs, cheeses, expected = cheese(course, side)
        if slabs:
            yield LuckRemark(
                "cheese", side, {"slabs": slabs, "cheeses": cheeses, "expected": _decimal(expected)}
            )


def _mean(state: ChopState, side: Side) -> Fraction:
    faces = state.options.two_dice.of(side).faces
    return Fraction(sum(faces), len(faces))


def _decimal(number: Fraction) -> str:
    return f"{float(number):.1f}"
