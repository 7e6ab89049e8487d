"""A match of Chop! Chop! as plain values: how it is set up, what people do, how it stands."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.chop_chop.kitchen import (
    HIGHEST_FACE,
    Bag,
    Kitchen,
    Side,
    Slab,
    Square,
    TwoDice,
    bag,
    kitchen,
    two_dice,
)
from companion.games.game import Move, Options, State

SLUG = "chop-chop"
"""The game's name in addresses and files."""

Piece = Literal["cat", "mouse-1", "mouse-2", "mouse-3", "mouse-4"]
"""The pieces by name; mouse 1 begins in the first hole of the board's drawing."""

MICE: tuple[Piece, ...] = ("mouse-1", "mouse-2", "mouse-3", "mouse-4")
"""The mice in the order of their holes."""

Phase = Literal["place", "throw", "move", "slab", "bonus", "arrow", "fork", "over"]
"""What is waited for: the cat on the table, a throw, the thrown move, what a slab hides, the squares that a
+1 or +2 gives, where an arrow leads, which cheese is speared, nothing."""

Row = Annotated[int, Meta(ge=0, description="Row of the square, from 0 at the top.")]
Col = Annotated[int, Meta(ge=0, description="Column of the square, from 0 at the left.")]


class ChopOptions(Options, frozen=True):
    """How a match is set up. What the rulebook is silent on, or says in two ways, is chosen here."""

    no_return: Annotated[
        Literal["no-step-back", "not-end-on-start"],
        Meta(
            description="What may not be returned to: the square just left, at each step (English text), or "
            "the square where the move began, at its end (Chinese text)."
        ),
    ] = "no-step-back"
    last_mouse: Annotated[
        Literal["front-and-hole", "front"],
        Meta(
            description="Where the cat may not stop while the last mouse is in a hole: in front of it and in "
            "it (both texts), or in front of it only (English text)."
        ),
    ] = "front-and-hole"
    caught_in_hole: Annotated[
        Literal["counts", "does-not"],
        Meta(
            description="Whether a mouse that is caught in the hole where it began has left that hole. Where "
            "it has not, the mice cannot win any more."
        ),
    ] = "counts"
    board: Annotated[
        str, Meta(description="Where the holes are: middle, corners, or the path of a board file.")
    ] = "middle"
    bag: Annotated[str, Meta(description="How many slabs of each kind: chop, or the path of a bag file.")] = (
        "chop"
    )
    dice: Annotated[
        str, Meta(description="The faces of the dice: chop, plain, or the path of a dice file.")
    ] = "chop"

    @property
    def kitchen(self) -> Kitchen:
        """The board."""
        return kitchen(self.board)

    @property
    def slabs(self) -> Bag:
        """The bag of slabs."""
        return bag(self.bag)

    @property
    def two_dice(self) -> TwoDice:
        """The dice."""
        return two_dice(self.dice)


class PlaceCat(Move, frozen=True, tag="place"):
    """The cat is put on one of the table's squares, before the first throw."""

    row: Row
    col: Col


