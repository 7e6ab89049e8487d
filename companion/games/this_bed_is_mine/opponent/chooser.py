"""The levels of This Bed Is Mine: from a beginner to the search, and the players that measure them."""

from __future__ import annotations

from typing import Any

import numpy as np

from companion.games.choosing import RANDOM, Budget, Choice, Lots, Seen, Weighed
from companion.games.this_bed_is_mine import score as scores
from companion.games.this_bed_is_mine.moves import OWNERS, BedOptions, Lay, Owner, Tile, other
from companion.games.this_bed_is_mine.opponent.plan import Plan, plan_of
from companion.games.this_bed_is_mine.opponent.position import POINT, Children, Position, Taste, children
from companion.games.this_bed_is_mine.opponent.regions import rows_of
from companion.games.this_bed_is_mine.opponent.search import Search, Verdict
from companion.games.this_bed_is_mine.view import BedView

MARGINS = (0, 60, 70, 80, 90, 100)
"""A square whose owner is only 1 ahead is easily lost again; from 5 ahead it counts in full."""

TOP = Taste(mobility=9000, room=(2000,), margins=MARGINS)
"""What the middle and the top level look at. Tried in games at one ply: against the best difference it wins
96 %, and 69 % against the same without `room` and with half the mobility."""

PLAIN = Taste(mobility=800)
"""Points and placements alone: the player that the middle level has to beat."""

POINTS_ONLY = Taste(mobility=0)
"""The points of the bed as it lies."""

SHARES = ((1500, 0.04), (1000, 0.08), (600, 0.12), (250, 0.17), (0, 0.22))
"""From this number of placements of both sides on, the share of a worth that is points at the end.

Fitted to how 1,740 matches of the top level against itself ended, at 6,395 of their moves: the worths order
moves well, but are several times as large as what comes of them."""

DEEPEST = 8
"""The plies after which the search stops even if there is time."""

TWO_PLY_MOVES = 60
"""The moves to which the two-ply player looks for the best reply: those of the best difference."""

TUCKED_IN = 2
"""A beginner lays beside its own tiles: at most this number of squares less than it could."""

SAMPLED = 60
"""The placements that are compared on a bed too large for a plan."""

CLOSES_FROM = 0.5
"""A move closes the bed to the other side if it takes at least this share of its placements."""


class BedChooser:
    """Plays either side of the bed."""

    levels = ("beginner", "middle", "top", RANDOM, "best-difference", "two-ply", "territory-mobility")
    expects = "points"

    def choose(self, seen: Seen, level: str, budget: Budget, seed: int) -> Choice:
        """The move for the side in `seen`, with the points that it expects to be ahead at the end."""
        lots = Lots(seed)
        position = position_of(seen)
        if level == RANDOM:
            return Choice(lots.one_of(seen.legal))
        if position is None:
            return _on_a_large_bed(seen, lots)
        side = OWNERS.index(seen.seat)
        if level == "top":
            return explained(seen, position, Search(TOP, budget).look(position, DEEPEST))
        if level == "beginner":
            number = _beginner(position, side, lots)
        elif level == "two-ply":
            number = _two_ply(position, side, lots)
        else:
            taste = {"middle": TOP, "territory-mobility": PLAIN}.get(level, POINTS_ONLY)
            number = _best(children(position, side, taste), lots)
        return explained(seen, position, Verdict((number,), (), 1, exact=False))

    def weigh(self, seen: Seen, played: Any, budget: Budget) -> Weighed | None:
        """The best move and what the played one was worth; None on a bed that is too large."""
        position = position_of(seen)
        if position is None:
            return None
        lay = (played.digit, played.turns, played.row, played.col)
        number = position.plan.number.get(lay)
        if number is None:  # recorded with other turns that cover the same squares
            number = _same_squares(position.plan, played)
        verdict = Search(TOP, budget).look(position, DEEPEST, wanted=number)
        worth = verdict.worths[verdict.numbers.index(number)]
        return Weighed(explained(seen, position, verdict), worth * _points(position, verdict))


CHOOSER = BedChooser()


