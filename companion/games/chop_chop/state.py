"""A match of Chop! Chop! as plain values: its options, its moves, its state."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.chop_chop.kitchen import (
    HIGHEST_FACE,
    SLABS,
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
from companion.games.forms import Forms, choice, joined, number
from companion.games.game import Move, Options, State

SLUG = "chop-chop"

Piece = Literal["cat", "mouse-1", "mouse-2", "mouse-3", "mouse-4"]
"""Mouse 1 begins in the first hole of the board's drawing."""

MICE: tuple[Piece, ...] = ("mouse-1", "mouse-2", "mouse-3", "mouse-4")
"""In the order of their holes."""

Phase = Literal["place", "throw", "move", "slab", "bonus", "arrow", "fork", "over"]
"""The next step: place the cat, throw, move by the throw, name a slab, take the steps of a +1 or +2, move by
an arrow, spear a cheese; over."""

Row = Annotated[int, Meta(ge=0, description="Row of the square, from 0 at the top.")]
Col = Annotated[int, Meta(ge=0, description="Column of the square, from 0 at the left.")]


Returning = Literal["no-step-back", "not-end-on-start", "both"]
"""The rule against returning."""


class ChopOptions(Options, frozen=True):
    """Options of a match, where the rulebook is silent or contradicts itself."""

    no_return: Annotated[
        Returning,
        Meta(
            description="What may not be returned to: the square just left, at each step (English text), the "
            "square where the move began, at its end (Chinese text), or both."
        ),
    ] = "both"
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
    drop_off: Annotated[
        Literal["after-tenth", "any-time"],
        Meta(
            description="When a mouse must come home: once the last cheese is found and every hole was left, "
            "or at any time."
        ),
    ] = "after-tenth"
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
    """A throw of the die of the side in turn."""

    dice: Annotated[
        tuple[Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": HIGHEST_FACE})], ...],
        Meta(description="What the one die shows.", extra_json_schema={"minItems": 1, "maxItems": 1}),
    ]


class GoTo(Move, frozen=True, tag="go", omit_defaults=True):
    """A piece goes to a square: by a throw, by a +1 or +2, or by an arrow.

    `via`: the square that its last step came from. It may be given where two ways lead to the square.
    """

    piece: Piece
    row: Row
    col: Col
    via: Annotated[
        tuple[Row, Col] | None, Meta(description="The square before the last one, where two ways lead there.")
    ] = None


class CameBy(Move, frozen=True, tag="via"):
    """The square that the last step of the piece came from, if that was not said before it moves on."""

    row: Row
    col: Col


class StayHere(Move, frozen=True, tag="stay"):
    """An arrow's free move is not used."""


class TurnSlab(Move, frozen=True, tag="turn-slab"):
    """The kind of the slab under the piece, turned over."""

    slab: Slab


class SpearCheese(Move, frozen=True, tag="spear"):
    """A mouse that turned a fork spears one of the visible cheeses."""

    row: Row
    col: Col


ChopMove = PlaceCat | ThrowDie | GoTo | CameBy | StayHere | TurnSlab | SpearCheese

FORMS = Forms(
    {
        "row": number,
        "col": number,
        "via": joined(number, ",", 2),
        "dice": joined(number, ",", 1),
        "piece": choice(c="cat", **{f"m{mouse[-1]}": mouse for mouse in MICE}),
        "slab": choice(*SLABS),
    },
    {
        PlaceCat: "c@{row},{col}",
        ThrowDie: "{dice}",
        GoTo: "{piece}>{row},{col}[ via {via}]",
        CameBy: "via {row},{col}",
        StayHere: "stay",
        TurnSlab: "{slab}",
        SpearCheese: "spear {row},{col}",
    },
)

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


class Event(msgspec.Struct, frozen=True):
    """An event in a page's words: `what`, which piece, on which square.

    `side`: who threw (`thrown`), had no way (`no-way`) or misses a turn (`cut`: owes it, `missed`: has served
    it). `n`: the die's value or the steps of a bonus. `path`: the squares of a move with both ends. `slab`:
    turned over.
    """

    what: What
    side: Side
    piece: Piece | None = None
    at: Square | None = None
    path: tuple[Square, ...] = ()
    n: int = 0
    slab: Slab | None = None


class KitchenBoard(msgspec.Struct, frozen=True):
    """The pieces, slabs and cheeses, and the next step: all that the chances depend on.

    `mice`: in the order of their holes, None for a caught one. `cat`: None before she is placed. On a square
    of the table, the cat is on it, a mouse under it. `slabs`: squares with a face-down slab; `cheeses`: with
    visible cheese. `turned`: the number turned over of each of `SLABS`. `cheese_found`: held by the mice.
    `left`: true for starting holes that were left (or lost their mouse). `owes`: a turn to miss, (mice, cat).
    `same`: the mouse that must move again on the second of two throws in a row. `been_home`: a mouse has come
    home as the option `drop_off` wants it.
    """

    cat: Square | None
    mice: tuple[Square | None, ...]
    slabs: tuple[Square, ...]
    cheeses: tuple[Square, ...] = ()
    turned: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0)
    cheese_found: int = 0
    left: tuple[bool, ...] = ()
    owes: tuple[bool, bool] = (False, False)
    side: Side = "mice"
    same: Piece | None = None
    phase: Phase = "place"
    mover: Piece | None = None
    steps: int = 0
    came_from: tuple[Square, ...] = ()
    began_at: Square | None = None
    been_home: bool = False

    def at(self, piece: Piece) -> Square | None:
        """A piece's square; None off the board."""
        return self.cat if piece == "cat" else self.mice[int(piece[-1]) - 1]

    @property
    def alive(self) -> tuple[Piece, ...]:
        """The mice that are not caught."""
        return tuple(piece for piece, square in zip(MICE, self.mice, strict=False) if square is not None)

    @property
    def mice_can_win(self) -> bool:
        """True if every starting hole was left, or has a mouse that can leave it."""
        return all(left or mouse is not None for left, mouse in zip(self.left, self.mice, strict=True))


