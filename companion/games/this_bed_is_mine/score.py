"""Regions with their owners, points and toys: at the end, and as if it ended now.

The squares under no tile and no pillow form regions, joined along edges; the border and the pillows
part them as tiles do (rulebook, "遊戲結束及計分", "玩具計分").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.game import Outcome
from companion.games.this_bed_is_mine.board import TOYS
from companion.games.this_bed_is_mine.fits import bed_of
from companion.games.this_bed_is_mine.state import OWNERS, BedOptions, BedState, Owner, Tile

BONUS_POINTS = 5
"""Points for more toys of one kind than the other side."""

SMALLEST_REGION = 2
"""A region of a single square never scores ("連老鼠都嫌小")."""

Why = Literal["single", "untouched", "equal", "higher"]


@dataclass(frozen=True, slots=True)
class Region:
    """Empty squares joined along edges, and who owns them."""

    squares: int
    """As a bit mask of the bed."""
    size: int
    tiles: tuple[Tile, ...]
    """The tiles that touch it, in the order they were laid: each counts once, in full."""
    sums: dict[Owner, int]
    owner: Owner | None
    why: Why
    toys: dict[str, int]
    """Tokens that its owner takes for the open pictures in it, by kind of toy."""

    @property
    def points(self) -> int:
        """The points of its owner: one a square."""
        return self.size if self.owner else 0


@dataclass(frozen=True, slots=True)
class Score:
    """The score of both sides."""

    regions: tuple[Region, ...]
    region_points: dict[Owner, int]
    toys: dict[str, dict[Owner, int]]
    """Each side's tokens, by kind of toy."""
    bonus: dict[str, Owner | None]
    """The side with more, by kind of toy."""

    def bonus_points(self, owner: Owner) -> int:
        """The points of a side for toys."""
        return BONUS_POINTS * sum(winner == owner for winner in self.bonus.values())

    def total(self, owner: Owner) -> int:
        """All points of a side."""
        return self.region_points[owner] + self.bonus_points(owner)


def regions_of(free: int, stride: int) -> list[int]:
    """Split squares (a bit mask, `stride` bits a row) into masks of squares joined along edges.

    Regions come in the order of their first squares.
    """
    regions_ = []
    while free:
        region = 0
        grown = free & -free
        while grown != region:
            region = grown
            sideways = (region | region << 1 | region >> 1) & free
            grown = (sideways | sideways << stride | sideways >> stride) & free
        regions_.append(region)
        free &= ~region
    return regions_


def score(options: BedOptions, tiles: tuple[Tile, ...]) -> Score:
    """The score of the bed with these tiles, as if the match ended now."""
    bed = bed_of(options)
    covered = [(tile, bed.covered(tile)) for tile in tiles]
    free = bed.open & ~bed.taken(tiles)
    regions = tuple(_region(options, squares, covered) for squares in regions_of(free, bed.stride))
    owned: dict[Owner, list[Region]] = {
        owner: [region for region in regions if region.owner == owner] for owner in OWNERS
    }
    toys = {
        kind: {owner: sum(region.toys[kind] for region in owned[owner]) for owner in OWNERS} for kind in TOYS
    }
    return Score(
        regions,
        {owner: sum(region.size for region in owned[owner]) for owner in OWNERS},
        toys,
        {kind: _more(tokens) for kind, tokens in toys.items()},
    )


def most_tokens(options: BedOptions) -> int:
    """The most tokens of a kind that one region gives."""
    return 1 if options.toys_per == "region" else bed_of(options).open.bit_count()


def _region(options: BedOptions, squares: int, covered: list[tuple[Tile, int]]) -> Region:
    bed, corners, most = bed_of(options), options.touch == "edge-or-corner", most_tokens(options)
    around = squares << bed.stride | squares >> bed.stride | squares << 1 | squares >> 1
    if corners:
        sides = squares << 1 | squares >> 1
        around |= sides << bed.stride | sides >> bed.stride
    tiles = tuple(tile for tile, under in covered if under & around)
    cat = sum(tile.digit for tile in tiles if tile.owner == "cat")
    dog = sum(tile.digit for tile in tiles if tile.owner == "dog")
    size = squares.bit_count()
    owner, why = _owner(size, cat, dog)
    toys = {kind: min((pictures & squares).bit_count(), most) for kind, pictures in bed.toys.items()}
    return Region(squares, size, tiles, {"cat": cat, "dog": dog}, owner, why, toys)


def _owner(size: int, cat: int, dog: int) -> tuple[Owner | None, Why]:
    if size < SMALLEST_REGION:
        return None, "single"
    if cat == dog:
        return None, "equal" if cat else "untouched"
    return "cat" if cat > dog else "dog", "higher"


def _more(tokens: dict[Owner, int]) -> Owner | None:
    if tokens["cat"] == tokens["dog"]:
        return None
    return "cat" if tokens["cat"] > tokens["dog"] else "dog"


def outcome(state: BedState) -> Outcome | None:
    """The side that sleeps in the bed, once both are skipped; with equal points, both do."""
    if state.turn is not None:
        return None
    scored = score(state.options, state.tiles)
    points: dict[str, int] = {owner: scored.total(owner) for owner in OWNERS}
    best = max(points.values())
    winners = tuple(owner for owner in OWNERS if points[owner] == best)
    return Outcome("most-points" if len(winners) == 1 else "shared", winners, points)
