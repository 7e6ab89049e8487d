"""The levels of This Bed Is Mine, from a beginner to the search, and the players to measure them by."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.games.chance import Stream, key_of
from companion.games.players import RANDOM, Budget, Choice, GamePlayer, Seen, Weighed
from companion.games.this_bed_is_mine import score as scores
from companion.games.this_bed_is_mine.player.plan import plan_of
from companion.games.this_bed_is_mine.player.position import (
    POINT,
    Position,
    Taste,
    children,
    number_of,
)
from companion.games.this_bed_is_mine.player.regions import rows_of
from companion.games.this_bed_is_mine.player.search import Search, SearchResult
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions, Lay, Owner, Tile, other
from companion.games.this_bed_is_mine.view import BedView, TileView

MARGINS = (0, 60, 70, 80, 90, 100)
"""The worth of a square by its owner's lead, in percent: a lead of 1 is easily lost again."""

TOP = Taste(mobility=9000, room=(2000,), margins=MARGINS)
"""The taste of the middle and top levels, tried in games at one ply."""

PLAIN = Taste(mobility=800)
"""Points and placements alone: the player that the middle level has to beat."""

POINTS_ONLY = Taste(mobility=0)
"""Points alone, as if the match ended now."""

SHARES = ((1500, 0.04), (1000, 0.08), (600, 0.12), (250, 0.17), (0, 0.22))
"""The share of a worth that is points at the end, by the least number of placements of both sides. Fitted to
1,740 matches of the top level against itself: worths order moves well, but are several times too large."""

DEEPEST = 8

TWO_PLY_MOVES = 60
"""The moves for which the two-ply player looks for the best reply: those with the best difference."""

TUCKED_IN = 2
"""A beginner lays beside its own tiles, touching at most this many squares less than it could."""

SAMPLED = 60
"""The placements to compare on a bed that is too large for a plan."""

CLOSES_FROM = 0.5
"""A move closes the bed to the other side if it takes at least this share of its placements."""


class BedPlayer(GamePlayer):
    """Plays either side of the bed."""

    levels = ("beginner", "middle", "top", RANDOM, "best-difference", "two-ply", "territory-mobility")
    expects = "points"
    judges = True

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the side in `seen`, with its expected lead at the end in points."""
        luck = Stream(key_of(seed))
        position = position_of(seen)
        if level == RANDOM:
            return Choice(luck.choice(seen.legal))
        if position is None:
            some = [luck.choice(seen.legal) for _ in range(min(SAMPLED, len(seen.legal)))]
            return max((_difference(seen, move) for move in some), key=lambda choice: choice.value or 0)
        side = OWNERS.index(seen.seat)
        if level == "top":
            return explained(seen, position, Search(TOP, budget).look_ahead(position, DEEPEST))
        if level == "beginner":
            number = _beginner(position, side, luck)
        elif level == "two-ply":
            number = _two_ply(position, side, luck)
        else:
            taste = {"middle": TOP, "territory-mobility": PLAIN}.get(level, POINTS_ONLY)
            born = children(position, side, taste)
            number = int(luck.choice(born.numbers[born.worths == born.worths.max()]))
        return explained(seen, position, SearchResult((number,), (), 1, exact=False))

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        """The best move, and the worth of the played one; None on a bed that is too large for a plan."""
        position = position_of(seen)
        if position is None:
            return None
        number = number_of(position.plan, played)
        verdict = Search(TOP, budget).look_ahead(position, DEEPEST, wanted=number)
        worth = verdict.worths[verdict.numbers.index(number)]
        return Weighed(explained(seen, position, verdict), worth * _points(position, verdict))


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


def _beginner(position: Position, side: int, luck: Stream) -> int:
    """A beginner's move: the easiest tile first, beside its squares tiles, giving squares away."""
    plan, numbers = position.plan, position.numbers(side)
    digits = plan.digit_of[numbers]
    easiest = numbers[digits == np.bincount(digits).argmax()]
    outlines, squares = plan.outlines, 0
    for key in position.key:
        squares |= outlines.beside_masks[key >> 1] if key & 1 == side else 0
    near = rows_of(plan.bed, [squares & position.free])
    beside = np.bitwise_count(outlines.squares.take(easiest, axis=1) & near).sum(axis=0, dtype=np.int64)
    tucked = easiest[beside >= beside.max() - TUCKED_IN]
    born = children(position, side, POINTS_ONLY, tucked)
    return int(luck.choice(born.numbers[born.worths == born.worths.min()]))


def _two_ply(position: Position, side: int, luck: Stream) -> int:
    """The move with the best difference after the other side's best reply."""
    born = children(position, side, POINTS_ONLY)
    order = np.argsort(-born.points, kind="stable")[:TWO_PLY_MOVES]
    worths = []
    for n in order:
        after = position.after(side, int(born.numbers[n]))
        if after.turn is None or after.turn == side:
            worths.append(int(born.points[n]))
        else:
            worths.append(-int(children(after, 1 - side, POINTS_ONLY).points.max()))
    best = max(worths)
    return luck.choice(
        [int(born.numbers[n]) for n, worth in zip(order, worths, strict=True) if worth == best]
    )


def _difference(seen: Seen, move: Lay) -> Choice:
    scored = scores.score(seen.options, (*_tiles(seen), _tile(move)))  # type: ignore[arg-type]
    return Choice(move, float(scored.total(move.owner) - scored.total(other(move.owner))))


def explained(seen: Seen, position: Position, verdict: SearchResult) -> Choice:
    """The first move of a verdict with its reason: certain facts first, then the change on the bed."""
    owner: Owner = seen.seat  # type: ignore[assignment]
    side, number = OWNERS.index(owner), verdict.numbers[0]
    move = position.plan.move(owner, number)
    born = children(position, side, TOP, np.array([number]))
    worth = verdict.worths[0] if verdict.worths else int(born.worths[0])
    value = worth * _points(position, verdict)
    if verdict.exact:
        why = "advice.wins" if value > 0 else "advice.shares" if value == 0 else "advice.loses-least"
        return Choice(move, value, why, {"points": round(abs(value))})
    before = scores.score(position.plan.options, _tiles(seen))
    after = scores.score(position.plan.options, (*_tiles(seen), _tile(move)))
    lost = before.region_points[other(owner)] - after.region_points[other(owner)]
    won = after.region_points[owner] - before.region_points[owner]
    facts: dict[str, str | int] = {"other": other(owner), "squares": max(lost, won)}
    if lost > 0 and lost >= won:
        return Choice(move, value, "advice.takes-away", facts)
    if won > 0:
        return Choice(move, value, "advice.wins-squares", facts)
    places = len(position.numbers(1 - side))
    left = int(born.theirs[0])
    if places and left <= places * (1 - CLOSES_FROM):
        return Choice(move, value, "advice.closes", {"other": other(owner), "before": places, "left": left})
    return Choice(
        move, value, "advice.keeps-room", {"mine": int(born.mine[0]), "theirs": left, "other": other(owner)}
    )


def _points(position: Position, verdict: SearchResult) -> float:
    """The points of a worth: certain ones in full, others by `SHARES`."""
    if verdict.to_the_end or verdict.exact:
        return 1 / POINT
    left = len(position.numbers(0)) + len(position.numbers(1))
    return next(share for least, share in SHARES if left >= least) / POINT


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    view: BedView = seen.view  # type: ignore[assignment]
    return tuple(map(_tile, view.tiles))


def _tile(lying: TileView | Lay) -> Tile:
    return Tile(lying.owner, lying.digit, lying.turns, lying.row, lying.col)
