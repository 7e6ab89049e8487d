"""Seats on real phones: scanning, typing, standing up, being thrown out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from conftest import PATIENCE_MS, close
from tests.browser.conftest import PHONE, SAID_WHILE_AWAY, rest_slow
from tests.browser.reading import SMALL
from tests.running import pages_of
from tests.whispers.moves import DRAW, tell
from web.app_state import AppState
from web.server import Server

Phone = Callable[..., Page]


@pytest.fixture
def table(journal: Journal, whispers: str) -> Table:
    """Whispers for three, all named."""
    made = Table(journal, Match.begin(journal, whispers, {}, 3))
    made.name_players({"east": "Mei"}, "phone")
    return made


@pytest.fixture
def server(table: Table) -> Iterator[Server]:
    """Its pages."""
    made = Server(pages_of(table, None), "127.0.0.1", 0)
    made.start()
    yield made
    made.stop()


@pytest.fixture
def phone(chromium: Browser, server: Server) -> Iterator[Phone]:
    """Opens a page on a phone of its own; no page may have complained of anything."""
    complaints: list[str] = []
    contexts = []

    def note(text: str) -> None:
        if not any(each in text for each in SAID_WHILE_AWAY):
            complaints.append(text)

    def opened(path: str = "/seats", **changed: Any) -> Page:
        context = chromium.new_context(**{**PHONE, **changed})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: note(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: note(str(error)))
        page.goto(url(server, path))
        return page

    yield opened
    for context in contexts:
        close(context)
    assert not complaints


def url(server: Server, path: str) -> str:
    """The address of a page."""
    return f"http://127.0.0.1:{server.port}{path}"


def links(page: Page) -> dict[str, str]:
    """What stands behind the `#` of each QR code that a phone shows."""
    rows = page.evaluate("() => fetch('/api/seats').then((answer) => answer.json())")["seats"]
    return {row["seat"]: row["link"] for row in rows}


def seat_row(page: Page, name: str) -> Any:
    """The row of a seat."""
    return page.locator("#seats li").filter(has_text=name)


def app_state_of(server: Server) -> AppState:
    """What the pages of a server are about."""
    return server._state


@pytest.fixture
def north(phone: Phone, server: Server) -> Page:
    """A phone that sat down by itself, and is at the table."""
    page = phone()
    seat_row(page, "North").get_by_role("button", name="Join here").tap()
    page.wait_for_url(url(server, "/"))
    return page


def test_a_phone_sits_down_and_its_hand_is_shown_to_it_alone(phone: Phone, table: Table, north: Page) -> None:
    other = phone("/")
    expect(north.locator("#seat")).to_have_text("North")
    expect(other.locator("#seat")).to_have_text("Join")
    table.play(DRAW, "phone")
    table.play(tell("north", 4), "phone", seat="north")
    expect(north.locator("#view")).to_contain_text('"hand": [\n  4\n ]')
    expect(other.locator("#view")).to_contain_text('"north": 1')
    expect(other.locator("#view")).to_contain_text('"hand": []')


def test_a_scanned_code_seats_the_phone_and_stands_in_no_address(
    phone: Phone, server: Server, north: Page
) -> None:
    scanned = phone(f"/seats#{links(north)['east']}")
    scanned.wait_for_url(url(server, "/"))
    expect(scanned.locator("#seat")).to_have_text("Mei")
    expect(north.locator("#toast")).to_have_text("Mei has joined.")
    scanned.go_back()
    assert "#" not in scanned.url


def test_the_qr_code_is_shown_when_asked_for(phone: Phone) -> None:
    page = phone()
    page.get_by_role("button", name="Show the codes here").tap()
    row = seat_row(page, "South")
    expect(row.get_by_role("img")).to_have_count(0)
    row.get_by_role("button", name="QR code").tap()
    picture = row.get_by_role("img", name="QR code for the seat: South")
    expect(picture).to_be_visible()
    assert picture.evaluate("node => node.decode().then(() => node.naturalWidth > 0)")
    row.get_by_role("button", name="QR code").tap()
    expect(row.get_by_role("img")).to_have_count(0)


def test_who_may_just_sit_down_is_asked_for_no_code(phone: Phone) -> None:
    page = phone()
    expect(seat_row(page, "North").get_by_role("button", name="Join here")).to_be_visible()
    expect(page.get_by_label("Seat code")).to_be_hidden()
    expect(page.locator("#mine-how")).to_contain_text("Tap a seat")


def test_a_typed_code_seats_the_phone(phone: Phone, server: Server, north: Page) -> None:
    shown = phone()
    expect(shown.locator("#elsewhere")).to_be_visible()
    expect(shown.locator(".short-code")).to_have_count(0)
    north.goto(url(server, "/seats"))
    code = seat_row(north, "South").locator(".short-code").text_content()
    shown.get_by_label("Seat code").fill("000 000" if code != "000 000" else "000 001")
    shown.get_by_role("button", name="Join", exact=True).tap()
    expect(shown.locator("#toast")).to_contain_text("That code doesn't match a free seat")
    shown.get_by_label("Seat code").fill(code or "")
    shown.get_by_role("button", name="Join", exact=True).tap()
    shown.wait_for_url(url(server, "/"))
    expect(shown.locator("#seat")).to_have_text("South")


def test_who_sits_is_asked_before_moving_to_a_scanned_seat(
    phone: Phone, server: Server, north: Page, table: Table
) -> None:
    link = links(north)["south"]
    north.goto(url(server, f"/seats#{link}"))
    expect(north.get_by_text("Move to the seat that you scanned?")).to_be_visible()
    north.get_by_role("button", name="Cancel").tap()
    expect(north.get_by_role("button", name="Leave the seat")).to_be_visible()
    assert table.seats.seating.taken == ("north",)
    north.goto(url(server, "/"))
    north.goto(url(server, f"/seats#{link}"))
    north.get_by_role("button", name="Join", exact=True).tap()
    north.wait_for_url(url(server, "/"))
    assert table.seats.seating.taken == ("south",)


def test_who_is_thrown_out_is_shown_nothing_more_and_told_so(
    phone: Phone, server: Server, north: Page, table: Table
) -> None:
    table.play(DRAW, "phone")
    table.play(tell("north", 4), "phone", seat="north")
    expect(north.locator("#view")).to_contain_text('"hand": [\n  4\n ]')
    east = phone(f"/seats#{links(north)['east']}")
    east.wait_for_url(url(server, "/"))
    east.goto(url(server, "/seats"))
    row = seat_row(east, "North")
    expect(row.get_by_role("button", name="Remove this phone")).to_have_count(0)
    pin = app_state_of(server).pin
    east.get_by_label("Host's PIN").fill(f"{pin[:3]} {pin[3:]}")
    with east.expect_navigation():
        east.get_by_role("button", name="Become the host").tap()
    expect(east.locator("#host-pin")).to_contain_text(pin[:3])
    row.get_by_role("button", name="Remove this phone").tap()
    expect(row).to_contain_text("For a lost phone")
    row.get_by_role("button", name="Cancel").tap()
    expect(row).not_to_contain_text("For a lost phone")
    assert table.seats.seating.taken == ("north", "east")
    row.get_by_role("button", name="Remove this phone").tap()
    expect(row).to_contain_text("For a lost phone")
    row.get_by_role("button", name="Remove this phone").tap()
    expect(row.locator(".state")).to_have_text("free")
    expect(north.locator("#toast")).to_have_text("This phone has lost its seat: North.")
    expect(north.locator("#view")).to_contain_text('"hand": []')
    expect(north.locator("#seat")).to_have_text("Join")
    assert '"hand":[4]' not in north.content()


def test_a_watcher_asks_and_is_let_in_with_a_tap(
    phone: Phone, server: Server, north: Page, table: Table
) -> None:
    watcher = phone()
    expect(seat_row(watcher, "North")).to_contain_text("free in 4:5")
    watcher.get_by_role("button", name="Ask to join").tap()
    expect(watcher.locator("#asked-in")).to_contain_text("(phone 1)")
    expect(north.locator("#door")).to_contain_text("Phone 1 asks to join.")
    north.goto(url(server, "/seats"))
    north.get_by_role("button", name="Let phone 1 in").tap()
    expect(watcher.locator("#mine-how")).to_contain_text("This phone has been let in")
    north.get_by_role("button", name="Remove 1 phone without a seat").tap()
    expect(watcher.get_by_role("button", name="Ask to join")).to_be_visible()


def test_standing_up_frees_the_seat(server: Server, north: Page, table: Table) -> None:
    north.goto(url(server, "/seats"))
    north.get_by_role("button", name="Leave the seat").tap()
    expect(north.locator("#mine-title")).to_have_text("This phone is watching")
    assert table.seats.seating.taken == ()
    expect(seat_row(north, "North")).to_contain_text("free")


def test_a_screen_of_the_table_shows_every_free_seats_code(
    phone: Phone, server: Server, table: Table
) -> None:
    screen = phone(viewport={"width": 1280, "height": 800})
    screen.get_by_role("button", name="Show the codes here").click()
    expect(screen.locator("#seats img")).to_have_count(3)
    scanned = phone(f"/seats#{links(screen)['east']}")
    scanned.wait_for_url(url(server, "/"))
    expect(screen.locator("#seats img")).to_have_count(2)
    expect(seat_row(screen, "Mei")).to_contain_text("in use")
    screen.get_by_role("button", name="Hide the codes").click()
    expect(screen.locator("#seats img")).to_have_count(0)
    assert table.seats.free() == ("north", "south")


@pytest.mark.parametrize(
    ("locale", "width"), rest_slow(("ko-KR", 320), ("en-GB", 320), ("zh-TW", 390), ("en-GB", 844))
)
def test_everything_fits_and_can_be_tapped(phone: Phone, server: Server, locale: str, width: int) -> None:
    page = phone(locale=locale, viewport={"width": width, "height": 700})

    def check() -> None:
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.evaluate(SMALL) == []

    expect(page.locator("#seats li")).to_have_count(3)
    check()
    page.locator("#mine-do button").tap()
    if width < 700:
        page.get_by_role("button", expanded=False).first.tap()
    expect(page.locator("#seats img").first).to_be_visible()
    check()
    scanned = phone(f"/seats#{links(page)['east']}", locale=locale)
    scanned.wait_for_url(url(server, "/"))
    page.locator("#seats li button").last.tap()
    page.wait_for_url(url(server, "/"))
    check()
    assert page.locator("h1").evaluate("node => node.clientWidth") >= 60
    page.goto(url(server, "/seats"))
    page.locator("#seats .aside").tap()
    expect(page.locator("#seats .warning")).to_be_visible()
    check()


def test_a_game_that_hides_nothing_says_so(phone: Phone, server: Server, table: Table) -> None:
    table.begin("cat-and-mouse", {})
    page = phone()
    expect(page.get_by_text("This game has no secrets")).to_be_visible()
    page.goto(url(server, "/"))
    expect(page.locator("#seat")).to_be_hidden()
