"""The page: its words, its scripts and, in a real browser, what a person does on it."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from companion.games.cat_and_mouse import GAME
from companion.games.cat_and_mouse.state import How, Reason, Then
from companion.games.watching import Die, Observation
from companion.messages import messages_of_game
from companion.play.journal import Journal
from companion.play.table import Table

THROWS = ((6, 5), (1, 2), (5, 4), (4, 4), (6, 6))


def test_every_word_made_of_parts_is_in_the_catalogue() -> None:
    words = messages_of_game(GAME.slug)
    keys = [f"because.{reason}" for reason in get_args(Reason)]
    keys += [f"race.then-{then.value}" for then in Then if then is not Then.NEXT]
    keys += [f"race.how-{how.value}" for how in (How.LEAP, How.TURN_BACK)]
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

    def test_two_taps_are_a_throw(self, page: Any, table: Table) -> None:
        page.click("#faces button:nth-child(2)")
        page.click("#faces button:nth-child(1)")
        page.get_by_text("Move Mouse from square 8 to square 11").wait_for()
        assert table.match.n == len(THROWS) + 1

    def test_it_says_what_to_move_and_hand_over(self, page: Any) -> None:
        page.wait_for_selector("#hand-over li")
        assert page.inner_text("#move") == "Cat stays on square 9"
        assert "Cat → Mouse: 2 chips (double 6, no move)" in page.inner_text("#hand-over")

    def test_the_ledger_says_who_landed_and_names_the_double(self, page: Any, table: Table) -> None:
        table.play({"move": "throw", "dice": [1, 1]}, "phone")
        page.locator("#ledger tr").nth(4).wait_for(state="attached")
        said = page.locator("#ledger td:last-child").all_text_contents()
        assert said[0] == "Mouse: landed on 11 by a double 1"
        assert "Cat: landed on 9" in said
        assert "Cat: double 6, no move" in said

    def test_the_board_stays_where_it_is_from_throw_to_throw(self, page: Any, table: Table) -> None:
        page.wait_for_selector("#hand-over li")
        places = {page.locator("#track").bounding_box()["y"]}
        for dice, said in (((2, 1), "to square 11"), ((1, 2), "to square 12")):
            table.play({"move": "throw", "dice": list(dice)}, "phone")
            page.locator("#move").get_by_text(said).wait_for()
            places.add(page.locator("#track").bounding_box()["y"])
        assert len(places) == 1

    def test_why_a_chance_is_what_it_is_stands_a_tap_away(self, page: Any) -> None:
        page.click("#player-mouse")
        page.wait_for_function(
            "() => { const {top} = document.getElementById('expectation').getBoundingClientRect();"
            " return scrollY > 300 && 0 <= top && top < 400; }"
        )

    def test_a_die_that_was_not_seen_is_asked_for_and_answered_with_one_tap(
        self, page: Any, table: Table
    ) -> None:
        table.see(Observation(dice=(Die(3),)))
        page.click("#sheet .answers button >> nth=0")
        page.wait_for_selector("#sheet", state="hidden")
        assert table.match.n == len(THROWS) + 1

    def test_the_chart_is_there_without_scripts(self, chromium: Any, address: str) -> None:
        context = chromium.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.goto(f"{address}watch")
        box = page.locator("#chart svg .cat-part").bounding_box()
        assert box is not None
        assert box["width"] > 300
        assert page.locator("#ledger tr").count() == 4
        context.close()
