"""Searches the best boards: sets of tiles that do not overlap and together explain the squares best."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from companion.games.watching import Kind, Square, Tile
from hardware.arrays import Float32, Float64, Mask
from hardware.vision.board.scene import Placements

TileName = tuple[str, Kind]
"""Owner and kind, which identify one tile."""
Laid = tuple[str, Kind, frozenset[Square]]
"""Owner, kind and squares, which identify a placement."""

CANDIDATES_A_TILE = 40
"""The maximum number of placements to consider for a tile, the cheapest first."""
WORTH = 1.0
"""The minimum nats by which a placement must explain its squares better than an empty board."""
WIDEST = 25.0
"""The nats above the lower bound of its squares' cost from which on a candidate is left out."""
PASSES = 3
"""The rounds in which the lower bound of each square's cost is raised."""
MOST_STEPS = 2000
"""The maximum steps of a search; if it yields no board, it is repeated with more greed."""
GREED = (0.0, 0.2, 0.4, 0.7, 1.0, 2.0, 9.0)
"""The bonus in nats per decided square of each successive search: it prefers boards that are nearly complete.

With greed, the boards found are near the best, but not always the best.
"""


class Candidate(msgspec.Struct, frozen=True):
    """One tile in one position: placement `number` of its kind's `places`, with its squares as bits in
    `mask`.

    `cost`: the nats that it loses against the best tile on each of its squares.
    """

    owner: str
    places: Placements
    number: int
    cost: float
    mask: int


class Board(msgspec.Struct, frozen=True):
    """A set of tiles that do not overlap. `cost` is in nats against the best explanation of every square."""

    tiles: tuple[Tile, ...]
    cost: float


Option = tuple[float, int, Candidate]
Step = tuple[int, float, list[Option]]


def mask_of(cells: Iterable[Square], cols: int) -> int:
    """Squares of a bed with `cols` columns as the bits of one number."""
    return sum(1 << row * cols + col for row, col in cells)


def candidates_of(
    owner: str, places: Placements, nats: Float32, best: Float32, stays: dict[int, float]
) -> list[Candidate]:
    """The best placements of one tile, the best first.

    `nats` shape (squares,): what this tile explains on each square. `best`: what the best tile explains.
    `stays`: the bonus of a placement, by mask, if the tile lay there before.
    """
    scores = nats[places.squares].sum(axis=1)
    costs = (best - nats)[places.squares].sum(axis=1)
    worth = np.flatnonzero(scores >= WORTH)
    candidates: dict[int, Candidate] = {}
    for number in worth[np.argsort(costs[worth], kind="stable")]:
        mask = places.masks[number]
        if mask not in candidates:
            candidates[mask] = Candidate(
                owner, places, int(number), float(costs[number]) - stays.get(mask, 0.0), mask
            )
        if len(candidates) == CANDIDATES_A_TILE:
            break
    return list(candidates.values())


def best_boards(choices: Sequence[Sequence[Candidate]], best: Float32, cols: int, keep: int) -> list[Board]:
    """The best boards, the best first. `choices`: each tile's candidates; a tile lies once or not at all.

    `best` shape (squares,): the most nats that covering a square can explain; a square left uncovered loses
    them if they are positive. The search decides square by square what covers it. It always continues with
    the board that has lost least, so boards are found in order.
    """
    squares = np.flatnonzero(best > 0)
    column = np.full(best.shape, len(squares))
    column[squares] = np.arange(len(squares))
    flat = [(number, candidate) for number, candidates in enumerate(choices) for candidate in candidates]
    table = np.zeros((len(flat), len(squares) + 1), dtype=bool)
    for row, (_, candidate) in enumerate(flat):
        table[row, column[candidate.places.squares[candidate.number]]] = True
    table = table[:, :-1]
    costs = np.array([candidate.cost for _, candidate in flat])
    share = _shares(table, costs, best[squares].astype(np.float64))
    extra = costs - table @ share
    kept = np.flatnonzero(extra < WIDEST)
    options: list[list[Option]] = [[] for _ in squares]
    for row in kept[np.argsort(extra[kept], kind="stable")]:
        for at in np.flatnonzero(table[row]):
            options[at].append((float(extra[row]), *flat[row]))
    order = sorted(range(len(squares)), key=lambda at: len(options[at]))
    steps = [(int(squares[at]), float(best[squares[at]] - share[at]), options[at]) for at in order]
    searches = (_search(steps, float(share.sum()), keep, greed) for greed in GREED)
    boards = next((boards for boards in searches if boards), [])
    return [
        Board(tuple(laid.places.tile(laid.owner, laid.number, cols) for laid in board), cost)
        for cost, board in boards
    ]


def _shares(table: Mask, costs: Float64, bare: Float64) -> Float64:
    """A lower bound of each square's cost, whatever covers it.

    The bounds of a candidate's squares never add up to more than its cost. `table` shape (candidates,
    squares), `costs` (candidates,), `bare` (squares,): the cost of leaving the square bare.
    """
    sizes = np.maximum(table.sum(axis=1), 1)
    each = np.where(table, np.minimum(costs, 0)[:, None] + np.maximum(costs / sizes, 0)[:, None], np.inf)
    share: Float64 = np.minimum(bare, each.min(axis=0, initial=np.inf))
    slack = costs - table @ share
    for _ in range(PASSES):
        for column in range(len(bare)):
            room = min(slack[table[:, column]].min(initial=np.inf), bare[column] - share[column])
            share[column] += room
            slack[table[:, column]] -= room
    return share


def _search(
    steps: list[Step], floor: float, keep: int, greed: float
) -> list[tuple[float, tuple[Candidate, ...]]]:
    """The `keep` best boards with their costs. `greed` is the bonus per decided square in choosing where to
    continue."""
    ticket = itertools.count()
    heap: list[tuple[float, int, float, int, int, int, tuple[Candidate, ...]]] = []
    heapq.heappush(heap, (floor, 0, floor, 0, 0, 0, ()))
    boards: list[tuple[float, tuple[Candidate, ...]]] = []
    for _ in range(MOST_STEPS):
        if not heap or len(boards) == keep:
            break
        _, _, cost, at, decided, used, laid = heapq.heappop(heap)
        while at < len(steps) and decided >> steps[at][0] & 1:
            at += 1
        if at == len(steps):
            boards.append((cost, laid))
            continue
        square, bare, options = steps[at]
        states = [(cost + bare, decided | 1 << square, used, laid)]
        states += [
            (cost + extra, decided | candidate.mask, used | 1 << number, (*laid, candidate))
            for extra, number, candidate in options
            if not (candidate.mask & decided or used >> number & 1)
        ]
        for price, mask, tiles, board in states:
            rank = price - greed * mask.bit_count()
            heapq.heappush(heap, (rank, -next(ticket), price, at + 1, mask, tiles, board))
    return sorted(boards, key=lambda entry: entry[0])
