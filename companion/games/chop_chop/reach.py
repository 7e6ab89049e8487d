"""Where each piece may go now, and why not elsewhere (rulebook, "1 / Movements", and the NB on the last
mouse)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.chop_chop.kitchen import Kitchen, Square
from companion.games.chop_chop.state import ChopOptions, Piece, Standing
from companion.games.chop_chop.ways import Ground, Ways, ways


def reachable(options: ChopOptions, standing: Standing) -> dict[Piece, Ways]:
    """Every piece that may use the throw (or the +1, +2) that is to be moved, and all its walks.

    Pieces without a way are left out. Empty when nothing is to be moved by steps.
    """
    if standing.phase not in ("move", "bonus"):
        return {}
    reach = {piece: walks(options, standing, piece) for piece in movers(standing)}
    return {piece: ways_ for piece, ways_ in reach.items() if ways_.ends}


def movers(standing: Standing) -> tuple[Piece, ...]:
    """The pieces that may be moved now: the one that is on its way, else those whose throw it is."""
    if standing.mover is not None:
        return (standing.mover,)
    if standing.side == "cat":
        return ("cat",)
    if standing.same is not None:
        return (standing.same,)
    return standing.alive


def walks(options: ChopOptions, standing: Standing, piece: Piece) -> Ways:
    """All walks of a piece on the board by the steps that are to be moved."""
    start = standing.at(piece)
    assert start is not None
    steps_back = options.no_return == "not-end-on-start"
    came_from = () if steps_back or standing.phase != "bonus" else standing.came_from
    # The square before the throw may be returned to, also by a step straight back.
    if standing.began_at in came_from:
        came_from = ()
    ground = ground_of(options, standing, piece)
    return ways(
        options.kitchen, start, standing.steps, ground, came_from=came_from, steps_back=steps_back
    )  # fmt: skip


def ends_by_way(options: ChopOptions, standing: Standing) -> dict[Square, int]:
    """Where the piece that is to move on may go, as bits, by the square that it came from with its last step.

    Empty unless there are several such squares, and it matters which of them it was.
    """
    piece = standing.mover
    if standing.phase != "bonus" or piece is None or len(standing.came_from) < 2:
        return {}
    ends = {by: walks(options, replace(standing, came_from=(by,)), piece).ends for by in standing.came_from}
    return ends if len(set(ends.values())) > 1 else {}


def ground_of(options: ChopOptions, standing: Standing, piece: Piece) -> Ground:
    """Where a piece may walk, and where it may stop.

    Over the table and under it are two floors: there the cat and the mice neither bar nor meet each other.
    """
    kitchen = options.kitchen
    if piece == "cat":
        mice = mice_in_reach(kitchen, standing)
        floor = kitchen.board_mask & ~kitchen.mask(standing.cheeses)
        return Ground(floor & ~mice, floor & ~kitchen.mask(kept_from_cat(options, standing)))
    others = (square for other in standing.alive if other != piece and (square := standing.at(other)))
    taken = kitchen.mask(others) | _cat_below(kitchen, standing)
    return Ground(kitchen.board_mask & ~taken, kitchen.board_mask & ~taken)


def mice_in_reach(kitchen: Kitchen, standing: Standing) -> int:
    """The squares of the mice that the cat can meet: those not under the table, as bits."""
    return kitchen.mask(filter(None, standing.mice)) & ~kitchen.table_mask


def _cat_below(kitchen: Kitchen, standing: Standing) -> int:
    """The cat's square where she is in the mice's way: not on the table."""
    return kitchen.mask((standing.cat,)) & ~kitchen.table_mask if standing.cat else 0


def kept_from_cat(options: ChopOptions, standing: Standing) -> tuple[Square, ...]:
    """The squares where the cat may not stop because of the last mouse, when that is in a hole."""
    if len(standing.alive) != 1:
        return ()
    square = standing.at(standing.alive[0])
    if square is None or square not in options.kitchen.holes:
        return ()
    fronts = options.kitchen.fronts(square)
    return fronts if options.last_mouse == "front" else (*fronts, square)


def arrow_squares(options: ChopOptions, standing: Standing) -> tuple[Square, ...]:
    """Where an arrow may lead its piece; where it stands it may stay."""
    if standing.phase != "arrow" or standing.mover is None:
        return ()
    return tuple(
        square
        for square in options.kitchen.all_squares
        if square != standing.at(standing.mover) and arrow_refusal(options, standing, square) is None
    )


def arrow_refusal(options: ChopOptions, standing: Standing, to: Square) -> str | None:
    """The rule that keeps an arrow from leading to a square (rulebook, "Arrow"); None where it may."""
    kitchen, piece = options.kitchen, standing.mover
    if to in standing.cheeses:
        return "visible-cheese"
    if to in kitchen.holes:
        return "arrow-not-into-a-hole"
    if piece == "cat":
        if kitchen.bit(to) & mice_in_reach(kitchen, standing):
            return "arrow-not-onto-a-piece"
        return "last-mouse" if to in kept_from_cat(options, standing) else None
    others = [standing.at(other) for other in standing.alive if other != piece]
    if to in others or kitchen.bit(to) & _cat_below(kitchen, standing):
        return "arrow-not-onto-a-piece"
    return None


def refusal(options: ChopOptions, standing: Standing, piece: Piece, to: Square) -> str:
    """Why a piece that may move does not reach a square: the rule's name."""
    kitchen, bit = options.kitchen, options.kitchen.bit(to)
    if piece == "cat" and to in standing.cheeses:
        return "visible-cheese"
    if piece == "cat" and to in kept_from_cat(options, standing):
        return "last-mouse"
    if not bit & ground_of(options, standing, piece).ends:
        return "one-mouse-a-hole" if to in kitchen.holes else "square-taken"
    start = standing.at(piece)
    assert start is not None
    far = abs(start[0] - to[0]) + abs(start[1] - to[1])
    if far > standing.steps or (standing.steps - far) % 2:
        return "not-that-far"
    if to == start:
        return "ends-on-start" if options.no_return == "not-end-on-start" else "steps-back"
    ground = ground_of(options, standing, piece)
    turning_round = ways(kitchen, start, standing.steps, ground, steps_back=True)
    return "steps-back" if bit & turning_round.ends else "in-the-way"
