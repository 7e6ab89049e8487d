"""How late a tap on one phone is on another phone's screen, and what a page holds after many moves.

`python -m tests.browser.tap_to_screen --phones 20 --taps 100 --moves 2000` serves a match of This Bed Is
Mine to two phones in Debian's Chromium and to others that only listen. One of the two undoes and redoes by
taps; the time goes from the tap to the frame in which the other one draws it. Then the table changes as often
as asked, and the memory of the page is looked at after the browser has cleaned up. Times are those of one
machine that does it all.
"""

from __future__ import annotations

import multiprocessing
import tempfile
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import CDPSession, Page, sync_playwright

from companion.play.journal import Journal
from companion.play.table import Table, new_table
from conftest import ARGUMENTS, CHROMIUM
from tests.browser.conftest import PHONE, Site
from tests.conftest import BED, OPENING
from tests.web.load import listen

NOTE_TAPS = """() => { globalThis.tapped = 0;
  addEventListener('click', () => {
    globalThis.tapped = performance.timeOrigin + performance.now();
  }, true); }"""
NOTE_DRAWN = """() => { globalThis.drawn = 0;
  new MutationObserver(() => requestAnimationFrame(() => {
    globalThis.drawn = performance.timeOrigin + performance.now();
  })).observe(document.querySelector('#picture'), { childList: true, subtree: true }); }"""
TILES = "tiles => document.querySelectorAll('#picture .tile').length === tiles && globalThis.drawn > 0"
LOOKS = 5
"""How often the memory is looked at."""


def delays_ms(tapping: Page, watching: Page, taps: int) -> list[float]:
    """From each tap on one page to the frame of the other that shows it, sorted."""
    tapping.evaluate(NOTE_TAPS)
    watching.evaluate(NOTE_DRAWN)
    took = []
    for n in range(taps):
        watching.evaluate("() => { globalThis.drawn = 0; }")
        tapping.locator("#redo" if n % 2 else "#undo").dispatch_event("click")
        watching.wait_for_function(TILES, arg=len(OPENING) - 1 + n % 2)
        took.append(watching.evaluate("drawn") - tapping.evaluate("tapped"))
        tapping.wait_for_function(TILES.split(" && ")[0], arg=len(OPENING) - 1 + n % 2)
    return sorted(took)


def heap_mb(devtools: CDPSession) -> float:
    """What the page's scripts hold, after the browser has cleaned up."""
    devtools.send("HeapProfiler.collectGarbage")
    used: dict[str, Any] = devtools.send("Runtime.getHeapUsage")
    return float(used["usedSize"]) / 1e6


def holds(watching: Page, table: Table, moves: int) -> list[float]:
    """What the page holds at the beginning, and as the table changes that often."""
    devtools = watching.context.new_cdp_session(watching)
    looks = [heap_mb(devtools)]
    for _ in range(LOOKS):
        for n in range(moves // LOOKS):
            (table.redo if n % 2 else table.undo)("phone")
        watching.wait_for_function(TILES.split(" && ")[0], arg=len(OPENING))
        looks.append(heap_mb(devtools))
    return looks


@click.command()
@click.option("--phones", default=20, show_default=True, help="Phones on the live stream, the two included.")
@click.option("--taps", default=100, show_default=True)
@click.option("--moves", default=2000, show_default=True)
def main(phones: int, taps: int, moves: int) -> None:
    """Print the delays and the memory."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        table = new_table(Journal(Path(folder) / "journal.sqlite"), BED, {})
        for move in OPENING:
            table.play(move, "phone")
        site = Site(table, None)
        site.begin()
        ours, theirs = multiprocessing.Pipe()
        others = multiprocessing.get_context("spawn").Process(
            target=listen, args=(theirs, site.port, phones - 2), daemon=True
        )
        others.start()
        ours.recv()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        pages = [browser.new_context(**PHONE).new_page() for _ in range(2)]
        for page in pages:
            page.goto(site.url("/"))
            page.wait_for_selector("#picture .tile")
        took = delays_ms(pages[0], pages[1], taps)
        at = [took[int(share * (len(took) - 1))] for share in (0.5, 0.95, 1.0)]
        click.echo(f"{phones} phones, {taps} taps: p50 {at[0]:.0f}, p95 {at[1]:.0f}, worst {at[2]:.0f} ms")
        mb = ", ".join(f"{each:.1f}" for each in holds(pages[1], table, moves))
        click.echo(f"{moves} moves: the page holds {mb} MB")
        others.kill()
        site.close()


if __name__ == "__main__":
    main()
