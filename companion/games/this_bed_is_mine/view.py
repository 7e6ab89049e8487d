"""What a phone may show: the bed, each number with its why, and what to lay out at the end.

All information is open: every seat sees the same. Points, chips and markers are those "if it ended
now"; the steps to lay out come once it has.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.game import Outcome
from companion.games.this_bed_is_mine import chips, fits, score, stock
from companion.games.this_bed_is_mine.board import TOYS, Square
from companion.games.this_bed_is_mine.moves import OWNERS, BedOptions, BedState, Owner, Tile
from companion.games.this_bed_is_mine.rules import is_out


class Sides(msgspec.Struct, frozen=True):
    """A number of each side."""

    cat: int
    dog: int


class SidesSkipped(msgspec.Struct, frozen=True):
    """Of each side, whether it has been skipped and stays out."""

    cat: bool
    dog: bool


class TileView(msgspec.Struct, frozen=True):
    """A tile on the bed; `n` counts from 1 in the order they were laid."""

    owner: Owner
    digit: int
    turns: int
    row: int
    col: int
    cells: tuple[Square, ...]
    n: int


class TileName(msgspec.Struct, frozen=True):
    """Which tile."""

    owner: Owner
    digit: int


class Hands(msgspec.Struct, frozen=True):
    """The digits that each side still has in hand."""

    cat: tuple[int, ...]
    dog: tuple[int, ...]


class FirstTileView(msgspec.Struct, frozen=True):
    """What binds the next tile: its digits, and whether it must keep to the zone."""

    digits: tuple[int, ...]
    zone: bool


class RegionView(msgspec.Struct, frozen=True):
    """Empty squares joined along edges: who owns them and why."""

    id: int
    squares: tuple[Square, ...]
    size: int
    sums: Sides
    tiles: tuple[TileName, ...]
    owner: Owner | None
    why: score.Why
    points: int
    toys: dict[str, int]
    marker: Square | None
    """Where its owner's paw marker goes."""


class PointsView(msgspec.Struct, frozen=True):
    """A side's points."""

    regions: int
    bonus: int
    total: int


class BothPoints(msgspec.Struct, frozen=True):
    """Each side's points."""

    cat: PointsView
    dog: PointsView


class ToyCount(msgspec.Struct, frozen=True):
    """The tokens of one kind that each side takes, and who gets the bonus."""

    cat: int
    dog: int
    bonus: Owner | None


class ChipsView(msgspec.Struct, frozen=True):
    """The chips that each side gets, by their points, and what the stock cannot pay."""

    cat: dict[str, int]
    dog: dict[str, int]
    short: Sides


class UseInstead(msgspec.Struct, frozen=True, tag_field="step", tag="instead"):
    """Take something else for pieces of which the box has too few; see `stock.Shortage`."""

    what: stock.What
    need: int
    there: int
    short: int
    instead: stock.Instead


class LayMarker(msgspec.Struct, frozen=True, tag_field="step", tag="marker"):
    """Put the owner's paw marker on a square of the region."""

    owner: Owner
    region: int
    square: Square
    points: int


class TakeToys(msgspec.Struct, frozen=True, tag_field="step", tag="toys"):
    """Take a token for each toy picture in the region."""

    owner: Owner
    region: int
    toys: dict[str, int]


class CompareToys(msgspec.Struct, frozen=True, tag_field="step", tag="bonus"):
    """Compare the tokens of one kind: who has more gets the points."""

    toy: str
    cat: int
    dog: int
    owner: Owner | None
    points: int


class HandOutChips(msgspec.Struct, frozen=True, tag_field="step", tag="chips"):
    """Hand a side its chips: all its points, the bonus included. Points for which there is no chip, `short`,
    are noted on paper."""

    owner: Owner
    points: int
    chips: dict[str, int]
    short: int


class NameWinners(msgspec.Struct, frozen=True, tag_field="step", tag="winner"):
    """Say who sleeps in the bed."""

    reason: str
    winners: tuple[str, ...]
    points: Sides


Step = UseInstead | LayMarker | TakeToys | CompareToys | HandOutChips | NameWinners


class BedView(msgspec.Struct, frozen=True):
    """Everything on one page."""

    rows: int
    cols: int
    side: Literal["A", "B"]
    board: str
    zone: tuple[Square, ...]
    pillows: tuple[tuple[Square, ...], ...]
    toys: dict[str, tuple[Square, ...]]
    shapes: dict[str, tuple[str, ...]]
    tiles: tuple[TileView, ...]
    left: Hands
    turn: Owner | None
    first_tile: FirstTileView | None
    skipped: SidesSkipped
    fits: Sides
    regions: tuple[RegionView, ...]
    points: BothPoints
    toy_count: dict[str, ToyCount]
    chips: ChipsView
    short: tuple[stock.Shortage, ...]
    last: TileView | None
    over: bool
    outcome: Outcome | None
    layout: tuple[Step, ...]


