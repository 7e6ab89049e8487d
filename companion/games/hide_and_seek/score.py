"""Points: of the animals still free, of the food on them, and of the enemies caught."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.game import Outcome
from companion.games.hide_and_seek.moves import HideState
from companion.games.hide_and_seek.standing import standing


class Line(msgspec.Struct, frozen=True):
    """Points and what they are for: an animal, the food on it, an enemy caught, or the food on that."""

    what: Literal["animal", "food", "enemy", "enemy-food"]
    name: str
    points: int


def lines(state: HideState, seat: str) -> tuple[Line, ...]:
    """Every line of a seat's points; what counts nothing is left out, but for animals and enemies."""
    lines = []
    for own in state.free:
        if own.seat == seat:
            lines.append(Line("animal", own.animal, state.set.animals[own.animal].points))
            food = standing(state, own.animal).food
            if food:
                lines.append(Line("food", own.animal, food))
    for each in state.enemies_caught:
        if each.by == seat:
            lines.append(Line("enemy", each.card, each.points))
            if each.food:
                lines.append(Line("enemy-food", each.card, each.food))
    return tuple(lines)


def points(state: HideState) -> dict[str, int]:
    """The points of every seat, if it ended now."""
    return {seat: sum(line.points for line in lines(state, seat)) for seat in state.seats}


def outcome(state: HideState) -> Outcome | None:
    """Who has most points when it is over; several where they have as many."""
    if state.phase != "over":
        return None
    every = points(state)
    most = max(every.values())
    return Outcome(state.ended, tuple(seat for seat in state.seats if every[seat] == most), every)
