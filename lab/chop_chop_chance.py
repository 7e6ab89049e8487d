"""Fits how Chop! Chop!'s chances are corrected, and measures how far they are off.

    python -m lab.chop_chop_chance --fit 8000 --judge 6000 --again 150

plays matches of the top level without the answers to a move, in each tenth match with them on one side or
both. Half of them have the default options, the others every choice in turn. Positions of the first matches
fit `CORRECTION` of `companion.games.chop_chop.worth`; on positions of others it compares the chance with who
won; from further positions it plays the rest over and over, to measure the error of a single chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from math import sqrt
from typing import NamedTuple

import click
import numpy as np

from companion.games.chance import Chance, key_of
from companion.games.chop_chop import GAME
from companion.games.chop_chop.state import ChopState
from companion.games.chop_chop.worth import CORRECTION, ERROR, Terms, corrected, terms
from companion.games.players import Budget, player_of, seen
from hardware.arrays import Float64

PAIRS = ((0, 0), (100, 0), (0, 100), (100, 100))
"""The positions that the mice and the cat weigh beyond their own moves, the usual ones first."""

FROM_EACH, OVER_AND_OVER = 4, 40
"""Positions looked at in each match, and how often the rest is played from one of another match."""

JUDGED_FROM, AGAIN_FROM = 100_000, 200_000
"""The first seeds of the matches that judge, and of those played over and over."""

CHOICES = {
    "no_return": ("both", "no-step-back", "not-end-on-start"),
    "last_mouse": ("front-and-hole", "front"),
    "caught_in_hole": ("counts", "does-not"),
    "board": ("middle", "corners"),
    "dice": ("chop", "plain"),
}
"""The values of the options, the defaults first."""

CHOSEN = [dict(zip(CHOICES, chosen, strict=True)) for chosen in product(*CHOICES.values())]
OPTIONS = tuple(map(GAME.options, CHOSEN))


class Looked(NamedTuple):
    """A position: the terms of its chance, and the share of its matches won by the mice."""

    terms: Terms
    won: float

    @property
    def chance(self) -> float:
        """The game's chance."""
        return corrected(self.terms)


def nodes(number: int) -> tuple[int, int]:
    """The positions for the mice and for the cat; each tenth match has unusual ones."""
    return PAIRS[1 + number // 10 % 3] if number % 10 == 9 else PAIRS[0]


def played(state: ChopState, seed: int, pair: tuple[int, int]) -> Iterator[ChopState]:
    """Every state of a match from here on, with these positions for the mice and the cat."""
    dealer, player, chance = player_of(GAME.slug).dealer(), player_of(GAME.slug), Chance(key_of(seed))
    dealer.begin(state, chance)
    while not state.ended:
        move = dealer.chance(state)
        if move is None:
            seat = GAME.turn(state)
            assert seat is not None
            view = seen(GAME, state, seat)
            number = chance.stream("choices").randbelow(1 << 31)
            move = player.choose(view, "top", Budget(pair[seat == "cat"]), number).move
        state = GAME.play(state, move)
        yield state


def match(seed: int) -> list[ChopState]:
    """The states of one match, its end last."""
    options = OPTIONS[0 if seed % 2 else seed // 2 % len(OPTIONS)]
    return list(played(GAME.start(options, 2), seed, nodes(seed // 7)))


def undecided(states: Sequence[ChopState]) -> list[ChopState]:
    """The states with an uncertain chance, without those in which a piece is still to move."""
    open_ones = [state for state in states if not state.ended and state.standing.mice_can_win]
    return [state for state in open_ones if state.standing.phase != "move"]


def positions(first: int, matches: int) -> list[Looked]:
    """Some positions of the matches that ended."""
    found = []
    for seed in range(first, first + matches):
        states = match(seed)
        if states[-1].ended:
            some, won = undecided(states), float(states[-1].ended == "cheese-home")
            drawn = random.Random(seed).sample(some, min(FROM_EACH, len(some)))
            found += [Looked(terms(state), won) for state in drawn]
    return found


def over_and_over(first: int, matches: int) -> list[Looked]:
    """One position of each match, with the share of its continuations won by the mice."""
    found = []
    for seed in range(first, first + matches):
        state = random.Random(seed).choice(undecided(match(seed)))
        ends = [[*played(state, seed * 1000 + n, nodes(n))][-1].ended for n in range(OVER_AND_OVER)]
        found.append(Looked(terms(state), sum(end == "cheese-home" for end in ends) / len(ends)))
    return found


def fitted(numbers: Float64, worth: Float64) -> Float64:
    """The likeliest weights of a logistic regression."""
    weights = np.zeros(numbers.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-numbers @ weights))
        bend = (numbers * (chance * (1 - chance))[:, None]).T @ numbers
        weights += np.linalg.solve(bend, numbers.T @ (worth - chance))
    return weights


def correction(given: Sequence[Looked]) -> Float64:
    """`CORRECTION` as these positions give it."""
    return fitted(np.array([looked.terms for looked in given]), np.array([looked.won for looked in given]))


def table(given: Sequence[Looked]) -> Iterator[str]:
    """By tenths of the chance: the positions, the mean chance, and the share that the mice won."""
    for tenth in range(10):
        row = [looked for looked in given if tenth <= 10 * looked.chance < tenth + 1]
        if row:
            said, won = np.mean([looked.chance for looked in row]), np.mean([looked.won for looked in row])
            around = 1.96 * sqrt(won * (1 - won) / len(row))
            span = f"{10 * tenth} to {10 * tenth + 10} %"
            yield f"{span:>12}: {len(row):6} said {said:.3f} won {won:.3f} ± {around:.3f}"


def off(given: Sequence[Looked]) -> float:
    """The root mean square error of the chances, without the luck in the shares."""
    return sqrt(max(0.0, float(np.mean([_square(looked) for looked in given]))))


def twice_a_half(given: Sequence[Looked]) -> float:
    """`ERROR` as these positions give it."""
    squares = sum(map(_square, given))
    return sqrt(max(0.0, squares / sum(looked.chance * (1 - looked.chance) for looked in given)))


def _square(looked: Looked) -> float:
    return (looked.chance - looked.won) ** 2 - looked.won * (1 - looked.won) / (OVER_AND_OVER - 1)


@click.command()
@click.option("--fit", default=8000, show_default=True, help="Matches to fit the correction to.")
@click.option("--judge", default=6000, show_default=True, help="Other matches to compare it with.")
@click.option("--again", default=150, show_default=True, help="Positions to play on from, over and over.")
def main(fit: int, judge: int, again: int) -> None:
    """Fit the correction of Chop! Chop!'s chances, and measure how far they are off."""
    if fit:
        weights = correction(positions(0, fit)).round(3).tolist()
        click.echo(f"CORRECTION = {tuple(weights)}; it is {CORRECTION}")
    click.echo("\n".join(table(positions(JUDGED_FROM, judge))))
    if again:
        rest = over_and_over(AGAIN_FROM, again)
        click.echo(f"{len(rest)} positions, each played on {OVER_AND_OVER} times: off by {off(rest):.3f}")
        click.echo(f"ERROR = {twice_a_half(rest):.3f}; it is {ERROR}")


if __name__ == "__main__":
    main()
