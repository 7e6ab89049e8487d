"""The squares that each piece may go to, and why not others.

Rulebook: "1 / Movements", and the NB on the last mouse.

A walk of n steps is followed for all squares at once: for each of the four directions, one number has the
squares reached by a step that way as its bits. A walk goes on in a direction only from squares that it did
not reach by the opposite one: no step leads straight back. So n steps are some 16 n operations on whole
boards, whatever the number of walks.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from companion.games.chop_chop.kitchen import Kitchen, Square
from companion.games.chop_chop.state import ChopOptions, KitchenBoard, Piece, Returning

UP, RIGHT, DOWN, LEFT = range(4)
BACK = (DOWN, LEFT, UP, RIGHT)

Layer = tuple[int, int, int, int]
"""The squares reached by a step up, right, down, left, as bits."""


class Ground(msgspec.Struct, frozen=True):
    """One piece's squares, as bits: it may walk through `free`, and stop on `ends`."""

    free: int
    ends: int


class Ways(msgspec.Struct, frozen=True):
    """All walks of one piece from `start`: the layers of arrivals, step by step."""

    kitchen: Kitchen
    start: Square
    layers: tuple[Layer, ...]
    steps_back: bool

    @property
    def ends(self) -> int:
        """The squares reached with the last step, as bits."""
        up, right, down, left = self.layers[-1]
        return up | right | down | left

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares reached with the last step, row by row."""
        return tuple(self.kitchen.squares_of(self.ends))

    def path(self, to: Square, via: Square | None = None) -> tuple[Square, ...]:
        """One way from the start to a square in reach, as straight as possible.

        `via`: a square that its last step may have come from; None for the first of them.
        """
        bit, stride, named = self.kitchen.bit(to), self.kitchen.stride, self.kitchen.squares_by_bit
        layer = self.layers[-1]
        came = next(
            way for way in range(4) if layer[way] & bit and via in (None, named[_unstepped(bit, way, stride)])
        )
        squares = [to]
        for layer in reversed(self.layers[:-1]):
            bit = _unstepped(bit, came, stride)
            squares.append(named[bit])
            if not layer[came] & bit:
                back = -1 if self.steps_back else BACK[came]
                came = next(way for way in range(4) if way != back and layer[way] & bit)
        return (self.start, *reversed(squares))

    def came_from(self, to: Square) -> tuple[Square, ...]:
        """The squares from which the last step to a square in reach may have come."""
        bit = self.kitchen.bit(to)
        last = self.layers[-1]
        return tuple(
            self.kitchen.square(_unstepped(bit, way, self.kitchen.stride))
            for way in range(4)
            if last[way] & bit
        )


def ways(
    kitchen: Kitchen,
    start: Square,
    steps: int,
    ground: Ground,
    rule: Returning,
    came_from: Iterable[Square] = (),
) -> Ways:
    """All walks of `steps` steps (one or more) from `start`, by the rule against returning.

    The piece has just left one of the squares `came_from`, and may not step straight back there; without any,
    it may step anywhere.
    """
    steps_back = rule == "not-end-on-start"
    origin, stride, board = kitchen.bit(start), kitchen.stride, kitchen.board_mask
    left = tuple(came_from)
    layer: Layer = _arrived(kitchen, start, left)
    anyhow = 0 if left else origin
    ends = ground.ends if rule == "no-step-back" else ground.ends & ~origin
    layers = []
    for step in range(steps):
        onto = board & (ends if step == steps - 1 else ground.free)
        up, right, down, left_ = layer
        if steps_back:
            anyhow |= up | right | down | left_
        layer = (
            (anyhow | up | right | left_) >> stride & onto,
            (anyhow | up | right | down) << 1 & onto,
            (anyhow | right | down | left_) << stride & onto,
            (anyhow | up | down | left_) >> 1 & onto,
        )
        layers.append(layer)
        anyhow = 0
    return Ways(kitchen, start, tuple(layers), steps_back)


def _arrived(kitchen: Kitchen, square: Square, came_from: tuple[Square, ...]) -> Layer:
    """The layer of a piece that came from one of these neighbouring squares."""
    bit = kitchen.bit(square)
    layer = [0, 0, 0, 0]
    for row, col in came_from:
        layer[((1, 0), (0, -1), (-1, 0), (0, 1)).index((row - square[0], col - square[1]))] = bit
    return layer[0], layer[1], layer[2], layer[3]


def _unstepped(bit: int, way: int, stride: int) -> int:
    """The bit from which a step in that direction led here."""
    if way in (UP, DOWN):
        return bit << stride if way == UP else bit >> stride
    return bit >> 1 if way == RIGHT else bit << 1


def reachable(options: ChopOptions, standing: KitchenBoard) -> dict[Piece, Ways]:
    """Every piece that may use the throw (or the +1, +2) to be moved, with all its walks.

    Pieces without a way are left out. Empty if nothing is to be moved by steps.
    """
    if standing.phase not in ("move", "bonus"):
        return {}
    reach = {piece: walks(options, standing, piece) for piece in movers(standing)}
    return {piece: ways_ for piece, ways_ in reach.items() if ways_.ends}


def movers(standing: KitchenBoard) -> tuple[Piece, ...]:
    """The pieces that may move now: the one on its way, else those of the side that threw."""
    if standing.mover is not None:
        return (standing.mover,)
    if standing.side == "cat":
        return ("cat",)
    if standing.same is not None:
        return (standing.same,)
    return standing.alive


def walks(options: ChopOptions, standing: KitchenBoard, piece: Piece) -> Ways:
    """All walks of a piece by the steps to be moved."""
    start = standing.at(piece)
    assert start is not None
    came_from = (
        () if options.no_return == "not-end-on-start" or standing.phase != "bonus" else standing.came_from
    )
    # A piece may return to its square before the throw, also by a step straight back.
    if standing.began_at in came_from:
        came_from = ()
    ground = ground_of(options, standing, piece)
    return ways(options.kitchen, start, standing.steps, ground, options.no_return, came_from)


def ends_by_way(options: ChopOptions, standing: KitchenBoard) -> dict[Square, int]:
    """The squares for the piece that moves on, as bits, by the square of its last step.

    Empty unless it may have come from several squares, and it matters which.
    """
    piece = standing.mover
    if standing.phase != "bonus" or piece is None or len(standing.came_from) < 2:
        return {}
    ends = {by: walks(options, replace(standing, came_from=(by,)), piece).ends for by in standing.came_from}
    return ends if len(set(ends.values())) > 1 else {}


def ground_of(options: ChopOptions, standing: KitchenBoard, piece: Piece) -> Ground:
    """The squares that a piece may walk through, and those that it may stop on.

    On the table and under it, the cat and the mice neither bar nor meet each other.
    """
    kitchen = options.kitchen
    if piece == "cat":
        mice = mice_in_reach(kitchen, standing)
        floor = kitchen.board_mask & ~kitchen.mask(standing.cheeses)
        return Ground(floor & ~mice, floor & ~kitchen.mask(kept_from_cat(options, standing)))
    others = (square for other in standing.alive if other != piece and (square := standing.at(other)))
    taken = kitchen.mask(others) | _cat_below(kitchen, standing)
    return Ground(kitchen.board_mask & ~taken, kitchen.board_mask & ~taken)


def mice_in_reach(kitchen: Kitchen, standing: KitchenBoard) -> int:
    """The squares of the mice that the cat can meet, as bits: those not under the table."""
    return kitchen.mask(filter(None, standing.mice)) & ~kitchen.table_mask


def _cat_below(kitchen: Kitchen, standing: KitchenBoard) -> int:
    """The cat's square if she bars the mice: not on the table."""
    return kitchen.mask((standing.cat,)) & ~kitchen.table_mask if standing.cat else 0


