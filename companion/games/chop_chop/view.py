"""What a phone may show: the kitchen, where each piece can go, what the slabs may hide, how it stands.

All information is open: every seat sees the same.
"""

from __future__ import annotations

import msgspec

from companion.games.chop_chop import reach
from companion.games.chop_chop.chance import bag_fits, slab_chances
from companion.games.chop_chop.kitchen import Side, Slab, Square
from companion.games.chop_chop.playouts import chances
from companion.games.chop_chop.rules import cheese_hidden, cheese_refusal, spearable
from companion.games.chop_chop.state import MICE, ChopState, Event, Phase, Piece
from companion.games.game import Outcome

DECIMALS = 4
"""Of the chances shown: the last bits of a root differ from one processor to the next."""


class BoardView(msgspec.Struct, frozen=True):
    """The squares: how many, which are holes (in the order of the mice that began there), which the table."""

    rows: int
    cols: int
    holes: tuple[Square, ...]
    table: tuple[Square, ...]


class PieceView(msgspec.Struct, frozen=True):
    """A piece: its square (None: not on the board), and on what floor it is.

    `on_table` is the cat's, `under_table` and `in_hole` a mouse's; `caught` tells a mouse that is out,
    `left_hole` one that has left its starting hole.
    """

    piece: Piece
    at: Square | None
    on_table: bool = False
    under_table: bool = False
    in_hole: bool = False
    caught: bool = False
    left_hole: bool = False


class HoleView(msgspec.Struct, frozen=True):
    """A starting hole: its square, and whether its slab is turned to the hole side."""

    at: Square
    open: bool


class DieView(msgspec.Struct, frozen=True):
    """The die whose throw it is, or was; `value` is what is still to be moved, else 0."""

    side: Side
    colour: str
    faces: tuple[int, ...]
    value: int


class WayView(msgspec.Struct, frozen=True):
    """A square that a piece can reach now, and one way there, from where it stands to it (an arrow's two
    squares only); `meets` says what it would find there: a slab, cheese, a mouse, a hole, the table,
    nothing.

    `via` are those of `KitchenView.came_by` by which it must have come, so that it can go there now; empty
    where that does not matter.
    """

    piece: Piece
    to: Square
    path: tuple[Square, ...]
    meets: str
    via: tuple[Square, ...] = ()


class SlabView(msgspec.Struct, frozen=True):
    """A kind of slab: how many there are, were turned over and are left; the chance that the next one is of
    it, exactly, as a fraction; whether the slab being turned may be of it now."""

    slab: Slab
    of: int
    turned: int
    left: int
    ways: int
    out_of: int
    possible: bool


class ChancesView(msgspec.Struct, frozen=True):
    """The chance to win for each side before the last throw, from matches played out; `error` is its
    standard error.

    `matches` 0: the match is over and nothing was sampled. `unfinished` of them were given up.
    """

    mice: float
    cat: float
    error: float
    matches: int
    mice_won: int
    cat_won: int
    unfinished: int


class KitchenView(msgspec.Struct, frozen=True):
    """All that the page shows.

    `turn` is the seat whose throw it is; `throws_left` how many throws it still has, this one counted.
    `since` tells what happened from the last throw on. `came_by` are the squares one of which the mover came
    from with its last step, where it matters which; `mice_can_win` is false once a hole can be left no more.
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
    """What every phone is shown of a state."""
    standing, kitchen = state.standing, state.options.kitchen
    phase = standing.phase
    return KitchenView(
        phase=phase,
        turn=turn,
        side=standing.side,
        board=BoardView(kitchen.rows, kitchen.cols, kitchen.holes, tuple(sorted(kitchen.table))),
        pieces=_pieces(state),
        holes=tuple(HoleView(at, left) for at, left in zip(kitchen.holes, standing.left, strict=True)),
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
        chances=_chances(state),
        throws=state.throws,
        since=state.since,
        no_return=state.options.no_return,
        outcome=outcome,
    )


def throws_left(state: ChopState) -> int:
    """How many throws the side has in a row, the one that is due or under way counted: two after a knife of
    the other side."""
    owes = state.standing.owes
    return 2 if owes[state.standing.side == "mice"] else 1


def _pieces(state: ChopState) -> tuple[PieceView, ...]:
    standing, kitchen = state.standing, state.options.kitchen
    cat = PieceView("cat", standing.cat, on_table=standing.cat in kitchen.table)
    mice = (
        PieceView(
            piece,
            at,
            under_table=at in kitchen.table,
            in_hole=at in kitchen.holes,
            caught=at is None,
            left_hole=left,
        )
        for piece, at, left in zip(MICE, standing.mice, standing.left, strict=False)
    )
    return (cat, *mice)


def _die(state: ChopState) -> DieView:
    side = state.standing.side
    die = state.options.two_dice.of(side)
    value = state.standing.steps if state.standing.phase == "move" else 0
    return DieView(side, die.colour, die.faces, value)


def _ways(state: ChopState) -> tuple[WayView, ...]:
    """Every square that a piece can go to now, piece by piece."""
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
    """By which squares a piece must have come to go to a square (a bit) now; empty where any will do."""
    via = tuple(by for by, ends in by_way.items() if ends & to)
    return via if len(via) < len(by_way) else ()


def meets(state: ChopState, piece: Piece, at: Square) -> str:
    """What a piece that stops on a square finds there."""
    standing, kitchen = state.standing, state.options.kitchen
    if piece == "cat":
        if at in kitchen.table:
            return "table"
        if at in standing.mice:
            return "mouse"
    if at in kitchen.holes:
        return "hole"
    if at in standing.cheeses:
        return "cheese"
    return "slab" if at in standing.slabs else "nothing"


def _bag(state: ChopState) -> tuple[SlabView, ...]:
    return tuple(
        SlabView(
            each.slab,
            each.of,
            each.turned,
            each.left,
            each.chance.numerator,
            each.chance.denominator,
            state.standing.phase == "slab" and cheese_refusal(state, each.slab) is None,
        )
        for each in slab_chances(state)
    )


def _chances(state: ChopState) -> ChancesView:
    sample = chances(state)
    whole = sample.matches or 1
    return ChancesView(
        mice=_rounded(sample.mice / whole),
        cat=_rounded(sample.cat / whole),
        error=_rounded(sample.error) if sample.matches else 0.0,
        matches=sample.matches,
        mice_won=sample.mice,
        cat_won=sample.cat,
        unfinished=sample.unfinished,
    )


def _rounded(value: float) -> float:
    return round(value, DECIMALS)
