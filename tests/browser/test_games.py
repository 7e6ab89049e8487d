"""What holds for every game's page: nothing is cut off, covered, too small to tap or too pale to read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from companion.games.registry import game, games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.browser.conftest import Phone, Site
from tests.browser.test_every_page import SMALL, axe, faults
from tests.conformance.golden import files, playthrough
from tests.web.conftest import ScriptedCamera
from web.camera_port import CameraState
from web.language import messages_of_page

__all__ = ["axe"]

NARROW = {"width": 320, "height": 640}

SPILLS = """() => {
  const inside = 'button, .button, a, summary, h1, h2, h3, p, li, td, th, dt, dd, label';
  const spills = node => getComputedStyle(node).display !== 'inline'
    && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 2;
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page itself'] : [];
  return [...wide, ...[...document.querySelectorAll(inside)]
    .filter(node => node.checkVisibility({visibilityProperty: true}) && spills(node))
    .map(node => `${node.id} ${node.className}: ${node.textContent.trim().slice(0, 60)}`)];
}"""
"""What is wider than the place that it has."""

COVERED = """() => {
  const box = document.getElementById('toast').getBoundingClientRect();
  return [...document.querySelectorAll('.tray, .sheet, .bar')]
    .map(node => [node.className, node.getBoundingClientRect()])
    .filter(([, other]) => other.height && other.top < box.bottom && box.top < other.bottom)
    .map(([name]) => name);
}"""
"""Which of the places with buttons under the thumb the toast lies on."""


@pytest.fixture
def played() -> float:
    """How much of the match has been played; a test may have its own."""
    return 0.5


@pytest.fixture(params=list(games()))
def slug(request: pytest.FixtureRequest) -> str:
    """Each game."""
    return str(request.param)


@pytest.fixture
def site(journal: Journal, slug: str, played: float) -> Iterator[Site]:
    """A match of that game, as far as was asked for, as its golden playthrough goes; served."""
    head, *lines = playthrough(files(game(slug))[0])
    table = Table(journal, Match.begin(journal, slug, head["options"], head["seats"]))
    moves = [line["move"] for line in lines if "refused" not in line]
    for move in moves[: round(played * len(moves))]:
        rules = table.match.game
        table.play(move, "phone", seat=rules.private_to(rules.move(move)))
    made = Site(table, ScriptedCamera())
    made.begin()
    yield made
    made.stop()


def settled(page: Page) -> Page:
    """The page, drawn."""
    expect(page.locator("#status")).not_to_be_empty()
    return page


@pytest.mark.parametrize("locale", ["en-GB", "zh-TW", "ko-KR"])
def test_nothing_is_cut_off_on_a_narrow_phone(phone: Phone, locale: str) -> None:
    page = settled(phone(locale=locale, viewport=NARROW))
    assert page.evaluate(SPILLS) == []


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
def test_text_may_be_twice_as_large(phone: Phone, locale: str) -> None:
    page = settled(phone(locale=locale))
    before = page.locator("#status").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    after = page.locator("#status").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert after == pytest.approx(2 * before)
    assert page.evaluate(SPILLS) == []


def test_everything_to_tap_is_large_enough(phone: Phone) -> None:
    assert settled(phone(viewport=NARROW)).evaluate(SMALL) == []


def test_a_refusal_covers_no_button_under_the_thumb(phone: Phone) -> None:
    page = settled(phone(reduced_motion="reduce"))
    refused = "import('/static/toast.js').then(({toast}) => toast('Not now. '.repeat(9), 'refusal'))"
    page.evaluate(f"() => {refused}")
    expect(page.locator("#toast")).to_have_css("opacity", "1")
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing(phone: Phone, axe: str, scheme: str) -> None:
    page = settled(phone(color_scheme=scheme, reduced_motion="reduce"))
    assert faults(page, axe) == []


class TestTheEnd:
    """When a match is over."""

    @pytest.fixture
    def played(self) -> float:
        return 1.0

    def test_the_next_match_is_a_tap_away_and_its_form_open(self, phone: Phone, site: Site) -> None:
        page = settled(phone())
        page.locator("#another").tap()
        page.wait_for_url("**/history#new")
        expect(page.locator("#which")).to_have_value(site.table.match.game.slug)
        expect(page.locator("form[data-game]:not([hidden]) .main")).to_be_visible()

    def test_nothing_is_cut_off_on_a_narrow_phone(self, phone: Phone) -> None:
        page = settled(phone(viewport=NARROW))
        assert page.evaluate(SPILLS) == []
        assert page.evaluate(SMALL) == []

    @pytest.mark.parametrize("scheme", ["dark", "light"])
    def test_axe_finds_nothing(self, phone: Phone, axe: str, scheme: str) -> None:
        page = settled(phone(color_scheme=scheme, reduced_motion="reduce"))
        assert faults(page, axe) == []


def test_before_the_end_no_other_match_is_offered(phone: Phone) -> None:
    page = settled(phone())
    expect(page.locator("#another")).to_be_hidden()
    expect(page.locator("#redo")).to_be_visible()


NEWEST = """() => {
  const line = document.querySelector("#last-moves .moves").getBoundingClientRect();
  return [...document.querySelectorAll("#last-moves .moves span")].filter(node => {
    const box = node.getBoundingClientRect();
    return box.top < line.bottom - 1 && box.left >= line.left - 1 && box.right <= line.right + 1;
  }).reverse().map(node => node.textContent);
}"""
"""The moves that are seen in the line, the newest last."""

UNDER = """() => {
  const line = document.getElementById("last-moves").getBoundingClientRect();
  return [...document.querySelectorAll(".bar, .tray, main button, main a, main summary")]
    .filter(node => node.id !== "last-moves" && node.checkVisibility({visibilityProperty: true}))
    .filter(node => {
      const box = node.getBoundingClientRect();
      return box.height && box.top < line.bottom - 1 && line.top < box.bottom - 1
        && box.left < line.right && line.left < box.right;
    })
    .map(node => node.id || node.className);
}"""
"""What the line lies on, with the page scrolled to its end."""


class TestLastMoves:
    """The line of the last moves in notation."""

    @pytest.mark.parametrize("width", [320, 1280])
    def test_the_newest_stands_last_and_whole_and_nothing_is_covered(
        self, phone: Phone, site: Site, width: int
    ) -> None:
        page = settled(phone(viewport={"width": width, "height": 700}))
        last = site.table.view().match.last
        line = page.evaluate(NEWEST)
        assert line
        assert line == list(last[-len(line) :])
        page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
        assert page.evaluate(UNDER) == []

    def test_a_tap_says_what_the_notation_means(self, phone: Phone, site: Site, axe: str) -> None:
        page = settled(phone(viewport=NARROW, reduced_motion="reduce"))
        page.locator("#last-moves").tap()
        sheet = page.get_by_role("dialog", name="Last moves")
        expect(sheet.get_by_role("listitem")).to_have_text(list(site.table.view().match.last))
        how = messages_of_page(site.table.match.game.slug).say("notation.how", "en")
        expect(sheet.get_by_text(how)).to_be_visible()
        assert faults(page, axe) == []
        assert page.evaluate(SPILLS) == []
        assert page.evaluate(SMALL) == []
        sheet.get_by_role("button", name="Close").tap()
        expect(sheet).to_be_hidden()


class TestTheStart:
    """Before the first move."""

    @pytest.fixture
    def played(self) -> float:
        return 0.0

    def test_the_first_move_makes_room_for_no_line(self, phone: Phone, site: Site) -> None:
        page = phone()
        line = page.locator("#last-moves")
        expect(line).to_be_hidden()
        height = "() => document.getElementById('last-moves').offsetHeight"
        before = page.evaluate(height)
        game, state = site.table.match.game, site.table.match.state
        site.table.play(
            next(move for move in game.legal_moves(state) if game.private_to(move) is None), "phone"
        )
        expect(line).to_be_visible()
        expect(line.locator(".moves span")).to_have_text(list(site.table.view().match.last)[::-1])
        assert page.evaluate(height) == before


BROKEN = """() => {
  const title = document.querySelector("h1").firstChild;
  return [...title.data.matchAll(/\\S+/g)].filter(word => {
    const range = document.createRange();
    range.setStart(title, word.index);
    range.setEnd(title, word.index + word[0].length);
    return new Set([...range.getClientRects()].map(box => box.top)).size > 1;
  }).map(word => word[0]);
}"""
"""Which words of the page's title stand on two lines."""


@pytest.mark.parametrize("locale", ["en-GB", "ko-KR"])
@pytest.mark.parametrize("width", [320, 390])
def test_no_word_of_the_title_is_broken_whatever_stands_beside_it(
    phone: Phone, site: Site, locale: str, width: int
) -> None:
    page = settled(phone(locale=locale, viewport={"width": width, "height": 700}))
    words = messages_of_page(site.table.match.game.slug)
    for kind in ("ok", "unplugged", "overexposed"):
        site.camera.status = CameraState(kind)  # type: ignore[arg-type,union-attr]
        site.table.notify()
        expect(page.locator("#camera-said")).to_have_text(words.say(f"web.eye-{kind}", locale[:2]))
        assert page.evaluate(BROKEN) == [], kind
        assert page.evaluate(SPILLS) == [], kind
