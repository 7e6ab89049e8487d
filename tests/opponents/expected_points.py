"""How far what the bed's top level expects is from how its matches end.

    python -m tests.opponents.expected_points --games 60

plays matches of the top level against itself, the first move by lot and both boards in turn, with seeds that
the shares of `companion.games.this_bed_is_mine.opponent.chooser` were not fitted to. It prints, by the number
of placements left to both sides, how many points the expected end was off on average, and how many if it had
always expected a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean
from typing import NamedTuple

import click

from companion.games.choosing import Budget, Lots, chooser_of, seen
from companion.games.this_bed_is_mine.game import GAME
from companion.games.this_bed_is_mine.opponent.chooser import position_of

FIRST_SEED = 9_000_017
"""The seed of the first match; each next match has the next one."""

SEEDS = 1 << 31
"""The seeds of a move's choice that a match's lots can draw."""

LEFT_FROM = (1500, 600, 250, 0)
"""The least placements left in each row of the table."""


class Expected(NamedTuple):
    """What the side in turn expected, with so many placements left to both, and what came of it: points that
    it is ahead at the end."""

    left: int
    points: float
    came: int


def expected(number: int, nodes: int) -> list[Expected]:
    """The moves of one match, but for the first, which is by lot."""
    chooser, lots = chooser_of(GAME.slug), Lots(FIRST_SEED + number)
    state = GAME.start(GAME.options({"board": "ab"[number % 2]}), 2)
    state = GAME.play(state, lots.one_of(seen(GAME, state, "cat").legal))
    said = []
    while (outcome := GAME.outcome(state)) is None:
        seat = GAME.turn(state)
        assert seat is not None
        view = seen(GAME, state, seat)
        choice = chooser.choose(view, "top", Budget(nodes), lots.below(SEEDS))
        position = position_of(view)
        assert position is not None
        assert choice.value is not None
        left = len(position.numbers(0)) + len(position.numbers(1))
        said.append((seat, left, choice.value))
        state = GAME.play(state, choice.move)
    assert outcome.points is not None
    ahead = outcome.points["cat"] - outcome.points["dog"]
    return [Expected(left, points, ahead if seat == "cat" else -ahead) for seat, left, points in said]


def off(moves: Sequence[Expected]) -> tuple[float, float]:
    """By how many points the expected end was off on average, and by how many a draw."""
    return mean(abs(each.points - each.came) for each in moves), mean(abs(each.came) for each in moves)


def by_left(moves: Iterable[Expected]) -> dict[int, list[Expected]]:
    """The moves by the least placements left in their row."""
    rows: dict[int, list[Expected]] = {least: [] for least in LEFT_FROM}
    for each in moves:
        rows[next(least for least in LEFT_FROM if each.left >= least)].append(each)
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
