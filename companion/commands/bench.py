"""`companion bench`: the speed of each stage, compared with its floor or its limit."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import click

from companion.commands.output import print_json
from companion.games import registry


def benches() -> dict[str, str]:
    """Each bench's name, and the module whose `measures()` runs it. A game's bench is named by its slug."""
    modules = {name: f"companion.bench.{name}" for name in ("vision", "odds", "history")}
    for slug in registry.games():
        module = f"companion.bench.{slug.replace('-', '_')}"
        if find_spec(module):
            modules[slug] = module
    return modules


@click.command(epilog="\b\nExamples:\n  companion bench\n  companion bench vision --json")
@click.argument("what", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per stage.")
def bench(what: tuple[str, ...], *, as_json: bool) -> None:
    """Measure the speed of each stage, or of the groups WHAT: the median on one thread of this machine."""
    known = benches()
    for name in what:
        if name not in known:
            raise click.BadParameter(f"{name!r} is not one of {', '.join(known)}", param_hint="WHAT")
    for name in what or known:
        for measure in import_module(known[name]).measures():
            if as_json:
                print_json(measure)
            else:
                click.echo(measure.line())
