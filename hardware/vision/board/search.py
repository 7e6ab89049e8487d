"""Searches for the best boards: sets of tiles that do not overlap and together explain the squares best.

Each placement of each tile is worth some nats: how much better the tile explains its squares than the bare
board does. A board is worth the sum of its tiles. The best board is found by tabu search, which goes on from
board to board by the best change that it has not just undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind, Square, Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.illumination import SAMPLES
from hardware.vision.board.scene import Placements, Scene, Shape

TileName = tuple[str, Kind]
"""Owner and kind, which identify one tile."""
Pose = tuple[float, float, float]
"""The pose of a tile on its squares: the shift across and down in samples, and the turn in degrees."""

WORTH = -25.0
"""The minimum nats of a placement to be considered: its face may add what its coat does not show."""
ANY_PLACE = 9.0
"""The cost of a tile in nats: one of 18, in any of some 450 places (their logarithm)."""
SHIFT_NATS = 0.3
"""The cost of a shift in nats a squared sample."""
TURNS = (0.0, -2.0, 2.0)
TURN_NATS = 0.2
FIRST = 16
"""The number of each tile's placements to begin with: those that lose least on their squares."""
MORE = 150
NEAR = 30.0
"""The nats that a placement may lose, put on the best board, to be added."""
ROUNDS = 5
CLOSE = 15.0
"""The nats behind the best board within which the faces of a board's tiles are looked at."""
HOPE = 3.0
"""The nats a square that a face that was not looked at may add."""
LOOKS = 4
MOVES = 250
LULL = 80
"""The number of moves without a better board after which a search ends."""
TENURE = 6
"""The number of moves for which a tile that was taken off may not return."""
ROUNDING = 1e-9
"""The nats by which a board must be better than another to count as better."""


class Choice(msgspec.Struct, frozen=True):
    """One tile in each of its places: the nats that it is worth there, shape (N,), and its pose, (N, 3)."""

    owner: str
    places: Placements
    worth: Float64
    pose: Float64


class Board(msgspec.Struct, frozen=True):
    """A set of tiles that do not overlap. `cost` is in nats behind the best board."""

    tiles: tuple[Tile, ...]
    cost: float


FaceWorth = Callable[[Choice, int], float]
"""Returns the evidence of a tile's face for one of its places, in nats."""


def mask_of(cells: Iterable[Square], cols: int) -> int:
    """Squares of a bed with `cols` columns as the bits of one number."""
    return sum(1 << row * cols + col for row, col in cells)


def choice_of(
    scene: Scene,
    owner: str,
    places: Placements,
    nats: Float32,
    stays: dict[int, float],
    allowed: Mask | None = None,
    least: float = WORTH,
) -> Choice:
    """The worth of one tile in each of its places, in its best pose; -inf for places left out.

    `nats` shape (shifts, shifts, squares): the nats of the tile on each square, moved down and across by each
    shift in samples. `stays`: the bonus of a placement, by mask, if the tile lay there before. `allowed`
    shape (N,): the possible places. `least`: the least nats of a considered place.
    """
    bonus = np.full(len(places.masks), -ANY_PLACE)
    for mask, more in stays.items():
        bonus[places.numbers_of.get(mask, [])] += more
    # No pose explains more than each square in a pose of its own.
    hopeful = bonus + nats.max(axis=(0, 1))[places.squares].sum(axis=1) > least
    if allowed is not None:
        hopeful &= allowed
    numbers = np.flatnonzero(hopeful)
    worth = np.full(len(bonus), -np.inf)
    pose = np.zeros((len(bonus), 3))
    if len(numbers):
        poses = _poses(scene.shapes[places.kind], nats.shape[0], nats.shape[2])
        quarter = places.turns[numbers]
        cells = poses.offsets[quarter] + places.squares[numbers][:, None]
        total = nats.ravel()[cells].sum(axis=-1) - poses.price
        best = total.argmax(axis=1)
        worth[numbers] = np.take_along_axis(total, best[:, None], axis=1)[:, 0] + bonus[numbers]
        pose[numbers] = poses.poses[best]
    return Choice(owner, places, worth, pose)


class _Poses(msgspec.Struct, frozen=True):
    """The poses in which a tile is tried: `poses` shape (P, 3), the shift across, shift down and turn.

    `price` shape (P,): their cost in nats. `offsets` shape (4, P, squares of the tile): for each of its
    quarter turns, where the evidence of each of its squares stands in that pose, beside its square's.
    """

    poses: Float64
    price: Float32
    offsets: NDArray[np.int32]


