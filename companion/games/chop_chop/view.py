"""The view of a phone: the kitchen, each piece's ways, the slabs and their chances, the standing.

All information is open: every seat sees the same.
"""

from __future__ import annotations

import msgspec

from companion.games.chop_chop import reach
from companion.games.chop_chop.kitchen import Side, Slab, Square
from companion.games.chop_chop.state import (
    MICE,
    ChopState,
    Event,
    Phase,
    Piece,
    bag_fits,
    cheese_hidden,
    cheese_refusal,
    slab_chances,
    spearable,
)
from companion.games.chop_chop.worth import chance, error
from companion.games.game import Outcome


class BoardView(msgspec.Struct, frozen=True):
    """The size, the holes (in the order of the mice that began there), and the table's squares."""

    rows: int
    cols: int
    holes: tuple[Square, ...]
    table: tuple[Square, ...]


class PieceView(msgspec.Struct, frozen=True):
    """A piece: its square (None: not on the board), and its floor.

    `on_table`: the cat; `under_table`, `in_hole`: a mouse. `caught`: a mouse that is out; `left_hole`: one
    that has left its starting hole.
    """

    piece: Piece
    at: Square | None
    on_table: bool = False
    under_table: bool = False
    in_hole: bool = False
    caught: bool = False
    left_hole: bool = False


class HoleView(msgspec.Struct, frozen=True):
    """A starting hole: its square, and true if its slab is turned to the hole side."""

    at: Square
    open: bool


class DieView(msgspec.Struct, frozen=True):
    """The thrown die, or the one to throw; `value` is still to be moved, else 0."""

    side: Side
    colour: str
    faces: tuple[int, ...]
    value: int


class WayView(msgspec.Struct, frozen=True):
    """A square in a piece's reach, and one way there from its square (for an arrow, both ends only). `meets`:
    a slab, cheese, a mouse, a hole, the table, nothing.

    `via`: squares of `KitchenView.came_by`, one of which it must have come from to go there; empty if it does
    not matter.
    """

    piece: Piece
    to: Square
    path: tuple[Square, ...]
    meets: str
    via: tuple[Square, ...] = ()


class SlabView(msgspec.Struct, frozen=True):
    """A kind of slab: how many there are, were turned over and are left; the exact chance that the next one
    is of it, as a fraction; and if the slab being turned may be of it."""

    slab: Slab
    of: int
    turned: int
    left: int
    ways: int
    out_of: int
    possible: bool


class ChancesView(msgspec.Struct, frozen=True):
    """Each side's chance to win, and the average error of these chances (`worth`)."""

    mice: float
    cat: float
    error: float


class KitchenView(msgspec.Struct, frozen=True):
    """Everything on the page.

    `turn`: the seat that throws; `throws_left`: its throws, with this one. `since`: the events from the last
    throw on. `came_by`: squares that the mover's last step may have come from, where it matters.
    `mice_can_win`: false once a hole can never be left.
    """

    phase: Phase
    turn: str | None
    side: Side
    board: BoardView
    pieces: tuple[PieceView, ...]
    holes: tuple[HoleView, ...]
    slabs: tuple[Square, ...]
    cheeses: tuple[Square, ...]
    cheese_found: int = msgspec.field(name="found")
    cheese: int
    hidden: int
    caught: int
    holes_left: int
    mice_can_win: bool
    mice_owe: bool
    cat_owes: bool
    same: Piece | None
    throws_left: int
    mover: Piece | None
    steps: int
    die: DieView
    ways: tuple[WayView, ...]
    came_by: tuple[Square, ...]
    spearable: tuple[Square, ...]
    bag: tuple[SlabView, ...]
    bag_fits: bool
    chances: ChancesView
    throws: int
    since: tuple[Event, ...]
    no_return: str
    outcome: Outcome | None


