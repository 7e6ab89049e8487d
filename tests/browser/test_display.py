"""The big screen in a real browser: it can be read from afar, and follows the table by itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.games.registry import games
from companion.players.table_players import OpponentNow
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import CONTRAST, SHIFTS, SPILLS, axe, faults, jumps, left_of
from tests.browser.states import golden, play
from tests.conftest import OPENING
from tests.running import replace_services, state_of

__all__ = ["axe"]

SMALLEST_PX = {(1920, 1080): 28.0, (1280, 800): 20.0}
"""The least size of any text, in px, by the size of the screen.

On a television of 55 inches both are about 17 mm high, which people read from 4 m.
"""

SMALL = """() => {
  const least = globalThis.least;
  const small = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: node } = texts.currentNode;
    if (!data.trim() || !node.getClientRects().length || node.closest('.unseen, noscript')) continue;
    const drawn = node instanceof SVGElement ? node.getScreenCTM() : null;
    const px = parseFloat(getComputedStyle(node).fontSize) * (drawn ? Math.hypot(drawn.a, drawn.b) : 1);
    if (px < least) small.push(`${data.trim()}: ${px} px`);
  }
  return small;
}"""
"""What is written smaller than `globalThis.least`."""

OUTSIDE = """() => [...document.querySelectorAll('#board > *, #side > *')]
  .filter(node => node.checkVisibility() && node.getBoundingClientRect().bottom > innerHeight + 1)
  .map(node => node.id || node.className)"""
"""What is lost below the edge of the screen, where nobody can scroll."""

COVERED = """() => {
  const side = [...document.querySelectorAll('#side > *')];
  const boxes = side.map(node => node.getBoundingClientRect());
  const isCovering = n => n && boxes[n].height && boxes[n].top < boxes[n - 1].bottom - 1;
  return side.filter((_, n) => isCovering(n)).map(({id}) => id);
}"""
"""What lies on the part of the side that stands above it."""


@pytest.mark.parametrize("locale", rest_slow("en-GB", "ko-KR"))
def test_every_game_can_be_read_from_four_metres_on_a_screen_that_changes_by_itself(
    phone: Phone, site: Site, axe: str, locale: str
) -> None:
    page = phone("/join", has_touch=False, is_mobile=False, locale=locale, reduced_motion="reduce")
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url("/display"))
    for slug in games():
        head, moves = golden(slug)
        site.table.begin(slug, head["options"], head["seats"])
        play(site.table, moves[: len(moves) // 2])
        # The match begins and has moves at once: the screen may load once for each.
        expect(page.locator(f"html[data-drawn][data-game={slug}][data-idle='']")).to_be_visible()
        for (width, height), least in SMALLEST_PX.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("least => { globalThis.least = least; }", least)
            assert left_of(page, SMALL) == [], (slug, width)
            assert left_of(page, OUTSIDE) == [], (slug, width)
        assert faults(page, axe) == [], slug
        page.emulate_media(color_scheme="light")
        assert faults(page, axe, CONTRAST) == [], slug
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size({"width": 320, "height": 640})
        assert left_of(page, SPILLS) == [], slug


def test_news_between_matches_covers_nothing_where_five_have_played(phone: Phone, site: Site) -> None:
    head, moves = golden("chop-chop")
    site.table.begin("chop-chop", head["options"], head["seats"])
    play(site.table, moves)
    page = phone("/display", has_touch=False, is_mobile=False, viewport={"width": 1280, "height": 800})
    expect(page.locator("#standing li")).to_have_count(5)
    assert left_of(page, COVERED) == []
    assert page.locator("#newest").evaluate("said => said.scrollHeight <= said.clientHeight")


def test_a_move_on_a_phone_is_seen_on_the_big_screen(phone: Phone, site: Site) -> None:
    page = phone("/join", has_touch=False, is_mobile=False, viewport={"width": 1920, "height": 1080})
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url("/display"))
    expect(page.locator("#turn")).to_have_text("Cat to play")
    site.table.play(OPENING[0], "phone")
    expect(page.locator("#turn")).to_have_text("Dog to play")
    expect(page.locator("#newest")).to_have_text("Cat 1 is on the bed")
    expect(page.locator("#board .tile")).to_have_count(1)
    assert site.app
    state_of(site.app).running.announcements.call_referee("called")
    site.table.notify()
    expect(page.locator("#outside")).to_have_text("The referee is called.")
    assert jumps(page) == []


class Asks:
    """Asks a person to make one move for the cat."""

    def __init__(self, move: object) -> None:
        self._move = move

    def can_hint(self) -> bool:
        return False

    def status(self) -> OpponentNow:
        return OpponentNow("cat", "top", move=self._move)


def test_what_to_do_for_the_table_is_drawn_and_said(phone: Phone, site: Site) -> None:
    page = phone("/join", has_touch=False, is_mobile=False)
    assert site.app
    replace_services(site.app, opponent=Asks(OPENING[0]))
    site.table.notify()
    page.goto(site.url("/display"))
    expect(page.locator("#turn")).to_have_text("Cat: lay my 1 as drawn.")
    expect(page.locator(".ghost-shape.free")).to_be_visible()
    page.goto("about:blank")  # The screen would load once more by itself for another game.
    head, moves = golden("chop-chop")
    asked = next(n for n, move in enumerate(moves) if move["move"] == "go" and move["piece"] == "cat")
    site.table.begin("chop-chop", head["options"], head["seats"])
    play(site.table, moves[:asked])
    replace_services(site.app, opponent=Asks(moves[asked]))
    site.table.notify()
    for address, line in (("/display", "#turn"), ("/", "#status")):
        page.goto("about:blank")
        page.goto(site.url(address))
        expect(page.locator(line)).to_contain_text("move the cat to")
