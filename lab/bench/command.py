"""`companion bench`: the speed of each stage, compared with its floor or its limit."""

from __future__ import annotations

import click

from companion.commands.output import print_json
from lab.bench import games, history, odds, vision


@click.command(epilog="\b\nExamples:\n  companion bench\n  companion bench vision --json")
@click.argument("what", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per stage.")
def bench(what: tuple[str, ...], *, as_json: bool) -> None:
    """Measure the speed of each stage, or of the groups WHAT: the median on one thread of this machine."""
    groups = {"vision": vision.measures, "odds": odds.measures, "history": history.measures, **games.BENCHES}
    for name in what:
        if name not in groups:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(groups)}", param_hint="WHAT")
    for name in what or groups:
        for measure in groups[name]():
            if as_json:
                print_json(measure)
            else:
                click.echo(measure.line())
