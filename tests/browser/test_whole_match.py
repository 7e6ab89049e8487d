"""One match of every game on two telephones and a big screen at once, from Join to Rematch."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from companion.games.registry import games
from tests.browser.conftest import Phone, Site
from tests.browser.states import golden, play

NOBODY = {"storage_state": {"cookies": [], "origins": []}}
"""A phone that was never here."""

LAST_MOVES = 3
"""The moves at the end of a match that a phone sends itself."""


def joined(phone: Phone, name: str) -> Page:
    """A new phone whose player gives a name and taps Join."""
    page = phone("/join", **NOBODY)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join", exact=True).tap()
    return page


def send(page: Page, site: Site, path: str, body: dict[str, Any]) -> None:
    """Post as this phone does, from outside its page: the page may load again before an answer comes."""
    answer = page.request.post(site.url(path), data=body)
    assert answer.ok, answer.text()


def play_to_the_end(page: Page, site: Site, slug: str) -> None:
    """Play the game's golden match: the last moves come from the page's own phone."""
    head, moves = golden(slug)
    send(page, site, "/api/matches", {"game": slug, "options": head["options"], "seats": head["seats"]})
    play(site.table, moves[:-LAST_MOVES])
    expect(page.locator(f"html[data-drawn][data-game={slug}]")).to_be_visible()
    rules = site.table.match.game
    for move in moves[-LAST_MOVES:]:
        if rules.private_to(rules.move(move)) is None:
            send(page, site, "/api/moves", {"move": move})


def test_every_game_is_played_from_join_to_rematch_on_two_phones_and_a_screen(
    phone: Phone, site: Site
) -> None:
    host = joined(phone, "Ada")
    host.wait_for_selector("#picture")
    guest = joined(phone, "Bo")
    expect(guest.locator("#waiting-how")).to_contain_text("number 1")
    host.get_by_role("button", name="Let in").tap()
    guest.wait_for_selector("#picture")
    screen = phone("/display", has_touch=False, is_mobile=False, viewport={"width": 1280, "height": 800})
    for slug in games():
        play_to_the_end(host, site, slug)
        for page in (host, guest):
            expect(page.locator(f"html[data-game={slug}] #ended h2")).to_be_visible()
        expect(screen.locator(f"html[data-game={slug}] #turn[data-over]")).to_be_visible()
        assert host.locator("#ended h2").inner_text() == guest.locator("#ended h2").inner_text()
        guest.get_by_role("button", name="Rematch").tap()
        expect(guest.locator("#rematch")).to_be_disabled()
        expect(host.locator("#wants")).to_have_text("Bo wants a rematch")
        host.get_by_role("button", name="Yes, again").tap()
        for page in (host, guest):
            expect(page.locator("#ended")).to_be_hidden()
            expect(page.locator("#seat")).to_have_text("Ada" if page is host else "Bo")
        expect(screen.locator("#turn[data-over]")).to_have_count(0)
        assert (site.table.match.moves, site.table.match.game.slug) == ((), slug)