@lru_cache(maxsize=32)
def _poses(shapes: tuple[Shape, ...], shifts: int, squares: int) -> _Poses:
    """The poses of a tile, for evidence of shape (shifts, shifts, squares)."""
    # A turn moves squares away from the middle by up to a sample.
    most = shifts // 2 - 1
    steps = range(-most, most + 1)
    poses = [(float(x), float(y), turn) for turn in TURNS for y in steps for x in steps]
    offsets = [[_offsets(shape, pose, shifts, squares) for pose in poses] for shape in shapes]
    price = [SHIFT_NATS * (x * x + y * y) + (TURN_NATS if turn else 0.0) for x, y, turn in poses]
    return _Poses(np.array(poses), np.array(price, dtype=np.float32), np.array(offsets, dtype=np.int32))


def _offsets(shape: Shape, pose: Pose, shifts: int, squares: int) -> list[int]:
    across, down, turn = pose
    tilt = float(np.deg2rad(turn)) * SAMPLES
    middle = shifts // 2
    offsets = []
    for row, col in shape.squares:
        y = middle + int(down) + int(np.clip(np.rint(tilt * (col - (shape.cols - 1) / 2)), -1, 1))
        x = middle + int(across) - int(np.clip(np.rint(tilt * (row - (shape.rows - 1) / 2)), -1, 1))
        offsets.append((y * shifts + x) * squares)
    return offsets


def best_boards(
    choices: Sequence[Choice], most: Float64, cols: int, keep: int, face: FaceWorth | None = None
) -> list[Board]:
    """The best boards, the best first.

    `most` shape (squares,): the most nats of any tile on each square. `face`: the worth of a face; faces are
    compared only where they may matter.
    """
    search = _Search(choices, most, face)
    ranked = sorted(search.boards().items(), key=lambda entry: -entry[1])[:keep]
    return [Board(search.tiles(board, cols), ranked[0][1] - worth) for board, worth in ranked]