class ChopState(State, frozen=True):
    """A match: the standing, the players, and the events since the last throw.

    `mice_turns`: turns begun by the mice, whose players take them in rotation. `throws`: all throws. `since`:
    the events from the last throw on, that throw first.
    """

    options: ChopOptions
    seats: int
    standing: KitchenBoard
    throws: int = 0
    mice_turns: int = 0
    since: tuple[Event, ...] = ()
    paths: tuple[tuple[Square, ...], ...] = ()
    """One way for each square of `standing.came_from`, from where the piece began to where it stands."""
    ended: Literal["", "cheese-home", "all-caught"] = ""

    @property
    def seat_names(self) -> tuple[str, ...]:
        if self.seats == 2:
            return ("mice", "cat")
        return (*(f"mice-{n}" for n in range(1, self.seats)), "cat")

    @property
    def turn(self) -> str | None:
        """The seat in turn; None after the match. The mice's players take turns in rotation."""
        if self.ended:
            return None
        if self.standing.side == "cat" or self.standing.phase == "place":
            return "cat"
        mice = self.seat_names[:-1]
        return mice[(self.mice_turns - 1) % len(mice)]


def all_done(options: ChopOptions, cheese_found: int, left: tuple[bool, ...]) -> bool:
    """True if the mice have only to be home: they hold all the cheese, and every hole was left."""
    return cheese_found == options.slabs.cheese and all(left)


WAITS_FOR = {
    "place": "place-first",
    "throw": "throw-first",
    "move": "move-first",
    "bonus": "move-first",
    "slab": "slab-first",
    "arrow": "arrow-first",
    "fork": "fork-first",
}
"""By phase: the rule that demands that phase's step before any other."""


def expected(state: ChopState, slab: Slab) -> bool:
    """True if the bag still holds that kind, and enough slabs are left for all the cheese."""
    standing = state.standing
    left = state.options.slabs.count_of(slab) - standing.turned[SLABS.index(slab)]
    return left > 0 and cheese_refusal(state, slab) is None


def cheese_hidden(state: ChopState) -> int:
    """Cheeses under slabs."""
    return state.options.slabs.cheese - state.standing.turned[SLABS.index("cheese")]


def cheese_refusal(state: ChopState, slab: Slab) -> str | None:
    """The rule against a slab of this kind now, or None: cheese is never lost or doubled."""
    hidden = cheese_hidden(state)
    if slab == "cheese":
        return None if hidden else "cheese-all-out"
    return "only-cheese-left" if len(state.standing.slabs) <= hidden else None


def spearable(standing: KitchenBoard) -> tuple[Square, ...]:
    """The visible cheeses for a fork: all but the one under the cat."""
    return tuple(square for square in standing.cheeses if square != standing.cat)


class SlabChance(msgspec.Struct, frozen=True):
    """A kind of slab: the number at the start, turned over and face down, and the chance of the next one."""

    slab: Slab
    of: int
    turned: int
    left: int
    chance: Fraction


def slab_chances(state: ChopState) -> tuple[SlabChance, ...]:
    """Each kind's chance under the next slab, in the order of `SLABS`; without slabs, 0 each.

    Slabs were laid out blindly, so each face-down one is as likely as any other to be any of those left. If
    more of a kind were turned over than the bag file holds, the file is wrong: cheese still counts exactly
    (there are just ten), the other kinds share the rest in proportion.
    """
    standing, slabs = state.standing, state.options.slabs
    lying = len(standing.slabs)
    left = [max(0, slabs.count_of(slab) - n) for slab, n in zip(SLABS, standing.turned, strict=True)]
    cheese = left[0]
    others = sum(left[1:])
    first = Fraction(cheese, lying) if lying else Fraction(0)
    other = Fraction(lying - cheese, lying * others) if lying and others else Fraction(0)
    shares = (first, *(other * count for count in left[1:]))
    return tuple(
        SlabChance(slab, slabs.count_of(slab), turned, count, share)
        for slab, turned, count, share in zip(SLABS, standing.turned, left, shares, strict=True)
    )


def bag_fits(state: ChopState) -> bool:
    """False if more slabs of a kind were turned over than the bag file holds."""
    slabs, turned = state.options.slabs, state.standing.turned
    return all(count <= slabs.count_of(slab) for slab, count in zip(SLABS, turned, strict=True))
