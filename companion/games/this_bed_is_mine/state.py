"""The plain values of the game: options, tiles, moves and the state.

A tile's place is `row` and `col`, the top left of its turned shape's box, and `turns`, clockwise quarter
turns. A 1 and an 8 look the same after half a turn, except for their tails: either value of `turns` is
accepted and kept, but squares and placements ignore it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.forms import Form, Forms, Place, choice, each_after, integer, number
from companion.games.game import Move, Options, State

SLUG = "this-bed-is-mine"

Owner = Literal["cat", "dog"]
OWNERS: tuple[Owner, Owner] = ("cat", "dog")
"""The sides in order of play; the cat begins."""

Turns = Annotated[int, Meta(ge=0, le=3)]
"""Quarter turns clockwise from upright."""

Count = Annotated[int, Meta(ge=0, le=999)]


def other(owner: Owner) -> Owner:
    """The side that plays against `owner`."""
    return "dog" if owner == "cat" else "cat"


class BedOptions(Options, frozen=True, forbid_unknown_fields=True):
    """A match's options. The box has 25 chips; the number of each value is a guess."""

    board: Annotated[
        str, Meta(description="The bed: a (basic), b (dream), another there is, or a path of your own")
    ] = "a"
    tiles: Annotated[
        str, Meta(description="The tile set: digits, another that comes with it, or a path of your own")
    ] = "digits"
    first_zone: Annotated[
        Literal["inside", "touching"],
        Meta(description="The cat's first tile lies wholly inside the marked zone, or only touches it"),
    ] = "inside"
    dog_first_zone: Annotated[bool, Meta(description="The dog's first tile is bound to the zone too")] = False
    zone_on_side_b: Annotated[bool, Meta(description="The zone binds the first tile on side B too")] = True
    touch: Annotated[
        Literal["edge", "edge-or-corner"],
        Meta(description="A tile touches a region along an edge, or at a corner too"),
    ] = "edge"
    mistaken_pass: Annotated[
        Literal["warn", "refuse"],
        Meta(
            description="A side that passes although a tile fits: the page shows where it fits, and the pass "
            "stands; or the pass is refused"
        ),
    ] = "warn"
    toys_per: Annotated[
        Literal["picture", "region"],
        Meta(description="A side takes a token for each toy picture in its region, or one of a kind for it"),
    ] = "picture"
    chips_10: Annotated[Count, Meta(description="How many chips of 10 points there are")] = 6
    chips_5: Annotated[Count, Meta(description="How many chips of 5 points there are")] = 6
    chips_2: Annotated[Count, Meta(description="How many chips of 2 points there are")] = 6
    chips_1: Annotated[Count, Meta(description="How many chips of 1 point there are")] = 7
    markers: Annotated[Count, Meta(description="How many paw markers there are, for both sides together")] = (
        18
    )
    toys_each: Annotated[Count, Meta(description="How many tokens of each kind of toy there are")] = 8


class Tile(msgspec.Struct, frozen=True, gc=False):
    """A number tile on the bed."""

    owner: Owner
    digit: int
    turns: Turns
    row: int
    col: int


class Skipped(msgspec.Struct, frozen=True, gc=False):
    """A side that could lay nothing, or that `passed` although a tile fitted: it stays out.

    It had `laid` tiles on the bed then, of `after` in all. A side that is out lays again only after
    corrections have taken tiles off, up to `laid`.
    """

    owner: Owner
    laid: int
    after: int
    passed: bool = False


class BedState(State, frozen=True):
    """The bed and the side in turn, with the `tiles` in the order they were laid.

    `finished`: the bed was recorded whole at its end, so nobody lays any more.
    """

    options: BedOptions
    tiles: tuple[Tile, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    turn: Owner | None = "cat"
    finished: bool = False

    def is_out(self, owner: Owner) -> bool:
        """True for a side that has been skipped and stays out."""
        return is_out(self.tiles, self.skipped, owner)


def is_out(tiles: tuple[Tile, ...], skipped: tuple[Skipped, ...], owner: Owner) -> bool:
    """True for a side that was skipped or passed and has as many tiles on the bed as then."""
    return any(skip.owner == owner and laid(tiles, owner) >= skip.laid for skip in skipped)


def laid(tiles: tuple[Tile, ...], owner: Owner) -> int:
    """The number of a side's tiles on the bed."""
    return sum(tile.owner == owner for tile in tiles)


class Lay(Move, frozen=True, forbid_unknown_fields=True, tag="lay", gc=False):
    """Lay one of your tiles on empty squares."""

    owner: Owner
    digit: int
    turns: Turns
    row: int
    col: int


class Skip(Move, frozen=True, forbid_unknown_fields=True, tag="skip", gc=False):
    """Say that a side passes. The rules skip a side that cannot lay by themselves, and only agree then."""

    owner: Owner


class Shift(Move, frozen=True, forbid_unknown_fields=True, tag="shift", gc=False):
    """Correct the record: a tile lies in another place, or turned differently."""

    owner: Owner
    digit: int
    turns: Turns
    row: int
    col: int


class TakeOff(Move, frozen=True, forbid_unknown_fields=True, tag="take-off", gc=False):
    """Correct the record: a tile does not lie on the bed."""

    owner: Owner
    digit: int


MOST_TILES = 2 * 99
"""Two sides with every digit of the largest set."""


class Finish(Move, frozen=True, forbid_unknown_fields=True, tag="finish"):
    """Record a finished bed, for example from a photo, in any order of its tiles."""

    tiles: Annotated[tuple[Tile, ...], Meta(max_length=MOST_TILES)]


BedMove = Lay | Skip | Shift | TakeOff | Finish

PLACES = {
    "owner": choice(c="cat", d="dog"),
    "digit": number,
    "turns": Place("[1-3]", str, int, absent=0),
    "row": integer,
    "col": integer,
}

LYING = Form(Tile, "{owner}{digit}[+{turns}]@{row},{col}", PLACES)
"""A tile and where it lies: `c4+1@6,3`."""

FORMS = Forms(
    {**PLACES, "tiles": each_after(" ", LYING.as_place())},
    {
        Lay: "{owner}{digit}[+{turns}]@{row},{col}",
        Shift: "{owner}{digit}[+{turns}]>{row},{col}",
        TakeOff: "{owner}{digit}-",
        Finish: "end{tiles}",
        Skip: "{owner} skip",
    },
)
