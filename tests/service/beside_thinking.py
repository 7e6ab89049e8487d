"""What people feel of a player that thinks: a page, a tap and a reading beside it, against their quiet time.

`python -m tests.service.beside_thinking --seconds 40 --core 0` gives all of it a single core, which is the
worst case. The bed's best player thinks all the time, and is held and let go on from one time taken to the
next. So whatever else the machine does meets both alike. It prints the medians and their ratio.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import click
import msgspec

from companion.games.this_bed_is_mine.sighting import BedTurns
from companion.play.journal import Journal
from companion.play.table import Table, new_table
from companion.players import worker
from hardware.vision.board.tile_reader import TileReader
from lab.bench.vision import LAID, bench_scene, draw_bed
from tests.conftest import BED, OPENING
from tests.running import pages_of

BEGINS_S = 3.0
"""The seconds after which the player has begun to think."""

SETTLES_S = 0.005
"""The seconds between holding the player, or letting it go on, and the time that is taken."""


@contextmanager
def thinking(table: Table) -> Iterator[int]:
    """While the best player thinks about the match on a table: the number of its process."""
    state = table.match.state
    known = msgspec.Raw(msgspec.json.encode(table.match.game.hide(state, "cat")))
    player = worker.begin(worker.Choose(BED, known, "cat", "top", 1, limit_s=3600))
    time.sleep(BEGINS_S)
    try:
        yield player.pid
        assert player.poll() is None, "it had thought to its end"
    finally:
        player.kill()
        worker.choice_of(player, BED)


def took_ms(do: Callable[[], object]) -> float:
    """The time that something takes, in milliseconds."""
    time.sleep(SETTLES_S)
    begun = time.perf_counter()
    do()
    return 1000 * (time.perf_counter() - begun)


def reading() -> Callable[[], object]:
    """Reads a drawn bed in full."""
    scene = bench_scene()
    masks = {kind: places.masks for kind, places in scene.placements.items()}
    reader = TileReader(scene, BedTurns(masks, scene.cols))
    reader.see_empty(draw_bed(scene, (), 0))
    picture = draw_bed(scene, LAID, 1)

    def read() -> None:
        reader.view.forget_picture()
        reader.read_board(picture)

    return read


def things(table: Table) -> dict[str, Callable[[], object]]:
    """What is timed, by its name."""
    client = pages_of(table, None).test_client()

    def tap_twice() -> None:
        table.undo("phone")
        table.redo("phone")

    return {
        "the match's page": lambda: client.get("/"),
        "the match as data": lambda: client.get("/api/match"),
        "two taps, kept on disk": tap_twice,
        "a picture, read in full": reading(),
    }


def measured(seconds: float) -> dict[str, list[tuple[float, float]]]:
    """For each thing pairs of times, quiet and beside the player, for as long as that."""
    times: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "journal.sqlite")
        table = new_table(journal, BED, {})
        table.play(OPENING[0], "phone")
        table.play(OPENING[1], "phone")
        every = things(table)
        with thinking(table) as player:
            for name, do in every.items():
                took_ms(do)
                took_ms(do)
                times[name] = []
                ends = time.monotonic() + seconds
                while time.monotonic() < ends:
                    os.kill(player, signal.SIGSTOP)
                    quiet = took_ms(do)
                    os.kill(player, signal.SIGCONT)
                    times[name].append((quiet, took_ms(do)))
        journal.close()
    return times


@click.command()
@click.option(
    "--seconds", type=click.FloatRange(min=1), default=20, show_default=True, help="For each thing."
)
@click.option("--core", type=int, help="The only core that all of it may use.  [all]")
def main(seconds: float, core: int | None) -> None:
    """Print the medians, quiet and beside a player that thinks, and their ratio."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    for name, times in measured(seconds).items():
        quiet, beside = (median(each) for each in zip(*times, strict=True))
        click.echo(
            f"{name:<26}{quiet:8.2f} ms quiet {beside:8.2f} ms beside the player"
            f"  {beside / quiet:.2f} ×  ({len(times)} pairs)"
        )


if __name__ == "__main__":
    main()
