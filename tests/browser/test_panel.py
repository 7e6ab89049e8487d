"""The panel on a phone: the same lamps, the same presses, and no wires at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from operator import add
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from playwright.sync_api import CDPSession, Locator, Page, expect

from companion.games.watching import Observation, Tile
from companion.service.panel import TablePanel
from companion.service.panel_state import PanelNow
from companion.service.turn_clock import COUNTS, ClockRules
from hardware.panel.wires import Wires
from hardware.panel.wiring import read_wiring
from tests.browser.conftest import Phone, Site, rest_slow, until
from tests.browser.reading import SHIFTS, SPILLS, axe, jumps, left_of, unreadable
from tests.browser.test_every_page import UNFOLD
from tests.conftest import OPENING
from tests.panel.test_wires import UnluckyPin

__all__ = ["axe"]

ONE_GLOWS = """() => [...document.querySelectorAll('.glow')]
  .map(node => +getComputedStyle(node).opacity).sort().join() === '0,1'"""

LOADS = 5
"""On a busy machine news may reach a page late, and its clock with it, but not each time."""

CHANGES = """clock => new Promise(resolve => {
  const changes = [];
  const node = document.querySelector(clock);
  new MutationObserver(() => {
    changes.push([Number(node.textContent.split(':')[1]), Date.now() / 1000]);
    if (changes.length > 3) resolve(changes.slice(1));
  }).observe(node, {childList: true, characterData: true, subtree: true});
})"""
"""What a clock changes to, in seconds, and when."""

NOTE_LAMPS = """() => {
  globalThis.lamps = {};
  const note = () => {
    for (const press of document.querySelectorAll('[data-key] .press')) {
      const shown = globalThis.lamps[press.closest('[data-key]').dataset.key] ??= [];
      if (shown.at(-1) !== press.dataset.pattern) shown.push(press.dataset.pattern);
    }
  };
  new MutationObserver(note).observe(document, {subtree: true, childList: true, attributes: true});
  note();
}"""
"""Notes what each seat's lamp shows, one after the other: some patterns last a second only."""

# An older pytest does not look through a fixture that stands in for its namesake, as `phone` does here.
pytestmark = pytest.mark.browser

SHOWS = """([seat, pattern]) => {
  const shown = globalThis.lamps[seat] ?? [];
  if (!shown.includes(pattern)) return false;
  shown.splice(0, shown.indexOf(pattern));
  return true;
}"""
"""Whether a lamp shows a pattern, or has shown it since the one that was waited for last."""

GLOWS = """([seat, level]) => Math.round(
  getComputedStyle(document.querySelector(`[data-key="${seat}"] .glow`)).opacity) === level"""

BREATHES = """([level, above]) => {
  const [cat, dog] = [...document.querySelectorAll('.glow')].map(node => +getComputedStyle(node).opacity);
  return Math.abs(cat - dog) < 0.02 && cat > level === above;
}"""
"""Both lamps are as bright as each other, and brighter than a level or darker."""

HOLDS = """globalThis.holds = [];
const {setInterval: interval} = globalThis;
globalThis.setInterval = (say, ms) => ms === 400 ? globalThis.holds.push(say) : interval(say, ms);"""
"""A held button says so when the test lets it."""

NEVER_S = 1e6

CAT_1, DOG_1_ON_IT = Tile("cat", 1, 0, 5, 3), Tile("dog", 1, 0, 5, 3)


@pytest.fixture
def phone(phone: Phone) -> Phone:
    """A phone whose panel notes what its lamps show."""

    def opened(path: str = "/panel", **changed: Any) -> Page:
        page = phone(path, **changed)
        page.add_init_script(f"({NOTE_LAMPS})()")
        page.evaluate(NOTE_LAMPS)
        return page

    return opened


@pytest.fixture
def rules() -> ClockRules:
    """The clock; a test may have its own."""
    return COUNTS


@pytest.fixture
def wires() -> Wires | None:
    """Real wires; none unless a test has some."""
    return None


