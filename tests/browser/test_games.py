"""What holds for every game's page, in every state: all can be read and pressed, and nothing jumps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.camera_status import CameraState
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import SHIFTS, SPILLS, axe, jumps, left_of, unreadable
from tests.browser.states import Moves, golden, keep_pictures, last_moves, play, settled, states
from tests.web.conftest import ScriptedCamera
from web.language import messages_of_page

__all__ = ["axe"]

NARROW = {"width": 320, "height": 640}
SIZES = ((390, 844), (320, 568), (1280, 800))
LOOKS = 70
"""The most looks at a page in a match: in a long one, several moves are played before each."""
LANGUAGES = {"en-GB": "en", "zh-TW": "zh-Hant", "ko-KR": "ko"}

IN_PLACE = """() => {
  const box = document.getElementById('toast').getBoundingClientRect();
  const place = document.querySelector('#status .bubble, p#status').getBoundingClientRect();
  return Math.abs(box.top - place.top) + Math.abs(box.left - place.left) + Math.abs(box.right - place.right);
}"""
"""How far a refusal lies from the page's one sentence, in px."""

COVERED = """() => {
  const box = document.getElementById('toast').getBoundingClientRect();
  return [...document.querySelectorAll('.tray, .sheet, .bar')]
    .map(node => [node.className, node.getBoundingClientRect()])
    .filter(([, other]) => other.height && other.top < box.bottom && box.top < other.bottom)
    .map(([name]) => name);
}"""
"""Which of the places with buttons under the thumb the toast lies on."""

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

BLANK = """() => {
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const lines = [...document.querySelectorAll(".tray:not([hidden]) > *")]
    .map(node => node.getBoundingClientRect()).filter(box => box.height);
  return Math.max(0, ...lines.map((box, n) => (lines[n + 1] ?? bar).top - box.bottom));
}"""
"""The px of a tray between two lines, or under its last one, that hide the board for nothing."""

TAKEN = """() => {
  const tray = document.querySelector(".tray:not([hidden])");
  if (!tray) return 0;
  const drawn = [...tray.children].map(node => node.getBoundingClientRect()).filter(box => box.height);
  const { left, top } = tray.getBoundingClientRect();
  const seen = document.elementFromPoint(left + 20, top + 4);
  return tray.contains(seen) ? Math.min(...drawn.map(box => box.top)) - top : 0;
}"""
"""The px at the start of a tray that take taps from the board for nothing."""

TRAY = """() => {
  const tray = document.querySelector("#tray, .tray");
  const full = node => node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1;
  return [tray.offsetHeight, [...tray.querySelectorAll("button")].filter(node => node.offsetHeight).length,
    [...document.querySelectorAll(".bubble, p.status, .bar > *, #tray button, .tray button")]
      .filter(node => node.offsetHeight && full(node)).map(node => node.outerHTML.slice(0, 120))];
}"""
"""Height of the tray (0: hidden), its number of buttons, and what clips a text there or in the sentence."""

FINGERS = """() => [...document.querySelectorAll("button, a, summary, label")].flatMap(node => {
  const { left, top, width, height } = node.getBoundingClientRect();
  const under = width && height ? document.elementFromPoint(left + width / 2, top + height / 2) : null;
  return under && node.contains(under) ? [[node.outerHTML.slice(0, 120), under]] : [];
})"""
"""The node that a finger on the middle of each thing to tap would touch, with the thing."""

TEXT = "() => parseFloat(getComputedStyle(document.getElementById('status')).fontSize)"


@pytest.fixture(params=rest_slow(*games()))
def slug(request: pytest.FixtureRequest) -> str:
    """Each game."""
    return str(request.param)


def each_once(slugs: Iterable[str], others: Iterable[Any]) -> list[Any]:
    """Each game with each of the others; `make test` takes one a game, not the same for all."""
    others = list(others)
    return [
        pytest.param(slug, other, marks=[] if n % len(others) == m else pytest.mark.slow)
        for n, slug in enumerate(slugs)
        for m, other in enumerate(others)
    ]


@pytest.fixture
def moves(slug: str) -> Moves:
    """The moves of its golden playthrough."""
    return golden(slug)[1]


@pytest.fixture
def site(journal: Journal, slug: str) -> Iterator[Site]:
    """A new match of that game as its golden playthrough begins; served."""
    head, _ = golden(slug)
    made = Site(Table(journal, Match.begin(journal, slug, head["options"], head["seats"])), ScriptedCamera())
    made.begin()
    yield made
    made.close()


