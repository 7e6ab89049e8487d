"""Searches the best boards: sets of tiles that do not overlap and together explain the squares best.

Each placement of each tile is worth some nats: how much better the tile explains its squares than the bare
board does. A board is worth the sum of its tiles. The best board is found by tabu search, which goes on from
board to board by the best change that it has not just undone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind, Square, Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.illumination import SAMPLES
from hardware.vision.board.scene import Placements, Scene, Shape

TileName = tuple[str, Kind]
"""Owner and kind, which identify one tile."""
Laid = tuple[str, Kind, frozenset[Square]]
"""Owner, kind and squares, which identify a placement."""

WORTH = -25.0
"""The minimum nats of a placement to be considered: its face may add what its coat does not show."""
ANY_PLACE = 9.0
"""The cost of a tile in nats: one of 18, in any of some 450 places (their logarithm)."""
SHIFT_NATS = 0.08
"""The cost of a shift in nats a squared sample."""
TURNS = (0.0, -2.0, 2.0)
"""The turns in degrees to try for each placement."""
TURN_NATS = 0.2
"""The cost of such a turn in nats."""
FIRST = 16
"""The number of each tile's placements to begin with: those that lose least on their squares."""
MORE = 150
"""The maximum number of placements that are added in a round."""
NEAR = 30.0
"""The nats that a placement may lose, put on the best board, to be added."""
ROUNDS = 5
"""The maximum rounds in which placements are added."""
CLOSE = 15.0
"""The nats behind the best board within which the faces of a board's tiles are looked at."""
HOPE = 3.0
"""The nats a square that a face that was not looked at may add."""
LOOKS = 4
"""The maximum times that faces are looked at in a round."""
MOVES = 250
"""The number of moves of a tabu search."""
TENURE = 6
"""The number of moves for which a tile that was taken off may not return."""


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


Look = Callable[[Choice, int], float]
"""What the face of a tile in one of its places adds, in nats."""


def mask_of(cells: Iterable[Square], cols: int) -> int:
    """Squares of a bed with `cols` columns as the bits of one number."""
    return sum(1 << row * cols + col for row, col in cells)


def choice_of(scene: Scene, owner: str, places: Placements, nats: Float32, stays: dict[int, float]) -> Choice:
    """What one tile is worth in each of its places, in its best pose there.

    `nats` shape (shifts, shifts, squares): what the tile explains on each square, with the square moved down
    and across by each shift in samples. `stays`: the bonus of a placement, by mask, if the tile lay there
    before.
    """
    grid = nats.reshape(*nats.shape[:2], scene.rows, scene.cols)
    worth = np.zeros(len(places.masks))
    pose = np.zeros((len(places.masks), 3))
    for shape in scene.shapes[places.kind]:
        mine = np.flatnonzero(places.turns == shape.turns)
        if len(mine):
            best, at = _in_best_pose(shape, grid)
            worth[mine] = best[places.row[mine], places.col[mine]] - ANY_PLACE
            pose[mine] = at[places.row[mine], places.col[mine]]
    for number, mask in enumerate(places.masks):
        worth[number] += stays.get(mask, 0.0)
    return Choice(owner, places, worth, pose)


