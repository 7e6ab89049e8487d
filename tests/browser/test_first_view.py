"""The first view of a game's page: how much it takes, and what its first picture waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Route, expect

from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.browser.conftest import PHONE, Phone, Site
from tests.browser.reading import axe, unreadable
from tests.browser.states import golden, play
from tests.web.conftest import ScriptedCamera

__all__ = ["axe"]

MOST_BYTES = 40_000
"""What the first view may take over the wire, in bytes: headers and all."""

PAINTED = """() => new Promise(resolve => new PerformanceObserver(list => {
  if (list.getEntriesByName("first-contentful-paint").length) resolve(true);
}).observe({type: "paint", buffered: true}))"""


UNEXPLAINED = """() => {
  for (const folded of document.querySelectorAll('main details')) folded.open = true;
  const explains = 'a, button, summary, svg, select, input, .bed, .unseen';
  const says = '[role=status], .last, .moves, .since, .gone, .legend, .who, .name, .in-hand, .tray, .paper, '
    + '.said, .animal';
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const bare = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const node = text.parentElement;
    if (!/\\d/.test(text.data) || !node.checkVisibility({visibilityProperty: true})) continue;
    if (node.closest(explains) || node.closest(says)) continue;
    if (!node.closest('.card')?.querySelector('.help-mark')) bare.push(node.outerHTML.slice(0, 90));
  }
  return bare;
}"""
"""Numbers that neither open their sum, nor say what they are, nor stand in a part that has a "?"."""


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
    made.close()


def test_it_is_small(chromium: Browser, site: Site) -> None:
    context = chromium.new_context(**{**PHONE, "locale": "ko-KR"})
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    received: list[int] = []
    cdp.on("Network.loadingFinished", lambda said: received.append(int(said["encodedDataLength"])))
    cdp.send("Network.enable")
    # What the page loads once its first view stands is not counted, however slow this machine is.
    page.route(re.compile("/static/(later|secure).js"), lambda route: route.abort())
    page.goto(site.url("/"))
    page.wait_for_selector("html[data-drawn]")
    context.close()
    assert len(received) >= 3, "the page, its script and its words"
    assert sum(received) <= MOST_BYTES, received


def test_each_number_opens_its_sum_or_stands_beside_its_sentence(phone: Phone) -> None:
    page = phone()
    page.wait_for_selector("html[data-drawn]")
    assert page.evaluate(UNEXPLAINED) == []


@pytest.mark.parametrize("slug", ["chop-chop"])
def test_a_sentence_is_shown_by_tap_and_by_keyboard(phone: Phone, site: Site, axe: str) -> None:
    page = phone(locale="ko-KR")
    mark = page.get_by_role("button", name="“다음 타일”은 무슨 뜻인가요?")
    sentence = page.locator("#help-bag")
    page.locator("details:has(#bag) > summary").tap()
    mark.tap()
    expect(sentence).to_contain_text("뒤집힌 타일")
    assert unreadable(page, axe) == []
    page.keyboard.press("Escape")
    expect(sentence).to_be_hidden()
    mark.press("Enter")
    expect(sentence).to_be_visible()


@pytest.mark.parametrize("slug", ["this-bed-is-mine"])
def test_the_first_picture_waits_for_the_page_alone(phone: Phone, site: Site) -> None:
    page = phone("/join")
    waiting: list[Route] = []
    held = True
    page.route("**/packed/**", lambda route: waiting.append(route) if held else route.continue_())
    page.goto(site.url("/"), wait_until="commit")
    assert page.evaluate(PAINTED)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("main")).to_be_hidden()
    held = False
    for route in waiting:
        route.continue_()
    expect(page.locator("main")).to_be_visible()
