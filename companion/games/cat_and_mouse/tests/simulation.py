"""Cat and Mouse thrown a million times at once, written a second time from the rulebook to judge the chances.

It shares nothing with the game's own code but the options: squares, chips and doubles stand here again.
"""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from companion.games.cat_and_mouse.state import RaceOptions

Numbers = npt.NDArray[np.int64]

PAY = np.isin(np.arange(67), [4, 9, 16, 25, 36, 49, 64])
EARN = np.isin(np.arange(67), [22, 33, 44, 55])
LOSE = np.isin(np.arange(67), [5, 15, 25, 35, 45, 65])
AGAIN = np.isin(np.arange(67), [10, 20, 30, 40, 50, 60])


class Result(msgspec.Struct, frozen=True):
    """Of each game, shape (games,): whether Cat won, chips that each paid the other, throws."""

    cat_won: npt.NDArray[np.bool_]
    cat_paid: Numbers
    mouse_paid: Numbers
    throws: Numbers


class Games:
    """Many games at once from one standing; seats are 0 (Cat) and 1 (Mouse)."""

    def __init__(
        self, options: RaceOptions, n: int, seed: int, *, cat: int = 0, mouse: int = 0, thrower: int = 0,
        owes: tuple[int, int] = (0, 0),
    ) -> None:  # fmt: skip
        self.options = options
        self.random = np.random.default_rng(seed)
        self.game = np.arange(n)
        self.at = np.tile(np.array([cat, mouse]), (n, 1))
        self.owes = np.tile(np.array(owes), (n, 1))
        self.seat = np.full(n, thrower)
        self.paid = np.zeros((n, 2), dtype=np.int64)
        self.won = np.full(n, -1)
        self.throws = np.zeros(n, dtype=np.int64)

    def run(self) -> Result:
        """Play all to their end."""
        while len(self.game):
            self.throw(self.random.integers(1, 7, (len(self.game), 2)))
        return Result(self.won == 0, self.paid[:, 0], self.paid[:, 1], self.throws)

    def throw(self, dice: Numbers) -> None:
        """One throw in every game that goes on; `dice` of shape (games, 2)."""
        rows, me, you = np.arange(len(self.game)), self.seat, 1 - self.seat
        here, there = self.at[rows, me], self.at[rows, you]
        to, leapt, stayed, back = self.led(here, dice)
        on_my_walk = 67 - there
        passed = (there > 0) & (np.minimum(here, to) < on_my_walk) & (on_my_walk < np.maximum(here, to))
        counts = self.options.jump_fee == "auto"
        fee = passed & counts & ~stayed
        fee &= ~leapt | self.options.fee_on_double
        fee &= ~back | self.options.fee_on_turn_back
        landed = ~stayed
        eleven = (to == 11) & (leapt | self.options.pays_on_plain_11)
        np.add.at(self.paid, (self.game, me), 2 * stayed + fee + (landed & PAY[to]))
        np.add.at(self.paid, (self.game, you), 2 * (landed & (EARN[to] | eleven)))
        self.throws[self.game] += 1
        self.at[rows, me] = to
        self.pass_on(rows, me, you, to == 66, landed & LOSE[to], landed & AGAIN[to])

    def led(
        self, here: Numbers, dice: Numbers
    ) -> tuple[Numbers, npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Where the dice lead; and who was led by a double, who had to stay, who had to turn back."""
        die, double = dice[:, 0], dice[:, 0] == dice[:, 1]
        before = 11 * (die - 1)
        past = (here >= before) if self.options.past == "at-or-beyond" else (here > before) | (die == 1)
        leapt = double & past & (here < 11 * die)
        stayed = double & (die == 6) & ~leapt
        to = np.where(leapt, 11 * die, np.where(stayed, here, here + dice.sum(axis=1)))
        back = to > 66
        return np.where(back, 48, to), leapt, stayed, back

    def pass_on(
        self, rows: Numbers, me: Numbers, you: Numbers, won: npt.NDArray[np.bool_],
        lost_turn: npt.NDArray[np.bool_], again: npt.NDArray[np.bool_],
    ) -> None:  # fmt: skip
        """Whose throw it is next; games that are won leave."""
        self.won[self.game[won]] = me[won]
        self.owes[rows, me] += lost_turn
        self.seat = np.where(again, me, you)
        for _ in range(2):
            waits = ~again & (self.owes[rows, self.seat] > 0)
            self.owes[rows, self.seat] -= waits
            self.seat = np.where(waits, 1 - self.seat, self.seat)
        on = ~won
        self.game, self.at, self.owes, self.seat = self.game[on], self.at[on], self.owes[on], self.seat[on]
