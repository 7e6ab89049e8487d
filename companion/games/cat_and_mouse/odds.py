"""The exact chances of the race: who wins, and how many chips change hands from here on.

**A chain, not a game.** Nobody decides anything in Cat and Mouse: the dice alone determine what follows from
a standing. That is a Markov chain over (who throws, the thrower's square, the other's square, whether the
other owes a lost turn). The thrower never owes a turn, having sat it out first, and a player who owes a turn
does not throw, so a second debt cannot arise. With 66 squares, there are 17,424 standings.

**The system.** Let `X_s[o][a, b]` be the expectation when seat s throws from a, while the other stands on b
and owes o turns. Let E, L and A be the chances (matrices over squares, the same for both seats) to go from a
to a' such that the turn ends, the next turn is lost, or a second throw follows. Let c_s be the mean of what
the throw itself brings. With t for the other seat, the rules give

    X_s[0] = E X_t[0]ᵀ + L X_t[1]ᵀ + A X_s[0] + c_s
    X_s[1] = E X_s[0]  + L X_t[0]ᵀ + A X_s[1] + c_s

Four values are solved at once: Cat's chance to win, the chips that Cat pays, the chips that Mouse pays, and
the number of throws to come.

**The solution.** Both seats move alike. So the sum of X_cat and X_mouse obeys the system with +X in the
crossed terms, their difference the one with −X, each on its own. Counters only go forward, except when they
turn back from beyond the last square. With both counters on the last stretch (from `turn_back_to` on), there
is one dense linear system. Everything before it follows by back-substitution from the highest square to the
lowest, each time for all standings whose lower counter is on that square, without sampling or iteration.

**The error bound.** The solution is put back into the system. The error of each value is at most ‖residual‖
(plus the rounding error of the residual, gamma_n · ‖X‖ with n the most terms in a row) times the greatest
expected number of throws, the row sum norm of (I − P)⁻¹. `Odds.error_bound` is this bound: about 2e-13 for
chances and 2e-12 for chips on the classic board.

A jump that only a player may declare (`jump_fee` = `declared`) cannot be predicted, so its chip is not
counted. Nor are the pots; `Chances.net_with_pots` adds them.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from companion.games.cat_and_mouse import board as boards
from companion.games.cat_and_mouse.board import Board
from companion.games.cat_and_mouse.state import (
    FACES,
    SEATS,
    Dice,
    RaceBoard,
    RaceOptions,
    Seat,
    Step,
    Then,
    costs,
    follows,
    landing_dues,
    lead,
    other,
    step,
)

Array = npt.NDArray[np.float64]

THROWS: tuple[tuple[Dice, int], ...] = tuple(
    (dice, 1 if dice[0] == dice[1] else 2) for dice in combinations_with_replacement(FACES, 2)
)
"""The 21 throws, the lower die first, each with its number of ways among 36."""

WIN, CAT_PAYS, MOUSE_PAYS, TO_COME = range(4)
"""Indices of the solved values: a chance, chips, chips, throws."""


class Chances(msgspec.Struct, frozen=True):
    """The expectation from a standing.

    `cat` and `mouse`: the chances to win. `cat_pays` and `mouse_pays`: the mean chips that each will still
    pay the other, without the pots. `throws`: the mean number to come.
    """

    cat: float
    mouse: float
    cat_pays: float
    mouse_pays: float
    throws: float

    def chance_of(self, seat: Seat) -> float:
        """The chance that `seat` wins."""
        return self.cat if seat == "cat" else self.mouse

    def net_with_pots(self, stake: int) -> float:
        """The mean number of chips that Cat wins (+) or loses from here on, with the `stake`."""
        return self.mouse_pays - self.cat_pays + stake * (self.cat - self.mouse)


class Foreseen(msgspec.Struct, frozen=True):
    """The effect of one of the 21 throws now: its ways among 36, the step, and the chances after it."""

    ways: int
    step: Step
    after: Chances


class Chain(msgspec.Struct, frozen=True, eq=False):
    """The coefficients of the system. `ends`, `loses` and `again` have shape (n, n), with n the squares
    before the last and the corner; `brings` has shape (2, n, n, 4): [seat, its square, the other's,
    value]."""

    ends: Array
    loses: Array
    again: Array
    brings: Array
    on_turn: dict[float, Array]
    """Inverses of I − A − e E − e² L, by the chance e to stay (e = 0: of I − A). Below the last stretch
    nothing leads back, so the inverse of a trailing part is the same part of the inverse."""


def chain(board: Board, options: RaceOptions) -> Chain:
    """The coefficients for a board and these options."""
    n = board.squares
    moves = {then: np.zeros((n, n)) for then in Then}
    brings = np.zeros((2, n, n, 4))
    brings[..., TO_COME] = 1.0
    # 0, which no walk jumps over, where the other is not on the seat's own walk.
    met = np.array([[board.on_the_others_walk(other(seat), q) or 0 for q in range(n)] for seat in SEATS])
    for a in range(n):
        for dice, ways in THROWS:
            to, how = lead(board, options.past, a, dice)
            then = follows(board, how, to)
            if then is Then.WON:
                brings[0, a, :, WIN] += ways / 36
            else:
                moves[then][a, to] += ways / 36
            for due in landing_dues(board, options, how, to):
                brings[0, a, :, CAT_PAYS if due.pays else MOUSE_PAYS] += ways / 36 * due.chips
                brings[1, a, :, MOUSE_PAYS if due.pays else CAT_PAYS] += ways / 36 * due.chips
            if options.jump_fee == "auto" and costs(options, how):
                jumped = (min(a, to) < met) & (met < max(a, to))
                brings[0, a, :, CAT_PAYS] += ways / 36 * board.jump_chips * jumped[0]
                brings[1, a, :, MOUSE_PAYS] += ways / 36 * board.jump_chips * jumped[1]
    ends, loses, again = moves[Then.NEXT], moves[Then.LOST_TURN], moves[Then.SECOND_THROW]
    on_turn = {
        stays: solved(np.eye(n) - again - stays * ends - stays**2 * loses, np.eye(n))
        for stays in {0.0, *np.diag(ends)[: board.turn_back_to].tolist()}
    }
    return Chain(ends, loses, again, brings, on_turn)


def solve(board: Board, options: RaceOptions) -> Odds:
    """Solve the chances of every standing on a board with these options."""
    system = chain(board, options)
    cat, mouse = system.brings
    total = _one_sign(system, board.turn_back_to, 1.0, cat + mouse)
    difference = _one_sign(system, board.turn_back_to, -1.0, cat - mouse)
    values = np.stack([(total + difference) / 2, (total - difference) / 2])
    return Odds(board, options, values, _error_bound(system, values))


def _one_sign(system: Chain, last_stretch: int, sign: float, brings: Array) -> Array:
    """Solve with `sign` before the crossed terms; shape (2, n, n, 4): [owes, own, other, value]."""
    n = len(system.ends)
    x = np.zeros((2, n, n, brings.shape[-1]))
    last = slice(last_stretch, n)
    x[:, last, last] = _last_stretch(system, last, sign, brings[last, last])
    for lower in range(last_stretch - 1, -1, -1):
        _shell(system, x, lower, sign, brings)
    return x


def _last_stretch(system: Chain, last: slice, sign: float, brings: Array) -> Array:
    """Solve for both counters on the last stretch; shape (2, m, m, 4) for its m squares.

    The second equation gives X[1] by X[0]; with it, the first is a dense system of m² unknowns.
    """
    ends, loses, again = (matrix[last, last] for matrix in (system.ends, system.loses, system.again))
    turn = system.on_turn[0.0][last, last]
    m = len(ends)

    def same(first: Array, second: Array) -> Any:
        return np.einsum("ac,bd->abcd", first, second).reshape(m * m, m * m)

    def crossed(first: Array, second: Array) -> Any:
        return sign * np.einsum("ad,bc->abcd", first, second).reshape(m * m, m * m)

    one = np.eye(m)
    rows = same(one - again, one) - same(loses, turn @ loses)
    rows -= crossed(ends, one) + crossed(loses, turn @ ends)
    waited = np.einsum("bc,cdk->bdk", turn, brings)
    right = brings + sign * np.einsum("ad,bdk->abk", loses, waited)
    free = solved(rows, right.reshape(m * m, -1)).reshape(m, m, -1)
    owing = np.einsum("bc,cdk->bdk", turn @ ends, free) + waited
    owing += sign * np.einsum("bc,dck->bdk", turn @ loses, free)
    return np.stack([free, owing])


def solved(rows: Array, right: Array) -> Array:
    """The x with `rows` @ x = `right`, by Gaussian elimination.

    `rows` is diagonally dominant (its entries are chances) and stays so, so no pivoting is needed. The
    threads of `numpy.linalg` wait for each other: with a camera busy on both cores, it took 1.4 s instead of
    0.1 s.
    """
    n = len(rows)
    m = np.hstack([rows, right])
    for k in range(n):
        m[k, k:] /= m[k, k]
        m[k + 1 :, k:] -= m[k + 1 :, k, None] * m[k, k:]
    x = m[:, n:]
    for k in range(n - 1, 0, -1):
        x[:k] -= m[:k, k, None] * x[k]
    return x


def _shell(system: Chain, x: Array, lower: int, sign: float, brings: Array) -> None:
    """Solve all standings whose lower counter is on `lower`, once those above are known.

    u: the counter on `lower` throws. v: the other counter throws, from any higher square. Before the last
    stretch, a counter stays on its square only by ending its turn, with the chance `stays`.
    """
    up = slice(lower + 1, None)
    ends, loses = system.ends[up, up], system.loses[up, up]
    from_lower = (system.ends[lower, up], system.loses[lower, up], system.again[lower, up])
    stays = float(system.ends[lower, lower])
    u0, u1 = _known(x[:, up, up], from_lower, sign, brings[lower, up])
    right = brings[up, lower] + sign * (ends @ u0 + loses @ (u1 + stays * u0))
    x[0, up, lower] = v0 = system.on_turn[stays][up, up] @ right
    x[0, lower, up] = u0 = u0 + sign * stays * v0
    x[1, lower, up] = u1 = u1 + stays * u0
    right = brings[up, lower] + ends @ v0 + sign * (loses @ u0)
    x[1, up, lower] = v1 = system.on_turn[0.0][up, up] @ right
    end, lose, more = from_lower
    here = brings[lower, lower]
    x[0, lower, lower] = (here + sign * (end @ u0 + lose @ u1) + more @ v0) / (1 - sign * stays)
    x[1, lower, lower] = (
        here + end @ v0 + sign * (lose @ u0) + more @ v1 + stays * x[0, lower, lower]
    )  # fmt: skip


def _known(
    x: Array, from_lower: tuple[Array, Array, Array], sign: float, brings: Array
) -> tuple[Array, Array]:
    """The expectation from moving up from the lower square, for both values of owes; shape (higher, 4)."""
    end, lose, more = from_lower
    crossed = np.einsum("a,obak->obk", end, x), np.einsum("a,obak->obk", lose, x)
    same = np.einsum("a,oabk->obk", end, x), np.einsum("a,oabk->obk", more, x)
    return (
        brings + sign * (crossed[0][0] + crossed[1][1]) + same[1][0],
        brings + same[0][0] + sign * crossed[1][0] + same[1][1],
    )


def _put_back(system: Chain, x: Array) -> Array:
    """The right-hand side of the system for `x`; shape (2, 2, n, n, 4)."""
    turned = x[::-1].transpose(0, 1, 3, 2, 4)

    def after(m: Array, values: Array) -> Any:
        return np.einsum("ac,scbk->sabk", m, values)

    again = after(system.again, x[:, 0]), after(system.again, x[:, 1])
    free = after(system.ends, turned[:, 0]) + after(system.loses, turned[:, 1]) + again[0]
    owing = after(system.ends, x[:, 0]) + after(system.loses, turned[:, 0]) + again[1]
    return np.stack([free, owing], axis=1) + system.brings[:, None]


def _error_bound(system: Chain, x: Array) -> Array:
    """A bound on the error of each of the four values; see the module's docstring."""
    rounding = (len(THROWS) + 3) * np.finfo(np.float64).eps
    residual = np.abs(x - _put_back(system, x)).max(axis=(0, 1, 2, 3))
    residual = residual + rounding * np.abs(x).max(axis=(0, 1, 2, 3))
    throws = x[..., TO_COME].max() / (1 - residual[TO_COME])
    bound: Array = residual * throws
    return bound