def kept_from_cat(options: ChopOptions, standing: KitchenBoard) -> tuple[Square, ...]:
    """The squares where the cat may not stop because the last mouse is in a hole."""
    if len(standing.alive) != 1:
        return ()
    square = standing.at(standing.alive[0])
    if square is None or square not in options.kitchen.holes:
        return ()
    fronts = options.kitchen.fronts(square)
    return fronts if options.last_mouse == "front" else (*fronts, square)


def arrow_squares(options: ChopOptions, standing: KitchenBoard) -> tuple[Square, ...]:
    """The squares for a piece on an arrow; it may also stay."""
    if standing.phase != "arrow" or standing.mover is None:
        return ()
    return tuple(
        square
        for square in options.kitchen.all_squares
        if square != standing.at(standing.mover) and arrow_refusal(options, standing, square) is None
    )


def arrow_refusal(options: ChopOptions, standing: KitchenBoard, to: Square) -> str | None:
    """The rule that forbids an arrow to a square (rulebook, "Arrow"); None where it may lead."""
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


def refusal(options: ChopOptions, standing: KitchenBoard, piece: Piece, to: Square) -> str:
    """The rule's name by which a piece that may move does not reach a square."""
    kitchen, bit = options.kitchen, options.kitchen.bit(to)
    if piece == "cat" and to in standing.cheeses:
        return "visible-cheese"
    if piece == "cat" and to in kept_from_cat(options, standing):
        return "last-mouse"
    ground = ground_of(options, standing, piece)
    if not bit & ground.ends:
        return "one-mouse-a-hole" if to in kitchen.holes else "square-taken"
    start = standing.at(piece)
    assert start is not None
    far = abs(start[0] - to[0]) + abs(start[1] - to[1])
    if far > standing.steps or (standing.steps - far) % 2:
        return "not-that-far"
    if to == start:
        return "steps-back" if options.no_return == "no-step-back" else "ends-on-start"
    turning_round = ways(kitchen, start, standing.steps, ground, "not-end-on-start")
    return "steps-back" if bit & turning_round.ends else "in-the-way"
