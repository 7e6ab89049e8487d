"""Reads a finished board of which nothing was shown: neither the empty board nor any tile.

The shapes are known. A board is judged by all lines between squares side by side: on a tile the coat goes on
over each of them, everywhere else it does not. Whose a tile is cannot be seen. A 6 and a 9 on the same
squares are told apart by the tail at the foot, or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Alternative, Kind, Tile
from hardware.arrays import Float32, Float64, Mask, Picture
from hardware.vision.board.appearance import Coat, Look, colour_bins, grain_bins
from hardware.vision.board.illumination import samples, side_by_side
from hardware.vision.board.joins import joined, pairs
from hardware.vision.board.relief import TILE_SQUARES, raised
from hardware.vision.board.scene import Placements, Scene
from hardware.vision.board.search import Board, TileName, mask_of, tabu_search
from hardware.vision.board.tails import coat_beside, with_tails
from hardware.vision.board.temporal_filter import LEAST_ALTERNATIVE, SURE
from hardware.vision.register.focal_length import usual_focal_length
from hardware.vision.register.homography import Homography
from hardware.vision.register.rectify import INNER, MARGIN, Rectifier

UNKNOWN_OWNER = ""
"""The owner of a tile that nobody named."""
AGAINST, FOR = -3.0, 4.5
"""The least and the most log-odds of a pair: a tail may hide that a coat goes on; a seam is seldom hidden."""
ANY_PLACE = 9.0
"""The cost of a tile in nats: one of 18, in any of some 450 places (their logarithm)."""
LEAST = -8.0
"""The minimum nats of a placement to be considered."""
MOST_ROWS = 500
"""The maximum number of placements to be considered: those worth most."""
TOO_MANY = 25.0
"""The cost in nats of each tile of a kind beyond one for each owner."""
ROOM = 12.0
"""The cost in nats of a board on which a tile that is left would still fit: it was said to be finished."""
CHECKED = 200
"""The number of the likeliest boards that are looked at for such room."""
KEEP = 30
"""The number of likely boards to weigh against each other."""
LEFT_OVER = 2.0
"""The log-odds above which squares that no tile explains belong together."""
LEFT_OVER_SQUARES = 4
"""The minimum number of connected such squares of an unexplained thing."""
SCALE = 24
"""Px per square in which coats are looked at."""
CLEAR_TAIL = 20.0
"""The nats by which tails must speak for a 6 or a 9 to be believed.

