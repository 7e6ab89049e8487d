"""The view: the bed, each number with its reason, and the steps to lay out the score.

All information is open: every seat sees the same. Points, chips and markers are those "if it ended now"; the
steps follow after the end.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.games.game import Outcome
from companion.games.this_bed_is_mine import fits, score
from companion.games.this_bed_is_mine.board import TOYS, Square
from companion.games.this_bed_is_mine.chips import VALUES, Shortage, pay, shortages, stock_of
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions, BedState, Lay, Owner, Tile


class Sides(msgspec.Struct, frozen=True):
    """A number of each side."""

    cat: int
    dog: int


class SidesSkipped(msgspec.Struct, frozen=True):
    """True for each side that has been skipped and stays out."""

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
    """A tile by its owner and digit."""

    owner: Owner
    digit: int


class Hands(msgspec.Struct, frozen=True):
    """The digits that each side still has in hand."""

    cat: tuple[int, ...]
    dog: tuple[int, ...]


class FirstTileView(msgspec.Struct, frozen=True):
    """The rule for the next tile: its digits, and `zone` if it must keep to the zone."""

    digits: tuple[int, ...]
    zone: bool


class RegionView(msgspec.Struct, frozen=True):
    """Empty squares joined along edges, with their owner and the reason."""

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
    """Each side's chips by their points, and the points that the stock cannot pay."""

    cat: dict[str, int]
    dog: dict[str, int]
    short: Sides


class UseInstead(Shortage, frozen=True, tag_field="step", tag="instead"):
    """Use something else for pieces that have run out; see `Shortage`."""


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
    """Hand a side its chips for all its points, with bonuses. Points without a chip, `short`, are noted on
    paper."""

    owner: Owner
    points: int
    chips: dict[str, int]
    short: int


class NameWinners(msgspec.Struct, frozen=True, tag_field="step", tag="winner"):
    """Announce who sleeps in the bed."""

    reason: str
    winners: tuple[str, ...]
    points: Sides


Step = UseInstead | LayMarker | TakeToys | CompareToys | HandOutChips | NameWinners


class BedView(msgspec.Struct, frozen=True):
    """Everything on one page. `fit`: a placement of the side in turn, for who means to pass."""

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
    short: tuple[Shortage, ...]
    last: TileView | None
    fit: Lay | None
    over: bool
    outcome: Outcome | None
    layout: tuple[Step, ...]


def view(state: BedState) -> BedView:
    options, bed = state.options, fits.bed_of(state.options)
    scored = score.score(options, state.tiles)
    regions = tuple(_region(bed, number, region) for number, region in enumerate(scored.regions, start=1))
    points = _points(scored)
    toy_count = {kind: ToyCount(**scored.toys[kind], bonus=scored.bonus[kind]) for kind in TOYS}
    paid = _chips(options, points)
    short = tuple(shortages(options, scored, paid.short.cat + paid.short.dog))
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
        skipped=SidesSkipped(*(state.is_out(owner) for owner in OWNERS)),
        fits=Sides(*(_fits(state, owner) for owner in OWNERS)),
        regions=regions,
        points=points,
        toy_count=toy_count,
        chips=paid,
        short=short,
        last=tiles[-1] if tiles else None,
        fit=fits.first_fit(options, state.tiles, state.turn) if state.turn else None,
        over=ended is not None,
        outcome=ended,
        layout=() if ended is None else (*_instead(short), *layout(regions, points, toy_count, paid, ended)),
    )


def _fits(state: BedState, owner: Owner) -> int:
    return 0 if state.is_out(owner) else fits.count(state.options, state.tiles, owner)


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
    paid = pay(points.cat.total, points.dog.total, stock_of(options))
    cat, dog = (dict(zip(map(str, VALUES), pieces, strict=True)) for pieces in paid.chips)
    return ChipsView(cat, dog, Sides(*paid.short))


def _instead(short: tuple[Shortage, ...]) -> tuple[UseInstead, ...]:
    """Pieces to replace beforehand; missing chips are noted as they are handed out."""
    return tuple(
        UseInstead(**msgspec.structs.asdict(missing)) for missing in short if missing.what != "chips"
    )


def layout(
    regions: tuple[RegionView, ...],
    points: BothPoints,
    toy_count: dict[str, ToyCount],
    paid: ChipsView,
    ended: Outcome,
) -> tuple[Step, ...]:
    """The steps to lay out the score, in order: markers with their toys, bonuses, chips, winners.

    The chips come last and include the bonuses, so that whoever has the most in chips has won.
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
