"""What tests in every folder share, those beside a game too: a journal, a page in the one browser, a cost."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, expect, sync_playwright
from werkzeug.routing import Rule

from companion.play.journal import Journal
from companion.play.table import Table

# A busy machine makes slow inputs: no test may fail for it.
settings.register_profile("busy machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy machine")

PATIENCE_MS = 30_000
"""A browser test waits for a state: so long, on a machine with much else to do."""

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None
)

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

LONG_LOOPS = ("tests/odds/test_enumeration.py", "tests/odds/test_histories.py", "tests/odds/test_laws.py")
"""Coverage would make these take more than twice as long, and other tests reach the same lines."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a page; put files with pages or slow tests first: no core waits for one at the end."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            if os.environ.get("CI"):
                item.add_marker(pytest.mark.flaky(reruns=1))
        if item.nodeid.startswith(LONG_LOOPS):
            item.add_marker(pytest.mark.no_cover)
    long = {
        item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("browser")
    }
    items.sort(key=lambda item: item.path not in long)


class CompiledTemplates(BytecodeCache):
    """Templates that one app of this process has compiled, for all others."""

    def __init__(self) -> None:
        self._compiled: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take a template that was compiled before."""
        if bucket.key in self._compiled:
            bucket.bytecode_from_string(self._compiled[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template."""
        self._compiled[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    """Thousands of tests make an app: its templates and addresses are compiled for the first one only."""
    compile_address = Rule._compile_builder
    compiled: dict[str, Callable[..., tuple[str, str]]] = {}

    def builder(rule: Rule, *how: bool) -> Callable[..., tuple[str, str]]:
        key = f"{rule._trace} {rule.defaults} {how}"
        if key not in compiled:
            compiled[key] = compile_address(rule, *how)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", builder)
        patch.setattr(Flask, "jinja_options", Flask.jinja_options | {"bytecode_cache": CompiledTemplates()})
        yield


ACTIONS = (
    "check",
    "click",
    "dispatch_event",
    "fill",
    "hover",
    "press",
    "press_sequentially",
    "select_option",
    "set_input_files",
    "tap",
)


def once_the_page_listens(act: Callable[..., None]) -> Callable[..., None]:
    """The action of a locator, once the scripts of the page that the element is on have run."""

    def acted(element: Locator, *args: Any, **kwargs: Any) -> None:
        element.wait_for(state="attached")
        element.page.wait_for_load_state("domcontentloaded")
        act(element, *args, **kwargs)

    return acted


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's own browser. Without it a test is left out, but never in CI.

    One for all tests: Playwright cannot be started twice in a thread.
    """
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: CI must have one (apt install chromium-headless-shell)")
        pytest.skip("no Chromium here (apt install chromium-headless-shell)")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        for name in ACTIONS:
            patch.setattr(Locator, name, once_the_page_listens(getattr(Locator, name)))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


def close(context: BrowserContext) -> None:
    """Close a phone. Chromium may wait for ever to close a page that is still loading: each is left first."""
    for page in context.pages:
        with suppress(Error):
            page.goto("about:blank")
    context.close()


@pytest.fixture(scope="session", autouse=True)
def as_urgent_as_tests() -> Iterator[None]:
    """A test waits for what a table does when it is idle: beside other work, that would not come."""
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion.players.worker.LOWEST", ours)
        patch.setattr("companion.service.photos.drafts.NICENESS", ours)
        yield


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A new journal."""
    made = Journal(tmp_path / "journal.sqlite")
    yield made
    made.close()


@pytest.fixture
def address(table: Table) -> Iterator[str]:
    """Where the pages of a test's own `table` are served."""
    from tests.running import pages_of
    from web.server import Server

    server = Server(pages_of(table), "127.0.0.1", 0)
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
    close(opened.context)
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
