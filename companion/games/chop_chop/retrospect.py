"""A hunt in words: the moves, and the luck of each side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import ClassVar

from companion.games.chop_chop.kitchen import SIDES, Side, Square
from companion.games.chop_chop.sighting import ground
from companion.games.chop_chop.state import (
    SLUG,
    ChopMove,
    ChopState,
    Event,
    GoTo,
    PlaceCat,
    SpearCheese,
    StayHere,
    ThrowDie,
    TurnSlab,
    slab_chances,
)
from companion.games.retrospect import Decided, Luck, LuckRemark, Retrospect, luck_of
from companion.games.watching import square_name
from companion.messages import Fact, Phrase

OF_A_SIDE = ("cut", "missed")
"""Events with a sentence for each side."""

Course = Sequence[tuple[ChopState, ChopMove]]


def thrown(course: Course, side: Side) -> tuple[int, int, Fraction]:
    """A side's throws, their sum, and its mean."""
    throws = [
        (state, move) for state, move in course if isinstance(move, ThrowDie) and state.standing.side == side
    ]
    total = sum(sum(move.dice) for _, move in throws)
    return len(throws), total, sum((_mean(state, side) for state, _ in throws), Fraction(0))


def cheese(course: Course, side: Side) -> tuple[int, int, Fraction]:
    """The slabs that a side turned, the cheeses under them, and their mean number."""
    slabs = [
        (state, move) for state, move in course if isinstance(move, TurnSlab) and state.standing.side == side
    ]
    cheeses = sum(move.slab == "cheese" for _, move in slabs)
    return len(slabs), cheeses, sum((slab_chances(state)[0].chance for state, _ in slabs), Fraction(0))


class HuntRetrospect(Retrospect[ChopState, ChopMove]):
    """A hunt, looked back at."""

    luck_kind = "dice"
    trend: ClassVar = {"chop.side-mice": "chances.mice", "chop.side-cat": "chances.cat"}

    def progress(self, state: ChopState) -> dict[str, int]:
        """Cheese held by the mice, and mice caught by the cat."""
        standing, (*mice, cat) = state.standing, state.seat_names
        caught = len(standing.mice) - len(standing.alive)
        return {**dict.fromkeys(mice, standing.cheese_found), cat: caught}

    def lying(self, state: ChopState) -> dict[str, tuple[Fact, ...]]:
        """The pieces and things on each square, from the top down: a mouse may be under the table."""
        stand = {piece: state.standing.at(piece) for piece in ("cat", *state.standing.alive)}
        under = [mouse for mouse in state.standing.alive if stand[mouse] in state.options.kitchen.table]
        layers: list[tuple[Square | None, Fact]] = [
            (stand[piece], piece) for piece in stand if piece not in under
        ]
        layers += [((it.row, it.col), Phrase(f"narrated.lies-{it.kind}", {}, SLUG)) for it in ground(state)]
        layers += [(stand[mouse], mouse) for mouse in under]
        lies: dict[str, tuple[Fact, ...]] = {}
        for square, thing in layers:
            if square is not None:
                lies[square_name(square)] = (*lies.get(square_name(square), ()), thing)
        return lies

    def decided(self, course: Sequence[tuple[ChopState, ChopMove]], state: ChopState) -> Decided | None:
        """The throw that ended it, with the cheese found and the mice caught."""
        standing = state.standing
        caught = len(standing.mice) - len(standing.alive)
        throws = sum(isinstance(move, ThrowDie) for _, move in course)
        reason = "caught" if len(standing.mice) == caught else "home"
        return Decided(reason, {"cheese": standing.cheese_found, "caught": caught, "throws": throws})

    def luck(self, course: Iterable[tuple[ChopState, ChopMove]]) -> dict[str, Luck]:
        """The throws, by the faces of each side's die."""
        return luck_of(self._throws(course))

    def _throws(
        self, course: Iterable[tuple[ChopState, ChopMove]]
    ) -> Iterator[tuple[str, float, float, float]]:
        for state, move in course:
            thrower = state.turn
            if isinstance(move, ThrowDie) and thrower:
                faces = state.options.two_dice.die_of(state.standing.side).faces
                mean = sum(faces) / len(faces)
                yield thrower, sum(move.dice), mean, sum((face - mean) ** 2 for face in faces) / len(faces)

    def luck_remarks(self, course: Course, state: ChopState) -> Iterator[LuckRemark]:
        """Each side's throws and slabs beside their averages."""
        for side in SIDES:
            times, total, expected = thrown(course, side)
            if times:
                yield LuckRemark(
                    "threw", side, {"times": times, "total": total, "expected": _decimal(expected)}
                )
        for side in SIDES:
            slabs, cheeses, expected = cheese(course, side)
            if slabs:
                yield LuckRemark(
                    "cheese", side, {"slabs": slabs, "cheeses": cheeses, "expected": _decimal(expected)}
                )

    def narrate(self, before: ChopState, after: ChopState) -> tuple[Phrase, ...]:
        """The events since the state before; a throw begins them afresh."""
        known = len(before.since) if after.since[: len(before.since)] == before.since else 0
        return tuple(map(_phrase, after.since[known:]))

    def named(self, move: ChopMove) -> Phrase | None:
        """The square to which a player moved a piece; throws and slabs go by their notation."""
        match move:
            case GoTo(piece=piece, row=row, col=col):
                return Phrase("narrated.go", {"piece": piece, "square": square_name((row, col))}, SLUG)
            case PlaceCat(row=row, col=col):
                return Phrase("narrated.place", {"square": square_name((row, col))}, SLUG)
            case SpearCheese(row=row, col=col):
                return Phrase("narrated.spear", {"square": square_name((row, col))}, SLUG)
            case StayHere():
                return Phrase("narrated.stay", {}, SLUG)
        return None


def _phrase(event: Event) -> Phrase:
    what = f"{event.what}-{event.side}" if event.what in OF_A_SIDE else event.what
    return Phrase(
        f"chop.did-{what}",
        {
            "side": event.side,
            "piece": event.piece or "",
            "n": event.n,
            "slab": Phrase(f"slab.{event.slab}", {}, SLUG) if event.slab else "",
            "square": square_name(event.at) if event.at else "",
        },
        SLUG,
    )


def _mean(state: ChopState, side: Side) -> Fraction:
    faces = state.options.two_dice.die_of(side).faces
    return Fraction(sum(faces), len(faces))


def _decimal(number: Fraction) -> str:
    return f"{float(number):.1f}"