class _Search:
    """Placements as rows: `tile` (the choice), `number`, `worth`, and the squares as bits in `masks`."""

    def __init__(self, choices: Sequence[Choice], most: Float64, face: FaceWorth | None) -> None:
        self._choices = choices
        self._face = face
        rows = [(tile, number) for tile, choice in enumerate(choices) for number in _distinct(choice)]
        self._tile = np.array([tile for tile, _ in rows], dtype=np.int32)
        self._number = np.array([number for _, number in rows], dtype=np.int32)
        self._rough = np.array([choices[tile].worth[number] for tile, number in rows])
        squares = [choices[tile].places.squares[number] for tile, number in rows]
        self._loss = np.array([most[cells].sum() for cells in squares]) - self._rough
        self._worth = self._rough.copy()
        self._hope = np.array([0.0 if face is None else HOPE * len(cells) for cells in squares])
        self._squares = squares
        self._covers = np.zeros((len(rows), len(most)), dtype=bool)
        for row, cells in enumerate(squares):
            self._covers[row, cells] = True

    def tiles(self, board: Iterable[int], cols: int) -> tuple[Tile, ...]:
        """A board's tiles."""
        rows = [(self._choices[self._tile[row]], int(self._number[row])) for row in sorted(board)]
        return tuple(choice.places.tile(choice.owner, number, cols) for choice, number in rows)

    def boards(self) -> dict[frozenset[int], float]:
        """The boards that were met, with their worth, the best among them."""
        rows = self._first_rows()
        boards: dict[frozenset[int], float] = {frozenset(): 0.0}
        best: frozenset[int] = frozenset()
        for _ in range(ROUNDS):
            boards = self._boards_of(rows, best)
            best = max(boards, key=lambda board: boards[board])
            more = self._rows_near(best, rows)
            if not len(more):
                break
            rows = np.union1d(rows, more)
        return boards

    def _boards_of(self, rows: NDArray[np.intp], start: frozenset[int]) -> dict[frozenset[int], float]:
        """The boards met from the one that fits its squares best, and from `start`."""
        clash = self._clash(rows)
        lying = [int(row) for row in np.searchsorted(rows, sorted(start))]
        boards: dict[frozenset[int], float] = {}
        for _ in range(LOOKS):
            worth = self._worth[rows]
            fitting_first = worth - self._loss[rows] - self._rough[rows]
            met = tabu_search(worth, clash, _greedy(worth, fitting_first, clash))
            for other in (lying, _greedy(worth, worth, clash)):
                met |= tabu_search(worth, clash, other)
            boards = {frozenset(int(rows[row]) for row in board): value for board, value in met.items()}
            if not self._look_at(boards):
                break
        return boards

    def _look_at(self, boards: dict[frozenset[int], float]) -> bool:
        """Look at the faces of the tiles of the best boards; False if all of them were seen."""
        limit = max(boards.values()) - CLOSE
        unseen: set[int] = set()
        for board, worth in boards.items():
            hopes = {row: float(self._hope[row]) for row in board if self._hope[row]}
            if worth + sum(hopes.values()) > limit:
                unseen |= hopes.keys()
        if self._face is None or not unseen:
            return False
        for row in unseen:
            choice = self._choices[self._tile[row]]
            # A tile whose squares are the same after half a turn lies the way round that its face says.
            ways = choice.places.numbers_of[choice.places.masks[self._number[row]]]
            added = {number: self._face(choice, number) for number in ways}
            self._number[row] = max(ways, key=lambda number: added[number])
            self._worth[row] = self._rough[row] + added[int(self._number[row])]
            self._hope[row] = 0.0
        return True

    def _first_rows(self) -> NDArray[np.intp]:
        order = np.argsort(self._loss, kind="stable")
        first = [order[self._tile[order] == tile][:FIRST] for tile in range(len(self._choices))]
        return np.sort(np.concatenate([np.zeros(0, dtype=np.intp), *first]))

    def _rows_near(self, board: frozenset[int], rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """The placements, not among `rows`, that lose least when they are put on a board."""
        gain = self._worth + self._hope
        for row in board:
            clash = self._covers[:, self._squares[row]].any(axis=1) | (self._tile == self._tile[row])
            gain -= np.where(clash, self._worth[row], 0.0)
        gain[rows] = -np.inf
        near = np.flatnonzero(gain > -NEAR)
        return near[np.argsort(-gain[near], kind="stable")[:MORE]]

    def _clash(self, rows: NDArray[np.intp]) -> Mask:
        """The pairs of these placements that exclude each other: they overlap, or are the same tile."""
        covers, tile = self._covers[rows].astype(np.float32), self._tile[rows]
        return np.asarray((covers @ covers.T > 0) | (tile[:, None] == tile[None]), dtype=bool)


def _distinct(choice: Choice) -> list[int]:
    """The placements that are worth considering, one for each set of squares."""
    best: dict[int, int] = {}
    worth = choice.worth
    for number in np.flatnonzero(worth > WORTH):
        mask = choice.places.masks[number]
        if mask not in best or worth[number] > worth[best[mask]]:
            best[mask] = int(number)
    return list(best.values())


def _greedy(worth: Float64, order: Float64, clash: Mask) -> list[int]:
    """A board of placements that are worth something, taken by `order`, the highest first."""
    free = worth > 0
    board = []
    for row in np.argsort(-order, kind="stable"):
        if free[row]:
            board.append(int(row))
            free &= ~clash[row]
    return board


def tabu_search(worth: Float64, clash: Mask, start: Sequence[int]) -> dict[frozenset[int], float]:
    """The boards met from `start` on, with their worth, and those one placement away from the best.

    `worth` shape (N,); `clash` shape (N, N): which placements exclude each other, each also itself.
    """
    board = list(start)
    value = best = float(worth[board].sum())
    boards = {frozenset(board): value}
    weighed = clash * worth[:, None]
    # What each placement adds to the board if it pushes off whatever it clashes with.
    gain = worth - weighed[board].sum(axis=0)
    barred = np.zeros(len(worth), dtype=np.int64)
    barred[board] = MOVES
    best_at = 0
    for move in range(MOVES if len(worth) else 0):
        open_to = np.where((barred <= move) | (gain > best - value + ROUNDING), gain, -np.inf)
        row = int(open_to.argmax())
        if open_to[row] == -np.inf:
            break
        value += float(gain[row])
        pushed = clash[row]
        off = [lying for lying in board if pushed[lying]]
        board = [lying for lying in board if not pushed[lying]] + [row]
        gain -= weighed[row]
        for lying in off:
            gain += weighed[lying]
        barred[off] = move + TENURE
        barred[row] = MOVES
        boards[frozenset(board)] = value
        if value > best + ROUNDING:
            best, best_at = value, move
        elif move - best_at > LULL:
            break
    top: frozenset[int] | None = None
    while top != (top := max(boards, key=lambda board: boards[board])):
        boards |= _one_away(top, worth, clash)
    return boards


def _one_away(best: frozenset[int], worth: Float64, clash: Mask) -> dict[frozenset[int], float]:
    """The best board without one of its tiles, or with another placement and what else then fits."""
    lying = sorted(best)
    boards = {best - {gone}: float(worth[[row for row in lying if row != gone]].sum()) for gone in lying}
    pushes = clash[:, lying]
    useful = np.flatnonzero(worth > 0)
    # What may be added once a placement has pushed off all that it clashes with.
    in_the_way = (~pushes).astype(np.float32) @ pushes[useful].astype(np.float32).T
    room = (in_the_way == 0) & ~clash[:, useful]
    has_room = room.any(axis=1)
    for row, pushed in enumerate(pushes.tolist()):
        if row not in best:
            board = [row, *(other for other, off in zip(lying, pushed, strict=True) if not off)]
            free = room[row]
            while has_room[row] and free.any():
                board.append(int(useful[np.where(free, worth[useful], -np.inf).argmax()]))
                free = free & ~clash[board[-1], useful]
            boards[frozenset(board)] = float(worth[board].sum())
    return boards
