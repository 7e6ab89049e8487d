"""What tests in every folder share, those beside a game too: a journal, a page in the one browser, a cost."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, sync_playwright

from companion.play.journal import Journal
from companion.play.table import Table

# A busy machine makes slow inputs: no test may fail for it.
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a page; put files with slow tests first, so that no core waits for one at the end."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's own browser. Without it a test is left out, but never in CI.

    One for all tests: Playwright cannot be started twice in a thread.
    """
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: CI must have one (apt install chromium)")
        pytest.skip("no Chromium here (apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A new journal."""
    made = Journal(tmp_path / "journal.sqlite")
    yield made
    made.close()


@pytest.fixture
def address(table: Table) -> Iterator[str]:
    """Where the pages of a test's own `table` are served."""
    from web.app import create_app
    from web.server import Server

    server = Server(create_app(table, None), "127.0.0.1", 0)
    server.start()
    yield f"http://127.0.0.1:{server.port}/"
    server.stop()


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    """The table's page on a phone; a fault in a script fails the test."""
    faults: list[str] = []
    opened = chromium.new_page(viewport={"width": 390, "height": 844}, locale="en")
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto(f"{address}watch")
    yield opened
    opened.close()
    assert not faults


@pytest.fixture
def cost() -> Iterator[Callable[[Callable[[], object]], float]]:
    """How many times as long as a fixed piece of Python something takes, much the same on any machine.

    Processor time, the best of five, in turn with the fixed piece. Coverage looks away while the test runs:
    what is timed is the code as it runs at a table.
    """
    tracer = sys.gettrace()
    sys.settrace(None)
    yield in_yardsticks
    sys.settrace(tracer)


@pytest.fixture(scope="session")
def yardstick_s() -> float:
    """What one yardstick takes here, in seconds of processor time: for what takes too long for five times."""
    return min(cpu_s(yardstick) for _ in range(20))


def in_yardsticks(do: Callable[[], object]) -> float:
    """The cost of `do`; one yardstick is about 1 ms on a slow laptop."""
    pairs = [(cpu_s(do), cpu_s(yardstick)) for _ in range(5)]
    return min(taken for taken, _ in pairs) / min(one for _, one in pairs)


def cpu_s(do: Callable[[], object]) -> float:
    begun = process_time()
    do()
    return process_time() - begun


def yardstick() -> None:
    """Calls, small integers, tuples and a dictionary, as the rules and the odds use them."""
    kept: dict[tuple[int, int], int] = {}
    for number in range(4000):
        key = divmod(number * 7, 61)
        kept[key] = kept.get(key, 0) + max(key)
