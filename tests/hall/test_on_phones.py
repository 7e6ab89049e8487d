"""The hall's page in a real browser: the referee leads a round, everybody reads it, phone or wall."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from companion.broker.payloads import PublishedHealth
from companion.broker.service import BrokerService
from companion.hall.app import HallState, create_app
from companion.hall.hall import Hall
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from conftest import close
from tests.browser.reading import AXE, unreadable
from tests.hall.conftest import StillBroker
from tests.hall.tables import RACE
from tests.running import running, settings_of
from web.app import create_app as create_table
from web.server import Server

pytestmark = pytest.mark.browser

WIDTHS = (320, 1920)
LANGUAGES = ("en", "zh-Hant", "ko")


BROKEN = """() => [...document.querySelectorAll('.row button')]
  .flatMap(button => [...button.textContent.matchAll(/\\S+/g)].filter(word => {
    const range = document.createRange();
    range.setStart(button.firstChild, word.index);
    range.setEnd(button.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(box => box.top)).size > 1;
  })).map(([word]) => word)"""
"""The words on buttons that are broken into several lines."""


class Served:
    """An evening and its page."""

    def __init__(self, broker: StillBroker, hall: Hall, app: Flask, port: int) -> None:
        self.broker, self.hall, self.port = broker, hall, port
        self.state: HallState = app.extensions["companion"]

    def url(self, path: str = "/") -> str:
        """The address of a page."""
        return f"http://127.0.0.1:{self.port}{path}"


@pytest.fixture
def served(broker: StillBroker, begun: Callable[..., Hall]) -> Iterator[Served]:
    """Four players, two tables, no round yet. What the hall sends is on the broker at once."""
    hall = begun("Mei", "Jun", "한별", "小明")
    hall.on_outgoing = broker.settle
    app = create_app(hall)
    server = Server(app, "127.0.0.1", 0)
    server.start()
    yield Served(broker, hall, app, server.port)
    server.stop()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A browser that complains of nothing."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    page, complaints = context.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    close(context)
    assert complaints == []


def be_referee(page: Page, served: Served) -> None:
    """Type the PIN, and wait until the page's buttons do something."""
    page.goto(served.url())
    expect(page.locator("html[data-drawn]")).to_be_attached()
    page.fill("#pin-typed", served.state.pin)
    page.click("#pin button")
    expect(page.locator("html[data-referee][data-drawn]")).to_be_attached()


def check_read(page: Page, served: Served) -> None:
    """In every language, light or dark, on a small phone and on a large screen, all can be read."""
    for language in LANGUAGES:
        page.emulate_media(color_scheme="dark" if language == "zh-Hant" else "light")
        page.goto(served.url(f"/?lang={language}"))
        expect(page.locator("#cards li")).to_have_count(2)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (language, width)
        page.set_viewport_size({"width": WIDTHS[0], "height": 900})
        assert unreadable(page, AXE.read_text("utf-8")) == [], language


def test_the_referee_leads_a_round(page: Page, served: Served) -> None:
    be_referee(page, served)
    page.click("#next")
    in_play = page.locator("#pairings li[data-state=in-play]")
    expect(in_play).to_have_text([re.compile("being played")] * 2)
    first = page.locator("#pairings li").first
    first.locator("summary").click()
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    assert page.evaluate(BROKEN) == []
    first.get_by_role("button", name="wins").first.click()
    expect(first).to_have_attribute("data-state", "over")
    served.broker.finish("table-1", "table-2")
    expect(page.locator("#pairings li[data-state=over]")).to_have_count(2)
    served.hall.call("table-1", on=True)
    expect(page.locator("#calls p")).to_contain_text("Table table-1: please come to the referee's desk")
    of_table = served.broker.tables["table-2"]
    of_table.referee = "called"
    served.broker.show(of_table)
    wants = page.locator("#calls p", has_text="Table table-2 calls the referee")
    wants.get_by_role("button", name="I am coming").click()
    expect(page.locator("#calls")).to_contain_text("Table table-2: the referee is coming")
    if AXE.exists():
        check_read(page, served)
    page.goto(served.url("/"))
    expect(page.locator("html[data-drawn]")).to_be_attached()
    page.fill("#new-name", "Mei")
    page.click("#add button")
    expect(page.locator("#toast")).to_contain_text("Mei plays already")


def test_each_card_shows_the_version_of_its_table(page: Page, served: Served) -> None:
    served.broker.report(PublishedHealth("table-1", "", "0.2.0", "none", camera_ok=False, camera_fps=0,
                                         phones=1, journal_ok=True, unsent=0))  # fmt: skip
    page.goto(served.url())
    expect(page.locator("#cards .game").first).to_contain_text("0.2.0")


