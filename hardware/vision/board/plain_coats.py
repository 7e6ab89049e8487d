"""Reads a finished board of tiles in plain colours, of which nothing was shown.

Each owner has one colour. Tiles of one colour touch at their corners alone, so squares of one colour that
hang together are a tile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind, Tile
from hardware.arrays import Float64
from hardware.vision.board.scene import Scene, mask_of_indices
from hardware.vision.board.temporal_filter import SURE
from hardware.vision.board.unshown import UNKNOWN_OWNER, Located, ShapesRead, logarithms
from hardware.vision.register.homography import TILE_SQUARES, raised, usual_focal_length
from hardware.vision.register.rectify import Rectifier

PX = 16
EDGE = 4
"""The px at a square's sides that are left out: seams, shadows and the neighbours."""
MIRRORED = 245
"""The value of a channel from which all three together are a lamp's reflection."""
LEAST_SEEN = 0.15
"""The share of a square without reflections that tells its colour."""
STARTS = 8
"""The number of tries to part the colours, each from other squares."""
ROUNDS = 20
STRAY = 0.02
"""The share of squares that may look like no colour at all."""
RIDGE = 1e-3
"""The least variance of a colour, in squared logarithms."""
NO_TILE = 8.0
"""The cost in nats of squares of one colour that are no tile."""
TWICE = 6.0
"""The cost in nats of a second tile of one kind and colour."""
LEAST_NATS = -12.0
DOUBTED = 12
"""The number of the least sure squares that are changed two at a time."""

Labels = NDArray[np.int64]
Places = dict[int, tuple[Kind, int]]


def read_plain_coats(photo: Located, scene: Scene, owners: int) -> ShapesRead:
    """The finished board in a photograph, by its colours: one for the bare squares and one for each owner."""
    colours, seen = _square_colours(photo, scene)
    places: Places = {
        mask: (kind, number)
        for kind, of_kind in scene.placements.items()
        for number, mask in enumerate(of_kind.masks)
    }
    starts = [_parted(colours, seen, _bends(scene), owners + 1, start) for start in range(STARTS)]
    boards = [
        _Board(scene, np.roll(nats, -bare, axis=1), places) for nats in starts for bare in range(owners + 1)
    ]
    board = min(boards, key=lambda board: board.cost(board.likeliest))
    labels = board.mended()
    sure = np.exp(board.nats[np.arange(scene.squares), labels])
    tiles: list[Tile] = []
    alike: list[list[int]] = [[] for _ in range(owners)]
    no_tile = False
    for label, cells in board.heaps(labels):
        place = places.get(mask_of_indices(cells))
        if place is None:
            no_tile = True
            continue
        alike[label - 1].append(len(tiles))
        tile = scene.placements[place[0]].tile(UNKNOWN_OWNER, place[1], scene.cols)
        sureness = round(float(sure[board.around(cells)].min()), 4)
        tiles.append(msgspec.structs.replace(tile, confidence=sureness))
    kinds = [[tiles[number].kind for number in coat] for coat in alike]
    if no_tile or any(len(set(of_coat)) < len(of_coat) for of_coat in kinds):
        why = "unexplained"
    else:
        why = "not-told-apart" if (sure < SURE).any() else ""
    return ShapesRead(tuple(tiles), (), (), tuple(map(tuple, alike)), why)


def _square_colours(photo: Located, scene: Scene) -> tuple[Float64, Float64]:
    """Each square's brightness and two colours, as logarithms, shape (squares, 3), and its share in sight."""
    plane = raised(photo.homography, usual_focal_length([photo.homography]), TILE_SQUARES / 2)
    board = Rectifier(scene, plane, PX)(photo.picture)[PX:-PX, PX:-PX]
    shape = scene.rows, PX, scene.cols, PX
    inner = logarithms(board).reshape(*shape, 3)[:, EDGE:-EDGE, :, EDGE:-EDGE]
    px = inner.transpose(0, 2, 1, 3, 4).reshape(scene.squares, -1, 3).astype(np.float64)
    dim = (board.min(axis=2) < MIRRORED).reshape(shape)[:, EDGE:-EDGE, :, EDGE:-EDGE]
    clear = dim.transpose(0, 2, 1, 3).reshape(scene.squares, -1)
    px[~clear & clear.any(axis=1, keepdims=True)] = np.nan
    return np.nanmedian(px, axis=1), clear.mean(axis=1)


def _bends(scene: Scene) -> Float64:
    """Slopes and bends over the board, shape (squares, 5): light falls unevenly."""
    down, across = np.mgrid[-0.5 : 0.5 : scene.rows * 1j, -0.5 : 0.5 : scene.cols * 1j].reshape(2, -1)
    return np.stack([down, across, down * down, across * across, down * across], axis=1)


