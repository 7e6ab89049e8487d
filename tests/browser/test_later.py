"""What a game's page loads after its first view: sounds, what keeps the screen on, the chart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.states import golden, play
from tests.conftest import OPENING

HEARD = """globalThis.heard = [];
const note = (...what) => globalThis.heard.push(what.join(' '));
navigator.vibrate = ms => note('buzz', ms);
speechSynthesis.speak = ({ lang, text }) => note(lang, text);
const { start } = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) { note('tone', this.frequency.value); start.call(this, at); };
if (navigator.wakeLock) navigator.wakeLock.request = async what => {
  note('awake', what);
  return { release() {}, released: false };
};"""
"""Notes what would be heard, felt and kept on."""

WITHOUT_LOCK = "delete Navigator.prototype.wakeLock;"
"""A page over http has no Wake Lock."""


def heard(page: Page) -> list[str]:
    """What was heard, felt and kept on so far."""
    return list(page.evaluate("globalThis.heard"))


def opened(phone: Phone, site: Site, script: str, **changed: object) -> Page:
    """The table on a phone that notes what is heard, once what comes after the first view is there."""
    page = phone("/join", **changed)
    page.add_init_script(script)
    load(page, site)
    return page


def load(page: Page, site: Site) -> None:
    """The table's page, once what comes after the first view listens."""
    page.goto(site.url("/"))
    page.wait_for_function("() => document.getElementById('sounds').onclick", polling=100)


@pytest.mark.parametrize(
    "locale, says",
    rest_slow(
        ("en-GB", "en Cat: {cat}, Dog: 0. Dog to play"),
        ("zh-TW", "zh-TW 貓貓: {cat}, 狗狗: 0. 輪到狗狗"),
        ("ko-KR", "ko 고양이: {cat}, 강아지: 0. 강아지"),
    ),
)
def test_with_the_switch_on_a_move_clicks_and_the_score_is_spoken(
    phone: Phone, site: Site, locale: str, says: str
) -> None:
    page = opened(phone, site, HEARD, locale=locale)
    site.table.play(OPENING[0], "camera")
    expect(page.locator("#bed .tile")).to_have_count(1)
    assert [what for what in heard(page) if not what.startswith("awake")] == [], (
        "it is off until it is chosen"
    )
    page.locator("#menu summary").tap()
    page.locator("#sounds").tap()
    expect(page.locator("#sounds")).to_have_attribute("aria-pressed", "true")
    site.table.undo("camera")
    expect(page.locator("#bed .tile")).to_have_count(0)
    site.table.play(OPENING[0], "camera")
    expect(page.locator("#bed .tile")).to_have_count(1)
    page.wait_for_function("() => globalThis.heard.some(what => what.startsWith('tone 1800'))")
    cat = site.table.snapshot.view().match.board.points.cat.total
    page.wait_for_function(
        "says => globalThis.heard.some(what => what.startsWith(says))", arg=says.format(cat=cat)
    )
    page.reload()
    expect(page.locator("#sounds")).to_have_attribute("aria-pressed", "true")


def test_my_turn_is_heard_and_felt(phone: Phone, site: Site) -> None:
    page = opened(phone, site, HEARD)
    page.evaluate("localStorage.setItem('sounds', 'on')")
    # Asked from outside: the page loads again as soon as it hears of the seat.
    page.goto("about:blank")
    assert page.request.post(site.url("/api/seats/take"), data={"seat": "dog"}).ok
    load(page, site)
    page.locator("#status").tap()
    site.table.play(OPENING[0], "camera")
    page.wait_for_function("() => globalThis.heard.includes('buzz 200')")
    page.wait_for_function("() => globalThis.heard.includes('tone 659')")


def test_the_screen_stays_on_while_a_match_is_played(phone: Phone, site: Site) -> None:
    page = opened(phone, site, HEARD)
    assert "awake screen" not in heard(page), "nothing is played yet"
    site.table.play(OPENING[0], "camera")
    page.wait_for_function("() => globalThis.heard.includes('awake screen')")


def test_without_https_a_silent_video_keeps_it_on(phone: Phone, site: Site) -> None:
    page = opened(phone, site, WITHOUT_LOCK)
    site.table.play(OPENING[0], "camera")
    expect(page.locator("#bed .tile")).to_have_count(1)
    page.locator("#status").tap()
    page.wait_for_function(
        "() => { const video = document.querySelector('video'); return video && !video.paused; }"
    )
    assert page.evaluate("document.querySelector('video').loop")
    assert page.evaluate("document.querySelector('video').currentSrc").endswith("/static/awake.webm")


def test_a_card_of_hide_and_seek_is_seen_to_come(phone: Phone, site: Site) -> None:
    head, moves = golden("hide-and-seek")
    at = next(n for n, each in enumerate(moves) if each["move"] == "turn-up" and each["on"] != "enemy")
    site.table.begin("hide-and-seek", head["options"], head["seats"])
    play(site.table, moves[:at])
    for path in ("/", "/display"):
        page = phone(path)
        page.wait_for_selector("html[data-drawn]")
        before = page.locator(".chip-card").count()
        play(site.table, moves[at : at + 1])
        expect(page.locator(".chip-card")).to_have_count(before + 1)
        expect(page.locator(".chip-card.new")).to_have_count(1)
        site.table.undo("phone")