class Checks:
    """What is looked at in one state more than in every other."""

    def __init__(self, page: Page, site: Site, language: str) -> None:
        self.page, self.site = page, site
        self.words, self.language = messages_of_page(site.table.match.game.slug), language

    def at(self, state: str) -> None:
        """Look at what is asked of this state."""
        own = {
            "start": self._start,
            "half": self._half,
            "notation": self._notation,
            "refused": self._refused,
            "end": self._end,
        }
        own.get(state, lambda: None)()

    def taps_outlive_news(self, state: str) -> None:
        """A finger that is down when news come still taps: the browser drops a tap whose node has gone."""
        self.page.evaluate(f"() => {{ window.fingers = ({FINGERS})(); }}")
        self._camera_says("overexposed")
        self._camera_says("ok")
        gone = "() => window.fingers.filter(([, under]) => !under.isConnected).map(([name]) => name)"
        assert self.page.evaluate(gone) == [], state

    def _camera_says(self, kind: Any) -> None:
        self.site.camera.status = CameraState(kind)  # type: ignore[union-attr]
        self.site.table.notify()
        said = self.words.say(f"web.eye-{kind}", self.language)
        expect(self.page.locator("#camera-said")).to_have_text(said)

    def _start(self) -> None:
        self.page.wait_for_function(f"() => ({BLANK})() < 12 && ({TAKEN})() < 12")

    def _half(self) -> None:
        for width in (1280, 320):
            self.page.set_viewport_size({"width": width, "height": 700})
        self.page.evaluate("() => scrollTo(0, 0)")
        self.page.wait_for_function(f"() => ({BLANK})() < 12")
        self._title()
        self.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        before = self.page.evaluate(TEXT)
        self.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        assert self.page.evaluate(TEXT) == pytest.approx(2 * before)
        self.page.set_viewport_size({"width": 390, "height": 844})
        assert left_of(self.page, SPILLS) == [], "text may be twice as large"
        self.page.evaluate("() => { document.documentElement.style.fontSize = ''; }")
        self.page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        assert self.page.locator("#ended").is_hidden()

    def _title(self) -> None:
        """No word of the title is broken, whatever the camera's chip says beside it."""
        for kind in ("unplugged", "overexposed", "ok"):
            self._camera_says(kind)
            assert left_of(self.page, BROKEN) == [], kind

    def _notation(self) -> None:
        sheet = self.page.locator("#notation")
        expect(sheet.get_by_role("listitem")).to_have_text(last_moves(self.page, self.site.table))
        expect(sheet.get_by_text(self.words.say("notation.how", self.language))).to_be_visible()

    def _refused(self) -> None:
        expect(self.page.locator("#toast")).to_have_css("opacity", "1")
        assert left_of(self.page, COVERED) == []
        assert self.page.evaluate(IN_PLACE) < 1
        self.page.locator("h1").tap()
        expect(self.page.locator("#toast")).to_have_css("opacity", "0")

    def _end(self) -> None:
        expect(self.page.locator("#ended h2")).to_be_visible()


@pytest.mark.parametrize(("slug", "locale"), each_once(games(), LANGUAGES), indirect=["slug"])
def test_every_state_can_be_read_and_pressed(
    phone: Phone, site: Site, axe: str, moves: Moves, locale: str
) -> None:
    page = phone(locale=locale, viewport=NARROW, reduced_motion="reduce")
    checks = Checks(page, site, LANGUAGES[locale])
    seen = []
    for state in states(page, site.table, moves):
        seen.append(state)
        checks.at(state)
        checks.taps_outlive_news(state)
        assert unreadable(page, axe) == [], state
        keep_pictures(page, f"{site.table.match.game.slug}-{LANGUAGES[locale]}-{state}")
    assert {"start", "half", "notation", "refused", "lost", "end"} <= set(seen)


@pytest.mark.parametrize(("slug", "size"), each_once(games(), SIZES), indirect=["slug"], ids=str)
def test_nothing_jumps_and_the_tray_keeps_its_height_while_a_match_is_played(
    phone: Phone, site: Site, moves: Moves, size: tuple[int, int]
) -> None:
    page = phone("/join", viewport={"width": size[0], "height": size[1]})
    page.add_init_script(f"({SHIFTS})()")
    page.goto(site.url("/"))
    assert jumps(page) == [], "while it is loaded"
    heights = set()
    at_once = 1 + len(moves) // LOOKS
    for first in range(0, len(moves), at_once):
        some = moves[first : first + at_once]
        play(site.table, some)
        settled(page, site.table)
        assert jumps(page) == [], some
        height, buttons, clipped = page.evaluate(TRAY)
        assert (clipped == []) if buttons else (height == 0), some
        heights.add(height)
    assert len(heights - {0}) == 1


def test_a_rematch_is_a_tap_away(phone: Phone, site: Site, moves: Moves) -> None:
    play(site.table, moves)
    before = site.table.snapshot.view().match
    page = phone()
    page.locator("#rematch").tap()
    expect(page.locator("#ended h2")).to_be_hidden()
    now = site.table.snapshot.view().match
    assert now.id != before.id
    assert (now.game, now.options, now.seats) == (before.game, before.options, before.seats)