def test_an_evening_by_taps(page: Page, served: Served) -> None:
    """One comes late, one rests, a result is corrected, a table drops out, one goes home, one wins."""
    pairings, standings = page.locator("#pairings li"), page.locator("#rows tr")

    def answered(do: Callable[[], None]) -> None:
        with page.expect_response(lambda each: each.request.method == "POST"):
            do()

    def write(pairing: Locator, button: str) -> None:
        if pairing.locator("details").get_attribute("open") is None:
            pairing.locator("summary").click()
        answered(pairing.get_by_role("button", name=button).first.click)

    be_referee(page, served)
    page.click("#plan summary")
    page.fill("#planned [name=name]", "Autumn cup")
    page.fill("#planned [name=rounds]", "2")
    answered(page.locator("#planned button").click)
    expect(page.locator("#title")).to_have_text("Autumn cup")
    page.fill("#new-name", "Late")
    answered(page.locator("#add button").click)
    expect(standings).to_have_count(5)
    answered(page.locator("#next").click)
    expect(page.locator("#round h2")).to_have_text("Round 1 of 2")
    expect(page.locator("#byes")).to_have_text("Late rests this round")
    first, second = pairings.nth(0), pairings.nth(1)
    write(first, "wins")
    expect(first.locator(".where")).to_contain_text("by the referee")
    expect(first.locator(".who b").first).to_have_text("1")
    write(first, "A draw")
    expect(first.locator(".who b").first).to_have_text("0.5")
    served.broker.go("table-2")
    expect(second).to_have_attribute("data-state", "offline")
    write(second, "Play at Table table-1")
    expect(second).to_have_attribute("data-state", "in-play")
    served.broker.finish("table-1")
    expect(second).to_have_attribute("data-state", "over")
    answered(page.get_by_role("button", name="Leaves: Mei").click)
    expect(page.locator("#rows tr[data-gone]")).to_have_count(1)
    answered(page.locator("#next").click)
    expect(page.locator("#round h2")).to_have_text("Round 2 of 2")
    expect(pairings).to_have_count(2)
    for n in range(2):
        write(pairings.nth(n), "wins")
        expect(pairings.nth(n)).to_have_attribute("data-state", "over")
    expect(page.locator("#winner")).to_be_visible()
    expect(page.locator("#next")).to_be_hidden()
    winners = served.hall.evening.standings()
    expect(page.locator("#winner p")).to_contain_text(winners[0].name)


def test_players_call_the_referee_from_their_match(page: Page, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal.sqlite")
    table = Table(journal, Match.begin(journal, RACE, {}))
    playing = running(table, settings=settings_of(table, broker="mqtt://127.0.0.1"))
    app = create_table(playing, BrokerService(playing))
    server = Server(app, "127.0.0.1", 0)
    server.start()
    page.goto(f"http://127.0.0.1:{server.port}/watch")
    expect(page.locator("html[data-drawn]")).to_be_attached()
    page.click("#menu summary")
    page.get_by_role("button", name="Call the referee").click()
    expect(page.locator("#notices")).to_contain_text("The referee is called.")
    expect(page.locator("#referee")).to_have_attribute("aria-pressed", "true")
    playing.announcements.call_referee("comes")
    expect(page.locator("#notices")).to_contain_text("The referee is coming.")
    page.click("#referee")
    expect(page.locator("#notices")).to_be_empty()
    server.stop()
    journal.close()


def test_the_big_screen_draws_a_board_live(page: Page, served: Served) -> None:
    page.goto(served.url("/big"))
    expect(page.locator("#board svg")).to_be_visible()
    expect(page.locator("#standing li")).to_have_count(2)
    before = page.locator("#newest").inner_text()
    table = served.broker.tables["table-1"]
    for _ in range(3):
        table.advance()
    served.broker.show(table)
    expect(page.locator("#newest")).not_to_have_text(before)


def test_a_card_draws_the_board_of_its_table_live(page: Page, served: Served) -> None:
    page.goto(served.url())
    card = page.frame_locator("#cards li >> nth=0 >> iframe")
    expect(card.locator("#board svg")).to_be_visible()
    before = card.locator("#newest").text_content() or ""
    table = served.broker.tables["table-1"]
    for _ in range(3):
        table.advance()
    served.broker.show(table)
    expect(card.locator("#newest")).not_to_have_text(before)
    assert len(page.frames) == 1 + 2, "one for each table"
    page.locator("#cards li").nth(1).click()
    expect(page).to_have_url(served.url("/boards/table-2"))
