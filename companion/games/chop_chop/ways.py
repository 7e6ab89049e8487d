"""Every square that a piece can reach with an exact number of steps, and the way there.

A walk of n steps is followed for all squares at once: for each of the four directions one number whose
bits are the squares that some walk has come to by a step that way. To go on in a direction, one must have
come by another than its opposite: that is the rule of not stepping straight back, and all of it. So n steps
are some 16 n operations on whole boards, whatever the number of walks.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.games.chop_chop.kitchen import Kitchen, Square

UP, RIGHT, DOWN, LEFT = range(4)
BACK = (DOWN, LEFT, UP, RIGHT)
"""The opposite of each direction."""

Layer = tuple[int, int, int, int]
"""The squares come to by a step up, right, down, left, as bits."""


class Ground(msgspec.Struct, frozen=True):
    """Where one piece may go, as bits: `free` may be walked through, `ends` stopped on."""

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
        """One way to a square that is reached, from the start to it, as straight as it can be.

        `via` is one of the squares that its last step may have come from; None for the first of them.
        """
        at, stride, named = self.kitchen.bit(to), self.kitchen.stride, self.kitchen.squares_by_bit
        layer = self.layers[-1]
        came = next(
            way for way in range(4) if layer[way] & at and via in (None, named[_unstepped(at, way, stride)])
        )
        squares = [to]
        for layer in reversed(self.layers[:-1]):
            at = _unstepped(at, came, stride)
            squares.append(named[at])
            if not layer[came] & at:
                back = -1 if self.steps_back else BACK[came]
                came = next(way for way in range(4) if way != back and layer[way] & at)
        return (self.start, *reversed(squares))

    def came_from(self, to: Square) -> tuple[Square, ...]:
        """The squares from which the last step to a square that is reached may have come."""
        at = self.kitchen.bit(to)
        last = self.layers[-1]
        return tuple(
            self.kitchen.square(_unstepped(at, way, self.kitchen.stride))
            for way in range(4)
            if last[way] & at
        )


def ways(
    kitchen: Kitchen,
    start: Square,
    steps: int,
    ground: Ground,
    *,
    came_from: Iterable[Square] = (),
    steps_back: bool = False,
) -> Ways:
    """All walks of `steps` steps (one or more) from `start`.

    `came_from` are the squares one of which the piece has just left and may not step back to with its first
    step; none, and any first step will do. `steps_back`: it may turn round at every step, but not end where
    it began.
    """
    at, stride, board = kitchen.bit(start), kitchen.stride, kitchen.board_mask
    left = tuple(came_from)
    layer: Layer = _arrived(kitchen, start, left)
    anyhow = 0 if left else at
    ends = ground.ends & ~at if steps_back else ground.ends
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


def _arrived(kitchen: Kitchen, at: Square, came_from: tuple[Square, ...]) -> Layer:
    """The layer in which a piece stands that has come by one of these squares beside it."""
    bit = kitchen.bit(at)
    layer = [0, 0, 0, 0]
    for row, col in came_from:
        layer[((1, 0), (0, -1), (-1, 0), (0, 1)).index((row - at[0], col - at[1]))] = bit
    return layer[0], layer[1], layer[2], layer[3]


def _unstepped(bit: int, way: int, stride: int) -> int:
    """The bit from which a step in that direction led here."""
    if way in (UP, DOWN):
        return bit << stride if way == UP else bit >> stride
    return bit >> 1 if way == RIGHT else bit << 1