def _parted(colours: Float64, seen: Float64, bends: Float64, count: int, start: int) -> Float64:
    """The logarithmic probability of each colour on each square, shape (squares, count)."""
    cv2.setRNGSeed(start)
    ends = (cv2.TERM_CRITERIA_MAX_ITER + cv2.TERM_CRITERIA_EPS, 50, 1e-4)
    hues = colours[:, 1:].astype(np.float32)
    _, labels, _ = cv2.kmeans(hues, count, np.empty(0, np.int32), ends, 1, cv2.KMEANS_PP_CENTERS)
    shares = np.eye(count)[labels.ravel()]
    known = seen > LEAST_SEEN
    for _ in range(ROUNDS):
        level = _levelled(colours, bends, shares * known[:, None])
        density = np.stack([_density(level, shares[:, each] * known) for each in range(count)], axis=1)
        often = np.maximum((shares * known[:, None]).mean(axis=0), 1e-6)
        stray = STRAY / np.prod(np.ptp(level[known], axis=0))
        weighed = often * ((1 - STRAY) * density + stray)
        weighed[~known] = often
        shares = weighed / weighed.sum(axis=1, keepdims=True)
    return np.asarray(np.log(shares), dtype=np.float64)


def _levelled(colours: Float64, bends: Float64, shares: Float64) -> Float64:
    """The colours without what uneven light does to their brightness."""
    known = shares.sum(axis=1)[:, None]
    fit, *_ = np.linalg.lstsq(np.hstack([shares, known * bends]), known[:, 0] * colours[:, 0], rcond=None)
    return np.column_stack([colours[:, 0] - bends @ fit[shares.shape[1] :], colours[:, 1:]])


def _density(level: Float64, weights: Float64) -> Float64:
    """The density of a normal distribution, fitted to weighed squares, on each square."""
    total = max(float(weights.sum()), 1e-9)
    middle = weights @ level / total
    off = level - middle
    spread = (off * weights[:, None]).T @ off / total + RIDGE * np.eye(3)
    far = (off @ np.linalg.inv(spread) * off).sum(axis=1)
    return np.asarray(np.exp(-far / 2) / np.sqrt((2 * np.pi) ** 3 * np.linalg.det(spread)), np.float64)


class _Board:
    """The squares of a board, and the likelihood of each colour: the bare one first, shape (squares, N)."""

    def __init__(self, scene: Scene, nats: Float64, places: Places) -> None:
        self._scene = scene
        self.nats = np.maximum(nats, LEAST_NATS)
        self._places = places
        self.likeliest: Labels = self.nats.argmax(axis=1)

    def heaps(self, labels: Labels) -> Iterator[tuple[int, Labels]]:
        """Squares of one colour that hang together: the colour, and the squares' indices."""
        grid = labels.reshape(self._scene.rows, self._scene.cols)
        for label in range(1, self.nats.shape[1]):
            count, numbers = cv2.connectedComponents((grid == label).astype(np.uint8), connectivity=4)
            flat = numbers.ravel()
            for number in range(1, count):
                yield label, np.flatnonzero(flat == number)

    def cost(self, labels: Labels) -> float:
        """The cost of a board in nats: its squares, heaps that are no tile, and kinds that lie twice."""
        cost = -float(self.nats[np.arange(len(labels)), labels].sum())
        kinds: Counter[tuple[int, Kind]] = Counter()
        for label, cells in self.heaps(labels):
            place = self._places.get(mask_of_indices(cells))
            if place is None:
                cost += NO_TILE
            else:
                kinds[label, place[0]] += 1
        return cost + TWICE * sum(count - 1 for count in kinds.values())

    def around(self, cells: Labels) -> Labels:
        """These squares and those beside them."""
        mask = np.zeros((self._scene.rows, self._scene.cols), np.uint8)
        mask.ravel()[cells] = 1
        cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], np.uint8)
        return np.flatnonzero(cv2.dilate(mask, cross).ravel())

    def mended(self) -> Labels:
        """The likeliest colours, changed on one or two squares at a time for as long as that costs less."""
        labels, cost = self.likeliest, self.cost(self.likeliest)
        while True:
            tried = [(self.cost(other), number, other) for number, other in enumerate(self._changes(labels))]
            best = min(tried, default=(cost, 0, labels))
            if best[0] >= cost - 1e-9:
                return labels
            cost, _, labels = best

    def _changes(self, labels: Labels) -> Iterator[Labels]:
        odd = [cells for _, cells in self.heaps(labels) if mask_of_indices(cells) not in self._places]
        if not odd:
            return
        near = self.around(np.concatenate(odd))
        ways = [
            (int(square), int(label))
            for square in near
            for label in np.flatnonzero(self.nats[square] > LEAST_NATS)
            if label != labels[square]
        ]
        for way in ways:
            yield _changed(labels, [way])
        doubted = sorted(ways, key=lambda way: -self.nats[way])[:DOUBTED]
        for one, other in combinations(doubted, 2):
            if one[0] != other[0]:
                yield _changed(labels, [one, other])


def _changed(labels: Labels, ways: Sequence[tuple[int, int]]) -> Labels:
    other = labels.copy()
    for square, label in ways:
        other[square] = label
    return other