Where another tile's tail lay at the other end, the photos of a rendered bed spoke for the wrong one by 12.5.
"""


class Located(msgspec.Struct, frozen=True):
    """A photograph and where the board lies in it."""

    picture: Picture
    homography: Homography


class ShapesRead(msgspec.Struct, frozen=True):
    """The tiles by their shapes alone, with no owners.

    `twins`: the indices of tiles that may be of another kind on the same squares. `why`: what keeps the board
    from being believed, empty if nothing does.
    """

    tiles: tuple[Tile, ...]
    alternatives: tuple[Alternative, ...]
    twins: tuple[int, ...]
    why: str


def read_shapes(photos: Sequence[Located], scene: Scene, owners: int) -> ShapesRead:
    """The finished board in photographs, by the shapes of tiles, each kind at most once for each owner."""
    focal = usual_focal_length([photo.homography for photo in photos])
    seen = [joined(photo.picture, scene, photo.homography, focal) for photo in photos]
    odds = np.mean([np.clip(each, AGAINST, FOR) for each in seen], axis=0)
    boards, likely = _likely_boards(scene, odds, len(photos), owners)
    coats = [_Coats(photo, scene, focal, boards[0]) for photo in photos]
    tiles, twins = _told_apart(scene, boards[0], coats)
    confidences = _confidences(boards, likely)
    tiles = tuple(
        msgspec.structs.replace(tile, confidence=round(confidences[frozenset(tile.cells)], 4))
        for tile in tiles
    )
    swapped = tuple(
        Alternative((*tiles[:number], _ways(scene, tiles[number])[1], *tiles[number + 1 :]), 0.5)
        for number in twins
    )
    others = swapped + tuple(
        Alternative(other, round(float(share), 4))
        for other, share in zip(boards[1:], likely[1:], strict=True)
        if share > LEAST_ALTERNATIVE
    )
    unsure = likely[0] < SURE or bool(twins)
    covered = np.zeros(scene.squares, dtype=bool)
    covered[[row * scene.cols + col for tile in tiles for row, col in tile.cells]] = True
    left_over = _has_room(
        scene, covered, [tile.kind for tile in tiles], _twin_kinds(scene), owners
    ) or _left_over(scene, odds, tiles)
    why = "not-told-apart" if unsure else "unexplained" if left_over else ""
    return ShapesRead(tiles, others, twins, why)


def _likely_boards(
    scene: Scene, odds: Float64, photos: int, owners: int
) -> tuple[list[tuple[Tile, ...]], Float64]:
    """The likeliest boards, the best first, and their probabilities."""
    rows = _rows(scene, odds)
    if not rows:
        return [()], np.ones(1, dtype=np.float64)
    worth = np.array([value for value, _, _ in rows])
    covers = np.zeros((len(rows), scene.squares), dtype=np.float32)
    for row, (_, places, number) in enumerate(rows):
        covers[row, places.squares[number]] = 1
    clash = np.asarray(covers @ covers.T > 0, dtype=bool)
    met = tabu_search(worth, clash, [])
    best_met = max(met, key=lambda board: met[board])
    met |= tabu_search(worth, clash, sorted(best_met))
    kinds = [places.kind for _, places, _ in rows]
    twins = _twin_kinds(scene)
    costs = {
        board: -photos * value + TOO_MANY * _too_many([kinds[row] for row in board], twins, owners)
        for board, value in met.items()
    }
    for board in sorted(costs, key=lambda board: costs[board])[:CHECKED]:
        covered = np.asarray(covers[sorted(board)].any(axis=0), dtype=bool)
        if _has_room(scene, covered, [kinds[row] for row in board], twins, owners):
            costs[board] += ROOM
    best = sorted(costs, key=lambda board: costs[board])[:KEEP]
    weights = np.exp(np.array([costs[best[0]] - costs[board] for board in best]))
    boards = [
        tuple(
            sorted(
                (rows[row][1].tile(UNKNOWN_OWNER, rows[row][2], scene.cols) for row in board),
                key=lambda tile: (str(tile.kind), tile.row, tile.col),
            )
        )
        for board in best
    ]
    return boards, weights / weights.sum()


def _rows(scene: Scene, odds: Float64) -> list[tuple[float, Placements, int]]:
    """The placements that come into question, one for each set of squares, with their worth in nats."""
    at = pairs(scene.rows, scene.cols)
    table = np.zeros((scene.squares, scene.squares), dtype=np.float32)
    table[at[:, 0], at[:, 1]] = table[at[:, 1], at[:, 0]] = odds
    best: dict[int, tuple[float, Placements, int]] = {}
    for places in scene.placements.values():
        inside = table[places.squares[:, :, None], places.squares[:, None, :]].sum(axis=(1, 2)) / 2
        for number in np.flatnonzero(inside > LEAST + ANY_PLACE):
            best.setdefault(places.masks[number], (float(inside[number]) - ANY_PLACE, places, int(number)))
    return sorted(best.values(), key=lambda row: -row[0])[:MOST_ROWS]


def _twin_kinds(scene: Scene) -> dict[Kind, tuple[Kind, ...]]:
    """Each kind, with those that cover the same squares when they are turned."""
    outlines: dict[Kind, set[frozenset[tuple[int, int]]]] = {
        kind: {frozenset(shape.squares) for shape in shapes} for kind, shapes in scene.shapes.items()
    }
    return {
        kind: tuple(other for other, theirs in outlines.items() if own & theirs)
        for kind, own in outlines.items()
    }


def _too_many(kinds: Sequence[Kind], twins: dict[Kind, tuple[Kind, ...]], owners: int) -> int:
    """How many tiles are more than there are, counting kinds that cannot be told apart together."""
    more = 0
    for group in {twins[kind] for kind in kinds}:
        more += max(sum(kind in group for kind in kinds) - owners * len(group), 0)
    return more


def _has_room(
    scene: Scene, covered: Mask, kinds: Sequence[Kind], twins: dict[Kind, tuple[Kind, ...]], owners: int
) -> bool:
    """Whether a tile that is left would still fit: then a tile was missed, or the board is not finished."""
    free = ~covered
    return any(
        sum(kind in twins[left] for kind in kinds) < owners * len(twins[left])
        and bool(free[places.squares].all(axis=1).any())
        for left, places in scene.placements.items()
    )


def _confidences(
    boards: Sequence[tuple[Tile, ...]], likely: Float64
) -> dict[frozenset[tuple[int, int]], float]:
    """The probability of each set of squares to be a tile."""
    shares: dict[frozenset[tuple[int, int]], float] = {}
    for board, share in zip(boards, likely, strict=True):
        for tile in board:
            cells = frozenset(tile.cells)
            shares[cells] = min(shares.get(cells, 0.0) + float(share), 1.0)
    return shares


def _left_over(scene: Scene, odds: Float64, tiles: Sequence[Tile]) -> bool:
    """Whether squares that no tile covers belong together as those of a tile do."""
    covered = scene.blocked_mask.ravel().copy()
    for tile in tiles:
        covered[[row * scene.cols + col for row, col in tile.cells]] = True
    at = pairs(scene.rows, scene.cols)
    together = (odds > LEFT_OVER) & ~covered[at].any(axis=1)
    # Squares as every other px, so that a pair of them is the px between.
    drawn = np.zeros((2 * scene.rows, 2 * scene.cols), dtype=np.uint8)
    for one, other in at[together]:
        ends = [divmod(int(square), scene.cols) for square in (one, other)]
        drawn[tuple(2 * np.array(ends).T)] = 1
        drawn[ends[0][0] + ends[1][0], ends[0][1] + ends[1][1]] = 1
    count, labels = cv2.connectedComponents(drawn, connectivity=4)
    sizes = [int((labels[::2, ::2] == number).sum()) for number in range(1, count)]
    return max(sizes, default=0) >= LEFT_OVER_SQUARES


class _Coats:
    """The coats of a board's tiles, and the bare bed, learned from the photograph itself."""

    def __init__(self, photo: Located, scene: Scene, focal: float, board: Sequence[Tile]) -> None:
        plane = raised(photo.homography, focal, TILE_SQUARES)
        rectified = Rectifier(scene, plane, SCALE)(photo.picture)
        colours = samples(rectified, scene)
        grains = grain_bins(rectified, scene.rows + 2 * MARGIN, scene.cols + 2 * MARGIN)
        self.look = Look(colour_bins(colours), grains)
        self._colours, self._grains = colours[INNER], grains[:, *INNER]
        bare = ~scene.blocked_mask
        self.coats: dict[frozenset[tuple[int, int]], Coat] = {}
        for tile in board:
            rows, cols = np.array(tile.cells).T
            bare[rows, cols] = False
            self.coats[frozenset(tile.cells)] = self._coat(rows, cols)
        self.empty = side_by_side(
            self._coat(*np.nonzero(bare)).colour_samples(self.look)
            if bare.any()
            else np.full(self.look.colours.shape, -5.0, dtype=np.float32)
        )

    def _coat(self, rows: NDArray[np.signedinteger], cols: NDArray[np.signedinteger]) -> Coat:
        grain = self._grains[:, rows, cols].reshape(len(self._grains), -1)
        return Coat(self._colours[rows, cols].reshape(-1, 3), grain[None])

    def samples(self, tile: Tile) -> Float32:
        """How well each sample fits a tile's coat, as a log-density, side by side."""
        return side_by_side(self.coats[frozenset(tile.cells)].colour_samples(self.look))