def view(state: BedState) -> BedView:
    """What every seat sees of a state."""
    options, bed = state.options, fits.bed_of(state.options)
    scored = score.score(options, state.tiles)
    regions = tuple(_region(bed, number, region) for number, region in enumerate(scored.regions, start=1))
    points = _points(scored)
    toy_count = {kind: ToyCount(**scored.toys[kind], bonus=scored.bonus[kind]) for kind in TOYS}
    paid = _chips(options, points)
    short = tuple(stock.shortages(options, scored, paid.short.cat + paid.short.dog))
    tiles = tuple(_tile(bed, number, tile) for number, tile in enumerate(state.tiles, start=1))
    ended = score.outcome(state)
    return BedView(
        rows=bed.board.rows,
        cols=bed.board.cols,
        side=bed.board.side,
        board=bed.board.name,
        zone=bed.board.zone,
        pillows=bed.board.pillows,
        toys=bed.board.toys,
        shapes={str(digit): rows for digit, rows in bed.tiles.shapes.items()},
        tiles=tiles,
        left=Hands(*(tuple(fits.left(options, state.tiles, owner)) for owner in OWNERS)),
        turn=state.turn,
        first_tile=_first_tile(state),
        skipped=SidesSkipped(*(is_out(state, owner) for owner in OWNERS)),
        fits=Sides(*(_fits(state, owner) for owner in OWNERS)),
        regions=regions,
        points=points,
        toy_count=toy_count,
        chips=paid,
        short=short,
        last=tiles[-1] if tiles else None,
        over=ended is not None,
        outcome=ended,
        layout=() if ended is None else (*_instead(short), *layout(regions, points, toy_count, paid, ended)),
    )


def _fits(state: BedState, owner: Owner) -> int:
    return 0 if is_out(state, owner) else fits.count(state.options, state.tiles, owner)


def _first_tile(state: BedState) -> FirstTileView | None:
    rule = fits.binding(state.options, state.tiles, state.turn) if state.turn else None
    return FirstTileView(rule.digits, bool(rule.zone)) if rule else None


def _tile(bed: fits.Bed, number: int, tile: Tile) -> TileView:
    cells = tuple((tile.row + row, tile.col + col) for row, col in bed.shapes[tile.digit][tile.turns].cells)
    return TileView(tile.owner, tile.digit, tile.turns, tile.row, tile.col, cells, number)


def _region(bed: fits.Bed, number: int, region: score.Region) -> RegionView:
    squares = tuple(bed.listed(region.squares))
    return RegionView(
        id=number,
        squares=squares,
        size=region.size,
        sums=Sides(**region.sums),
        tiles=tuple(TileName(tile.owner, tile.digit) for tile in region.tiles),
        owner=region.owner,
        why=region.why,
        points=region.points,
        toys=region.toys,
        marker=middle(squares) if region.owner else None,
    )


def middle(squares: tuple[Square, ...]) -> Square:
    """The square nearest to the middle of these, the first of several in reading order."""
    size = len(squares)
    down, across = sum(row for row, _ in squares), sum(col for _, col in squares)
    return min(squares, key=lambda square: (size * square[0] - down) ** 2 + (size * square[1] - across) ** 2)


def _points(scored: score.Score) -> BothPoints:
    return BothPoints(
        *(
            PointsView(scored.region_points[owner], scored.bonus_points(owner), scored.total(owner))
            for owner in OWNERS
        )
    )


def _chips(options: BedOptions, points: BothPoints) -> ChipsView:
    paid = chips.pay(points.cat.total, points.dog.total, chips.stock_of(options))
    cat, dog = (dict(zip(map(str, chips.VALUES), pieces, strict=True)) for pieces in paid.chips)
    return ChipsView(cat, dog, Sides(*paid.short))


def _instead(short: tuple[stock.Shortage, ...]) -> tuple[UseInstead, ...]:
    """What to have at hand before anything is laid out; short chips are said as they are handed out."""
    return tuple(UseInstead(**msgspec.structs.asdict(each)) for each in short if each.what != "chips")


def layout(
    regions: tuple[RegionView, ...],
    points: BothPoints,
    toy_count: dict[str, ToyCount],
    paid: ChipsView,
    ended: Outcome,
) -> tuple[Step, ...]:
    """What a person lays out at the end, in order: markers with their toys, bonuses, chips, winners.

    The chips come after the bonuses and hold them, so that who has the most on chips has won.
    """
    steps: list[Step] = []
    for region in regions:
        if region.owner and region.marker:
            steps.append(LayMarker(region.owner, region.id, region.marker, region.points))
            if taken := {kind: number for kind, number in region.toys.items() if number}:
                steps.append(TakeToys(region.owner, region.id, taken))
    for kind, tokens in toy_count.items():
        if tokens.cat or tokens.dog:
            bonus = score.BONUS_POINTS if tokens.bonus else 0
            steps.append(CompareToys(kind, tokens.cat, tokens.dog, tokens.bonus, bonus))
    steps += [
        HandOutChips("cat", points.cat.total, paid.cat, paid.short.cat),
        HandOutChips("dog", points.dog.total, paid.dog, paid.short.dog),
        NameWinners(ended.reason, ended.winners, Sides(points.cat.total, points.dog.total)),
    ]
    return tuple(steps)