def position_of(seen: Seen) -> Position | None:
    """The position that a side sees; None on a bed that is too large for a plan."""
    options, view = seen.options, seen.view
    if not isinstance(options, BedOptions) or not isinstance(view, BedView):
        raise TypeError("this is no view of This Bed Is Mine")
    plan = plan_of(options)
    if plan is None:
        return None
    tiles = [Tile(each.owner, each.digit, each.turns, each.row, each.col) for each in view.tiles]
    position = Position.of(plan, tiles, (view.skipped.cat, view.skipped.dog))
    if position.turn != OWNERS.index(seen.seat):
        # A correction took a tile off: its side is owed a turn, even one that had been skipped.
        return Position.of(plan, tiles, (seen.seat != "cat", seen.seat != "dog"))
    return position


def _same_squares(plan: Plan, lay: Lay) -> int:
    mask = plan.bed.shapes[lay.digit][lay.turns].mask
    turns = next(each.turns for each in plan.bed.distinct[lay.digit] if each.mask == mask)
    return plan.number[lay.digit, turns, lay.row, lay.col]


def _best(born: Children, lots: Lots) -> int:
    return int(lots.one_of(born.numbers[born.worths == born.worths.max()]))


def _beginner(position: Position, side: int, lots: Lots) -> int:
    """A move with the mistakes of a beginner.

    It lays the tile first that is the easiest to lay, beside its own tiles, and gives squares away there.
    """
    plan, numbers = position.plan, position.numbers(side)
    digits = plan.digit_of[numbers]
    easiest = numbers[digits == np.bincount(digits).argmax()]
    outlines, own = plan.outlines, 0
    for key in position.key:
        own |= outlines.beside_masks[key >> 1] if key & 1 == side else 0
    near = rows_of(plan.bed, [own & position.free])
    beside = np.bitwise_count(outlines.squares.take(easiest, axis=1) & near).sum(axis=0, dtype=np.int64)
    tucked = easiest[beside >= beside.max() - TUCKED_IN]
    born = children(position, side, POINTS_ONLY, tucked)
    return int(lots.one_of(born.numbers[born.worths == born.worths.min()]))


def _two_ply(position: Position, side: int, lots: Lots) -> int:
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
    return lots.one_of(
        [int(born.numbers[n]) for n, worth in zip(order, worths, strict=True) if worth == best]
    )


def _on_a_large_bed(seen: Seen, lots: Lots) -> Choice:
    """The best difference among some of the moves, where there are too many to plan."""
    tiles = tuple(
        Tile(each.owner, each.digit, each.turns, each.row, each.col)
        for each in seen.view.tiles  # type: ignore[attr-defined]
    )
    some = [lots.one_of(seen.legal) for _ in range(min(SAMPLED, len(seen.legal)))]
    return max((_difference(seen, tiles, move) for move in some), key=lambda each: each.value or 0)


def _difference(seen: Seen, tiles: tuple[Tile, ...], move: Lay) -> Choice:
    tile = Tile(move.owner, move.digit, move.turns, move.row, move.col)
    scored = scores.score(seen.options, (*tiles, tile))  # type: ignore[arg-type]
    return Choice(move, float(scored.total(move.owner) - scored.total(other(move.owner))))


def explained(seen: Seen, position: Position, verdict: Verdict) -> Choice:
    """The first move of a verdict with a reason: what is certain first, then what it changes on the bed."""
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
    after = scores.score(position.plan.options, (*_tiles(seen), Tile(*_parts(move))))
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


def _points(position: Position, verdict: Verdict) -> float:
    """What a worth in a verdict is in points: those of an end are certain, others only partly (`SHARES`)."""
    if verdict.to_the_end or verdict.exact:
        return 1 / POINT
    left = len(position.numbers(0)) + len(position.numbers(1))
    return next(share for least, share in SHARES if left >= least) / POINT


def _parts(move: Lay) -> tuple[Owner, int, int, int, int]:
    return move.owner, move.digit, move.turns, move.row, move.col


def _tiles(seen: Seen) -> tuple[Tile, ...]:
    view: BedView = seen.view  # type: ignore[assignment]
    return tuple(Tile(each.owner, each.digit, each.turns, each.row, each.col) for each in view.tiles)