class ThrowDie(Move, frozen=True, tag="throw"):
    """The die of the side whose turn it is, thrown."""

    dice: Annotated[
        tuple[Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": HIGHEST_FACE})], ...],
        Meta(description="What the one die shows.", extra_json_schema={"minItems": 1, "maxItems": 1}),
    ]


class GoTo(Move, frozen=True, tag="go", omit_defaults=True):
    """A piece goes to a square: by a throw, by a +1 or +2, or by an arrow.

    `via` is the square that it came from with its last step. It may be given where two ways lead to the
    square.
    """

    piece: Piece
    row: Row
    col: Col
    via: Annotated[
        tuple[Row, Col] | None, Meta(description="The square before the last one, where two ways lead there.")
    ] = None


class CameBy(Move, frozen=True, tag="via"):
    """The square that the piece which is to move on came from with its last step, where that was not said."""

    row: Row
    col: Col


class StayHere(Move, frozen=True, tag="stay"):
    """The free move of an arrow is not used."""


class TurnSlab(Move, frozen=True, tag="turn-slab"):
    """The slab that was landed on is turned over: what was under it."""

    slab: Slab


class SpearCheese(Move, frozen=True, tag="spear"):
    """A mouse that turned a fork spears one of the visible cheeses."""

    row: Row
    col: Col


ChopMove = PlaceCat | ThrowDie | GoTo | CameBy | StayHere | TurnSlab | SpearCheese
"""Every kind of move."""

What = Literal[
    "placed",
    "thrown",
    "no-way",
    "moved",
    "flew",
    "came-by",
    "stayed",
    "hid",
    "turned",
    "took-cheese",
    "left-cheese",
    "speared",
    "nothing-to-spear",
    "no-bonus-way",
    "caught",
    "never-left",
    "cut",
    "missed",
]
"""What can happen: see `Event`."""


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, in words a page has: `what`, which piece, on which square.

    `side` is who threw (`thrown`), had no way (`no-way`) or misses a turn (`cut`: owes it, `missed`: has
    served it); `n` the die's value or the steps of a bonus; `path` the squares of a move, the first and
    the last among them; `slab` what was turned over.
    """

    what: What
    side: Side
    piece: Piece | None = None
    at: Square | None = None
    path: tuple[Square, ...] = ()
    n: int = 0
    slab: Slab | None = None


class Standing(msgspec.Struct, frozen=True):
    """Where everything is, and who owes what: all that the chances hang on.

    `mice` in the order of their holes, None for one that was caught; the cat is None before she is placed.
    A piece on a square of the table is on it when it is the cat, under it when it is a mouse. `slabs` are
    the squares where a slab still lies face down, `cheeses` those of visible cheese, `turned` how many of
    each kind of `SLABS` were turned over, `cheese_found` the cheese that the mice hold, `left` which starting
    holes were left (or lost their mouse). `owes` a turn to miss: (mice, cat). `same` is the mouse that the
    mice must move again, on the second of two throws in a row.
    """

    cat: Square | None
    mice: tuple[Square | None, ...]
    slabs: tuple[Square, ...]
    cheeses: tuple[Square, ...] = ()
    turned: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0)
    cheese_found: int = msgspec.field(default=0, name="found")
    """Encoded as `found`: the encoded standing seeds the playouts, so a kept match shows the same chances."""
    left: tuple[bool, ...] = ()
    owes: tuple[bool, bool] = (False, False)
    side: Side = "mice"
    same: Piece | None = None
    phase: Phase = "place"
    mover: Piece | None = None
    steps: int = 0
    came_from: tuple[Square, ...] = ()
    began_at: Square | None = None

    def at(self, piece: Piece) -> Square | None:
        """Where a piece stands; None for one that is not on the board."""
        return self.cat if piece == "cat" else self.mice[int(piece[-1]) - 1]

    @property
    def alive(self) -> tuple[Piece, ...]:
        """The mice that are not caught."""
        return tuple(piece for piece, square in zip(MICE, self.mice, strict=False) if square is not None)

    @property
    def mice_can_win(self) -> bool:
        """Whether every starting hole was left, or still has a mouse that can leave it."""
        return all(left or mouse is not None for left, mouse in zip(self.left, self.mice, strict=True))


class ChopState(State, frozen=True):
    """A match: how it stands, how many play, and what happened since the last throw.

    `turn_began` is how it stood before the last throw (now, when one is due). `mice_turns` counts the turns
    that the mice have begun, so that their players take them in rotation; `throws` all throws. `since` is
    what happened from the last throw on, that throw first.
    """

    options: ChopOptions
    seats: int
    standing: Standing
    turn_began: Standing
    throws: int = 0
    mice_turns: int = 0
    since: tuple[Event, ...] = ()
    paths: tuple[tuple[Square, ...], ...] = ()
    """One way for each square of `standing.came_from`, from where the piece began to where it stands."""
    ended: Literal["", "cheese-home", "all-caught"] = ""
