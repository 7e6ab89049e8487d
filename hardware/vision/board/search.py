"""The best boards: sets of tiles that do not overlap and together explain the squares best."""

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
"""Owner and kind: there is one such tile."""
Laid = tuple[str, Kind, frozenset[Square]]
"""What makes two placements the same: whose, which, on which squares."""

CANDIDATES_A_TILE = 40
WORTH = 1.0
"""A placement is looked at if it explains the squares better than an empty bed by this many nats."""
WIDEST = 25.0
"""A candidate that costs this much more than its squares must cost anyway belongs to no board worth a
thought."""
PASSES = 3
MOST_STEPS = 2000
GREED = (0.0, 0.2, 0.4, 0.7, 1.0, 2.0, 9.0)
"""The search gives up after so many steps without a board: then it tries again and prefers boards that are
nearly done, by so many nats a square. What it finds then is near the best, not always the best."""


class Candidate(msgspec.Struct, frozen=True):
    """One tile laid one way: placement `number` of a kind's `places`, `mask` its squares as bits.

    `cost`: the nats it loses against the best that any tile could do on each of its squares.
    """

    owner: str
    places: Placements
    number: int
    cost: float
    mask: int


class Board(msgspec.Struct, frozen=True):
    """A set of tiles that do not overlap; `cost` in nats against a board that explains every square best."""

    tiles: tuple[Tile, ...]
    cost: float


Option = tuple[float, int, Candidate]
Step = tuple[int, float, list[Option]]


def mask_of(cells: Iterable[Square], cols: int) -> int:
    """Squares of a bed of `cols` columns as the bits of one number."""
    return sum(1 << row * cols + col for row, col in cells)


def candidates_of(
    owner: str, places: Placements, nats: Float32, best: Float32, stays: dict[int, float]
) -> list[Candidate]:
    """The best placements of one tile, best first.

    `nats` shape (squares,): what this tile would explain on each square; `best`: what the best tile would;
    `stays`: what the placement on a mask is worth more because the tile lay there before.
    """
    scores = nats[places.squares].sum(axis=1)
    costs = (best - nats)[places.squares].sum(axis=1)
    worth = np.flatnonzero(scores >= WORTH)
    found: dict[int, Candidate] = {}
    for number in worth[np.argsort(costs[worth], kind="stable")]:
        mask = places.masks[number]
        if mask not in found:
            found[mask] = Candidate(
                owner, places, int(number), float(costs[number]) - stays.get(mask, 0.0), mask
            )
        if len(found) == CANDIDATES_A_TILE:
            break
    return list(found.values())


def best_boards(choices: Sequence[Sequence[Candidate]], best: Float32, cols: int, keep: int) -> list[Board]:
    """The best boards, best first. `choices`: each tile's candidates; a tile lies once or not at all.

    `best` shape (squares,): the most nats that covering a square can explain; a square that is left
    uncovered loses them where they are positive. Square by square, the search asks what covers it; it
    always goes on with the board that has lost least, so boards come out in order.
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
    found = next((found for greed in GREED if (found := _search(steps, float(share.sum()), keep, greed))), [])
    return [
        Board(tuple(laid.places.tile(laid.owner, laid.number, cols) for laid in board), cost)
        for cost, board in found
    ]


def _shares(table: Mask, costs: Float64, bare: Float64) -> Float64:
    """The most that each square must cost whatever covers it: no candidate's squares share more than its
    cost.

    `table` shape (candidates, squares), `costs` (candidates,), `bare` (squares,) what leaving it bare costs.
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
    """The `keep` best boards with their costs; `greed` is what a decided square is worth in choosing where
    to go on."""
    ticket = itertools.count()
    heap: list[tuple[float, int, float, int, int, int, tuple[Candidate, ...]]] = []
    heapq.heappush(heap, (floor, 0, floor, 0, 0, 0, ()))
    found: list[tuple[float, tuple[Candidate, ...]]] = []
    for _ in range(MOST_STEPS):
        if not heap or len(found) == keep:
            break
        _, _, cost, at, decided, used, laid = heapq.heappop(heap)
        while at < len(steps) and decided >> steps[at][0] & 1:
            at += 1
        if at == len(steps):
            found.append((cost, laid))
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
    return sorted(found, key=lambda entry: entry[0])
