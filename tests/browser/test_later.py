"""What a game's page loads after its first view: sounds, what keeps the screen on, the chart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.games.watching import square_name
from companion.service.panel import TablePanel
from companion.service.turn_clock import ClockRules
from tests.browser.conftest import Phone, Site, rest_slow
from tests.browser.reading import axe, unreadable_at_some_size
from tests.browser.states import golden, play
from tests.conftest import OPENING
from tests.running import state_of

__all__ = ["axe"]

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

AT_THE_CLOCK = """const spoken = speechSynthesis.speak;
speechSynthesis.speak = ({ lang, text }) =>
  text.includes(": t") ? note(document.getElementById("clock").innerText.replace("\\n", " "), lang, text)
    : spoken({ lang, text });
"""
"""Notes with what the clock says what it shows."""

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


SPOKEN = "says => globalThis.heard.includes(says)"


@pytest.mark.parametrize(
    "locale, asks, says",
    rest_slow(
        ("en-GB", ("Whose turn?", "What lies where?"), ("en Dog to play", "en {square}: the cat's {digit}.")),
        (
            "zh-TW",
            ("輪到誰？", "哪裡有什麼？"),
            ("zh-TW 輪到狗狗", "zh-TW {square}：貓貓的 {digit} 號板塊。"),
        ),
        (
            "ko-KR",
            ("누구 차례?", "어디에 뭐가 있나?"),
            ("ko 강아지 차례", "ko {square}: 고양이의 {digit}번 타일."),
        ),
    ),
)
def test_the_table_answers_aloud_and_large(
    phone: Phone, site: Site, axe: str, locale: str, asks: tuple[str, str], says: tuple[str, str]
) -> None:
    site.table.play(OPENING[0], "camera")
    tile = site.table.snapshot.view().match.board.tiles[0]
    square = square_name(tile.cells[0])
    page = opened(phone, site, HEARD, locale=locale)
    page.locator("#menu summary").tap()
    page.locator("#ask").tap()
    page.get_by_role("button", name=asks[0]).tap()
    page.wait_for_function(SPOKEN, arg=says[0])
    page.locator("#asking input").fill(square.lower())
    page.get_by_role("button", name=asks[1]).tap()
    said = says[1].format(square=square, digit=tile.digit)
    page.wait_for_function(SPOKEN, arg=said)
    expect(page.locator("#asking .answer")).to_have_text(said.split(" ", 1)[1])
    assert unreadable_at_some_size(page, axe) == []


def test_a_key_asks_the_table(phone: Phone, site: Site) -> None:
    page = opened(phone, site, HEARD)
    page.keyboard.press("F2")
    expect(page.locator("#asking")).to_be_visible()
    page.keyboard.press("1")
    page.wait_for_function(SPOKEN, arg="en Cat to play")
    page.keyboard.press("Escape")
    expect(page.locator("#asking")).to_be_hidden()


@pytest.mark.parametrize("path", ["/", "/display"])
def test_what_a_button_of_the_panel_asks_is_answered_aloud(phone: Phone, site: Site, path: str) -> None:
    page = opened(phone, site, HEARD)
    page.evaluate("localStorage.setItem('sounds', 'on')")
    if path != "/":
        page.goto(site.url(path))
        page.wait_for_selector("html[data-drawn]", state="attached")
    assert site.app
    announcements = state_of(site.app).running.announcements
    for question, says in (("turn", "Cat to play"), ("standing", "Cat: 0, Dog: 0. Cat to play")):
        announcements.ask(question)
        page.wait_for_function(SPOKEN, arg=f"en {says}")
        if path == "/display":
            expect(page.locator("#outside")).to_have_text(says)
    expect(page.locator("#notices p")).to_have_count(0)


def test_the_voice_of_the_clock_says_what_the_clock_shows(phone: Phone, site: Site) -> None:
    site.stop()
    site.panel = panel = TablePanel(site.table, rules=ClockRules("total", 11.0))
    panel.start()
    site.begin()
    page = opened(phone, site, HEARD + AT_THE_CLOCK)
    page.evaluate("localStorage.setItem('sounds', 'on')")
    site.table.play(OPENING[0], "phone")
    page.wait_for_function(SPOKEN, arg="Dog 0:10 en Dog: ten seconds left")
    panel.set_clock(ClockRules("total", 3.0))
    page.wait_for_function(
        "() => globalThis.heard.some(what => /^Dog [+]0:0. en Dog: time is up$/.test(what))"
    )
    assert sum(": t" in what for what in heard(page)) == 2, "each is said once"
    panel.stop()
