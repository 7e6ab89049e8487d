"""The best boards: sets of tiles that do not overlap and together explain the squares best."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.vision.scene import Placements, Scene, Square, TilePlaced

Laid = tuple[str, int, frozenset[Square]]

CANDIDATES_A_TILE = 40
WORTH = 1.0
"""A placement is looked at if it explains the squares better than an empty bed by this many nats."""
WIDEST = 25.0
"""A candidate that costs this much more than its squares must cost anyway belongs to no board worth a thought."""
PASSES = 3
MOST_STEPS = 4000
"""The search gives up after so many steps: what it has then is the best it knows, and said to be unsure."""


class Candidate(msgspec.Struct, frozen=True):
    """One tile laid one way: `score` in nats against the empty bed, `mask` its squares as bits.

    `cost`: the nats it loses against the best that any tile could do on each of its squares.
    """

    tile: TilePlaced
    score: float
    cost: float
    mask: int


class Board(msgspec.Struct, frozen=True):
    """A set of tiles that do not overlap; `cost` in nats against a board that explains every square best."""

    tiles: tuple[TilePlaced, ...]
    cost: float
    candidates: tuple[Candidate, ...] = ()


def mask_of(squares: Sequence[int] | NDArray[np.int32]) -> int:
    """Squares, as indices, as the bits of one number."""
    mask = 0
    for square in squares:
        mask |= 1 << int(square)
    return mask


def candidates_of(
    scene: Scene,
    owner: str,
    placements: Placements,
    nats: NDArray[np.floating],
    best: NDArray[np.floating],
    stays: dict[Laid, float],
) -> list[Candidate]:
    """The best placements of one tile, best first.

    `nats` shape (squares,): what this tile would explain on each square; `best`: what the best tile would;
    `stays`: what a placement is worth more because it was there before.
    """
    scores = nats[placements.squares].sum(axis=1)
    costs = (best - nats)[placements.squares].sum(axis=1)
    found: dict[int, Candidate] = {}
    for number in np.argsort(costs, kind="stable"):
        squares = placements.squares[number]
        mask = mask_of(squares)
        if scores[number] < WORTH or mask in found:
            continue
        cells = tuple((int(square) // scene.cols, int(square) % scene.cols) for square in squares)
        place = (int(placements.turns[number]), int(placements.row[number]), int(placements.col[number]))
        tile = TilePlaced(owner, placements.digit, *place, cells)
        cost = float(costs[number]) - stays.get((owner, placements.digit, frozenset(cells)), 0.0)
        found[mask] = Candidate(tile, float(scores[number]), cost, mask)
        if len(found) == CANDIDATES_A_TILE:
            break
    return list(found.values())


def best_boards(choices: Sequence[Sequence[Candidate]], best: NDArray[np.floating], keep: int) -> list[Board]:
    """The best boards, best first. `choices`: each tile's candidates; a tile lies once or not at all.

    `best` shape (squares,): the most nats that covering a square can explain; a square that is left uncovered
    loses them where they are positive. Square by square, the clearest first, the search asks what covers it;
    it always goes on with the board that has lost least, so boards come out in order.
    """
    squares = np.flatnonzero(best > 0)
    flat = [(number, candidate) for number, candidates in enumerate(choices) for candidate in candidates]
    table = np.zeros((len(flat), len(squares)), dtype=bool)
    for row, (_, candidate) in enumerate(flat):
        table[row] = [bool(candidate.mask >> int(square) & 1) for square in squares]
    costs = np.array([candidate.cost for _, candidate in flat])
    share = _shares(table, costs, best[squares].astype(np.float64))
    extra = costs - table @ share
    kept = np.flatnonzero(extra < WIDEST)
    options = [
        sorted(
            ((float(extra[row]), flat[row][0], flat[row][1]) for row in kept[table[kept, column]]),
            key=lambda option: option[0],
        )
        for column in range(len(squares))
    ]
    order = sorted(range(len(squares)), key=lambda column: len(options[column]))
    steps = [(int(squares[column]), float(best[squares[column]] - share[column]), options[column]) for column in order]
    return _search(steps, float(share.sum()), keep)


def _shares(table: NDArray[np.bool_], costs: NDArray[np.float64], bare: NDArray[np.float64]) -> NDArray[np.float64]:
    """The most that each square must cost whatever covers it: no candidate's squares share more than its cost.

    `table` shape (candidates, squares), `costs` (candidates,), `bare` (squares,) what leaving it bare costs.
    """
    sizes = np.maximum(table.sum(axis=1), 1)
    each = np.where(table, np.minimum(costs, 0)[:, None] + np.maximum(costs / sizes, 0)[:, None], np.inf)
    share = np.minimum(bare, each.min(axis=0, initial=np.inf))
    slack = costs - table @ share
    for _ in range(PASSES):
        for column in range(len(bare)):
            room = min(slack[table[:, column]].min(initial=np.inf), bare[column] - share[column])
            share[column] += room
            slack[table[:, column]] -= room
    return share


def _search(
    steps: list[tuple[int, float, list[tuple[float, int, Candidate]]]], floor: float, keep: int
) -> list[Board]:
    ticket = itertools.count()
    heap: list[tuple[float, int, int, int, int, tuple[Candidate, ...]]] = [(floor, next(ticket), 0, 0, 0, ())]
    found: list[Board] = []
    for _ in range(MOST_STEPS):
        if not heap or len(found) == keep:
            break
        cost, _, at, decided, used, laid = heapq.heappop(heap)
        while at < len(steps) and decided >> steps[at][0] & 1:
            at += 1
        if at == len(steps):
            found.append(Board(tuple(candidate.tile for candidate in laid), cost, laid))
            continue
        square, bare, options = steps[at]
        heapq.heappush(heap, (cost + bare, -next(ticket), at + 1, decided | 1 << square, used, laid))
        for extra, number, candidate in options:
            if not (candidate.mask & decided or used >> number & 1):
                state = (at + 1, decided | candidate.mask, used | 1 << number, (*laid, candidate))
                heapq.heappush(heap, (cost + extra, -next(ticket), *state))
    return found
