"""Fits how the computer weighs a bed, and measures how far off it is.

    python -m lab.bed_weights --games 60
    python -m lab.bed_weights --games 3000 --fit

plays matches of the top level against itself, the first tiles by lot and both boards in turn. It prints the
average error of the expected end in points, and that of always expecting a draw. `--fit` plays with other
seeds, and prints the `WEIGHTS` of `companion.games.this_bed_is_mine.player.weights` that fit the ends best.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import mean

import click
import numpy as np

from companion.games.chance import Stream, key_of
from companion.games.players import Budget, seen
from companion.games.this_bed_is_mine import score
from companion.games.this_bed_is_mine.fits import lays
from companion.games.this_bed_is_mine.player.chooser import position_of
from companion.games.this_bed_is_mine.player.position import POINT, Parent, logarithms
from companion.games.this_bed_is_mine.player.search import look_ahead
from companion.games.this_bed_is_mine.player.weights import KNOTS, WEIGHTS
from companion.games.this_bed_is_mine.rules import GAME
from companion.games.this_bed_is_mine.state import OWNERS

LEFT_FROM = (1500, 600, 250, 0)
Row = tuple[int, float, list[int], int]
"""The placements left, the points that the side that laid expected, the features, the points that came."""


def match_of(seed: int, nodes: int) -> Iterator[Row]:
    """The positions of one match after the tiles by lot."""
    luck, rows = Stream(key_of(seed)), list[tuple[int, int, float, list[int]]]()
    state = GAME.start(GAME.options({"board": "ab"[seed % 2]}), 2)
    for _ in range(1 + luck.randbelow(3)):
        state = GAME.play(state, luck.choice(lays(state.options, state.tiles, state.turn or "cat")))
    while state.turn is not None:
        side, position = OWNERS.index(state.turn), position_of(seen(GAME, state, state.turn))
        assert position is not None
        verdict = look_ahead(position, Budget(nodes))
        features, _, mine, theirs = Parent(position).features(side, verdict.numbers[0])
        if mine or theirs:
            rows.append((side, mine + theirs, verdict.worths[0] / POINT, features))
        state = GAME.play(state, position.plan.move(OWNERS[side], verdict.numbers[0]))
    scored = score.score(state.options, state.tiles)
    ahead = scored.total("cat") - scored.total("dog")
    yield from ((left, worth, features, -ahead if side else ahead) for side, left, worth, features in rows)


def fitted(rows: list[Row]) -> Iterator[str]:
    """The lines of `WEIGHTS`, by least squares; large weights count against a fit, and jumps at knots."""
    logs = np.clip([logarithms()[left] for left, *_ in rows], KNOTS[0], KNOTS[-1])
    hats = np.array([np.interp(logs, KNOTS, row) for row in np.eye(len(KNOTS))]).T
    scale = (features := np.array([row[2] for row in rows]) / 1000).std(axis=0) + 1e-9
    terms = (hats[:, :, None] * (features / scale)[:, None, :]).reshape(len(rows), -1)
    jumps = np.kron(np.diff(np.eye(len(KNOTS)), axis=0), np.eye(len(scale)))
    least = terms.T @ terms + 100 * jumps.T @ jumps + 10 * np.eye(terms.shape[1])
    weights = np.linalg.solve(least, terms.T @ [row[3] for row in rows]).reshape(len(KNOTS), -1) / scale
    for name, values in zip(WEIGHTS, (POINT * weights).T, strict=True):
        yield f'    "{name}": ({", ".join(str(round(value)) for value in values)}),'


@click.command()
@click.option("--games", default=60)
@click.option("--fit", is_flag=True)
def main(games: int, *, fit: bool) -> None:
    """Print the table or the weights."""
    first, nodes = (10_000_019, 30_000) if fit else (9_000_017, 1_000_000)
    rows = [row for seed in range(first, first + games) for row in match_of(seed, nodes)]
    if fit:
        click.echo("\n".join(fitted(rows)))
        return
    for n, least in enumerate(LEFT_FROM):
        some = [row for row in rows if least <= row[0] and (not n or row[0] < LEFT_FROM[n - 1])]
        off, drawn = mean(abs(row[1] - row[3]) for row in some), mean(abs(row[3]) for row in some)
        alike = np.corrcoef([row[1] for row in some], [row[3] for row in some])[0, 1]
        click.echo(
            f"{least} or more left: {off:.1f} off, {drawn:.1f} as a draw, {len(some)} moves, {alike:.2f}"
        )


if __name__ == "__main__":
    main()
