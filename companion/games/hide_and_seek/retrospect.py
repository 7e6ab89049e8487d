"""A finished match in words: the points and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.hide_and_seek.animals import lines, points
from companion.games.hide_and_seek.state import HideMove, HideState
from companion.games.retrospect import Decided, Place, Retrospect
from companion.messages import Fact


class HideRetrospect(Retrospect[HideState, HideMove]):
    """A match, looked back at."""

    def progress(self, state: HideState) -> dict[str, int]:
        return points(state)

    def lying(self, state: HideState) -> dict[str, tuple[Fact, ...]]:
        """Each seat's free animals, and the cards on each animal and on the enemy."""
        animals = {seat: tuple(own.animal for own in state.free if own.seat == seat) for seat in state.seats}
        cards = {lying.on: tuple(it.card for it in state.lying if it.on == lying.on) for lying in state.lying}
        enemy = (state.enemy.card,) if state.enemy else ()
        return {**animals, **cards, "enemy": (*enemy, *cards.get("enemy", ()))}

    def decided(self, course: Sequence[tuple[HideState, HideMove]], state: HideState) -> Decided:
        """The lead over the next seat, or the points of those that are level."""
        best, *others = sorted(state.seats, key=points(state).__getitem__, reverse=True)
        most = points(state)[best]
        margin = most - max(points(state)[seat] for seat in others)
        if not margin:
            return Decided("level", {"points": most})
        return Decided("points", {"margin": margin})

    def places(self, course: Sequence[tuple[HideState, HideMove]], state: HideState) -> tuple[Place, ...]:
        """The seats by their points, with what made them."""

        def place(seat: str) -> Place:
            scored = lines(state, seat)
            animals = sum(line.points for line in scored if line.what in ("animal", "food"))
            enemies = sum(line.points for line in scored) - animals
            return Place(seat, "points", {"animals": animals, "enemies": enemies})

        return tuple(map(place, sorted(state.seats, key=points(state).__getitem__, reverse=True)))
