"""The companion's player of This Bed Is Mine: the search, its levels, and the reasons of its moves."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from companion.games.chance import Stream
from companion.games.players import Budget, Choice, GamePlayer, Handicap, Seen, Weighed
from companion.games.this_bed_is_mine import score as scores
from companion.games.this_bed_is_mine.player.plan import plan_of
from companion.games.this_bed_is_mine.player.position import POINT, Parent, Position
from companion.games.this_bed_is_mine.player.search import SearchResult, look_ahead
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions, Lay, Tile, other
from companion.games.this_bed_is_mine.view import BedView, TileView

SAMPLED = 60
"""The placements to compare on a bed that is too large for a plan."""

CLOSES_FROM = 0.5
"""A move closes the bed to the other side if it takes at least this share of its placements."""


class BedPlayer(GamePlayer):
    """Plays either side of the bed."""

    levels: ClassVar[dict[str, Handicap]] = {
        "newcomer": Handicap(nodes=0, spread=10),
        "beginner": Handicap(nodes=0, spread=3.5),
        "middle": Handicap(nodes=0),
        "strong": Handicap(nodes=6_000),
        "top": Handicap(),
    }
    expects = "points"
    judges = True

    def ways(self, seen: Seen, budget: Budget, luck: Stream) -> list[Choice]:
        """The moves with the lead in points that is expected at the end, the best first."""
        position = position_of(seen)
        if position is None:
            some = [_difference(seen, luck.choice(seen.legal)) for _ in range(min(SAMPLED, len(seen.legal)))]
            return sorted(some, key=lambda choice: -(choice.value or 0))
        verdict = look_ahead(position, budget)
        return _choices(position, seen.seat, verdict)

    def explained(self, seen: Seen, choice: Choice) -> Choice:
        """The choice with its reason: certain facts first, then the change on the bed."""
        position = position_of(seen)
        return choice if choice.why or position is None else _with_reason(seen, position, choice)

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        """The best move, and the worth of the played one; None on a bed that is too large for a plan."""
        position = position_of(seen)
        if position is None:
            return None
        number = position.plan.number_of(played)
        verdict = look_ahead(position, budget, wanted=number)
        worth = verdict.worths[verdict.numbers.index(number)]
        choice = _choices(position, seen.seat, verdict)[0]
        return Weighed(self.explained(seen, choice), worth / POINT, verdict.exact)


PLAYER = BedPlayer()


def position_of(seen: Seen) -> Position | None:
    """The position that a side sees; None on a bed that is too large for a plan."""
    options, view = seen.options, seen.view
    if not isinstance(options, BedOptions) or not isinstance(view, BedView):
        raise TypeError("this is no view of This Bed Is Mine")
    plan = plan_of(options)
    if plan is None:
        return None
    tiles = _tiles(seen)
    position = Position.from_tiles(plan, tiles, (view.skipped.cat, view.skipped.dog))
    if position.turn != OWNERS.index(seen.seat):
        # A correction took a tile off: its side is owed a turn, even one that had been skipped.
        return Position.from_tiles(plan, tiles, (seen.seat != "cat", seen.seat != "dog"))
    return position


def _difference(seen: Seen, move: Lay) -> Choice:
    scored = scores.score(seen.options, (*_tiles(seen), _tile(move)))  # type: ignore[arg-type]
    return Choice(move, float(scored.total(move.owner) - scored.total(other(move.owner))))


def _choices(position: Position, seat: str, verdict: SearchResult) -> list[Choice]:
    """The moves of a verdict with their values in points; a certain best one with that as its reason."""
    owner = OWNERS[OWNERS.index(seat)]
    choices = [
        Choice(position.plan.move(owner, number), worth / POINT)
        for number, worth in zip(verdict.numbers, verdict.worths, strict=True)
    ]
    if verdict.exact:
        points = round(verdict.worths[0] / POINT)
        why = "advice.wins" if points > 0 else "advice.shares" if points == 0 else "advice.loses-least"
        choices[0] = replace(choices[0], why=why, facts={"points": abs(points)})
    return choices


def _with_reason(seen: Seen, position: Position, choice: Choice) -> Choice:
    """The change that a move makes on the bed: squares first, then places."""
    move: Lay = choice.move
    owner, rival, side, tiles = move.owner, other(move.owner), OWNERS.index(move.owner), _tiles(seen)
    before, after = (scores.score(position.plan.options, lie) for lie in (tiles, (*tiles, _tile(move))))
    lost = before.region_points[rival] - after.region_points[rival]
    won = after.region_points[owner] - before.region_points[owner]
    if max(lost, won) > 0:
        why = "advice.takes-away" if lost >= won else "advice.wins-squares"
        return replace(choice, why=why, facts={"other": rival, "squares": max(lost, won)})
    then = Parent(position).child(side, position.plan.number_of(move))
    places, mine, left = position.placements(1 - side).bit_count(), then.mine, then.theirs
    if places and left <= places * (1 - CLOSES_FROM):
        facts: dict[str, str | int] = {"other": rival, "before": places, "left": left}
        return replace(choice, why="advice.closes", facts=facts)
    facts = {"mine": mine, "theirs": left, "other": rival}
    return replace(choice, why="advice.keeps-room", facts=facts)


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    view: BedView = seen.view  # type: ignore[assignment]
    return tuple(map(_tile, view.tiles))


def _tile(lying: TileView | Lay) -> Tile:
    return Tile(lying.owner, lying.digit, lying.turns, lying.row, lying.col)
