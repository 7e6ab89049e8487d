"""The first view of a game's page: how much it takes, and what its first picture waits for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.browser.conftest import PHONE, Phone, Site
from tests.browser.states import golden, play
from tests.web.conftest import ScriptedCamera

MOST_BYTES = 40_000
"""What the first view may take over the wire, in bytes: headers and all."""

PAINTED = """() => new Promise(resolve => new PerformanceObserver(list => {
  if (list.getEntriesByName("first-contentful-paint").length) resolve(true);
}).observe({type: "paint", buffered: true}))"""


@pytest.fixture(params=list(games()))
def slug(request: pytest.FixtureRequest) -> str:
    """Each game."""
    return str(request.param)


@pytest.fixture
def site(slug: str, journal: Journal) -> Iterator[Site]:
    """The game in the middle of its golden playthrough, served."""
    head, moves = golden(slug)
    table = Table(journal, Match.begin(journal, slug, head["options"], head["seats"]))
    play(table, moves[: len(moves) // 2])
    made = Site(table, ScriptedCamera())
    made.begin()
    yield made
    made.stop()


def test_it_is_small(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(**{**PHONE, "locale": "ko-KR"})
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    received: list[int] = []
    cdp.on("Network.loadingFinished", lambda said: received.append(int(said["encodedDataLength"])))
    cdp.send("Network.enable")
    page.goto(site.url("/"))
    page.wait_for_selector("html[data-drawn]")
    context.close()
    assert len(received) >= 3, "the page, its script and its words"
    assert sum(received) <= MOST_BYTES, received


@pytest.mark.parametrize("slug", ["this-bed-is-mine"])
def test_the_first_picture_waits_for_the_page_alone(phone: Phone, site: Site) -> None:
    page = phone("/join")
    waiting: list[Route] = []
    page.route("**/packed/**", lambda route: waiting.append(route))
    page.goto(site.url("/"), wait_until="commit")
    assert page.evaluate(PAINTED)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    for route in waiting:
        route.continue_()
    page.unroute("**/packed/**")
    expect(page.locator("main")).to_be_visible()