def _in_best_pose(shape: Shape, grid: Float32) -> tuple[Float32, Float64]:
    """The nats of a shape with its box at each square, and its pose there: shift across, shift down, turn."""
    inner = grid.shape[0] - 2
    shifts = np.arange(inner) - inner // 2
    price = (SHIFT_NATS * (shifts[:, None] ** 2 + shifts[None, :] ** 2))[:, :, None, None].astype(np.float32)
    high, wide = grid.shape[2] - shape.rows + 1, grid.shape[3] - shape.cols + 1
    best = np.full((high, wide), -np.inf, dtype=np.float32)
    pose = np.zeros((high, wide, 3))
    for turn in TURNS:
        tilt = np.deg2rad(turn) * SAMPLES
        total = np.zeros((inner, inner, high, wide), dtype=np.float32)
        for row, col in shape.squares:
            # A turn moves squares away from the middle by up to a sample.
            down = 1 + int(np.clip(np.rint(tilt * (col - (shape.cols - 1) / 2)), -1, 1))
            across = 1 - int(np.clip(np.rint(tilt * (row - (shape.rows - 1) / 2)), -1, 1))
            total += grid[down : down + inner, across : across + inner, row : row + high, col : col + wide]
        total -= price + (TURN_NATS if turn else 0.0)
        flat = total.reshape(inner * inner, high, wide)
        top = flat.argmax(axis=0)
        value = np.take_along_axis(flat, top[None], axis=0)[0]
        better = value > best
        best[better] = value[better]
        where = np.stack([shifts[top % inner], shifts[top // inner], np.full(top.shape, turn)], axis=-1)
        pose[better] = where[better]
    return best, pose


def best_boards(
    choices: Sequence[Choice],
    most: Float64,
    cols: int,
    keep: int,
    look: Look | None = None,
    allowed: Callable[[Choice], Mask] | None = None,
) -> list[Board]:
    """The best boards, the best first.

    `most` shape (squares,): the most nats that any tile explains on each square. `look`: what a face adds;
    faces are only looked at where it may matter. `allowed` tells which of a tile's places come into question.
    """
    search = _Search(choices, most, look, allowed)
    ranked = sorted(search.boards().items(), key=lambda entry: -entry[1])[:keep]
    return [Board(search.tiles(board, cols), ranked[0][1] - worth) for board, worth in ranked]


class _Search:
    """Placements as rows: `tile` (the choice), `number`, `worth`, and the squares as bits in `masks`."""

    def __init__(
        self,
        choices: Sequence[Choice],
        most: Float64,
        look: Look | None,
        allowed: Callable[[Choice], Mask] | None,
    ) -> None:
        self._choices = choices
        self._look = look
        rows = [
            (tile, number)
            for tile, choice in enumerate(choices)
            for number in _distinct(choice, None if allowed is None else allowed(choice))
        ]
        self._tile = np.array([tile for tile, _ in rows], dtype=np.int32)
        self._number = np.array([number for _, number in rows], dtype=np.int32)
        self._rough = np.array([choices[tile].worth[number] for tile, number in rows])
        squares = [choices[tile].places.squares[number] for tile, number in rows]
        self._loss = np.array([most[at].sum() for at in squares]) - self._rough
        self._worth = self._rough.copy()
        self._hope = np.array([0.0 if look is None else HOPE * len(at) for at in squares])
        self._squares = squares
        self._covers = np.zeros((len(rows), len(most)), dtype=bool)
        for row, at in enumerate(squares):
            self._covers[row, at] = True

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
        if self._look is None or not unseen:
            return False
        for row in unseen:
            added = self._look(self._choices[self._tile[row]], int(self._number[row]))
            self._worth[row] = self._rough[row] + added
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
        """Which of these placements exclude each other: they overlap, or are the same tile."""
        covers, tile = self._covers[rows].astype(np.float32), self._tile[rows]
        return np.asarray((covers @ covers.T > 0) | (tile[:, None] == tile[None]), dtype=bool)


def _distinct(choice: Choice, allowed: Mask | None) -> list[int]:
    """The placements that are worth considering, one for each set of squares."""
    best: dict[int, int] = {}
    worth = choice.worth if allowed is None else np.where(allowed, choice.worth, -np.inf)
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
    boards = {frozenset(board): float(worth[board].sum())}
    best = max(boards.values())
    barred = np.zeros(len(worth), dtype=np.int64)
    for move in range(MOVES):
        gain = worth - clash[:, board] @ worth[board]
        gain[board] = -np.inf
        value = float(worth[board].sum())
        open_to = np.where((barred <= move) | (value + gain > best), gain, -np.inf)
        row = int(open_to.argmax()) if len(worth) else 0
        if not len(worth) or not np.isfinite(open_to[row]):
            break
        barred[[each for each in board if clash[row, each]]] = move + TENURE
        board = [each for each in board if not clash[row, each]] + [row]
        value += float(gain[row])
        best = max(best, value)
        boards[frozenset(board)] = value
    top: frozenset[int] | None = None
    while top != (top := max(boards, key=lambda each: boards[each])):
        boards |= _one_away(top, worth, clash)
    return boards


def _one_away(best: frozenset[int], worth: Float64, clash: Mask) -> dict[frozenset[int], float]:
    """The best board without one of its tiles, or with another placement and what else then fits."""
    boards = {}
    for gone in best:
        boards[best - {gone}] = float(worth[list(best - {gone})].sum())
    for row in range(len(worth)):
        if row not in best:
            board = [row, *(each for each in best if not clash[row, each])]
            free = ~clash[board].any(axis=0) & (worth > 0)
            while free.any():
                board.append(int(np.where(free, worth, -np.inf).argmax()))
                free &= ~clash[board[-1]]
            boards[frozenset(board)] = float(worth[board].sum())
    return boards
