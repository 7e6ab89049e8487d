"""A phone without a connection shows how the table stood, and the table again once it answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.games.registry import games
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import axe, faults
from tests.browser.states import golden, play
from tests.conftest import OPENING

__all__ = ["axe"]

KEPT = """async moves => {
  await navigator.serviceWorker.ready;
  const page = await (await caches.open('offline')).match('/offline');
  return page && JSON.parse((await page.text()).match(/id="now">(.*?)<\\/script>/)[1]).match.moves === moves;
}"""
"""Whether the phone has kept the table after that many moves."""


def test_it_shows_how_the_table_stood_until_the_table_answers_again(
    phone: Phone, site: Site, axe: str
) -> None:
    page = phone(service_workers="allow")
    page.wait_for_function(KEPT, arg=0)
    play(site.table, OPENING[:1])
    expect(page.locator("#bed .tile")).to_have_count(1)
    # To leave a page is what putting the phone away is to it.
    page.goto(site.url("/history"))
    page.wait_for_function(KEPT, arg=1)
    site.stop()
    # That page looks by itself now and then; here only the tap looks.
    page.add_init_script("globalThis.setInterval = () => 0;")
    page.goto(site.url("/"))
    expect(page.get_by_text("No connection to the table.")).to_be_visible()
    expect(page.locator("#offline-at")).to_contain_text("This is how it stood at")
    expect(page.locator("#bed .tile")).to_have_count(1)
    assert faults(page, axe) == []
    site.begin()
    page.get_by_role("button", name="Try again").tap()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.get_by_text("No connection to the table.")).to_have_count(0)


@pytest.mark.parametrize("slug", rest_slow(*games()))
def test_every_game_is_drawn_without_the_table(phone: Phone, site: Site, slug: str) -> None:
    head, moves = golden(slug)
    site.table.begin(slug, head["options"], head["seats"])
    play(site.table, moves[: len(moves) // 2])
    page = phone(service_workers="allow")
    page.wait_for_function(KEPT, arg=site.table.match.view().moves)
    drawn = page.locator("main svg, main .card").count()
    site.stop()
    page.reload()
    expect(page.get_by_text("No connection to the table.")).to_be_visible()
    expect(page.locator("html[data-drawn]")).to_be_visible()
    assert drawn and page.locator("main svg, main .card").count()
