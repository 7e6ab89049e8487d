"""The page: its words, its scripts and, in a real browser, what a person does on it."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from playwright.sync_api import expect

from companion.games.chop_chop import GAME
from companion.games.chop_chop.kitchen import SLABS
from companion.games.chop_chop.state import ChopState, What
from companion.games.watching import Die, Observation
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.table import Table
from tests.browser.conftest import until
from tests.browser.reading import left_of

MEETS = ("slab", "cheese", "mouse", "hole", "table", "nothing")
TRAYS = ("tap-square", "tap-die", "tap-slab")
SIGHTED = ("die-unclear", "die-colour", "which-piece", "piece-missing", "between-squares", "pieces-unclear")

SMALL = """() => [...document.querySelectorAll('main button, main a')]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }))
  .map((node) => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 44 || box.height < 44)).map(([name]) => name)"""


def test_its_chinese_words_are_the_rulebooks() -> None:
    said = " ".join(words["zh-Hant"] for _, words in messages_of_game(GAME.slug))
    assert not [word for word in ("石板", "菜刀", "瓦片：") if word in said]


def test_every_word_made_of_parts_is_in_the_catalogue() -> None:
    words = messages_of_game(GAME.slug)
    whats = [what for what in get_args(What) if what not in ("cut", "missed")]
    keys = [f"chop.did-{what}" for what in whats]
    keys += [f"chop.did-{what}-{side}" for what in ("cut", "missed") for side in ("mice", "cat")]
    keys += [f"slab.{slab}" for slab in SLABS]
    keys += [f"chop.meets-{meets}" for meets in MEETS]
    keys += [f"chop.{tray}" for tray in TRAYS]
    keys += [f"chop.wins-{side}" for side in ("mice", "cat")]
    keys += [f"chop.{stat}-why" for stat in ("cheese", "caught", "holes", "knife")]
    keys += [f"chop.side-{side}" for side in ("mice", "cat")]
    keys += [f"chop.{key}" for key in ("which-way", "came-by", "holes-shut", "needs", "misses")]
    keys += [f"why.{why}" for why in SIGHTED]
    keys += [f"name.{name}" for name in ("grey", "blue", "mouse-4", "mice")]
    assert not [key for key in keys if key not in words]


@pytest.fixture
def table(journal: Journal) -> Table:
    """A match in which the cat is placed."""
    table = Table.open(journal, GAME.slug)
    table.play({"move": "place", "row": 2, "col": 3}, "phone")
    return table


def kept(table: Table) -> ChopState:
    """How the match stands."""
    state = table.match.state
    assert isinstance(state, ChopState)
    return state


def spot(page: Any, name: str) -> Any:
    """The button over a square that can be reached."""
    return page.locator(f'#spots [data-key="{name}"]')


@pytest.mark.browser
class TestInABrowser:
    """What a person sees and does."""

    def test_a_turn_is_a_die_a_square_and_a_slab(self, page: Any, table: Table) -> None:
        page.get_by_role("button", name="Threw 1", exact=True).click()
        spot(page, "D2").click()
        page.locator("#go", has_text="Move to D2").click()
        page.locator("#choices button", has_text="cheese").click()
        page.locator("#side-mice .figure", has_text="1").wait_for()
        expect(page.locator("#needs .cheese:not(.not)")).to_have_count(1)
        assert kept(table).standing.cheese_found == 1

    def test_a_tap_waits_for_the_answer_to_the_one_before(self, page: Any, table: Table) -> None:
        held: list[Any] = []
        page.route("**/api/moves", lambda route: held.append((route, route.fetch())), times=1)
        page.get_by_role("button", name="Threw 1", exact=True).click()
        spot(page, "D2").dblclick()  # the live stream has shown it already
        until(page, lambda: bool(held))
        route, answer = held[0]
        route.fulfill(response=answer)
        page.locator("#choices button", has_text="cheese").wait_for()
        assert kept(table).standing.mover == "mouse-1"

    def test_the_chosen_mouse_alone_has_dots_and_its_way_is_drawn(self, page: Any, table: Table) -> None:
        page.get_by_role("button", name="Threw 4", exact=True).click()
        for mouse in ("mouse-1", "mouse-2"):
            page.get_by_role("button", name=f"{mouse[-1]}: mouse {mouse[-1]}", exact=True).click()
            board = table.snapshot.view().match.board
            expect(page.locator("#spots .spot")).to_have_count(sum(way.piece == mouse for way in board.ways))
        expect(page.locator("#kitchen .way")).to_have_count(0)
        page.locator("#spots .spot").first.click()
        expect(page.locator("#kitchen .way")).to_have_count(1)
        page.locator("#go", has_text="Move to").click()
        page.locator("#go", has_text="Tap what was under the slab").wait_for()
        assert kept(table).standing.mover == "mouse-2"

    def test_a_step_that_hangs_on_the_way_walked_asks_for_it(self, page: Any, table: Table) -> None:
        for move in ("2", "m1>1,4", "plus-1"):
            table.play(GAME.parse(move), "phone")
        spot(page, "E1").dblclick()
        page.get_by_text("Which square did mouse 1 cross just before E2?").wait_for()
        page.get_by_role("button", name="Came by way of D2", exact=True).click()
        page.locator("#since", has_text="Mouse 1 came by way of D2.").wait_for(state="attached")
        page.locator("#since", has_text="Mouse 1 to E1.").wait_for(state="attached")
        expect(page.locator("#sheet")).to_be_hidden()
        assert kept(table).standing.at("mouse-1") == (0, 4)

    def test_a_step_that_hangs_on_no_way_is_one_tap(self, page: Any, table: Table) -> None:
        for move in ("2", "m1>1,4", "plus-1"):
            table.play(GAME.parse(move), "phone")
        spot(page, "F2").dblclick()
        page.locator("#since", has_text="Mouse 1 to F2.").wait_for(state="attached")
        assert page.locator("#sheet").is_hidden()

    def test_everything_to_tap_is_large_enough_also_on_a_small_phone(self, page: Any, table: Table) -> None:
        for width in (390, 320):
            page.set_viewport_size({"width": width, "height": 640})
            page.wait_for_selector("#choices button")
            assert left_of(page, SMALL) == []
            page.wait_for_function("width => document.documentElement.scrollWidth === width", arg=width)
        table.play({"move": "throw", "dice": [4]}, "phone")
        page.wait_for_selector("#spots .spot")
        assert left_of(page, SMALL) == []

    @pytest.mark.parametrize("stat", ["side-mice", "side-cat"])
    def test_each_number_has_its_why_one_tap_away(self, page: Any, stat: str) -> None:
        page.wait_for_selector("#choices button")
        page.click(f"#{stat}")
        page.wait_for_selector("#sheet p")
        expect(page.locator("#sheet")).to_have_text(re.compile(".{60}"))
        page.click("#sheet header button")
        page.wait_for_selector("#sheet", state="hidden")

    def test_the_odds_hold_the_chances_and_a_row_for_each_slab(self, page: Any, table: Table) -> None:
        page.locator("main summary").click()
        for said in ("give or take", "good players on both sides"):
            expect(page.locator("#chances")).to_contain_text(said)
        assert page.locator("#bag tr").count() == len(table.snapshot.view().match.board.bag)

    def test_the_wrong_die_is_said(self, page: Any, table: Table) -> None:
        page.wait_for_selector("#choices button")
        table.see(Observation(dice=(Die(2, "blue"),)))
        page.get_by_text("That is the other side's die").wait_for()
        assert kept(table).throws == 0

    def test_an_unclear_die_is_answered_with_one_tap(self, page: Any, table: Table) -> None:
        page.wait_for_selector("#choices button")
        table.see(Observation(unsure=True, why="dice", dice=(Die(2, "grey", confidence=0.5),)))
        page.click("#sheet .answers button >> nth=0")
        page.locator("#since", has_text="The mice threw 2.").wait_for(state="attached")
        assert kept(table).throws == 1

    def test_a_win_is_plain_to_see(self, page: Any, table: Table) -> None:
        from tests.conformance import golden

        address = page.url
        page.goto("about:blank")
        table.undo("phone")
        for line in golden.playthrough(GAME.folder / "tests" / "golden.jsonl")[1:]:
            if "refused" not in line:
                table.play(line["move"], "phone")
        page.goto(address)
        page.locator("#won", has_text="The mice win!").wait_for()
        assert page.locator("#spots .spot").count() == 0

    def test_the_numbers_are_there_without_scripts(self, chromium: Any, address: str) -> None:
        context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(f"{address}watch")
        assert page.inner_text("#side-mice .figure") == "0"
        assert page.locator("#bag tr").count() == 7
        context.close()
