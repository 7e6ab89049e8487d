"""A finished match in words: the points and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.hide_and_seek.animals import lines, points
from companion.games.hide_and_seek.state import HideMove, HideState
from companion.games.retrospect import Decided, Retrospect


class HideRetrospect(Retrospect[HideState, HideMove]):
    """A match, looked back at."""

    def progress(self, state: HideState) -> dict[str, int]:
        return points(state)

    def decided(self, course: Sequence[tuple[HideState, HideMove]], state: HideState) -> Decided | None:
        """The parts of the winner's points, and the lead over the next seat."""
        best, *others = sorted(state.seats, key=points(state).__getitem__, reverse=True)
        margin = points(state)[best] - max(points(state)[seat] for seat in others)
        if not margin:
            return None
        scored = lines(state, best)
        animals = sum(line.points for line in scored if line.what in ("animal", "food"))
        enemies = sum(line.points for line in scored) - animals
        return Decided("points", {"seat": best, "margin": margin, "animals": animals, "enemies": enemies})
