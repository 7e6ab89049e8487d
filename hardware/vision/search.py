"""The best boards: sets of tiles that do not overlap and together explain the squares best."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from hardware.vision.scene import Placements, Scene, TilePlaced

CANDIDATES_A_TILE = 40
WORTH = 1.0
"""A placement is looked at if it explains the squares better than an empty bed by this many nats."""
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
    scene: Scene, owner: str, placements: Placements, nats: NDArray[np.floating], best: NDArray[np.floating]
) -> list[Candidate]:
    """The best placements of one tile, best first.

    `nats` shape (squares,): what this tile would explain on each square; `best`: what the best tile would.
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
        found[mask] = Candidate(tile, float(scores[number]), float(costs[number]), mask)
        if len(found) == CANDIDATES_A_TILE:
            break
    return list(found.values())


def best_boards(choices: Sequence[Sequence[Candidate]], best: NDArray[np.floating], keep: int) -> list[Board]:
    """The best boards, best first. `choices`: each tile's candidates; a tile lies once or not at all.

    `best` shape (squares,): the most nats that covering a square can explain; a square that is left uncovered
    loses them where they are positive. Square by square, the clearest first, the search asks what covers it;
    it always goes on with the board that has lost least, so boards come out in order.
    """
    order = [int(square) for square in np.argsort(-best, kind="stable") if best[square] > 0]
    covering: dict[int, list[tuple[int, Candidate]]] = {square: [] for square in order}
    least = {square: float(best[square]) for square in order}
    for number, candidates in enumerate(choices):
        for candidate in candidates:
            squares = [square for square in order if candidate.mask >> square & 1]
            for square in squares:
                covering[square].append((number, candidate))
                least[square] = min(least[square], candidate.cost / len(squares))
    return _search(order, covering, least, best, keep)


def _search(
    order: list[int],
    covering: dict[int, list[tuple[int, Candidate]]],
    least: dict[int, float],
    best: NDArray[np.floating],
    keep: int,
) -> list[Board]:
    ticket = itertools.count()
    floor = sum(least.values())
    heap: list[tuple[float, int, int, int, int, tuple[Candidate, ...]]] = [(floor, next(ticket), 0, 0, 0, ())]
    found: list[Board] = []
    for _ in range(MOST_STEPS):
        if not heap or len(found) == keep:
            break
        cost, _, at, decided, used, laid = heapq.heappop(heap)
        while at < len(order) and decided >> order[at] & 1:
            at += 1
        if at == len(order):
            found.append(Board(tuple(candidate.tile for candidate in laid), cost, laid))
            continue
        square = order[at]
        bare = cost + float(best[square]) - least[square]
        heapq.heappush(heap, (bare, next(ticket), at + 1, decided | 1 << square, used, laid))
        for number, candidate in covering[square]:
            if not (candidate.mask & decided or used >> number & 1):
                more = cost + candidate.cost - sum(least[s] for s in order if candidate.mask >> s & 1)
                state = (at + 1, decided | candidate.mask, used | 1 << number, (*laid, candidate))
                heapq.heappush(heap, (more, next(ticket), *state))
    return found
