"""A sheet in words: what was entered, who stands where in the end, and the luck of the dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from companion.games.retrospect import Decided, Luck, Place, Retrospect, luck_of
from companion.games.score_sheet.sheet import SLUG
from companion.games.score_sheet.state import SheetMove, SheetState, Throw
from companion.messages import Fact, Phrase

MEAN, VARIANCE = 3.5, 35 / 12
"""Of one die."""

Course = Sequence[tuple[SheetState, SheetMove]]


class SheetRetrospect(Retrospect[SheetState, SheetMove]):
    """A score sheet, looked back at."""

    luck_kind = "dice"

    def progress(self, state: SheetState) -> dict[str, int]:
        """The totals."""
        return state.totals

    def lying(self, state: SheetState) -> dict[str, tuple[Fact, ...]]:
        """The points of each player, line by line, and of each line, player by player."""
        lines = list(zip_longest(*state.cells))
        rows = state.sheet.rows or tuple(map(str, range(1, len(lines) + 1)))
        written = {**dict(zip(state.seats, state.cells, strict=True)), **dict(zip(rows, lines, strict=False))}
        return {
            place: tuple("–" if cell is None else cell for cell in cells)
            for place, cells in written.items()
            if any(cell is not None for cell in cells)
        }

    def decided(self, course: Course, state: SheetState) -> Decided | None:
        """The lead over the next player, or the total of those that are level; None for one player."""
        places = self.places(course, state)
        if len(places) < 2:
            return None
        first, second = (state.totals[place.seat] for place in places[:2])
        if first == second:
            return Decided("level", {"points": first})
        return Decided("points", {"margin": abs(first - second)})

    def places(self, course: Course, state: SheetState) -> tuple[Place, ...]:
        """The players by their totals, the winners first."""
        sign, totals = (-1 if state.sheet.wins == "most" else 1), state.totals
        entries = dict(zip(state.seats, state.filled, strict=True))
        ranked = sorted(state.seats, key=lambda seat: sign * totals[seat])
        return tuple(Place(seat, "entries", {"entries": entries[seat]}) for seat in ranked)

    def luck(self, course: Iterable[tuple[SheetState, SheetMove]]) -> dict[str, Luck]:
        """The sum of each throw."""
        return luck_of(
            (move.seat, sum(move.dice), MEAN * len(move.dice), VARIANCE * len(move.dice))
            for _, move in course
            if isinstance(move, Throw)
        )

    def narrate(self, before: SheetState, after: SheetState) -> tuple[Phrase, ...]:
        """The points of an entry, or the dice of a throw."""
        said = [
            Phrase("narrated.entered", {"seat": seat, "points": entered or 0}, SLUG)
            for seat, was, now in zip(after.seats, before.cells, after.cells, strict=True)
            for before_it, entered in zip_longest(was, now)
            if before_it != entered
        ]
        for thrown in after.throws[len(before.throws) :]:
            dice = ", ".join(map(str, thrown.dice))
            facts: dict[str, str | int] = {"seat": thrown.seat, "dice": dice, "sum": sum(thrown.dice)}
            said.append(Phrase("narrated.threw", facts, SLUG))
        return tuple(said)
