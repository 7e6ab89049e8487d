"""Real phones: Debian's Chromium at 390 × 844, on pages that are really served."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, Error, Page

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.conftest import BED
from tests.web.conftest import ScriptedCamera
from web.app import create_app
from web.camera_port import CameraPort
from web.demo_port import Demo
from web.panel_port import Panel
from web.photo_port import PhotoPort
from web.server import Server

WATCHES = {"name": "watches", "value": "yes", "domain": "127.0.0.1", "path": "/", "expires": -1}
"""The cookie of a phone that chose to watch: it is shown the table, no welcome."""

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

WAIT_MS = 15_000

Phone = Callable[..., Page]

SAID_WHILE_AWAY = (
    "net::ERR_",
    "the server responded with a status of 4",
    "the server responded with a status of 5",
    "Service Worker registration blocked",
)
"""What a browser notes by itself about a request that was refused or cut: no fault of a page."""


class Site:
    """A table whose pages are served, and which can be begun and stopped again at the same port."""

    def __init__(self, table: Table, camera: CameraPort | None) -> None:
        self.table = table
        self.camera = camera
        self.panel: Panel | None = None
        self.demo: Demo | None = None
        self.photos: PhotoPort | None = None
        self.port = 0
        self.app: Flask | None = None
        self.server: Server | None = None

    def begin(self) -> None:
        """Serve."""
        self.app = create_app(self.table, self.camera, self.panel, demo=self.demo, photos=self.photos)
        self.server = Server(self.app, "127.0.0.1", self.port)
        self.port = self.server.port
        self.server.start()

    def stop(self) -> None:
        """Stop serving."""
        if self.server:
            self.server.stop()
        self.server = None

    def url(self, path: str = "/") -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self.port}{path}"


@pytest.fixture
def camera() -> ScriptedCamera:
    """CameraPort that see what a test tells them."""
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
    made.stop()


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
        context.set_default_timeout(WAIT_MS)
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
        for page in context.pages:
            with suppress(Error):  # Chromium may wait for ever to close a page that is still loading.
                page.goto("about:blank")
        context.close()
    assert not complaints