def _told_apart(
    scene: Scene, board: tuple[Tile, ...], photos: Sequence[_Coats]
) -> tuple[tuple[Tile, ...], tuple[int, ...]]:
    """The board with each 6 or 9 the way its tail tells, and the indices of those that no tail tells."""
    tiles, twins = list(board), []
    for number, tile in enumerate(board):
        ways = _ways(scene, tile)
        if len(ways) > 1:
            nats = np.sum([_tail_nats(scene, tiles, number, ways, photo) for photo in photos], axis=0)
            order = np.argsort(nats)
            tiles[number] = ways[int(order[0])]
            if nats[order[1]] - nats[order[0]] < CLEAR_TAIL:
                twins.append(number)
    return tuple(tiles), tuple(twins)


def _ways(scene: Scene, tile: Tile) -> list[Tile]:
    """The tiles of other kinds on the same squares, this one first."""
    mask = mask_of(tile.cells, scene.cols)
    ways = [
        places.tile(UNKNOWN_OWNER, number, scene.cols)
        for places in scene.placements.values()
        for number in places.numbers_of.get(mask, ())
    ]
    other = [way for way in ways if way.kind != tile.kind]
    return [tile, *other[:1]]


def _tail_nats(
    scene: Scene, tiles: Sequence[Tile], number: int, ways: Sequence[Tile], photo: _Coats
) -> Float64:
    """What the tail says against each way, in nats."""
    # Names for the coats, as `tails` wants them: the owner stands for the tile's place on the board.
    names = [msgspec.structs.replace(tile, owner=str(at)) for at, tile in enumerate(tiles)]
    boards = []
    on_coat: dict[TileName, Float32] = {}
    for tile in names:
        on_coat[tile.owner, tile.kind] = photo.samples(tile)
    for way in ways:
        own = msgspec.structs.replace(way, owner=str(number))
        on_coat[own.owner, own.kind] = on_coat[names[number].owner, names[number].kind]
        boards.append(Board((*names[:number], own, *names[number + 1 :]), 0.0))

    def marks(board: Board, tile: Tile) -> Mask:
        return coat_beside(board, tile, photo.empty, on_coat)

    return np.array([board.cost for board in with_tails(scene, boards, set(), marks)])