def view(state: ChopState, turn: str | None, outcome: Outcome | None) -> KitchenView:
    """The view of a state, the same for every phone."""
    standing, kitchen = state.standing, state.options.kitchen
    phase = standing.phase
    return KitchenView(
        phase=phase,
        turn=turn,
        side=standing.side,
        board=BoardView(kitchen.rows, kitchen.cols, kitchen.holes, tuple(sorted(kitchen.table))),
        pieces=_pieces(state),
        holes=tuple(HoleView(hole, left) for hole, left in zip(kitchen.holes, standing.left, strict=True)),
        slabs=standing.slabs,
        cheeses=standing.cheeses,
        cheese_found=standing.cheese_found,
        cheese=state.options.slabs.cheese,
        hidden=cheese_hidden(state),
        caught=len(standing.mice) - len(standing.alive),
        holes_left=sum(standing.left),
        mice_can_win=standing.mice_can_win,
        mice_owe=standing.owes[0],
        cat_owes=standing.owes[1],
        same=standing.same,
        throws_left=0 if state.ended else throws_left(state),
        mover=standing.mover,
        steps=standing.steps,
        die=_die(state),
        ways=_ways(state),
        came_by=tuple(reach.ends_by_way(state.options, standing)),
        spearable=spearable(standing) if phase == "fork" else (),
        bag=_bag(state),
        bag_fits=bag_fits(state),
        chances=ChancesView(chance(state, "mice"), chance(state, "cat"), error(state)),
        throws=state.throws,
        since=state.since,
        no_return=state.options.no_return,
        outcome=outcome,
    )


def throws_left(state: ChopState) -> int:
    """The side's throws still to come in a row: two after a knife of the other side."""
    owes = state.standing.owes
    return 2 if owes[state.standing.side == "mice"] else 1


def _pieces(state: ChopState) -> tuple[PieceView, ...]:
    standing, kitchen = state.standing, state.options.kitchen
    cat = PieceView("cat", standing.cat, on_table=standing.cat in kitchen.table)
    mice = (
        PieceView(
            piece,
            square,
            under_table=square in kitchen.table,
            in_hole=square in kitchen.holes,
            caught=square is None,
            left_hole=left,
        )
        for piece, square, left in zip(MICE, standing.mice, standing.left, strict=False)
    )
    return (cat, *mice)


def _die(state: ChopState) -> DieView:
    side = state.standing.side
    die = state.options.two_dice.die_of(side)
    value = state.standing.steps if state.standing.phase == "move" else 0
    return DieView(side, die.colour, die.faces, value)


def _ways(state: ChopState) -> tuple[WayView, ...]:
    standing, options = state.standing, state.options
    if standing.phase == "arrow" and standing.mover is not None:
        here = standing.at(standing.mover)
        assert here is not None
        mover = standing.mover
        return tuple(
            WayView(mover, to, (here, to), meets(state, mover, to))
            for to in reach.arrow_squares(options, standing)
        )
    if standing.phase == "place":
        return tuple(WayView("cat", to, (to,), "table") for to in sorted(options.kitchen.table))
    by_way = reach.ends_by_way(options, standing)
    return tuple(
        WayView(piece, to, walks.path(to), meets(state, piece, to), _via(by_way, options.kitchen.bit(to)))
        for piece, walks in reach.reachable(options, standing).items()
        for to in walks.squares
    )


def _via(by_way: dict[Square, int], to: int) -> tuple[Square, ...]:
    """The squares by which a piece can have come to go to a square (a bit) now; empty if it does not
    matter."""
    via = tuple(by for by, ends in by_way.items() if ends & to)
    return via if len(via) < len(by_way) else ()


def meets(state: ChopState, piece: Piece, square: Square) -> str:
    """The thing that a piece meets on a square where it stops."""
    standing, kitchen = state.standing, state.options.kitchen
    if piece == "cat":
        if square in kitchen.table:
            return "table"
        if square in standing.mice:
            return "mouse"
    if square in kitchen.holes:
        return "hole"
    if square in standing.cheeses:
        return "cheese"
    return "slab" if square in standing.slabs else "nothing"


def _bag(state: ChopState) -> tuple[SlabView, ...]:
    return tuple(
        SlabView(
            chance.slab,
            chance.of,
            chance.turned,
            chance.left,
            chance.chance.numerator,
            chance.chance.denominator,
            state.standing.phase == "slab" and cheese_refusal(state, chance.slab) is None,
        )
        for chance in slab_chances(state)
    )