class Odds:
    """The solved chances of every standing; a look-up is a few array reads."""

    def __init__(self, board: Board, options: RaceOptions, values: Array, error_bound: Array) -> None:
        self.board = board
        self.options = options
        self._values = values
        self._bound = error_bound

    @property
    def error_bound(self) -> float:
        """The greatest possible error of a chance."""
        return float(self._bound[WIN])

    @property
    def chips_error_bound(self) -> float:
        """The greatest possible error of a mean number of chips."""
        return float(self._bound[[CAT_PAYS, MOUSE_PAYS]].max())

    @property
    def size_bytes(self) -> int:
        """The size of the table in bytes."""
        return self._values.nbytes

    def chances(self, standing: RaceBoard) -> Chances:
        """The expectation from `standing`; once the race is won, without chips or throws."""
        seat = standing.thrower
        if seat is None:
            won = standing.cat == self.board.squares
            return Chances(float(won), float(not won), 0.0, 0.0, 0.0)
        row: Any = self._values[
            SEATS.index(seat),
            int(standing.owes(other(seat))),
            standing.square(seat),
            standing.square(other(seat)),
        ]
        win, cat_pays, mouse_pays, to_come = row.tolist()
        return Chances(win, 1.0 - win, cat_pays, mouse_pays, to_come)

    def foresee(self, standing: RaceBoard) -> tuple[Foreseen, ...]:
        """Each of the 21 throws from `standing` with its effect; empty once the race is won."""
        if standing.thrower is None:
            return ()
        steps = ((step(self.board, self.options, standing, dice), ways) for dice, ways in THROWS)
        return tuple(Foreseen(ways, done, self.chances(done.standing)) for done, ways in steps)


CACHED = 8
"""Option sets whose chances are kept, about 0.6 MB each: more than a table plays at once."""


def odds(options: RaceOptions) -> Odds:
    """The chances with these options, solved on first use. Raises `UserError`."""
    # Stakes and purses do not change the chances, so they share a table.
    return _cached(msgspec.structs.replace(options, stake=0, chips=0))


@lru_cache(maxsize=CACHED)
def _cached(options: RaceOptions) -> Odds:
    return solve(boards.board(options.board), options)


def first_is_cat(thrown: tuple[Dice, ...]) -> float:
    """The exact chance that the player who threw first becomes Cat.

    `thrown`: the throws for the start so far. Rule 1: the higher total is Cat; equal totals throw again.
    """
    if len(thrown) % 2 == 0:
        return 0.5
    total = sum(thrown[-1])
    below = sum(ways for dice, ways in THROWS if sum(dice) < total)
    equal = sum(ways for dice, ways in THROWS if sum(dice) == total)
    return (below + equal / 2) / 36
