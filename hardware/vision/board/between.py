"""Which tiles lie between squares, by their faces, in pictures that may be taken from the side.

From the side the upper faces of all tiles lie off their squares together, because tiles are thick. What
counts is how far a tile lies from where the others lie.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from companion.games.watching import Tile
from hardware.vision.board.appearance import Coat
from hardware.vision.board.evidence import REACH, Evidence
from hardware.vision.board.faces import MOST_SHIFT, Face, Likeness, Place, Shift, Sight, Way, compare
from hardware.vision.board.search import TileName

FEWEST_FACES = 5
"""The minimum number of faces from which it is learned how far all tiles lie off."""
LEAST_NATS = 1.0
"""The minimum evidence in nats of a face that shows. Drawn tiles that lie between squares have 6 to 74."""
MOST_LEAN = 2.0
"""The maximum samples that all tiles together may lie off: a tile of usual thickness, 45° aslant."""


def lean_of(looks: Sequence[Likeness | None]) -> Shift:
    """How far tiles lie off their squares together, across and down in samples: the median of their faces."""
    poses = [look.pose for look in looks if look is not None and look.pose and look.nats >= LEAST_NATS]
    if len(poses) < FEWEST_FACES:
        return 0.0, 0.0
    across, down = np.clip(np.rint(np.median(np.array(poses)[:, :2], axis=0)), -MOST_LEAN, MOST_LEAN)
    return float(across), float(down)


def between_squares(
    tiles: Sequence[Tile],
    looked: Callable[[Tile], Likeness | None],
    again: Callable[[Tile, Likeness, Shift], Likeness],
) -> list[Tile]:
    """The tiles of a board that lie between squares.

    `looked`: a tile's face as it was compared, None if it was not. `again`: the same, compared around where
    all tiles lie.
    """
    looks = [looked(tile) for tile in tiles]
    lean = lean_of(looks)
    between = []
    for tile, look in zip(tiles, looks, strict=True):
        if look is None or look.pose is None or look.nats < LEAST_NATS:
            continue
        off = max(abs(look.pose[0] - lean[0]), abs(look.pose[1] - lean[1]))
        if look.is_between_squares or off >= MOST_SHIFT:
            seen = look if lean == (0.0, 0.0) else again(tile, look, lean)
            between += [tile] if seen.is_between_squares else []
    return between


def look_again(
    faces: Mapping[TileName, Face],
    coats: Mapping[TileName, Coat],
    sight: Callable[[], Sight],
    weighed: Evidence,
    cols: int,
    way: Way | None,
) -> Callable[[Tile, Likeness, Shift], Likeness]:
    """What compares a tile's face again, around where all tiles lie, on a board of `cols` columns.

    `way`: the way in which prints lie, None if that is not known.
    """

    def again(tile: Tile, look: Likeness, lean: Shift) -> Likeness:
        name = (tile.owner, tile.kind)
        pose = look.pose or (0.0, 0.0, 0.0)
        squares = [row * cols + col for row, col in tile.cells]
        covered = weighed.moved[int(pose[1]) + REACH, int(pose[0]) + REACH][squares]
        place = Place(tile.turns, tile.row, tile.col, tile.cells, pose, covered, lean)
        return compare(faces[name], coats[name].usual, sight(), weighed.samples[name], place).by(way)

    return again
