"""Measures how far the end that the bed's top level expects is from the end of its matches.

    python -m lab.expected_points --games 60

plays matches of the top level against itself, the first move by lot and both boards in turn, with seeds that
no share of `companion.games.this_bed_is_mine.player.chooser` was fitted to. By the number of placements left
to both sides, it prints the average error in points of the expected end, and that of always expecting a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean
from typing import NamedTuple

import click

from companion.games.chance import Stream, key_of
from companion.games.players import Budget, player_of, seen
from companion.games.this_bed_is_mine.player.chooser import position_of
from companion.games.this_bed_is_mine.rules import GAME

FIRST_SEED = 9_000_017
SEEDS = 1 << 31
LEFT_FROM = (1500, 600, 250, 0)
"""The least placements left in each row of the table."""


class Expected(NamedTuple):
    """The side in turn with so many placements left to both: the points it expected to lead by, and those
    that came."""

    left: int
    points: float
    came: int


def expected(number: int, nodes: int) -> list[Expected]:
    """The moves of one match after the first, which is by lot."""
    chooser, luck = player_of(GAME.slug), Stream(key_of(FIRST_SEED + number))
    state = GAME.start(GAME.options({"board": "ab"[number % 2]}), 2)
    state = GAME.play(state, luck.choice(seen(GAME, state, "cat").legal))
    said = []
    while (outcome := GAME.outcome(state)) is None:
        seat = GAME.turn(state)
        assert seat is not None
        view = seen(GAME, state, seat)
        choice = chooser.choose(view, "top", Budget(nodes), luck.randbelow(SEEDS))
        position = position_of(view)
        assert position is not None
        assert choice.value is not None
        left = sum(position.placements(side).bit_count() for side in (0, 1))
        said.append((seat, left, choice.value))
        state = GAME.play(state, choice.move)
    assert outcome.points is not None
    ahead = outcome.points["cat"] - outcome.points["dog"]
    return [Expected(left, points, ahead if seat == "cat" else -ahead) for seat, left, points in said]


def off(moves: Sequence[Expected]) -> tuple[float, float]:
    """The average error in points of the expected end, and of a draw."""
    return mean(abs(move.points - move.came) for move in moves), mean(abs(move.came) for move in moves)


def by_left(moves: Iterable[Expected]) -> dict[int, list[Expected]]:
    """The moves by the least placements left in their row."""
    rows: dict[int, list[Expected]] = {least: [] for least in LEFT_FROM}
    for move in moves:
        rows[next(least for least in LEFT_FROM if move.left >= least)].append(move)
    return rows


@click.command()
@click.option("--games", default=60, show_default=True)
@click.option("--nodes", default=200_000, show_default=True)
def main(games: int, nodes: int) -> None:
    """Print the table."""
    moves = [move for number in range(games) for move in expected(number, nodes)]
    for least, some in by_left(moves).items():
        if some:
            points, drawn = off(some)
            click.echo(f"{least} or more left: {points:.1f} off, {drawn:.1f} as a draw, {len(some)} moves")


if __name__ == "__main__":
    main()
