"""Fits the weights with which Chop! Chop!'s player weighs a standing (`companion.games.chop_chop.worth`).

    python -m tests.opponents.fit_chop_chop

plays matches of the simple players on both boards, half of them with a cat that hunts and half with one that
walks to the nearest mouse, and prints the table `WEIGHTS`. A logistic regression fits it to who won.
"""

from __future__ import annotations

import sys

import numpy as np
from msgspec.structs import replace

from companion.games.chop_chop import GAME
from companion.games.chop_chop.playouts import Chance, Hunt, Playout
from companion.games.chop_chop.worth import NUMBERS, Scale, Stand
from hardware.arrays import Float64

MATCHES = 750
"""The matches for each board and each cat."""

A_THROW_LATER = 0.985
"""What a win is worth that comes a throw later, for mice that do not want to hide for ever."""

HELD_BACK = 3.0
"""How strongly the regression draws weights to 0."""

ROUNDS = 25
"""Newton's steps; after about ten nothing changes any more."""


class Logged(Playout):
    """A match that keeps how it stood before each throw of one side."""

    stands: list[tuple[str, int, Stand]]

    def _throw(self) -> None:
        if self.cat:
            stand = Stand(
                self.cat,
                tuple(self.mice),
                self.slabs,
                self.cheeses,
                self.cheese_left,
                self.cheese_found,
                tuple(self.left),
            )
            self.stands.append((self.side, self.throws, stand))
        super()._throw()


class Walker(Logged):
    """The same with a cat that walks to the nearest mouse, even to one under the table."""

    def _preyed(self, reached: int) -> int:
        near = sum(self.mice)
        while not reached & near and near != self.hunt.board:
            near = self.hunt.around(near, 1)
        return self.chance.bit(reached & near or reached)


Rows = dict[str, list[tuple[tuple[float, ...], float, float]]]
"""By the side that throws next: a standing's numbers, whether the mice won, and what that was worth then."""


def rows(matches: int = MATCHES) -> Rows:
    """The standings of all matches, every second one of each."""
    standings: Rows = {"cat": [], "mice": []}
    for board in ("middle", "corners"):
        options = GAME.options({"board": board})
        begun = replace(GAME.start(options, 2).standing, phase="throw")
        scale = Scale.of(options, "wins")
        for kind in (Logged, Walker):
            for seed in range(matches):
                match = kind(Hunt.of(options), begun, Chance(7919 * seed + 77777))
                match.stands = []
                won = float(match.run() == "cheese-home")
                for side, throws, stand in match.stands[seed % 4 :: 4]:
                    soon = won * A_THROW_LATER ** (match.throws - throws)
                    standings[side].append((scale.numbers(stand), won, soon))
    return standings


def fitted(numbers: Float64, worth: Float64) -> Float64:
    """The weights that make what happened likeliest."""
    weights = np.zeros(numbers.shape[1])
    penalty = HELD_BACK * np.eye(len(weights))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-numbers @ weights))
        slope = numbers.T @ (worth - chance) - HELD_BACK * weights
        bend = (numbers * (chance * (1 - chance))[:, None]).T @ numbers + penalty
        weights += np.linalg.solve(bend, slope)
    return weights


def main() -> None:
    """Print the table."""
    given = rows()
    columns = []
    for worth in (1, 2):
        for side in ("cat", "mice"):
            numbers = np.array([row[0] for row in given[side]])
            columns.append(fitted(numbers, np.array([row[worth] for row in given[side]])))
    for name, *weights in zip(NUMBERS, *columns, strict=True):
        sys.stdout.write(f'    "{name}": ({", ".join(f"{weight:.3f}" for weight in weights)}),\n')


if __name__ == "__main__":
    main()
