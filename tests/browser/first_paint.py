"""How soon each page's first picture comes on a slow network and a slow processor, and how far things jump.

`python -m tests.browser.first_paint` serves a match of each game, opens its page and the others in Debian's
Chromium and prints a line a page. The network is the developer tools' "Slow 4G", and the processor is made
six times as slow. Times are those of one machine that serves and shows.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from playwright.sync_api import Browser, sync_playwright

from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from conftest import ARGUMENTS, CHROMIUM
from tests.browser.conftest import PHONE, Site
from tests.browser.reading import SHIFTS
from tests.browser.states import golden, play
from tests.web.conftest import ScriptedCamera

SLOW_4G = {
    "offline": False,
    "latency": 562.5,
    "downloadThroughput": 1_474_560 / 8,
    "uploadThroughput": 675_000 / 8,
}
"""What the developer tools' "Slow 4G" does to each request: ms, and bytes a second."""
SLOWER = 6
"""How many times as slow the processor is made."""
OTHER_PAGES = ("/new", "/camera", "/settings", "/history", "/join", "/seats", "/panel", "/score")
SIZES = ((390, 844), (320, 568), (1280, 800))

PAINTED_MS = """() => new Promise(resolve => new PerformanceObserver(list => {
  for (const paint of list.getEntriesByName("first-contentful-paint")) resolve(paint.startTime);
}).observe({type: "paint", buffered: true}))"""


@contextmanager
def site(slug: str, folder: Path) -> Iterator[Site]:
    """A match in its middle, served."""
    journal = Journal(folder / f"{slug}.sqlite")
    head, moves = golden(slug)
    table = Table(journal, Match.begin(journal, slug, head["options"], head["seats"]))
    play(table, moves[: len(moves) // 2])
    made = Site(table, ScriptedCamera())
    made.begin()
    try:
        yield made
    finally:
        made.close()
        journal.close()


def look(browser: Browser, url: str, width: int, height: int) -> tuple[float, float]:
    """How many ms until the page's first picture, and the greatest jump while it is loaded."""
    how: dict[str, Any] = {**PHONE, "viewport": {"width": width, "height": height}}
    context = browser.new_context(**how)
    page = context.new_page()
    page.add_init_script(f"({SHIFTS})()")
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", SLOW_4G)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(url)
    painted_ms = float(page.evaluate(PAINTED_MS))
    page.wait_for_timeout(1500)
    jumped = max((shift[0] for shift in page.evaluate("() => window.shifts")), default=0.0)
    page.goto("about:blank")
    context.close()
    return painted_ms, jumped


@click.command()
def main() -> None:
    """Print a line a page."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for number, slug in enumerate(games()):
            with site(slug, Path(folder)) as served:
                for path in ("/", *(OTHER_PAGES if not number else ())):
                    looks = [look(browser, served.url(path), *size) for size in SIZES]
                    times = ", ".join(f"{painted_ms:.0f}" for painted_ms, _ in looks)
                    jumped = max(each for _, each in looks)
                    name = slug if path == "/" else path
                    click.echo(f"{name}: first picture {times} ms, greatest jump {jumped:.3f}")
        browser.close()


if __name__ == "__main__":
    main()
