"""The page: its words, its scripts and, in a real browser, what a person does on it."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest
from playwright.sync_api import expect

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import Reason
from companion.games.watching import Die, Observation
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.seats import phone_of
from companion.play.table import Table

SECRET = "a-secret-of-a-phone"

THROWS = ((6, 5), (1, 2), (5, 4), (4, 4), (6, 6))


def test_every_word_made_of_parts_is_in_the_catalogue() -> None:
    words = messages_of_game(GAME.slug)
    keys = [f"because.{reason}" for reason in get_args(Reason)]
    keys += [f"race.why-{name}" for name in ("lost-turn", "second-throw", "turn-back", "stay", "leap", "won")]
    keys += ["outcome.exact", "outcome.double", "race.for-cat-first", "race.for-cat-second"]
    assert not [key for key in keys if key not in words]


@pytest.fixture
def table(journal: Journal) -> Table:
    """A race of three throws."""
    table = Table.open(journal, GAME.slug)
    for dice in THROWS:
        table.play({"move": "throw", "dice": list(dice)}, "phone")
    return table


@pytest.mark.browser
class TestInABrowser:
    """What a person sees and does."""

    def test_a_die_of_each_row_shows_the_way_and_one_tap_more_goes_it(self, page: Any, table: Table) -> None:
        expect(page.locator("#go")).to_have_attribute("aria-disabled", "true")
        page.click("#faces > :first-child button:nth-child(2)")
        page.click("#faces > :last-child button:nth-child(1)")
        page.get_by_text("2 and 1: on to square 11").wait_for()
        assert table.match.n == len(THROWS)
        page.get_by_role("button", name="Move to 11").click()
        page.get_by_text("Mouse: 8 → 11").wait_for()
        assert table.match.n == len(THROWS) + 1

    def test_a_die_tapped_again_is_put_back(self, page: Any) -> None:
        for _ in range(2):
            page.click("#faces > :first-child button:nth-child(2)")
        page.click("#faces > :last-child button:nth-child(1)")
        expect(page.locator("#go")).to_have_text("Tap both dice")

    def test_it_says_what_to_move_and_hand_over(self, page: Any) -> None:
        expect(page.locator("#last")).to_have_text(re.compile("Cat stays on 9 · Cat pays Mouse 2 chips"))

    @pytest.mark.parametrize(("seat", "climbs"), [(None, "cat"), ("cat", "cat"), ("mouse", "mouse")])
    def test_ones_own_counter_climbs(
        self, page: Any, address: str, table: Table, seat: str | None, climbs: str
    ) -> None:
        if seat:
            table.seats.take_seat(seat, phone_of(SECRET))
            page.context.add_cookies([{"name": "seat", "value": SECRET, "url": address}])
            page.goto(address)

        def height(square: str) -> float:
            box = page.locator(f"#track .number.{climbs}", has_text=re.compile(f"^{square}$")).bounding_box()
            assert box is not None
            return float(box["y"])

        assert height("7") > height("43") > height("61")

    def test_the_ledger_says_who_landed_and_names_the_double(self, page: Any, table: Table) -> None:
        table.play({"move": "throw", "dice": [1, 1]}, "phone")
        page.get_by_text("Mouse: 8 → 11").wait_for()
        page.click("#odds")
        page.locator(".ledger tbody tr").nth(4).wait_for(state="attached")
        said = page.locator(".ledger td:last-child").all_text_contents()
        assert said[0] == "Mouse: landed on 11 by a double 1"
        assert "Cat: landed on 9" in said
        assert "Cat: double 6, no move" in said

    def test_the_board_stays_where_it_is_from_throw_to_throw(self, page: Any, table: Table) -> None:
        page.get_by_text("Cat stays on 9").wait_for()
        places = {page.locator("#track").bounding_box()["y"]}
        for dice, said in (((2, 1), "8 → 11"), ((1, 2), "9 → 12")):
            table.play({"move": "throw", "dice": list(dice)}, "phone")
            page.locator("#last").get_by_text(said).wait_for()
            places.add(page.locator("#track").bounding_box()["y"])
        assert len(places) == 1

    def test_the_odds_are_a_tap_away_until_the_next_throw(self, page: Any, table: Table) -> None:
        page.click("#odds")
        expect(page.locator("#sheet")).to_contain_text("Of 36 throws")
        assert page.locator("#sheet .throws tbody tr").count() == 21
        table.play({"move": "throw", "dice": [2, 1]}, "phone")
        expect(page.locator("#sheet")).to_be_hidden()

    def test_a_die_that_was_not_seen_is_asked_for_and_answered_with_one_tap(
        self, page: Any, table: Table
    ) -> None:
        table.see(Observation(dice=(Die(3),)))
        page.click("#sheet .answers button >> nth=0")
        page.wait_for_selector("#sheet", state="hidden")
        assert table.match.n == len(THROWS) + 1

    def test_where_the_counters_stand_is_there_without_scripts(self, chromium: Any, address: str) -> None:
        context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(f"{address}watch")
        assert page.locator(".who b").all_text_contents() == ["9", "8"]
        context.close()