@pytest.fixture
def panel(
    site: Site, rules: ClockRules, wires: Wires | None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TablePanel]:
    """The table's panel, served. However slow the machine is, a press is no hold and no page is silent."""
    monkeypatch.setattr("hardware.panel.presses.FADE_AFTER_S", NEVER_S)
    monkeypatch.setattr("companion.service.panel_inputs.PAGE_SILENT_S", NEVER_S)
    site.stop()
    site.panel = made = TablePanel(site.table, wires, rules=rules)
    made.start()
    site.begin()
    yield made
    made.stop()


def button(page: Page, seat: str) -> Locator:
    """A seat's button, which shows its lamp."""
    return page.locator(f'[data-key="{seat}"] .press')


def shows(page: Page, seat: str, pattern: str) -> None:
    """Wait until a seat's lamp shows this, or has shown it since."""
    page.wait_for_function(SHOWS, arg=[seat, pattern])


Hold = Callable[[str], None]
"""Lets the time be over for which buttons are held, by its name in `hardware.panel.presses`."""


class Fingers:
    """Several fingers on one phone, each of which stays until it is lifted."""

    def __init__(self, page: Page) -> None:
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._down: list[dict[str, Any]] = []

    def press(self, where: Locator) -> None:
        """One more finger goes down in the middle of something."""
        box = where.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self._down.append({"x": x, "y": y, "id": len(self._down)})
        self._send("touchStart")

    def lift(self) -> None:
        """All fingers are lifted."""
        self._down = []
        self._send("touchEnd")

    def _send(self, what: str) -> None:
        self._cdp.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": self._down})


