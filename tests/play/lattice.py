"""The attack that found every card that the old generator dealt: lattice reduction of published draws.

A draw of the linear congruential generator tells in which part of its range the state lay. All states follow
from one, linearly, so the states that fit every draw are points of a lattice near the middle of these parts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

TIMES, PLUS, ALL = 6364136223846793005, 1442695040888963407, 1 << 64
"""The old generator: the next state is `TIMES` the state, and `PLUS`, of `ALL` states."""

Vector = list[int]


class Draw(NamedTuple):
    """A published draw, by its place among all draws: one of `limit` values."""

    place: int
    limit: int
    value: int


def seeds_that_fit(draws: Sequence[Draw], reach: float) -> Iterator[int]:
    """The seeds of the old generator that give these draws, the first of which names many values.

    `reach`: the farther from the middle, as a multiple of what is likely, the more seeds and the longer.
    """
    first = draws[0]
    steps = [_after(draw.place - first.place) for draw in draws]
    odd = sum(_after(first.place)) & 1  # the generator began with an odd state
    moved = [
        (times * odd + plus) % ALL * draw.limit for (times, plus), draw in zip(steps, draws, strict=True)
    ]
    basis = [[2 * times % ALL * draw.limit for (times, _), draw in zip(steps, draws, strict=True)]]
    for row, draw in enumerate(draws[1:], 1):
        basis.append([ALL * draw.limit * (column == row) for column in range(len(draws))])
    middle = [draw.value * ALL + ALL // 2 - by for draw, by in zip(draws, moved, strict=True)]
    times, plus = _after(-first.place)
    for point in _near(_reduced(basis), middle, reach * len(draws) / 12 * ALL**2):
        if all(2 * abs(near - far) < ALL for near, far in zip(point, middle, strict=True)):
            state = (point[0] + moved[0]) // first.limit
            yield (state * times + plus) % ALL >> 1


def _after(steps: int) -> tuple[int, int]:
    """The factor and the summand of that many steps of the generator, backwards if negative."""
    back = pow(TIMES, -1, ALL)
    times, plus = (TIMES, PLUS) if steps > 0 else (back, -back * PLUS)
    factor, summand = 1, 0
    for _ in range(abs(steps)):
        factor, summand = factor * times % ALL, (summand * times + plus) % ALL
    return factor, summand


def _reduced(basis: list[Vector]) -> list[Vector]:
    """A basis of short vectors, by Lenstra, Lenstra and Lovász in whole numbers (Cohen, algorithm 2.6.7)."""
    size = len(basis)
    det, lam = [1] + [0] * size, [[0] * size for _ in range(size)]

    def enter(k: int) -> None:
        for j in range(k + 1):
            u = _product(basis[k], basis[j])
            for i in range(j):
                u = (det[i + 1] * u - lam[k][i] * lam[j][i]) // det[i]
            if j < k:
                lam[k][j] = u
            else:
                det[k + 1] = u

    def shorten(k: int, j: int) -> None:
        q = (2 * lam[k][j] + det[j + 1]) // (2 * det[j + 1])
        if q:
            basis[k] = [x - q * y for x, y in zip(basis[k], basis[j], strict=True)]
            lam[k][: j + 1] = [x - q * y for x, y in zip(lam[k], [*lam[j][:j], det[j + 1]], strict=False)]

    def swap(k: int) -> None:
        basis[k], basis[k - 1] = basis[k - 1], basis[k]
        lam[k][: k - 1], lam[k - 1][: k - 1] = lam[k - 1][: k - 1], lam[k][: k - 1]
        common = lam[k][k - 1]
        new = (det[k - 1] * det[k + 1] + common**2) // det[k]
        for row in lam[k + 1 : known + 1]:
            before = row[k]
            row[k] = (det[k + 1] * row[k - 1] - common * before) // det[k]
            row[k - 1] = (new * before + common * row[k]) // det[k + 1]
        det[k] = new

    enter(0)
    k, known = 1, 0
    while k < size:
        if k > known:
            known = k
            enter(k)
        shorten(k, k - 1)
        if 100 * (det[k + 1] * det[k - 1] + lam[k][k - 1] ** 2) < 99 * det[k] ** 2:
            swap(k)
            k = max(1, k - 1)
        else:
            for j in range(k - 2, -1, -1):
                shorten(k, j)
            k += 1
    return basis


def _near(basis: list[Vector], target: Vector, most: float) -> Iterator[Vector]:
    """The points of a lattice whose squared distance from `target` is at most `most`."""
    upright: list[list[float]] = []
    slopes: list[list[float]] = []
    for row in basis:
        slopes.append([_product(row, other) / _product(other, other) for other in upright])
        rest = [float(x) for x in row]
        for slope, other in zip(slopes[-1], upright, strict=True):
            rest = [x - slope * y for x, y in zip(rest, other, strict=True)]
        upright.append(rest)
    lengths = [_product(row, row) for row in upright]
    goal = [_product(target, row) / length for row, length in zip(upright, lengths, strict=True)]

    def points(level: int, chosen: Vector, left: float) -> Iterator[Vector]:
        if level < 0:
            yield [_product(chosen, column) for column in zip(*basis, strict=True)]
            return
        rows = range(level + 1, len(basis))
        best = goal[level] - sum(chosen[row - level - 1] * slopes[row][level] for row in rows)
        far = math.sqrt(left / lengths[level])
        for times in range(math.ceil(best - far), math.floor(best + far) + 1):
            yield from points(level - 1, [times, *chosen], left - (times - best) ** 2 * lengths[level])

    return points(len(basis) - 1, [], most)


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))
