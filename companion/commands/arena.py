"""`companion arena`: players against each other, and against programs from outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

import click

from companion.commands.output import GAME_OPTIONS, print_json
from companion.commands.rules import options_from_text
from companion.errors import UserError
from companion.games import registry
from companion.games.players import Budget, levels_of
from companion.players.arena import Arena, Result, ladder
from companion.players.worker import seconds


def variants(options: tuple[str, ...], in_turn: tuple[str, ...]) -> list[dict[str, object]]:
    """The options of the matches: `("board=a,b",)` as `in_turn` makes two."""
    fixed = options_from_text(options)
    several = {name: str(values).split(",") for name, values in options_from_text(in_turn).items()}
    return [{**fixed, **dict(zip(several, values, strict=True))} for values in product(*several.values())]


def lines(result: Result) -> Iterator[str]:
    """A result as text."""
    yield f"{result.game}: {result.a} against {result.b}, {result.games} matches"
    yield f"  {result.a} won {result.won}, drew {result.drawn}, lost {result.lost}: " + (
        f"{100 * result.share:.1f} % (95 %: {100 * result.low:.1f} to {100 * result.high:.1f}; "
        f"even is {100 * result.even:.0f} %)"
    )
    for side, part in result.sides.items():
        yield f"  as {side}: {100 * part.share:.1f} % of {part.games} (95 %: {100 * part.low:.1f} to " + (
            f"{100 * part.high:.1f})"
        )
    if result.ahead is not None:
        yield f"  {result.ahead:+.1f} points on average"
    for name, thinks in ((result.a, result.a_thinks), (result.b, result.b_thinks)):
        memory = "" if thinks.memory_mb is None else f", {thinks.memory_mb:.0f} MB"
        times = f"{thinks.median_ms:.1f} ms a move (median), {thinks.longest_ms:.1f} ms at most"
        yield f"  {name}: {times}{memory}"
    yield f"  {result.memory_mb:.0f} MB of memory at most"


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion arena this-bed-is-mine --games 200 --nodes 300000 --each board=a,b\n"
    "  companion arena this-bed-is-mine --a top --b 'exec:./my-player' --games 20 --seconds 1\n"
    "  companion arena exploding-kittens --a top --b beginner --seats 4 --games 100 --json"
)
@click.argument("slug")
@click.option("--a", metavar="LEVEL", help="A level, random, or exec:COMMAND.")
@click.option("--b", metavar="LEVEL", help="The other player; it has all other sides.")
@click.option("--games", type=click.IntRange(min=1), default=20, show_default=True, help="Number of matches.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed, the same matches.")
@click.option("--seconds", "limit_s", type=click.FloatRange(min=0.001), help="The time a move may take.  [1]")
@click.option("--nodes", type=click.IntRange(min=1), help="The positions a move may weigh.")
@click.option("--seats", type=int, help="The number of players.  [the fewest]")
@click.option(
    "--opening", type=click.IntRange(min=0), default=1, show_default=True, help="First moves by lot."
)
@GAME_OPTIONS
@click.option(
    "--each", "in_turn", multiple=True, metavar="NAME=V1,V2", help="Options taking turns from match to match."
)
@click.option("--json", "as_json", is_flag=True, help="Print nothing but the JSON object on stdout.")
def arena(
    slug: str,
    a: str | None,
    b: str | None,
    games: int,
    seed: int,
    limit_s: float | None,
    nodes: int | None,
    seats: int | None,
    opening: int,
    options: tuple[str, ...],
    in_turn: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Let two players play matches, and print who won how many, as JSON; progress goes to stderr.

    Without players, each level plays against the one below, and the ladder is printed in Elo. The players
    change sides from match to match. The same seed and a budget of nodes give the same matches.
    """
    game = registry.game(slug)
    players = seats or min(game.seat_counts)
    if players not in game.seat_counts:
        raise UserError(f"{slug} is not for {players} players; --seats may be {game.seat_counts}.")
    if (a is None) != (b is None):
        raise UserError("Give --a and --b, or neither.")

    def matches(a: str, b: str) -> Result:
        with Arena(game, a, b, budget_of(limit_s, nodes), opening=opening) as played:
            for result in played.matches(variants(options, in_turn), players, games, seed):
                if not as_json:
                    click.echo(f"\r{result.games}/{games}  {100 * result.share:.1f} %", err=True, nl=False)
        if not as_json:
            click.echo("\r" + "\n".join(lines(result)), err=True)
        return result

    if a is not None and b is not None:
        print_json(matches(a, b))
        return
    for rung in ladder(levels_of(slug), matches):
        if not as_json:
            click.echo(f"{rung.level}: {rung.elo} Elo ({rung.low} to {rung.high}) above random", err=True)
        print_json(rung)


def budget_of(limit_s: float | None, nodes: int | None) -> Callable[[], Budget]:
    """A maker of each move's budget: seconds, nodes, or both."""
    if nodes is not None and limit_s is None:
        return lambda: Budget(nodes)
    limit = 1.0 if limit_s is None else limit_s
    return lambda: seconds(limit, nodes)
