"""Real phones: Debian's Chromium at 390 × 844, on pages that are really served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from socket import SO_REUSEADDR, SOL_SOCKET, socket
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.players.table_players import TablePlayers
from companion.service.panel import TablePanel
from companion.service.photos.drafts import PhotoDrafts
from companion.simulator.demo import VirtualDemo
from conftest import PATIENCE_MS, close
from tests.conftest import BED
from tests.running import pages_of, replace_services
from tests.web.conftest import ScriptedCamera
from web.server import Server

WATCHES = {"name": "watches", "value": "yes", "domain": "127.0.0.1", "path": "/", "expires": -1}
"""The cookie of a phone that chose to watch: it is shown the table at once."""

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "color_scheme": "dark",
    "locale": "en-GB",
    # A phone that keeps a page asks for more than its test does; test_offline.py lets it.
    "service_workers": "block",
    "storage_state": {
        "cookies": [{**WATCHES, "httpOnly": False, "secure": False, "sameSite": "Lax"}],
        "origins": [],
    },
}


Phone = Callable[..., Page]

LOOK_MS = 20

SAID_WHILE_AWAY = (
    "net::ERR_",
    "the server responded with a status of 4",
    "the server responded with a status of 5",
    "Service Worker registration blocked",
)
"""What a browser notes by itself about a request that was refused or cut: no fault of a page."""


def rest_slow(first: Any, *rest: Any) -> list[Any]:
    """Parameters of a test: `make test` takes the first, `make test-all` the rest as well."""
    values = (each if isinstance(each, tuple) else (each,) for each in rest)
    return [first, *(pytest.param(*value, marks=pytest.mark.slow) for value in values)]


def until(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait for what no page shows, while pages and their requests go on."""
    for _ in range(PATIENCE_MS // LOOK_MS):
        if is_so():
            return
        page.wait_for_timeout(LOOK_MS)
    raise AssertionError("it never came")


class Site:
    """A table whose pages are served, and which can be begun and stopped again at the same port."""

    def __init__(self, table: Table, camera: Any) -> None:
        self.table = table
        self.camera = camera
        self.panel: TablePanel | None = None
        self.demo: VirtualDemo | None = None
        self.photos: PhotoDrafts | None = None
        # Bound and never listened at: nobody else is given the port while nothing is served.
        self._held = socket()
        self._held.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self.port: int = self._held.getsockname()[1]
        self.app: Flask | None = None
        self.server: Server | None = None

    def begin(self) -> None:
        """Serve."""
        self.app = pages_of(self.table, self.camera, self.panel, demo=self.demo, photos=self.photos)
        self.server = Server(self.app, "127.0.0.1", self.port)
        self.server.start()

    def stop(self) -> None:
        """Stop serving."""
        if self.server:
            self.server.stop()
        self.server = None

    def close(self) -> None:
        """Stop serving for good."""
        self.stop()
        self._held.close()

    def url(self, path: str = "/") -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self.port}{path}"


@contextmanager
def computer_at(site: Site) -> Iterator[None]:
    """The computer, which plays and deals at this table."""
    assert site.app
    players = TablePlayers(site.table, lambda: True, answer_s=0.2)
    replace_services(site.app, opponent=players)
    players.start()
    yield
    players.stop()


@pytest.fixture
def camera() -> ScriptedCamera:
    """A camera that sees what a test tells it."""
    return ScriptedCamera()


@pytest.fixture
def options() -> dict[str, object]:
    """The options of the match; a test class may have its own."""
    return {}


@pytest.fixture
def site(journal: Journal, camera: ScriptedCamera, options: dict[str, object]) -> Iterator[Site]:
    """A new match of This Bed Is Mine, served."""
    made = Site(Table(journal, Match.begin(journal, BED, options)), camera)
    made.begin()
    yield made
    made.close()


@pytest.fixture
def phone(chromium: Browser, site: Site) -> Iterator[Phone]:
    """Opens a page on a phone of its own; afterwards, no page may have complained of anything."""
    complaints: list[str] = []
    contexts = []

    def note(text: str) -> None:
        if not any(each in text for each in SAID_WHILE_AWAY):
            complaints.append(text)

    def opened(path: str = "/", **changed: Any) -> Page:
        context = chromium.new_context(**{**PHONE, **changed})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda message: note(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: note(str(error)))
        page.goto(site.url(path))
        return page

    yield opened
    for context in contexts:
        close(context)
    assert not complaints