@pytest.mark.usefixtures("panel")
class TestPresses:
    """What fingers do there."""

    def test_a_press_on_the_page_is_a_press(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        shows(page, "cat", "your-turn")
        button(page, "cat").tap()
        shows(page, "cat", "waiting")
        site.table.play(OPENING[0], "camera")
        shows(page, "cat", "off")
        shows(page, "dog", "your-turn")

    def test_out_of_turn_the_lamp_says_no_and_why(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        button(page, "dog").tap()
        shows(page, "dog", "no")
        expect(button(page, "dog")).to_contain_text("Not now: it is Cat's turn")
        shows(page, "dog", "off")
        assert site.table.match.n == 0

    @pytest.fixture
    def hold(self, panel: TablePanel, monkeypatch: pytest.MonkeyPatch) -> Hold:
        """Ends a hold; until then the lamp fades, however long a page takes to show that."""
        monkeypatch.setattr("hardware.panel.presses.FADE_AFTER_S", 0.1)
        for held in ("UNDO_HOLD_S", "PAUSE_HOLD_S"):
            monkeypatch.setattr(f"hardware.panel.presses.{held}", NEVER_S)
        return lambda held: monkeypatch.setattr(f"hardware.panel.presses.{held}", 0.0)

    def test_a_hold_takes_back_and_says_so_before(self, phone: Phone, site: Site, hold: Hold) -> None:
        site.table.play(OPENING[0], "phone")
        page = phone("/panel")
        shows(page, "dog", "your-turn")
        fingers = Fingers(page)
        fingers.press(button(page, "cat"))
        shows(page, "cat", "undoing")
        expect(button(page, "cat")).to_contain_text("Keep holding")
        hold("UNDO_HOLD_S")
        shows(page, "cat", "your-turn")
        fingers.lift()
        assert site.table.match.moves == ()
        assert site.table.snapshot.view().match.by == "button"

    @pytest.mark.usefixtures("hold")
    def test_who_lets_go_in_time_takes_nothing_back(self, phone: Phone, site: Site) -> None:
        site.table.play(OPENING[0], "phone")
        page = phone("/panel")
        fingers = Fingers(page)
        fingers.press(button(page, "cat"))
        shows(page, "cat", "undoing")
        fingers.lift()
        shows(page, "cat", "off")
        assert len(site.table.match.moves) == 1

    def test_two_fingers_for_three_seconds_pause(self, phone: Phone, hold: Hold) -> None:
        page = phone("/panel")
        fingers = Fingers(page)
        fingers.press(button(page, "cat"))
        fingers.press(button(page, "dog"))
        shows(page, "cat", "pausing")
        shows(page, "dog", "pausing")
        hold("PAUSE_HOLD_S")
        expect(page.locator("#state")).to_have_text("Paused. Press any button to resume.")
        fingers.lift()
        shows(page, "cat", "paused")
        page.get_by_role("button", name="Resume").tap()
        shows(page, "cat", "your-turn")

    def test_two_fingers_are_both_heard_again_and_again(self, phone: Phone, panel: TablePanel) -> None:
        heard: list[str] = []
        use = panel.button

        def hears(name: str, *done: Any) -> PanelNow:
            heard.append(name)
            return use(name, *done)

        panel.button = hears  # type: ignore[method-assign]
        page = phone("/join")
        page.add_init_script(HOLDS)
        page.goto(page.url.replace("/join", "/panel"))
        fingers = Fingers(page)
        fingers.press(button(page, "cat"))
        fingers.press(button(page, "dog"))
        page.evaluate("() => setInterval(() => globalThis.holds.forEach(say => say()), 20)")
        until(page, lambda: min(heard.count("cat"), heard.count("dog")) > 1)
        fingers.lift()

    def test_a_tap_over_a_slow_network_is_a_press(
        self, phone: Phone, panel: TablePanel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("hardware.panel.presses.FADE_AFTER_S", 5.0)
        monkeypatch.setattr("hardware.panel.presses.UNDO_HOLD_S", NEVER_S)
        use, late_s = panel.button, count(10, 10)
        begins_s = panel._clock()

        def late(*done: Any) -> PanelNow:
            panel._clock = partial(add, begins_s, next(late_s))
            return use(*done)

        panel.button = late  # type: ignore[method-assign]
        page = phone("/panel")
        button(page, "cat").tap()
        shows(page, "cat", "waiting")

    def test_the_keyboard_presses_too(self, phone: Phone) -> None:
        page = phone("/panel")
        button(page, "cat").focus()
        page.keyboard.press("Enter")
        shows(page, "cat", "waiting")

    def test_a_readers_single_click_is_a_press(self, phone: Phone) -> None:
        page = phone("/panel")
        button(page, "cat").evaluate("node => node.click()")
        shows(page, "cat", "waiting")

    def test_undo_is_in_reach(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        expect(page.locator("#panel-undo")).to_have_attribute("aria-disabled", "true")
        site.table.play(OPENING[0], "phone")
        shows(page, "dog", "your-turn")
        page.get_by_role("button", name="Undo").tap()
        shows(page, "cat", "your-turn")

    def test_a_press_while_the_companion_is_away_is_said_not_to_have_counted(
        self, phone: Phone, site: Site
    ) -> None:
        page = phone("/panel")
        site.stop()
        button(page, "cat").tap()
        expect(page.locator("#toast")).to_contain_text("No answer from the table")
        site.begin()

    def test_after_the_stream_was_lost_it_shows_what_is(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        site.stop()
        expect(page.locator("#lost")).to_be_visible()
        site.table.play(OPENING[0], "phone")
        site.begin()
        shows(page, "dog", "your-turn")

    def test_another_phone_sees_it_at_once(self, phone: Phone) -> None:
        one, other = phone("/panel"), phone("/panel")
        button(one, "cat").tap()
        shows(other, "cat", "waiting")


@pytest.mark.usefixtures("panel")
class TestLamps:
    """What the drawn lamps do: the same as real ones."""

    def test_the_lamp_in_turn_is_lit_and_the_other_dark(self, phone: Phone) -> None:
        page = phone("/panel")
        shows(page, "cat", "your-turn")
        for seat, level in (("cat", 1), ("dog", 0)):
            page.wait_for_function(GLOWS, arg=[seat, level])

    def test_a_broken_rule_blinks_and_is_said_in_words(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        site.table.see(Observation(tiles=(CAT_1,)))
        site.table.see(Observation(tiles=(CAT_1, DOG_1_ON_IT)))
        shows(page, "dog", "breaks")
        expect(button(page, "dog")).to_contain_text("can't lie on the cat's 1")
        for level in (1, 0, 1):
            page.wait_for_function(GLOWS, arg=["dog", level])

    def test_paused_lamps_breathe_together(self, phone: Phone, panel: TablePanel) -> None:
        page = phone("/panel")
        panel.button("pause", "tap")
        shows(page, "cat", "paused")
        for above in (0.6, 0.4, 0.6):
            page.wait_for_function(BREATHES, arg=[above, above > 0.5])

    def test_at_the_end_they_dance(self, phone: Phone, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("companion.service.panel_state.DANCE_S", NEVER_S)
        site.table.begin("this-bed-is-mine", {"board": 'side = "A"\nbed = ["++", "++", "++", "++", "++"]\n'})
        site.table.play(OPENING[0] | {"row": 0, "col": 0}, "phone")
        page = phone("/panel")
        site.table.play(OPENING[1] | {"row": 0, "col": 1}, "phone")
        shows(page, "cat", "over")
        page.wait_for_function(ONE_GLOWS)
        monkeypatch.setattr("companion.service.panel_state.DANCE_S", 0.0)
        expect(page.locator('[data-pattern="won"]').first).to_be_visible()

    def test_who_wants_no_motion_reads_it_instead(self, phone: Phone, panel: TablePanel) -> None:
        page = phone("/panel", reduced_motion="reduce")
        panel.button("pause", "tap")
        shows(page, "cat", "paused")
        assert page.evaluate("() => document.getAnimations().length") == 0
        expect(button(page, "cat")).to_contain_text("Paused")

    def test_names_of_people_are_used(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        site.table.name_players({"cat": "Mei"}, "phone")
        expect(button(page, "cat")).to_contain_text("Mei")
        button(page, "dog").tap()
        expect(button(page, "dog")).to_contain_text("Not now: it is Mei's turn")


@pytest.mark.usefixtures("panel")
class TestClocks:
    """Time on the page, each with its why."""

    def test_it_says_that_time_has_not_begun_and_then_runs(self, phone: Phone, site: Site) -> None:
        page = phone("/panel")
        expect(page.locator("#state")).to_contain_text("start at the next press or move")
        dog = page.locator('[data-key="dog"] .clock')
        expect(dog).to_have_text("0:00")
        site.table.play(OPENING[0], "phone")
        expect(page.locator("#state")).to_have_text("")
        expect(dog).not_to_have_text("0:00")
        expect(dog).not_to_have_text(dog.inner_text())
        expect(page.locator('[data-key="cat"] .clock')).to_have_text("0:00")

    def test_each_time_has_its_why_one_tap_away(self, phone: Phone) -> None:
        page = phone("/panel")
        why = page.locator('[data-key="cat"] .why')
        expect(why).to_be_hidden()
        page.locator('[data-key="cat"] summary').tap()
        expect(why).to_contain_text("0:00 used in this match")

    class TestLimit:
        """With a limit."""

        @pytest.fixture
        def rules(self) -> ClockRules:
            return ClockRules(reserve_s=2.0)

        def test_what_is_left_runs_out_and_play_goes_on(self, phone: Phone, site: Site) -> None:
            page = phone("/panel")
            dog = page.locator('[data-key="dog"] .time')
            expect(dog.locator("summary")).to_have_text("0:02left")
            site.table.play(OPENING[0], "phone")
            expect(dog).to_contain_text("over time")
            expect(dog.locator(".clock")).not_to_have_text("0:00")
            site.table.play(OPENING[1], "phone")
            shows(page, "cat", "your-turn")

        @pytest.mark.parametrize(
            ("path", "clock"),
            [
                pytest.param("/panel", '[data-key="dog"] .clock', id="panel"),
                pytest.param("/display", '[data-key="dog"] .clock', id="big-screen"),
                pytest.param("/", "#clock b", id="phone"),
            ],
        )
        def test_each_page_shows_what_the_panel_has(
            self, phone: Phone, site: Site, panel: TablePanel, path: str, clock: str
        ) -> None:
            panel.set_clock(ClockRules("advisory", 30.0))
            page = phone(path)
            site.table.play(OPENING[0], "phone")
            lags_s = [1.0]
            for _ in range(LOADS):
                page.wait_for_selector(clock)
                off_s = page.evaluate(CHANGES, clock)
                left_s, at_s = panel.status().seats[1].left_s, time.time()
                assert left_s is not None
                lags_s = [left_s + at_s - moment_s - shown for shown, moment_s in off_s]
                if max(map(abs, lags_s)) < 0.2:
                    break
                page.reload()
            assert max(map(abs, lags_s)) < 0.2, lags_s

        def test_a_phone_shows_the_clock_once_there_is_one(
            self, phone: Phone, site: Site, panel: TablePanel
        ) -> None:
            panel.set_clock(COUNTS)
            page = phone("/")
            page.wait_for_selector("html[data-later]")
            expect(page.locator("#clock")).to_have_count(0)
            panel.set_clock(ClockRules("fischer", 600.0, 5.0))
            expect(page.locator("#clock")).to_have_text("Cat10:00")
            expect(page.locator("h1")).to_have_text("This Bed Is Mine")
            panel.set_clock(COUNTS)
            expect(page.locator("#clock")).to_be_hidden()
            expect(page.locator("h1")).to_be_visible()


class TestFaults:
    """What of the wired panel does not work."""

    @pytest.fixture
    def wires(self) -> Iterator[Wires]:
        UnluckyPin.busy.add(27)
        yield Wires(read_wiring(), pin_factory=MockFactory(pin_class=UnluckyPin))
        UnluckyPin.busy.clear()

    @pytest.mark.usefixtures("panel")
    def test_it_is_said_by_name_and_pin(self, phone: Phone) -> None:
        page = phone("/panel")
        expect(page.locator("#fault-list li")).to_have_text(
            "Seat 1's lamp, GPIO27 (header pin 13): another program is using it."
            " Stop that program, or choose another GPIO."
        )

    class TestNone:
        """Nothing to say."""

        @pytest.fixture
        def wires(self) -> Wires:
            return Wires(read_wiring(), pin_factory=MockFactory(pin_class=MockPWMPin))

        @pytest.mark.usefixtures("panel")
        def test_while_all_works_nothing_is_said(self, phone: Phone) -> None:
            expect(phone("/panel").locator("#faults")).to_be_hidden()


@pytest.mark.usefixtures("panel")
class TestPage:
    """What holds for every page."""

    @pytest.mark.parametrize("locale", rest_slow("en-GB", "zh-TW", "ko-KR"))
    def test_it_can_be_read_and_pressed_and_does_not_jump(
        self, phone: Phone, site: Site, axe: str, locale: str
    ) -> None:
        page = phone("/join", locale=locale, reduced_motion="reduce")
        page.add_init_script(f"({SHIFTS})()")
        page.goto(site.url("/panel"))
        shows(page, "cat", "your-turn")
        assert jumps(page) == []
        page.evaluate(UNFOLD)
        for width, height in ((320, 568), (390, 844), (844, 390), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            assert left_of(page, SPILLS) == [], width
        assert unreadable(page, axe) == []
        button(page, "dog").tap()
        shows(page, "dog", "no")
        assert unreadable(page, axe) == [], "while a lamp says no"

    def test_nothing_moves_when_a_lamp_changes(self, phone: Phone) -> None:
        page = phone("/panel")
        shows(page, "cat", "your-turn")
        before = page.locator('[data-key="dog"]').bounding_box()
        button(page, "dog").tap()
        shows(page, "dog", "no")
        assert page.locator('[data-key="dog"]').bounding_box() == before
