"""The plain values of the game: options, tiles, moves and the state.

A tile lies where `row` and `col`, the top left of its turned shape's box, and `turns`, clockwise
quarter turns, say. A 1 and an 8 look the same after half a turn, except for their tails. Either
value of `turns` is accepted and kept; where squares are compared or placements counted, they are one.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.game import Move, Options, State

SLUG = "this-bed-is-mine"
"""The game's name in addresses and files."""

Owner = Literal["cat", "dog"]
OWNERS: tuple[Owner, Owner] = ("cat", "dog")
"""The sides in order of play; the cat begins."""

Turns = Annotated[int, Meta(ge=0, le=3)]
"""Quarter turns clockwise from upright."""

Count = Annotated[int, Meta(ge=0, le=999)]
"""How many pieces of a kind there are."""


def other(owner: Owner) -> Owner:
    """The side that plays against `owner`."""
    return "dog" if owner == "cat" else "cat"


class BedOptions(Options, frozen=True, forbid_unknown_fields=True):
    """How a match is set up. The chips are 25 in all; how many of each is not known for certain."""

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
    """A side that could lay nothing: it stays out.

    `laid` is how many tiles it had on the bed then, `after` how many lay there in all. A side that is
    out lays again only what corrections have taken off the bed since, up to `laid`.
    """

    owner: Owner
    laid: int
    after: int


class BedState(State, frozen=True):
    """The bed and who is to play; `tiles` in the order they were laid.

    `finished`: the bed was recorded whole at its end, so nobody lays any more.
    """

    options: BedOptions
    tiles: tuple[Tile, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    turn: Owner | None = "cat"
    finished: bool = False


class Lay(Move, frozen=True, forbid_unknown_fields=True, tag="lay", gc=False):
    """Lay one of your tiles on empty squares."""

    owner: Owner
    digit: int
    turns: Turns
    row: int
    col: int


class Skip(Move, frozen=True, forbid_unknown_fields=True, tag="skip", gc=False):
    """Say that a side is skipped. The rules find that by themselves; a claim is only agreed to or refused."""

    owner: Owner


class Shift(Move, frozen=True, forbid_unknown_fields=True, tag="shift", gc=False):
    """Correct the record: a tile that is laid lies elsewhere, or turned otherwise."""

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
"""The most tiles that two sides can have: one of each digit that a tile set may hold."""


class Finish(Move, frozen=True, forbid_unknown_fields=True, tag="finish"):
    """Record a finished bed as it lies, such as from a photo, in whatever order its tiles were laid."""

    tiles: Annotated[tuple[Tile, ...], Meta(max_length=MOST_TILES)]


BedMove = Lay | Skip | Shift | TakeOff | Finish
"""Every kind of move."""
